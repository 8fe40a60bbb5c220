"""Fairness and prediction scores as pure functions."""
