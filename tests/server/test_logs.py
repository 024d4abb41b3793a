"""The log: lines of JSON for a server, sentences for a person who plays on this computer."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

from goldenspike.server.logs import SentenceFormatter
from tests.server.serving import clean_environment

DRIVER = Path(__file__).parent / "drive_without_bots.py"
FAILED = "The bots' processes do not start, or end again; quick bots play in the server."


def run_until(said: str, folder: Path, *arguments: str) -> list[str]:
    """Run a server without bot processes until it logs a text; return the lines of its log so far."""
    process = subprocess.Popen(
        [
            sys.executable,
            str(DRIVER),
            *arguments,
            "--port",
            "0",
            "--database",
            f"sqlite:///{folder}/games.db",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(folder),
    )
    assert process.stderr is not None
    lines: list[str] = []
    try:
        for line in process.stderr:
            lines.append(line.rstrip("\n"))
            if said in line:
                return lines
    finally:
        process.terminate()
        process.communicate()
    raise AssertionError(lines)


def test_a_person_who_plays_here_reads_sentences(tmp_path: Path) -> None:
    lines = run_until(FAILED, tmp_path, "play", "--no-open")
    assert FAILED in lines
    assert not any("{" in line or "Traceback" in line for line in lines)


def test_a_server_writes_json(tmp_path: Path) -> None:
    lines = run_until(FAILED, tmp_path, "serve")
    assert json.loads(lines[-1])["message"] == FAILED


def test_an_error_is_one_sentence() -> None:
    about = (ValueError, ValueError("two\nlines"), None)
    record = logging.LogRecord("x", logging.ERROR, "", 0, "a request failed", (), about)
    assert SentenceFormatter().format(record) == "A request failed (ValueError: two lines)."
