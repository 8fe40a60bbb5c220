"""Finds FairGNN's Pokec files on this computer, or downloads them."""

import logging
from http.client import HTTPException
from pathlib import Path
from typing import Literal
from urllib.request import urlopen

from frem_core.datasets.added_files import AddedFiles
from frem_core.errors import ConfigError, DataError

Region = Literal["z", "n"]
REGIONS: tuple[Region, ...] = ("z", "n")
STEMS: dict[str, str] = {"z": "region_job", "n": "region_job_2"}
ADDRESS = "https://raw.githubusercontent.com/EnyanDai/FairGNN/main/dataset/pokec/"
FILES = {
    region: AddedFiles(
        dataset=f"pokec_{region}",
        folder="pokec",
        names=(f"{stem}.csv", f"{stem}_relationship.txt"),
        origin=f"FairGNN publishes them at {ADDRESS}",
    )
    for region, stem in STEMS.items()
}
_SECONDS = 20
_CHUNK = 1 << 20

_log = logging.getLogger(__name__)


def pokec_files(region: str, path: Path | str | None) -> tuple[Path, Path]:
    """Returns the node file and the edge file of a region.

    Args:
        region: ``"z"`` or ``"n"``.
        path: the folder they lie in; None looks in the user's data folder and downloads what is
            missing there.
    """
    if region not in STEMS:
        raise ConfigError(f"The regions of Pokec are 'z' and 'n', not {region!r}.")
    names = FILES[region].names
    folder = FILES[region].path if path is None else Path(path).expanduser()
    for name in names:
        if (folder / name).is_file():
            continue
        if path is not None:
            raise DataError(
                f"There is no '{name}' in {folder}; give the folder with FairGNN's files "
                f"{names[0]} and {names[1]}."
            )
        _download(name, folder)
    return folder / names[0], folder / names[1]


def _download(name: str, folder: Path) -> None:
    """Fetches one file, wholly or not at all."""
    part = folder / f"{name}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _log.info("Downloading %s", ADDRESS + name)
        with urlopen(ADDRESS + name, timeout=_SECONDS) as answer, part.open("wb") as file:
            while block := answer.read(_CHUNK):
                file.write(block)
            _check_length(answer.headers["Content-Length"], file.tell())
        part.replace(folder / name)
    except (OSError, HTTPException) as error:
        raise DataError(
            f"{ADDRESS + name} cannot be downloaded ({error}). Get {name} and its companion on a "
            "computer with access to the network and pass their folder as path."
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _check_length(announced: str | None, got: int) -> None:
    """Refuses a file whose connection broke, which looks like its end."""
    if announced is not None and int(announced) != got:
        raise OSError(f"only {got:,} of {int(announced):,} bytes came")
