"""What sweeps take: costs of their parts in processor time, and how long the rest will take."""
