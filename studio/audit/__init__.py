"""The parts of the Audit page."""
