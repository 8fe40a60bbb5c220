"""Measures speed and memory; every ratio is taken within one run."""

from pathlib import Path

RESULTS = Path(__file__).parent / "results"
"""Where the pages and what trained models are kept lie."""
