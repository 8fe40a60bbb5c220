"""Built-in datasets, simulated data and any table a user brings."""
