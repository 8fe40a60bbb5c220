"""The estimator by itself: speed, memory and error of EIPM."""
