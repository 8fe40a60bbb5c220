"""What a team relies on: nothing lost when processes die."""
