"""What sentences and axes call the target and the sensitive attribute of a dataset.

A column is called by its name, unless its dataset says it in words: then sentences speak of "the
share of Black residents" and axes are titled "share of Black residents".
"""

from frem_core.datasets import Dataset, column_words


def target_title(dataset: Dataset) -> str:
    """The target as an axis names it."""
    return column_words(dataset.name, dataset.target_name)


def sensitive_title(dataset: Dataset) -> str:
    """The sensitive attribute as an axis names it."""
    return column_words(dataset.name, dataset.sensitive_name)


def the_target(dataset: Dataset) -> str:
    """The target within a sentence."""
    return _in_sentence(target_title(dataset), dataset.target_name)


def the_sensitive(dataset: Dataset) -> str:
    """The sensitive attribute within a sentence."""
    return _in_sentence(sensitive_title(dataset), dataset.sensitive_name)


def with_column(words: str, column: str) -> str:
    """Words with the name of the column behind them, where that is another one."""
    return words if words == column else f"{words} ({column})"


def _in_sentence(title: str, column: str) -> str:
    return column if title == column else f"the {title}"
