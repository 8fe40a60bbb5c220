"""Files that users asked for: there whole or not at all, with an error that says why not."""

import secrets
from pathlib import Path

from frem_core.errors import ConfigError


def write_output(path: Path, content: bytes) -> None:
    """Writes a file under its name once it is complete; an older one stays until then.

    Args:
        path: where; its folder must be there. A device or pipe is written to directly.
        content: all of it.

    Raises:
        ConfigError: the folder is missing, or the disk is full or read-only.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        unfinished = path.with_name(f".{path.name[:80]}.{secrets.token_hex(4)}.part")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror}. Choose another file or folder."
        ) from error
