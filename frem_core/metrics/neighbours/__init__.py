"""Mutual information from nearest neighbours, and what finds and counts these quickly.

The way of a value::

    neighbour_information    information      noise against ties, then column by column
      SensitiveRuns          sensitive_runs   what depends on S alone: once for all columns
      Plane                  plane            distance of every row to its n-th neighbour
      RisingValues           rising_values    how many rows are nearer than that
"""

from frem_core.metrics.neighbours.information import neighbour_information

__all__ = ["neighbour_information"]
