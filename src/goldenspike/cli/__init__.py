"""The command line: ``goldenspike COMMAND``.

Each command is a module of this package with `configure` (adds its options) and `run`. Only the called
command is imported, so that help is fast.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module

from goldenspike.exit_codes import FAILED, INTERRUPTED, MISUSED, OK
from goldenspike.version import VERSION

COMMANDS = {
    "editions": "list the ways to play",
    "play": "play against bots and with others, in the browser or the terminal",
    "serve": "let people play over the network",
    "admin": "list, remove, export and back up the games of a server",
    "rules": "show an edition's numbers and our rulings",
    "board": "start a board of your own, check its files, or compute its layout",
    "simulate": "play many random games and sum them up",
    "match": "let bots play each other, and compare their strength",
    "ladder": "rate all bots, edition by edition",
    "report": "make a page with pictures from a match",
    "playtest": "let bots try out a board of your own",
    "replay": "describe saved games turn by turn, and check every move",
    "verify": "check saved games, line by line and move by move",
    "compile": "compile everything ahead of time (otherwise done when needed)",
    "bench": "measure how fast everything is",
    "completion": "print a script that lets the Tab key complete commands in your shell",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Without arguments it runs the process's command line, and after Ctrl-C it exits the process itself.
    """
    try:
        try:
            code = _run_until_interrupted(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            print(end="", flush=True)  # flush here, where a broken pipe can still be handled
    except BrokenPipeError:  # the reader of our output has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    if code == INTERRUPTED and arguments is None:
        # Python would wait for its threads, and a thread that compiles the rules takes a minute.
        sys.stderr.flush()
        os._exit(code)
    return code


def _run_until_interrupted(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED


@contextmanager
def ending_on_ctrl_c() -> Generator[None]:
    """Let Ctrl-C end the process at once during the block, which only imports.

    By default Ctrl-C raises an exception, and Python drops exceptions in finalizers. Imports run finalizers
    all the time, so some Ctrl-Cs would be lost.
    """
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_default or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: object) -> None:
        os.write(2, b"Stopped.\n")
        os._exit(INTERRUPTED)

    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _run(arguments: list[str]) -> int:
    with ending_on_ctrl_c():
        parser = build_parser(*arguments[:1])
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


def sentence_of(error: Exception) -> str:
    """Return an error as a sentence; errors of the operating system begin with the file name.

    >>> sentence_of(FileNotFoundError(2, "No such file or directory", "game.jsonl"))
    'game.jsonl: No such file or directory.'
    """
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    return str(error)


def build_parser(*called: str) -> argparse.ArgumentParser:
    """Return the parser; only the options of the called commands are added."""
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
        if name in called:
            import_module(f"goldenspike.cli.{name}").configure(added)
    return parser
