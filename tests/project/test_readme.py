"""Every command of the README and the how-to pages, typed in their order into a fresh clone."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pexpect
import pytest

from goldenspike.editions import load_edition
from goldenspike.simulation import random_game
from tests.boards.conftest import BOARD, EDITION
from tests.server.process import free_port
from tests.server.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "README.md",
    "docs/index.md",
    *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/how-to/*.md")),
]
PATIENCE = 600.0
STOPS_WITHIN = 10.0
"""Seconds for a server to stop after Ctrl-C; two on an idle machine."""
INTERRUPTED = 130

ELSEWHERE = {
    r"^git clone": "the clone is there",
    r"sb3-contrib": "it brings PyTorch, which is too large for the lock files",
    r"\.venv/bin/pytest": "the clone has no test tools; ./test runs this test if sb3-contrib is installed",
    r"postgresql://|redis://|/var/|/srv/": "tests/server runs these with real databases",
    r"/etc/|/opt/|useradd|systemctl|podman": "these change the machine; see tests/server/test_deploy.py",
    r"--host 0\.0\.0\.0": "a test listens on this machine only",
    r"--commitment": "the commitment is an example; tests/cli/test_verify.py has real ones",
    r"--device cuda|bench gpu|gpu_check|ppo_cuda": "these need a GPU; tests/cuda runs parts of them",
    r"numba-cuda\[|torch$|goldenspike\[cuda\]": "NVIDIA's libraries and PyTorch are large",
    r"examples/maskable_ppo.py": "tests/env/test_gymnasium.py runs it with stand-ins for PyTorch and "
    "sb3-contrib, which learn nothing; with the real libraries only where they are installed",
}
"""Commands that this test skips, with the reason."""
SERVES = re.compile(
    r"^(\./play|(GOLDENSPIKE_\w+=\S+ )?(\.venv/bin/)?goldenspike (serve|play))\b"
    r"(?!.*--(terminal|help|migrate))"
)
PLAYS = re.compile(r"^(\./play|goldenspike play) --terminal\b")
COMMAND_LIKE = re.compile(
    r"^\s*(\$ |\./(play|test)\b|tools/|deploy/\S+\.sh|(\.venv/bin/)?goldenspike [a-z])|\| *goldenspike [a-z]"
)
"""Matches what looks like a command at the beginning of a line, or after a pipe."""
INLINE = re.compile(r"`((?:\./play|(?:\.venv/bin/)?goldenspike [a-z]+) [^`]+)`")
"""A command with arguments within a sentence."""
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b")


class Line(NamedTuple):
    """A command on a page."""

    page: str
    text: str

    @property
    def reason_to_skip(self) -> str | None:
        return next((reason for pattern, reason in ELSEWHERE.items() if re.search(pattern, self.text)), None)


def console_lines(page: str) -> Iterator[Line]:
    """Yield the commands of a page's console blocks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in re.findall(r"^ *```console\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        for line in re.findall(r"^ *\$ (.*)$", block, re.MULTILINE):
            yield Line(page, re.sub(r"\s+# .*$", "", line))


