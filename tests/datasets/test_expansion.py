"""Files made to explode are refused before they take memory."""

import gzip
import io
import tracemalloc
import zipfile
import zlib

import pytest
from openpyxl import Workbook

from frem_core.datasets import read_table
from frem_core.errors import DataError

SHEET = "xl/worksheets/sheet1.xml"


def workbook_with(member: str, content: bytes, path):
    """A real workbook in which one part is replaced."""
    plain = io.BytesIO()
    book = Workbook()
    book.active.append(["a", "b"])
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, content if name == member else old.read(name))
    return path


def refused_with_little_memory(path, message, **options):
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=message):
            read_table(path, **options)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


def test_workbook_that_unpacks_to_far_more(tmp_path):
    path = workbook_with(SHEET, b"<row/>" * 20_000_000, tmp_path / "bomb.xlsx")
    assert path.stat().st_size < 1_000_000
    refused_with_little_memory(path, "250 times its size")


def test_workbook_above_the_limit(tmp_path):
    path = workbook_with(SHEET, bytes(range(256)) * 20_000, tmp_path / "big.xlsx")
    refused_with_little_memory(path, "unpacks to more than 1 MB", max_bytes=1_000_000)


def test_workbook_that_lies_about_its_size(tmp_path):
    path = workbook_with(SHEET, b" " * 60_000_000, tmp_path / "liar.xlsx")
    data = path.read_bytes()
    real, said = (60_000_000).to_bytes(4, "little"), (100).to_bytes(4, "little")
    assert data.count(real) >= 1
    path.write_bytes(data.replace(real, said))
    refused_with_little_memory(path, "damaged Excel file")


def test_workbook_with_entities_of_its_own(tmp_path):
    laughs = b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]><worksheet/>'
    path = workbook_with(SHEET, laughs, tmp_path / "laughs.xlsx")
    refused_with_little_memory(path, "XML entities")


def test_workbook_with_too_many_parts(tmp_path):
    path = tmp_path / "parts.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "")
        for number in range(10_001):
            archive.writestr(str(number), "")
    with pytest.raises(DataError, match="10,002 parts"):
        read_table(path)


def test_gzip_that_unpacks_to_far_more(tmp_path):
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(100):
            file.write(b"1,2\n" * 262_144)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(DataError, match="100 times its size"):
        read_table(path)


def test_gzip_of_far_more_cells_than_it_says_anything_about(tmp_path, monkeypatch):
    monkeypatch.setattr("frem_core.datasets.tables.expansion._CELLS_MATTER_FROM", 500_000)
    path = tmp_path / "cells.csv.gz"
    noise = iter(range(10**6))
    with gzip.open(path, "wb") as file:
        file.write(b",".join(b"c%d" % number for number in range(200)) + b"\n")
        for _ in range(6000):
            file.write(b"%d" % zlib.crc32(b"%d" % next(noise)) + b"," * 199 + b"\n")
    assert path.stat().st_size * 100 > 6000 * 209  # the other limit would let it pass
    with pytest.raises(DataError, match="20 cells a byte"):
        read_table(path)
    with gzip.open(tmp_path / "ordinary.csv.gz", "wb") as file:
        file.write(gzip.decompress(path.read_bytes())[:200_000].rsplit(b"\n", 1)[0])
    assert read_table(tmp_path / "ordinary.csv.gz").shape[1] == 200


def test_gzip_cut_off_in_the_middle(tmp_path):
    path = tmp_path / "cut.csv.gz"
    noise = "\n".join(str(zlib.crc32(str(number).encode())) for number in range(20_000))
    path.write_bytes(gzip.compress(("a\n" + noise).encode())[:60_000])
    with pytest.raises(DataError, match="damaged"):
        read_table(path)
