"""The expectation of integral probability metrics and its estimators."""
