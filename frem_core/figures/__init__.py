"""Plotly figures built from plain tables."""
