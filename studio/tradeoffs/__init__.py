"""The Trade-offs page: fronts of all methods, the best choice under limits, single runs."""
