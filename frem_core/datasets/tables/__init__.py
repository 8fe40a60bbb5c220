"""Reads tables of any kind and turns them into datasets."""

from frem_core.datasets.tables.read_table import read_table
from frem_core.datasets.tables.table_to_dataset import load_table, table_to_dataset

__all__ = ["load_table", "read_table", "table_to_dataset"]
