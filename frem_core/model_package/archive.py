"""A model as a folder or a zip, with its card and a script that predicts."""

import io
import zipfile
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from frem_core.errors import ConfigError, DataError
from frem_core.estimators.folder import MODEL_FILES, TABLE
from frem_core.estimators.table_predictor import TablePredictor
from frem_core.model_package.card import ModelCard

CARD: Final = "README.md"
CARD_VALUES: Final = "card.json"
ONNX: Final = "model.onnx"
_SCRIPT: Final = "predict.py"
_NEEDED: Final = (*MODEL_FILES, TABLE)
_LARGEST: Final = 1024**3
# Packing again gives the same bytes: the moment is not part of a model.
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
PREDICT: Final = '''\
"""Predicts the rows of a table: python predict.py new.csv predictions.csv"""

import sys
from pathlib import Path

from frem_core.model_package import load_model, predict_table  # pip install "frem-studio[sweeps]"

answer = predict_table(load_model(Path(__file__).parent), sys.argv[1])
print(*answer.notes, sep="\\n")
answer.frame.to_csv(sys.argv[2], index=False)
'''


def load_model(path: Path | str) -> TablePredictor:
    """Reads a model of any method from a folder or a zip; nothing in it can execute code.

    Args:
        path: what "Download this model", ``frem train --save`` or ``save`` of an estimator wrote.

    Raises:
        DataError: there is no model, or it is foreign or damaged.

    Example::

        model = load_model("model.zip")
        model.predict(frame), model.score(frame), model.transform(frame)
    """
    path = Path(path).expanduser()
    if path.is_dir():
        return TablePredictor.load(path)
    if not path.exists():
        raise DataError(f"There is no model '{path}'; give a folder or a zip.")
    if not zipfile.is_zipfile(path):
        raise DataError(f"'{path}' is neither a folder nor a zip; give what holds the model.")
    with TemporaryDirectory() as folder:
        _unpack(path, Path(folder))
        return TablePredictor.load(folder)


def save_model(
    path: Path | str, predictor: TablePredictor, card: ModelCard, *, onnx: bool = False
) -> None:
    """Writes a package: a zip when the name ends in ``.zip``, else a folder.

    Args:
        path: where to.
        predictor: the model with its way in and out.
        card: what is to be known about it.
        onnx: whether an ONNX file goes with it; needs the extra ``onnx``.

    Raises:
        FremError: it cannot be written, or the network cannot be written as ONNX.
    """
    from frem_core.output_file import write_output

    path = Path(path)
    if path.suffix.lower() == ".zip":
        write_output(path, pack_model(predictor, card, onnx=onnx))
        return
    _write_folder(path, predictor, card, onnx=onnx)


def check_may_save(path: Path) -> None:
    """Refuses a place that a model must not be written to; before a training, not after it.

    Raises:
        ConfigError: a folder with other files, a file that is no zip, or a zip in no folder.
    """
    if path.suffix.lower() == ".zip":
        if not path.absolute().parent.is_dir() or path.is_dir():
            raise ConfigError(f"{path} cannot be written; give --save a file in a folder.")
        return
    if path.exists() and not path.is_dir():
        raise ConfigError(f"{path} is a file; give --save a new folder or a name with .zip.")
    if path.is_dir() and any(path.iterdir()) and not (path / TABLE).is_file():
        raise ConfigError(
            f"The folder {path} holds other files; give --save a new or empty folder."
        )
    path.mkdir(parents=True, exist_ok=True)


def pack_model(predictor: TablePredictor, card: ModelCard, *, onnx: bool = False) -> bytes:
    """Returns the zip; equal models with equal cards give equal bytes."""
    with TemporaryDirectory() as folder:
        _write_folder(Path(folder), predictor, card, onnx=onnx)
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(Path(folder).iterdir()):
                about = zipfile.ZipInfo(file.name, _MOMENT)
                about.compress_type = zipfile.ZIP_DEFLATED
                about.external_attr = 0o644 << 16
                archive.writestr(about, file.read_bytes())
        return content.getvalue()


def _write_folder(folder: Path, predictor: TablePredictor, card: ModelCard, *, onnx: bool) -> None:
    predictor.save(folder)
    if onnx:
        from frem_core.model_package.onnx_file import write_onnx

        write_onnx(predictor, folder / ONNX)
    try:
        (folder / _SCRIPT).write_text(PREDICT, encoding="utf-8")
        (folder / CARD_VALUES).write_text(card.to_json(), encoding="utf-8")
        (folder / CARD).write_text(card.to_markdown(folder), encoding="utf-8")
    except OSError as error:
        raise DataError(
            f"The model cannot be saved in {folder} ({error.strerror}); choose another folder."
        ) from error


def _unpack(path: Path, folder: Path) -> None:
    """Takes out the files that are needed and no others, under their own names."""
    try:
        with zipfile.ZipFile(path) as archive:
            found = {Path(one.filename).name: one for one in archive.infolist() if not one.is_dir()}
            for name in _NEEDED:
                if name not in found:
                    raise DataError(
                        f"'{path}' holds no model: {name} is missing. Give the zip that "
                        "'Download this model' gave, unchanged."
                    )
                if found[name].file_size > _LARGEST:
                    raise DataError(f"'{path}' is refused: its {name} unpacks to more than 1 GB.")
                (folder / name).write_bytes(archive.read(found[name]))
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError) as error:
        raise DataError(f"'{path}' is damaged ({error}); download or pack it again.") from error
