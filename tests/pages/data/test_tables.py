from pathlib import Path

import pandas as pd
import pytest

from frem_core.errors import DataError
from studio.tables import find_table, is_kept, load_sample, the_tables

ID = "0123456789abcdef0123"


def test_tables_lie_in_the_data_folder_of_the_user(home: Path, clinic: pd.DataFrame) -> None:
    assert not is_kept(ID)
    the_tables().keep(clinic, table_id=ID, name="klinik – ü.csv")
    assert is_kept(ID)
    assert (home / "tables" / f"{ID}.parquet").exists()
    assert (find_table(ID).name, find_table(ID).rows) == ("klinik – ü.csv", 300)


def test_names_and_notes_come_back_as_they_were(home: Path, clinic: pd.DataFrame) -> None:
    clinic.attrs["frem_notes"] = ("Numbers were read with a decimal comma.",)
    the_tables().keep(clinic, table_id=ID, name="clinic.csv")
    assert the_tables().column_names(ID) == tuple(clinic.columns)
    frame = the_tables().load(ID)
    pd.testing.assert_frame_equal(frame, clinic, check_dtype=False)
    assert tuple(frame.attrs["frem_notes"]) == clinic.attrs["frem_notes"]


@pytest.mark.parametrize("table_id", ["", "../x", "A" * 20, "0" * 19, "0" * 21, "0" * 19 + "/"])
def test_an_id_cannot_lead_out_of_the_folder(home: Path, table_id: str) -> None:
    assert not is_kept(table_id)
    for use in (
        find_table,
        the_tables().column_names,
        load_sample,
        the_tables().load,
        the_tables().delete,
    ):
        with pytest.raises(DataError, match="names no table"):
            use(table_id)
