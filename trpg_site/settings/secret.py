"""The key of an installation that nobody set up by hand."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path


def local_secret(path: Path) -> str:
    """The key kept in `path`, made on first use and readable by this user alone (mode 600).

    Two processes starting together agree: only one can create the file, the other reads it.

    Raises OSError when the folder cannot be written, RuntimeError when the file stays empty.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _read(path)
    key = secrets.token_urlsafe(48)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key)
    return key


def _read(path: Path) -> str:
    for _ in range(50):
        key = path.read_text(encoding="ascii").strip()
        if key:
            return key
        time.sleep(0.05)  # the process that created it is about to write
    raise RuntimeError(f"{path} is empty; delete it to get a new key")
