"""``goldenspike replay FILE``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from goldenspike.cli import OK
from goldenspike.editions import Edition, load_edition
from goldenspike.event import read_events
from goldenspike.game import Game, begin_again
from goldenspike.plain import describe_state
from goldenspike.record import Action, Saved, read_records
from goldenspike.replay import replay


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("file", type=Path, help="a file of saved games")
    parser.add_argument(
        "--game", type=int, metavar="K", help="only the K-th game of the file, counted from 1"
    )
    parser.add_argument("--to", type=int, metavar="N", help="stop after action N")
    parser.add_argument("--edition", metavar="FILE", help="the edition file, for games on a home-made board")
    parser.add_argument("--json", action="store_true", help="print one object per action, for other programs")
    parser.epilog = "example: goldenspike replay games.jsonl --game 2 --to 30"


def run(options: argparse.Namespace) -> int:
    """Play saved games again, check every move, and print them."""
    edition = load_edition(options.edition) if options.edition else None
    games: list[Saved] = list(
        read_records(options.file.read_text(encoding="utf-8", errors="surrogateescape"))
    )
    if options.game is not None:
        if not 1 <= options.game <= len(games):
            raise ValueError(f"{options.file} holds {len(games)} games; there is no game {options.game}.")
        games = [games[options.game - 1]]
    for index, saved in enumerate(games, start=options.game or 1):
        _replay_one(saved, index, edition, options)
    return OK


def _replay_one(saved: Saved, index: int, edition: Edition | None, options: argparse.Namespace) -> None:
    game = begin_again(saved, edition)
    if not options.json:
        print(
            f"Game {index}: {game.edition.name}, {game.players} players, seat {int(game.state.first)} begins"
        )
    for action in replay(saved, game):
        if options.to is not None and action.n > options.to:
            break
        if options.json:
            print(msgspec.json.encode(_describe(game, index, action)).decode())
        else:
            _print_outcome(game)
            print(f"{action.n:4}  seat {action.seat}: {action.move}")
    if not options.json:
        _print_outcome(game)
        print(game.scores())
        print(f"{game.result} ({game.result.reason})" if game.result else "The game goes on.")


def _describe(game: Game, index: int, action: Action) -> dict[str, Any]:
    return {
        "game": index,
        "n": action.n,
        "edition": game.edition.id,
        "seat": action.seat,
        "move": action.move,
        "legal": [str(move) for move in game.legal_moves(action.seat)],
        "state": describe_state(game),
    }


def _print_outcome(game: Game) -> None:
    """Print what came of the last action, in small print."""
    if game.played:
        for event in read_events(game.edition, game.played[-1].rows):
            if event.kind not in {"turn ended", "turn began"}:
                print(f"          {event}")
