"""Files that commands write atomically."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Generator[Path]:
    """Yield a temporary path; at the end of the block that file replaces `path`.

    If an error or Ctrl-C ends the block, `path` is unchanged. A pipe or a device is written directly.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "games.jsonl"
    >>> with whole_file(path) as file:
    ...     _ = file.write_text("a game")
    ...     path.exists()
    False
    >>> path.read_text()
    'a game'
    """
    if path.exists() and not path.is_file():
        yield path
        return
    temporary = _create_beside(path)
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())  # so that a crash leaves the old file or the new one
        temporary.replace(path.resolve())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def require_writable(path: Path | None) -> None:
    """Raise `OSError` if a file cannot be written, so that a command fails before its work, not after it.

    >>> require_writable(Path("/no/games.jsonl"))
    Traceback (most recent call last):
    FileNotFoundError: /no/games.jsonl cannot be written: there is no folder /no; make it first.
    """
    if path is not None and not path.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no folder {path.parent}; make it first.")
    if path is not None and (path.is_file() or not path.exists()):
        _create_beside(path).unlink()
    elif path is not None and path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: add the name of a file.")


def _create_beside(path: Path) -> Path:
    """Create an empty file in the folder of another, with the same suffix, because that tells its format."""
    target = path.resolve()
    temporary = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        temporary.touch(exist_ok=False)
        if target.exists():
            temporary.chmod(target.stat().st_mode)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    return temporary
