"""The file of an exported module: replaced in one step, or compared with what it should be."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def is_current(path: Path, text: str) -> bool:
    """Whether a file is there and says just this."""
    return path.is_file() and path.read_bytes() == text.encode()


def replace_file(path: Path, text: str) -> None:
    """Write the file so that nobody ever sees half of it; OSError leaves what was there."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise IsADirectoryError(f"{path.name} is no file")
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(f"{path.name} may not be written to")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
