"""Measures speed and memory; every ratio is taken within one run."""
