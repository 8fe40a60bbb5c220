"""The parts of the Ablations page."""
