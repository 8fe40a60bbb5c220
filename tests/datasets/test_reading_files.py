import datetime
import io
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from frem_core.datasets import read_table
from frem_core.errors import DataError
from tests.datasets.people import people


@pytest.fixture
def workbook(tmp_path):
    def save(**sheets):
        book = Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        path = tmp_path / "book.xlsx"
        book.save(path)
        return path

    return save


def test_every_format_gives_the_same_table(tmp_path):
    original = people()
    original.to_csv(tmp_path / "t.csv", index=False)
    original.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    original.to_parquet(tmp_path / "t.parquet")
    original.to_excel(tmp_path / "t.xlsx", index=False)
    expected = read_table(original)
    for suffix in ("csv", "tsv", "parquet", "xlsx"):
        pd.testing.assert_frame_equal(read_table(tmp_path / f"t.{suffix}"), expected)


def test_content_counts_not_the_name(tmp_path):
    people().to_excel(tmp_path / "t.xlsx", index=False)
    people().to_parquet(tmp_path / "t.parquet")
    for name in ("t.xlsx", "t.parquet"):
        disguised = tmp_path / f"{name}.csv"
        (tmp_path / name).rename(disguised)
        assert read_table(disguised).shape == (120, 4)


def test_excel_cells_of_every_kind(workbook):
    path = workbook(
        Empty=[],
        Data=[
            ["n", "text", "day", "flag", "mixed", None],
            [1, "a", datetime.datetime(2020, 5, 1), True, "3", None],
            [2.5, None, datetime.datetime(2021, 5, 1), False, 4, None],
            [None, "#DIV/0!", None, True, 5.5],
        ],
        More=[["x"], [1]],
    )
    found = read_table(path)
    assert found["n"].tolist()[:2] == [1, 2.5]
    assert np.isnan(found["n"].iloc[2])
    assert found["text"].isna().tolist() == [False, True, True]
    assert found["day"].iloc[1] == pd.Timestamp("2021-05-01")
    assert found["flag"].tolist() == [True, False, True]
    assert found["mixed"].tolist() == [3, 4, 5.5]
    assert list(found.columns) == ["n", "text", "day", "flag", "mixed"]
    assert "Sheet 'Data' was read; the workbook has 2 more." in found.attrs["frem_notes"]
    assert list(read_table(path, sheet="More").columns) == ["x"]
    with pytest.raises(DataError, match=r"no sheet 'Mor'.*Did you mean 'More'"):
        read_table(path, sheet="Mor")


def test_excel_cells_beside_the_table_are_named(workbook):
    with pytest.raises(DataError, match=r"Row 3 of 'book.xlsx' has 3 cells"):
        read_table(workbook(Data=[["a", "b"], [1, 2], [1, 2, 3]]))
    with pytest.raises(DataError, match="no filled sheet"):
        read_table(workbook(Data=[]))


def test_excel_with_one_cell_in_the_last_corner_is_small_work(workbook, tmp_path):
    book = Workbook()
    book.active["A1"] = "a"
    book.active["XFD1048576"] = 1
    book.save(tmp_path / "corner.xlsx")
    with pytest.raises(DataError, match="16384 cells"):
        read_table(tmp_path / "corner.xlsx")


