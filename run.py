#!/usr/bin/env python3
"""Set the site up and run it, or run its tests. Needs Python 3.11 or newer and nothing else.

python3 run.py play [--port N]     set up what is missing, then serve http://localhost:8000
python3 run.py test [ARG ...]      the same set-up, then the whole test suite (ARGs go to pytest)
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
LOCK = HERE / "requirements.lock"
STAMP = VENV / "lock.sha256"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
POSTGRES = "postgres://postgres@127.0.0.1:5432/takubiyori"


def say(text: str) -> None:
    print(f"[run] {text}", flush=True)


def call(*args: str, env: dict[str, str] | None = None) -> int:
    return subprocess.call([str(PYTHON), *args], cwd=HERE, env=env)


def must(*args: str, env: dict[str, str] | None = None) -> None:
    code = call(*args, env=env)
    if code:
        sys.exit(code)


def ensure_environment() -> None:
    """Create `.venv` and install the locked dependencies, once for each state of the lock file."""
    if sys.version_info < (3, 11):
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text() == wanted:
        return
    if not PYTHON.exists():
        say("creating the virtual environment .venv")
        try:
            venv.create(VENV, with_pip=True)
        except subprocess.CalledProcessError:
            sys.exit("This Python cannot make virtual environments (on Debian/Ubuntu: apt install python3-venv).")
    say("installing the locked dependencies (a minute or two, only this once)")
    must("-m", "pip", "install", "-qq", "--disable-pip-version-check", "--require-hashes", "-r", str(LOCK))
    STAMP.write_text(wanted)


def environment(settings: str, **extra: str) -> dict[str, str]:
    env = dict(os.environ, **extra)
    env.setdefault("DJANGO_SETTINGS_MODULE", f"trpg_site.settings.{settings}")
    env.setdefault("PYTHONUTF8", "1")  # Windows consoles: our output is Japanese
    return env


def play(args: list[str]) -> int:
    ensure_environment()
    env = environment("local")
    must("manage.py", "prepare", env=env)
    try:
        return call("manage.py", "serve", "--welcome", *args, env=env)
    except KeyboardInterrupt:
        return 0


def test(args: list[str]) -> int:
    ensure_environment()
    must("manage.py", "catalogues", env=environment("test"))
    return call("-m", "tests.runner", *args, env=environment("test"))


def main() -> int:
    command, *args = sys.argv[1:] or ["help"]
    actions = {"play": play, "test": test}
    if command not in actions:
        print(__doc__)
        return 0 if command in {"help", "-h", "--help"} else 2
    return actions[command](args)


if __name__ == "__main__":
    sys.exit(main())
