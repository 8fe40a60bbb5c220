"""Scripts around the project: rebuild data, find a browser, take pictures."""
