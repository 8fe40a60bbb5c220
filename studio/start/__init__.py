"""The parts of the Start page."""
