"""Kernels on the sensitive attribute and on representations, one file each."""
