"""The parts of the Estimator lab page."""
