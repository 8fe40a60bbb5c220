"""Tables as CSV that a spreadsheet program can open without running anything."""

import pandas as pd

# A cell that starts like this is taken for a formula by common spreadsheet programs.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def spreadsheet_csv(table: pd.DataFrame) -> bytes:
    r"""Returns the table as UTF-8 CSV in which no text cell or header can act as a formula.

    Such text gets a leading apostrophe, which spreadsheet programs show as plain text. Numbers
    stay numbers. The byte-order mark makes Excel read the file as UTF-8.

    >>> spreadsheet_csv(pd.DataFrame({"=cmd": ["-1+2"], "n": [-3]})).decode("utf-8-sig")
    "'=cmd,n\n'-1+2,-3\n"
    """
    safe = table.copy()
    for position, dtype in enumerate(table.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):
            cells = [_harmless(cell) for cell in table.iloc[:, position]]
            safe.isetitem(position, cells)
    safe.columns = pd.Index([_harmless(str(name)) for name in table.columns])
    return safe.to_csv(index=False, lineterminator="\n").encode("utf-8-sig")


def _harmless(cell: object) -> object:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA_STARTS):
        return "'" + cell
    return cell
