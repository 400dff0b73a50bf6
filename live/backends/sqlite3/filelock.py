"""Locks between processes on single bytes of a file, with a time limit."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try(fd: int, byte: int) -> bool:
        os.lseek(fd, byte, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _drop(fd: int, byte: int) -> None:
        os.lseek(fd, byte, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try(fd: int, byte: int) -> bool:
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):  # both mean "held by another process"
            return False
        return True

    def _drop(fd: int, byte: int) -> None:
        fcntl.lockf(fd, fcntl.LOCK_UN, 1, byte)


class RangeLock:
    """Byte locks of one file. They belong to the process, so threads must be kept apart by other means."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = -1

    def lock(self, byte: int, deadline: float) -> None:
        """Wait for a byte until `deadline` (time.monotonic). Raises sqlite3.OperationalError."""
        pause = 0.0005
        while not _try(self._open(), byte):
            if time.monotonic() > deadline:
                raise sqlite3.OperationalError("another process writes to the database for too long")
            time.sleep(pause)
            pause = min(pause * 2, 0.005)

    def unlock(self, byte: int) -> None:
        if self._fd >= 0:
            _drop(self._fd, byte)

    def _open(self) -> int:
        if self._fd < 0:
            try:
                self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
            except OSError as error:
                raise sqlite3.OperationalError(f"unable to open the lock file of the database: {error}") from error
        return self._fd
