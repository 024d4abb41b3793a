"""``goldenspike replay FILE``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from goldenspike.cli.prepare import interpret_unless_compiled
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.story import tell, tell_ending, tell_result
from goldenspike.datafiles.words import listed
from goldenspike.editions import Edition, load_edition
from goldenspike.exit_codes import OK
from goldenspike.game.description import describe_private, describe_public
from goldenspike.game.events import Event, read_events
from goldenspike.game.game import Game, begin_again
from goldenspike.game.record import Action, Saved, known_names, read_records
from goldenspike.game.replay import replay
from goldenspike.game.words import count_of

_NOT_OVER = "The game is not over. If it ended here:"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("file", type=Path, help="a file of saved games")
    parser.add_argument(
        "--game", type=int, metavar="K", help="only the K-th game of the file, counted from 1"
    )
    parser.add_argument(
        "--to", type=int, metavar="N", help="stop after action N; actions are numbered in the margin"
    )
    parser.add_argument("--edition", metavar="FILE", help="the edition file, for games on a home-made board")
    parser.add_argument("--json", action="store_true", help="print one object per action, for other programs")
    parser.epilog = "example: goldenspike replay games.jsonl --game 2 --to 30"


def run(options: argparse.Namespace) -> int:
    """Replay saved games, check every move, and describe them turn by turn."""
    interpret_unless_compiled(["rules"])
    edition = load_edition(options.edition) if options.edition else None
    games: list[Saved] = list(
        read_records(options.file.read_text(encoding="utf-8", errors="surrogateescape"))
    )
    if options.game is not None:
        if not 1 <= options.game <= len(games):
            raise ValueError(f"{options.file} holds {len(games)} games; there is no game {options.game}.")
        games = [games[options.game - 1]]
    for index, saved in enumerate(games, start=options.game or 1):
        if saved is not games[0] and not options.json:
            print()
        _replay_one(saved, index, edition, options)
    return OK


def _replay_one(saved: Saved, index: int, edition: Edition | None, options: argparse.Namespace) -> None:
    game = begin_again(saved, edition)
    for action in replay(saved, game):
        if options.to is not None and action.n > options.to:
            break
        if options.json:
            print(msgspec.json.encode(_describe(game, index, action)).decode())
    if not options.json:
        _tell(game, index)


def _tell(game: Game, index: int) -> None:
    """Print a game as prose, each turn with the number of its first action, and its scores."""
    names, players = game.names, count_of(game.players, "player")
    seated = "" if known_names(names) is None else f" ({listed(names, 'and')})"
    first = names[int(game.state.first)]
    print(f"Game {index}: {game.edition.name}, {players}{seated}. First player: {first}.\n")
    for number, events in _turns(game):
        for row, line in enumerate(tell(game.edition, names, events)):
            print(f"{'' if row else number:>4}  {line}")
    scores = game.scores()
    table = replace(scores, terms=tuple(texts.TERMS.get(term, term) for term in scores.terms))
    print("\n" + (tell_ending(game.edition, game.result) if game.result else _NOT_OVER))
    print(table)
    if game.result:
        print(*tell_result(game.edition, names, game.result), sep="\n")


def _turns(game: Game) -> Iterator[tuple[int, list[Event]]]:
    """Yield the events turn by turn, with the number of the first action of each."""
    start, events = 1, list[Event]()
    for number, played in enumerate(game.played, start=1):
        events += read_events(game.edition, played.rows)
        if events[-1].kind == "turn began" or number == len(game.played):
            yield start, [event for event in events if event.kind != "ended"]  # the end is printed below
            start, events = number + 1, []


def _describe(game: Game, index: int, action: Action) -> dict[str, Any]:
    return {
        "game": index,
        "n": action.n,
        "edition": game.edition.id,
        "seat": action.seat,
        "move": action.move,
        "legal": [str(move) for move in game.legal_moves(action.seat)],
        "view": describe_public(game.view(None)),
        "own": [describe_private(game.view(seat)) for seat in range(game.players)],
    }
