"""The parts of the Health page."""
