"""The command line: ``goldenspike COMMAND``.

Each command is a module of this package with `configure` (its options) and `run` (what it does). Only the
one that is called is loaded, so that help is there at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from goldenspike.version import VERSION

OK, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: done; what was checked is not right; the command was not understood; stopped with Ctrl-C."""

COMMANDS = {
    "editions": "list the ways to play",
    "play": "play against bots and with others, in the browser or the terminal",
    "serve": "let people play over the network",
    "rules": "show an edition's numbers and our rulings",
    "board": "check a board or edition file, or place everything for a drawing",
    "simulate": "play many random games and sum them up",
    "match": "let bots play each other, and say who is better",
    "ladder": "rate all bots, edition by edition",
    "report": "make a page with pictures from a match",
    "playtest": "let bots try out a board of your own",
    "replay": "play saved games again, move by move",
    "verify": "check saved games, line by line and move by move",
    "bench": "measure how fast everything is",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            print(end="", flush=True)  # now, while it can still be said that nobody reads it
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _run(arguments: list[str]) -> int:
    parser = build_parser(arguments[0] if arguments and arguments[0] in COMMANDS else None)
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return MISUSED
    try:
        return import_module(f"goldenspike.cli.{options.command}").run(options)
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:
        print(f"goldenspike {options.command}: {sentence_of(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED


def sentence_of(error: Exception) -> str:
    """Return what went wrong as a sentence: the system's own errors name their file first.

    >>> sentence_of(FileNotFoundError(2, "No such file or directory", "game.jsonl"))
    'game.jsonl: No such file or directory.'
    """
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    return str(error)


def build_parser(command: str | None) -> argparse.ArgumentParser:
    """Return the parser; only the options of the command that is called are filled in."""
    parser = argparse.ArgumentParser(
        prog="goldenspike",
        description="Play, study and design in the Ticket to Ride family of board games.",
        epilog="example: goldenspike play",
    )
    parser.add_argument("--version", action="version", version=f"Golden Spike {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, summary in COMMANDS.items():
        added = commands.add_parser(
            name,
            help=summary,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            description=f"{summary.capitalize()}.",
        )
        if name == command:
            import_module(f"goldenspike.cli.{name}").configure(added)
    return parser
