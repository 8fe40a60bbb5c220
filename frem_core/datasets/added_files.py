"""Files that a user adds once for datasets which cannot be shipped."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from frem_core.errors import DataError
from frem_core.home import data_home


@dataclass(frozen=True)
class AddedFiles:
    """The files of a dataset, kept in the user's data folder.

    Attributes:
        dataset: its name.
        folder: where they are kept, below ``datasets`` of the data folder.
        names: their names.
        origin: where to get them, a sentence.
    """

    dataset: str
    folder: str
    names: tuple[str, ...]
    origin: str

    @property
    def path(self) -> Path:
        """The folder they are kept in."""
        return data_home() / "datasets" / self.folder

    @property
    def are_there(self) -> bool:
        """Whether all of them were added."""
        return all((self.path / name).is_file() for name in self.names)

    def find(self, name: str) -> Path:
        """Returns the path of one of them.

        Raises:
            DataError: it was not added yet; the message says how.
        """
        file = self.path / name
        if not file.is_file():
            raise DataError(
                f"The dataset '{self.dataset}' needs the files {' and '.join(self.names)}. "
                f"{self.origin} Then: frem datasets add {self.dataset} FOLDER"
            )
        return file

    def check(self, folder: Path) -> None:
        """Raises a DataError when one of them is not in a folder."""
        missing = [name for name in self.names if not (folder / name).is_file()]
        if missing:
            raise DataError(f"There is no {' and no '.join(missing)} in {folder}.")

    def add(self, folder: Path) -> None:
        """Copies them from a folder, each wholly or not at all."""
        self.check(folder)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            for name in self.names:
                part = self.path / f"{name}.part"
                shutil.copyfile(folder / name, part)
                part.replace(self.path / name)
        except OSError as error:
            raise DataError(f"{self.path} cannot be written ({error.strerror}).") from error
