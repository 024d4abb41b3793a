"""Replay a record, and report the first line that does not match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goldenspike.editions import Edition, edition_ids, load_edition
from goldenspike.errors import MoveError, RecordError
from goldenspike.game.events import read_events
from goldenspike.game.record import Action, Saved, read_records

if TYPE_CHECKING:
    from goldenspike.game.game import Game


def read_only_one(text: str) -> Saved:
    """Return the only record in a text."""
    first, *others = read_records(text)
    if others:
        raise RecordError(others[0].line, "another game begins here; read a file of several with load_games.")
    return first


def edition_of(saved: Saved, edition: Edition | None = None) -> Edition:
    """Return the edition of a record: the installed one, or the one passed, if its digest matches."""
    header = saved.header
    if edition is None:
        if header.edition not in edition_ids():  # never a path: a record must not choose which files are read
            raise RecordError(saved.line, f"the edition {header.edition!r} is not known here; pass it.")
        edition = load_edition(header.edition)
    if edition.digest != header.rules:
        raise RecordError(
            saved.line, f"the game was played on another version of {header.edition!r}; pass that edition."
        )
    return edition


def replay(saved: Saved, game: Game) -> Iterator[Action]:
    """Play a record's actions in a new game; yield each action before it is played and checked."""
    for line, action in enumerate(saved.actions, start=saved.line + 1):
        yield action
        _play_again(game, action, line)
    if saved.end != game.end:
        raise RecordError(saved.line + len(saved.actions) + 1, "the game did not end as the record says.")


def _play_again(game: Game, action: Action, line: int) -> None:
    try:
        game.play(action.move, action.seat)
    except MoveError as error:
        raise RecordError(line, f"{action.move!r} cannot be played: {error}") from None
    played = game.played[-1]
    if played.state_hash != action.state:
        raise RecordError(
            line, f"after {action.move!r} the state is {played.state_hash}, not {action.state}."
        )
    if [str(event) for event in read_events(game.edition, played.rows)] != action.outcome:
        raise RecordError(line, f"{action.move!r} did not come out as the record says.")