def untested_commands(page: str) -> Iterator[str]:
    """Yield what looks like a command but is not in a console block of the page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.compile(r"^ *```console\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
    rest = blocks.sub(lambda block: re.sub(r"^ *\$ .*$", "", block[1], flags=re.MULTILINE), text)
    yield from (line for line in rest.splitlines() if COMMAND_LIKE.search(line))
    typed = {line.text for line in console_lines(page)}
    for command in INLINE.findall(rest):
        if command not in typed and not PLACEHOLDER.search(command):
            yield command


def named_files(page: str) -> Iterator[tuple[str, str]]:
    """Yield the files that a page shows: the sentence before a block names it and ends with a colon."""
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = re.compile(
        r"`(\S+\.(?:py|toml))`[^`]*:\n\n```(?:python|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL
    )
    yield from shown.findall(text)


ANSWERS = {
    r"Number or name \[": "\r",
    r"Seats \[": "\r",
    r"press Enter when no one else is looking": "\r",
    r"(?s)(?:Your move:|Keep at least).*?(?:You|Ann|Ben)>": "quit\r",
    r"Keep it\?": "\r",
    r"Enter next turn  q quit": "q",
}
"""Input for each prompt of a terminal game."""
LEAVING = {r"Keep it\?", r"Enter next turn  q quit"}
"""No input follows after these prompts."""


class Clone:
    """A fresh clone with an empty HOME, set up by ./play alone."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "goldenspike"
        home = folder / "home"
        home.mkdir()
        keep = {
            name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "UV_", "npm_", "SSL_"))
        }
        self._opened = folder / "opened"
        self._opened.touch()
        browser = home / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >> "{self._opened}"\n', encoding="utf-8")
        browser.chmod(0o755)
        path = [part for part in os.environ["PATH"].split(":") if not part.startswith(str(ROOT))]
        caches = {"UV_CACHE_DIR": Path.home() / ".cache" / "uv", "npm_config_cache": Path.home() / ".npm"}
        self.environment = (
            keep
            # What was fetched before need not be fetched again; it is checked by its hash all the same.
            | {name: str(cache) for name, cache in caches.items() if cache.is_dir()}
            | {"HOME": str(home), "PATH": ":".join(path), "LANG": "C.UTF-8", "BROWSER": str(browser)}
            | {"GOLDENSPIKE_PORT": str(free_port())}
        )
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(self.root)], check=True)

    @property
    def opened(self) -> list[str]:
        """The pages that were opened in the browser."""
        return self._opened.read_text(encoding="utf-8").splitlines()

    def run(self, command: str) -> str:
        """Run a command and return its output."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        printed = done.stdout + done.stderr
        assert done.returncode == 0, f"{command}\n{printed}"
        assert "Traceback" not in printed, f"{command}\n{printed}"
        return printed

    def play(self, command: str) -> None:
        """Run a game in a terminal: answer the prompts, check that it has begun, and quit."""
        child = pexpect.spawn(
            "bash",
            ["-c", f"exec {command}"],
            cwd=str(self.root),
            # No terminal answers the query of the cursor position here.
            env=self.environment | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"},  # pyright: ignore[reportArgumentType]
            dimensions=(40, 120),
            encoding="utf-8",
            timeout=PATIENCE,
        )
        said = ""
        try:
            questions, question = list(ANSWERS), ""
            while question not in LEAVING:
                question = questions.pop(
                    child.expect([*questions])
                )  # once: it is drawn again with its answer
                said += f"{child.before}{child.after}"
                child.send(ANSWERS[question])
            child.expect(pexpect.EOF)
            said += child.before or ""
        finally:
            child.close(force=True)
        assert child.exitstatus == 0, f"{command}\n{said}"
        assert "--resume" in said, f"{command}\n{said}"
        assert "Traceback" not in said, f"{command}\n{said}"

    def serve(self, command: str) -> None:
        """Run a command that serves a page; look at the page, and stop it as a person would."""
        log, opened = self.root.parent / "log", len(self.opened)
        tabs = int("play" in command and "--no-open" not in command)
        with log.open("w+b") as file:
            process = subprocess.Popen(
                ["bash", "-c", f"exec env {command}"],
                cwd=self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:

                def address() -> str | None:
                    assert process.poll() is None, log.read_text(encoding="utf-8")
                    found = re.search(r"http://\S+?/", log.read_text(encoding="utf-8"))
                    return found[0] if found else None

                wait_until(lambda: address() is not None, f"{command} says where it is", PATIENCE)
                url = address()
                assert url is not None
                with urlopen(url, timeout=PATIENCE) as page:
                    assert b"<title>Golden Spike</title>" in page.read()
                wait_until(lambda: _is_ready(url), f"{command} has bots", PATIENCE)
                with urlopen(f"{url}api/bots", timeout=PATIENCE) as bots:  # in processes of their own
                    assert not json.load(bots)["have_failed"], log.read_text(encoding="utf-8")
                wait_until(lambda: len(self.opened) >= opened + tabs, f"{command} opens the page", PATIENCE)
                stopped = time.monotonic()
                os.killpg(process.pid, signal.SIGINT)
                assert process.wait(PATIENCE) == INTERRUPTED
                assert time.monotonic() - stopped < STOPS_WITHIN
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        assert "Traceback" not in log.read_text(encoding="utf-8"), command
        # A process that is started for bots must not run the command again and open the page once more.
        pages = self.opened[opened:]
        assert len(pages) == tabs, pages
        assert all(page.startswith(url) for page in pages), pages


def prepare_files(clone: Clone) -> None:
    """Put files into a clone that a reader would have."""
    for name, text in {"lakes.toml": BOARD, "lakes-quick.toml": EDITION}.items():
        (clone.root / name).write_text(text, encoding="utf-8")
    for name in ("evening.jsonl", "yesterday.jsonl"):
        game = random_game(load_edition("new-york"), 2, name.encode().ljust(32))
        (clone.root / name).write_text(game.record(), encoding="utf-8")


def _is_ready(url: str) -> bool:
    try:
        with urlopen(f"{url}readyz", timeout=PATIENCE):
            return True
    except OSError:
        return False


def test_every_skipped_pattern_matches_a_command() -> None:
    lines = [line for page in PAGES for line in console_lines(page)]
    assert len(lines) > 30
    assert [name for page in PAGES for name, _ in named_files(page)].count("mine.py") == 2
    for pattern in ELSEWHERE:
        assert any(re.search(pattern, line.text) for line in lines), f"nothing matches {pattern} any more"


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_in_a_console_block(page: str) -> None:
    assert list(untested_commands(page)) == []


@pytest.mark.slow
def test_the_documentation_can_be_typed_into_a_fresh_clone(tmp_path: Path, subtests: pytest.Subtests) -> None:
    clone = Clone(tmp_path)
    helped = clone.run("./play --help")
    assert "usage:" in helped
    assert "vite" not in helped
    prepare_files(clone)
    for page in PAGES:
        if page != "README.md":
            clone.environment["PATH"] = f"{clone.root}/.venv/bin:{clone.environment['PATH']}"
        for name, text in named_files(page):
            (clone.root / name).write_text(text, encoding="utf-8")
        for line in console_lines(page):
            if line.reason_to_skip is None:
                with subtests.test(page=page, command=line.text):
                    if PLAYS.match(line.text):
                        clone.play(line.text)
                    elif SERVES.match(line.text):
                        clone.serve(line.text)
                    else:
                        clone.run(line.text)
    shutil.rmtree(clone.root)
