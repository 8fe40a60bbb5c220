"""What trained models reach: fronts of methods, forms of the penalty, limits and searches."""