def test_parquet_leaves_lists_out_and_reads_categories(tmp_path):
    table = pa.table(
        {
            "x": [1.5, 2.5],
            "l": [[1], [2, 3]],
            "b": [b"1", b"2"],
            "c": pa.array(["u", "v"]).dictionary_encode(),
            "d": pa.array([datetime.date(2020, 1, 1), None]),
            "m": pa.array([None, 3], pa.decimal128(5, 2)),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    found = read_table(tmp_path / "t.parquet")
    assert list(found.columns) == ["x", "c", "d", "m"]
    assert found["d"].iloc[0] == pd.Timestamp("2020-01-01")
    assert found["m"].iloc[1] == 3
    assert (
        found.attrs["frem_notes"][0]
        == "Left out, because they hold lists, structures or bytes: l, b."
    )


def test_parquet_without_rows(tmp_path):
    pq.write_table(pa.table({"x": pa.array([], pa.float64())}), tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet").shape == (0, 1)


def test_parquet_that_unpacks_to_billions_of_cells_is_refused(tmp_path):
    nothing = pa.table({f"x{column}": pa.nulls(10_000_000) for column in range(21)})
    pq.write_table(nothing, tmp_path / "bomb.parquet")
    assert (tmp_path / "bomb.parquet").stat().st_size < 500_000
    with pytest.raises(DataError, match="10,000,000 rows × 21 columns"):
        read_table(tmp_path / "bomb.parquet")
    zeros = pa.table({"x": np.zeros(2000)})
    pq.write_table(zeros, tmp_path / "zeros.parquet", use_dictionary=False, compression="zstd")
    with pytest.raises(DataError, match=r"unpacks to 16.* kB; the limit is 8"):
        read_table(tmp_path / "zeros.parquet", max_bytes=8_000)


def test_a_long_text_repeated_in_parquet_is_kept_once(tmp_path):
    long = pa.DictionaryArray.from_arrays(np.zeros(20_000, np.int32), ["long " * 20_000])
    schema = pa.schema([("t", pa.string())])
    pq.write_table(pa.table({"t": long}), tmp_path / "t.parquet", store_schema=False)
    assert pq.read_schema(tmp_path / "t.parquet") == schema
    before = pa.total_allocated_bytes()
    found = read_table(tmp_path / "t.parquet")  # 2 GB if every row had its own text
    assert found["t"].nunique() == 1
    assert pa.total_allocated_bytes() - before < 5_000_000


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.7", "a PDF document"),
        (b"\x89PNG\r\n", "a picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel file"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"BZh91AY", "a bzip2 archive"),
        (b"PK\x03\x04 broken", "is damaged"),
        (b"PAR1 broken PAR1", "damaged or unsupported Parquet"),
        (b"\x1f\x8b broken", "is damaged"),
        (b"a,b\n\x00\x01\x02", "is not text"),
        (b"", "is empty"),
    ],
)
def test_files_of_other_kinds(tmp_path, data, message):
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(DataError, match=message):
        read_table(path)


def test_zip_archives(tmp_path):
    path = tmp_path / "t.zip"
    for member, message in [("t.csv", "unpack it"), ("content.xml", "OpenDocument")]:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(member, "a,b\n1,2\n")
        with pytest.raises(DataError, match=message):
            read_table(path)
    path.write_text("PK,name\n1,a\n")
    assert list(read_table(path).columns) == ["PK", "name"]


def test_paths_that_lead_nowhere(tmp_path):
    (tmp_path / "people.csv").write_text("a\n1\n")
    with pytest.raises(DataError, match=r"no file .*Did you mean 'people.csv'"):
        read_table(tmp_path / "poeple.csv")
    with pytest.raises(DataError, match="not a file"):
        read_table(tmp_path)
    with pytest.raises(DataError, match="is an address"):
        read_table("https://example.org/t.csv")
    for strange in ("x" * 5000, "a\x00b", 7):
        with pytest.raises(DataError):
            read_table(strange)


def test_file_above_the_limit_is_not_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\n" + "1\n" * 1000)
    with pytest.raises(DataError, match=r"'t.csv' has 2 kB; the limit is 1 kB.*max_bytes"):
        read_table(path, max_bytes=1000)


def test_text_mode_and_unseekable_files():
    with pytest.raises(DataError, match="binary mode"):
        read_table(io.StringIO("a,b\n1,2\n"))

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.left = io.BytesIO(b"a,b\n1,2\n")

        def read(self, size=-1):
            return self.left.read(size)

        def seek(self, *position):
            raise io.UnsupportedOperation

    assert read_table(Pipe()).shape == (1, 2)
