import gzip
import io

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import read_table
from frem_core.errors import DataError
from tests.datasets.people import people


def upload(data: bytes, name: str = "upload.csv") -> io.BytesIO:
    file = io.BytesIO(data)
    file.name = name
    return file


def read(text: str, written: str = "utf-8", **options) -> pd.DataFrame:
    return read_table(upload(text.encode(written)), **options)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"]
)
def test_separator_and_encoding_are_found(separator, encoding):
    original = people()
    found = read(original.to_csv(index=False, sep=separator), encoding)
    pd.testing.assert_frame_equal(found, original.astype({"city": "str", "hired": "str"}))


@pytest.mark.parametrize(
    ("encoding", "cities"),
    [
        ("cp1250", ["Łódź", "Kraków", "Gdańsk", "Wrocław"]),
        ("cp1251", ["Москва", "Казань", "Новосибирск", "Омск"]),
        ("cp932", ["東京都", "大阪府", "北海道", "京都府"]),
        ("gb18030", ["北京市", "上海市", "广州市", "深圳市"]),
    ],
)
def test_older_encodings_are_guessed(encoding, cities):
    table = pd.DataFrame({"n": range(200), "city": np.resize(cities, 200)})
    found = read(table.to_csv(index=False), encoding)
    assert found["city"].tolist() == table["city"].tolist()
    assert f"The file was read as {encoding}." in found.attrs["frem_notes"]


def test_first_umlaut_far_below_the_sample():
    rows = ["n,city", *(f"{row},Ulm" for row in range(60_000)), "60000,Köln"]
    found = read("\n".join(rows), "cp1252")
    assert found["city"].iloc[-1] == "Köln"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_and_blank_lines(line_end):
    text = line_end.join(["", "a,b", "1,x", "", "2,y", "", ""])
    found = read(text)
    assert found.to_dict("list") == {"a": [1, 2], "b": ["x", "y"]}


def test_quotes_line_breaks_and_blanks_in_cells():
    found = read('a, b ,"c,d"\n1," two, 2 ","x\ny"\n2,"say ""hi""", plain \n')
    assert list(found.columns) == ["a", "b", "c,d"]
    assert found["b"].tolist() == ["two, 2", 'say "hi"']
    assert found["c,d"].tolist() == ["x\ny", "plain"]


def test_excels_separator_hint():
    assert read("sep=|\na|b\n1|2;3\n").to_dict("list") == {"a": [1], "b": ["2;3"]}


def test_semicolons_with_decimal_comma():
    found = read("a;b;c\n1,5;1.234,5;x\n2,25;-7;y\n")
    assert found["a"].tolist() == [1.5, 2.25]
    assert found["b"].tolist() == [1234.5, -7.0]
    assert "Numbers were read with a decimal comma." in found.attrs["frem_notes"]


def test_semicolons_with_decimal_point_and_given_marks():
    assert read("a;b\n1.5;2\n2.25;3\n")["a"].tolist() == [1.5, 2.25]
    assert read("a;b\n1,234;2\n", decimal=".")["a"].tolist() == [1234]
    assert list(read("a b\n1 2\n", separator=" ").columns) == ["a", "b"]
    assert read("a\n\xe9\n", "latin-1", encoding="latin-1")["a"].tolist() == ["é"]


def test_gzip_is_unpacked():
    packed = gzip.compress(people().to_csv(index=False).encode())
    assert read_table(upload(packed, "people.csv.gz")).shape == (120, 4)


def test_progress_rises_to_one():
    seen = []
    read(
        people(20_000).to_csv(index=False), progress=lambda share, text: seen.append((share, text))
    )
    shares = [share for share, _ in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert any("20,000 rows" in text for _, text in seen)


def test_an_upload_stays_open_and_at_its_start():
    file = upload(b"a,b\n1,2\n")
    read_table(file)
    assert file.tell() == 0
    assert not file.closed


def test_single_column_and_header_only():
    assert read("a\n1\n2\n")["a"].tolist() == [1, 2]
    assert read("a,b\n").shape == (0, 2)


def test_stray_separator_at_the_line_end_is_forgiven():
    assert list(read("a,b,\n1,2,\n3,4,\n").columns) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Report of May\na,b,c\n1,2,3\n", "Remove lines above the header"),
        ("a,b\n1,2\n3,4,5\n", "has 3 cells, the header row has 2"),
        ('a,b\n"1,2\n3,4\n', "never closed|has 1 cell"),
        ("a,a\n1,2\n", "more than one column called 'a'"),
        ("a,\n1,2\n", "Column 2 of 'upload.csv' has no name"),
        ("\n\n", "is empty"),
        ("<!DOCTYPE html><html><body>", "web page"),
        ("  <table><tr>", "web page"),
        ('{"a": [1, 2]}', "JSON"),
        ("," * 20_000 + "\n1\n", "20,001 columns"),
    ],
)
def test_text_that_is_no_table(text, message):
    with pytest.raises(DataError, match=message):
        read(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoding": "klingon"}, "no encoding called 'klingon'"),
        ({"encoding": "ascii"}, "not written in ascii"),
        ({"separator": "ab"}, "separator 'ab'"),
    ],
)
def test_wrong_hints(options, message):
    with pytest.raises(DataError, match=message):
        read("a,b\né,2\n", **options)
