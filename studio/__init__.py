"""What the dashboard pages share: set-up, forms, caching and live parts."""
