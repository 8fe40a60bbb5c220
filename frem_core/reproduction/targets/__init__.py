"""The targets, one file each; a new file appears by itself."""
