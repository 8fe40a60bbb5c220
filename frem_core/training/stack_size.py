"""How many trainings run side by side."""


def best_stack_size(rows: int, batch_size: int) -> int:
    """Returns the number of members that trains fastest on one thread."""
    return 50 if min(rows, batch_size) <= 256 else 1
