"""``goldenspike admin ACTION``: administration of the games of a server."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

_MODULES = {
    "list": "games",
    "prune": "games",
    "delete": "games",
    "redact": "games",
    "export": "export",
    "vacuum": "database",
    "backup": "database",
}
"""The module of each action; its function has the action's name."""
_STATES = ("waiting", "running", "finished")
_AGE = "12h, 90d or 8w"
_DASH = "; write -- before an id that begins with a dash"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument("--database", metavar="URL", help="where the games are (your data folder)")
    where.add_argument("--config", type=Path, metavar="FILE", help="the server's TOML file of settings")
    state = argparse.ArgumentParser(add_help=False)
    state.add_argument(
        "--state", choices=_STATES, metavar="STATE", help="only games that are waiting, running or finished"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(
        name: str, about: str, example: str, *parents: argparse.ArgumentParser
    ) -> argparse.ArgumentParser:
        added = actions.add_parser(
            name, parents=[where, *parents], help=about, description=f"{about[0].upper()}{about[1:]}."
        )
        added.epilog = f"example: goldenspike admin {name} {example}"
        return added

    listed = add("list", "list games, the newest first", "--state running --older-than 8w", state)
    listed.add_argument("--older-than", metavar="AGE", help=f"only games idle for this long: {_AGE}")
    listed.add_argument("--edition", metavar="ID", help="only games of this edition")
    listed.add_argument("--limit", type=int, metavar="N", help="at most N games")
    listed.add_argument("--json", action="store_true", help="one JSON object per line, for programs")
    prune = add("prune", "remove old games", "--older-than 90d --state finished --dry-run", state)
    prune.add_argument(
        "--older-than", required=True, metavar="AGE", help=f"remove games idle for this long: {_AGE}"
    )
    prune.add_argument(
        "--finished",
        dest="state",
        action="store_const",
        const="finished",
        help="the same as --state finished",
    )
    prune.add_argument("--dry-run", action="store_true", help="only print how many games would be removed")
    delete = add("delete", "remove games with their names and chat, whatever their age", "Xk29hQmfT1aw")
    delete.add_argument(
        "games", nargs="+", metavar="GAME", help=f"ids of games, as 'admin list' prints them{_DASH}"
    )
    redact = add(
        "redact", "remove names and chat of finished games, and keep the moves", "Xk29hQmfT1aw --seat 2"
    )
    redact.add_argument("games", nargs="+", metavar="GAME", help=f"ids of games, as in 'admin list'{_DASH}")
    redact.add_argument(
        "--seat", type=int, metavar="N", help="only of the player in this seat, counted from 1"
    )
    export = add("export", "write records of games, which 'goldenspike verify' checks", "records")
    export.add_argument(
        "file",
        type=Path,
        metavar="TARGET",
        help="a folder for one file per game, or a single file NAME.jsonl",
    )
    export.add_argument("games", nargs="*", metavar="GAME", help=f"ids of games (all finished games){_DASH}")
    export.add_argument(
        "--unfinished", action="store_true", help="also games that are not over; reveals hidden cards"
    )
    export.add_argument("--editions", metavar="FOLDER", help="the folder of home-made editions, if any")
    add("vacuum", "give the space of removed games back to the system", "--config /etc/goldenspike.toml")
    backup = add(
        "backup", "write a copy of all games into a file", "games-copy.db --config /etc/goldenspike.toml"
    )
    backup.add_argument("file", type=Path, help="the file to write")
    parser.epilog = "example: goldenspike admin list"


def run(options: argparse.Namespace) -> int:
    """Administer the games of a server."""
    from goldenspike.server.settings import load_settings  # noqa: PLC0415  # help does not wait for it

    flags = {"database": options.database, "editions": getattr(options, "editions", None)}
    settings = load_settings(flags, options.config)
    module = import_module(f"goldenspike.cli.admin.{_MODULES[options.action]}")
    return getattr(module, f"run_{options.action}")(options, settings)
