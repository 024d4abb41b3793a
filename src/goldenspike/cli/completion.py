"""``goldenspike completion SHELL``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import shtab

from goldenspike import bench
from goldenspike.boards import board_ids
from goldenspike.bots import LEVELS
from goldenspike.cli import COMMANDS, build_parser
from goldenspike.cli.seating import ME, bot_words
from goldenspike.editions import edition_ids
from goldenspike.exit_codes import OK

SHELLS = ("bash", "zsh", "fish")
_shtab: Any = shtab


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    parser.epilog = (
        "example: goldenspike completion bash > ~/.local/share/bash-completion/completions/goldenspike\n"
        "         goldenspike completion zsh > ~/.zfunc/_goldenspike    # with fpath+=~/.zfunc in ~/.zshrc\n"
        "         goldenspike completion fish > ~/.config/fish/completions/goldenspike.fish\n\n"
        "It works in the next shell that you open. Write the file again after an update."
    )


def run(options: argparse.Namespace) -> int:
    """Print the script that completes commands, options and their values."""
    parser = build_parser(*COMMANDS)
    for action in _actions_of(parser):
        if (values := _values_of(action)) is not None:
            vars(action)["complete"] = values
    script: str = _shtab.complete(parser, options.shell)
    if options.shell == "zsh":  # shtab completes only the first of several words, as those of `match`
        script = script.replace('"(*):', '"*:')
    sys.stdout.write(script.rstrip() + "\n")
    return OK


def _actions_of(parser: Any) -> Iterator[argparse.Action]:
    """Yield all arguments of a parser and of its commands; argparse has no public API to list them."""
    for action in parser._actions:  # noqa: SLF001
        yield action
        if hasattr(action.choices, "values"):  # the parsers of commands, by name
            for command in action.choices.values():
                yield from _actions_of(command)


def _values_of(action: argparse.Action) -> dict[str, Any] | None:
    """Return the possible values of an option; None if they are unknown."""
    editions, bots = edition_ids(), bot_words()
    if action.dest == "edition":
        return _words_or_files("edition", editions)
    if action.dest in {"bots", "bot"}:
        return _words_or_files("bot", bots)
    if action.dest == "seats":
        return _words("seats", [f"{ME},{level}" for level in LEVELS])
    if action.dest == "subjects":
        return _words("subject", bench.SUBJECTS)
    if action.dest == "log":
        return _words("log", ("debug", "info", "warning", "error"))
    if action.dest == "editions":
        return _shtab.DIRECTORY
    if action.dest == "board":
        return _words_or_files("board", board_ids())
    return _shtab.FILE if action.dest == "file" or action.type is Path else None


def _words(name: str, words: Iterable[str]) -> dict[str, Any]:
    """Return how each shell completes one of some words."""
    text = " ".join(words)
    call = f"_goldenspike_{name}"
    return {
        "bash": call,
        "zsh": f"({text})",
        "fish": f"(printf '%s\\n' {text})",
        "preamble": {"bash": f'{call}() {{ compgen -W "{text}" -- "$1"; }}'},
    }


def _words_or_files(name: str, words: Iterable[str]) -> dict[str, Any]:
    """Return how each shell completes one of some words, or the name of a file."""
    text = " ".join(words)
    call = f"_goldenspike_{name}_or_file"  # because of "file", the bash script adds a slash to folders
    return {
        "bash": call,
        "zsh": call,
        "fish": f"({call})",
        "preamble": {
            "bash": f'{call}() {{ compgen -W "{text}" -- "$1"; compgen -f -- "$1"; }}',
            "zsh": f"{call}() {{ _alternative 'words:{name}:({text})' 'files:file:_files' }}",
            "fish": (f"function {call}; printf '%s\\n' {text}; __fish_complete_path (commandline -ct); end"),
        },
    }
