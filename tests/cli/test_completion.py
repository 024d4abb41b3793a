"""Completion of words, tested in the shells themselves."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from goldenspike.cli import COMMANDS, main
from goldenspike.cli.completion import SHELLS
from goldenspike.exit_codes import OK

pytestmark = pytest.mark.slow


@pytest.fixture
def scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Write the script of each shell into a folder, with a file to complete beside them."""
    for shell in SHELLS:
        assert main(["completion", shell]) == OK
        (tmp_path / f"goldenspike.{shell}").write_text(capsys.readouterr().out)
    (tmp_path / "lakes.toml").touch()
    return tmp_path


def complete_in_bash(folder: Path, line: str) -> str:
    return _type(["bash", "--norc", "--noprofile", "-i"], folder, "source goldenspike.bash", line)


def complete_in_zsh(folder: Path, line: str) -> str:
    load = 'autoload -U compinit && compinit -D -u && eval "$(cat goldenspike.zsh)"'
    return _type(["zsh", "-f", "-i"], folder, load, line)


def _type(command: list[str], folder: Path, load: str, line: str) -> str:
    """Type the beginning of a command and Tab in a shell; return the command as the shell then runs it."""
    shell: pexpect.spawn[str] = pexpect.spawn(
        command[0],
        command[1:],
        cwd=str(folder),
        encoding="utf-8",
        timeout=60,
        echo=False,
        dimensions=(40, 200),
    )
    try:
        shell.sendline(f"PS1=; {load}; goldenspike() {{ printf 'ran: %s.\\n' \"$*\"; }}; echo lo''aded")
        shell.expect_exact("loaded")
        shell.send(f"{line}\t")
        shell.send("\r")
        shell.expect(r"ran: ([^\r\n]*)\.\r?\n")
        assert isinstance(shell.match, re.Match)
        return shell.match.group(1).strip()
    finally:
        shell.close(force=True)


def complete_in_fish(folder: Path, line: str) -> str:
    code = f"source goldenspike.fish; complete -C {line!r}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    [only] = {found.partition("\t")[0] for found in done.stdout.splitlines()}
    return f"{line.rpartition(' ')[0]} {only}".partition(" ")[2]


COMPLETE: dict[str, Callable[[Path, str], str]] = {
    "bash": complete_in_bash,
    "zsh": complete_in_zsh,
    "fish": complete_in_fish,
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("simul", "simulate"),
        ("board lay", "board layout"),
        ("simulate usa-cl", "simulate usa-classic"),
        ("simulate lak", "simulate lakes.toml"),
        ("simulate usa-classic --pl", "simulate usa-classic --players"),
        ("match plan", "match planner"),
        ("match planner har", "match planner hard"),
        ("play --seats me,me", "play --seats me,medium"),
        ("replay lak", "replay lakes.toml"),
        ("serve --log war", "serve --log warning"),
    ],
)
def test_tab_completes(shell: str, typed: str, completed: str, scripts: Path) -> None:
    assert COMPLETE[shell](scripts, f"goldenspike {typed}") == completed


def test_every_command_is_in_every_script(scripts: Path) -> None:
    for shell in SHELLS:
        script = (scripts / f"goldenspike.{shell}").read_text()
        assert all(command in script for command in COMMANDS)
