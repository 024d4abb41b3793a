"""Reading a game's log: its actions without those undone, and its positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from goldenspike.editions import Edition
from goldenspike.game.game import Game
from goldenspike.game.position import Position
from goldenspike.server.play.entry import Entry, pack_rows
from goldenspike.server.storage.database import StoredGame


def list_actions(entries: Iterable[Entry]) -> list[Entry]:
    """Return the moves that were not undone, in order."""
    actions: list[Entry] = []
    for entry in entries:
        if entry.kind == "moved":
            actions.append(entry)
        elif entry.kind == "undone":
            del actions[-entry.undone_count :]
    return actions


def deal_again(stored: StoredGame, edition: Edition) -> Position:
    """Return the position that a game started from."""
    return Position.deal(edition, stored.players, bytes.fromhex(stored.seed), stored.first)[0]


def list_positions(stored: StoredGame, edition: Edition, actions: Iterable[Entry]) -> Iterator[Position]:
    """Yield the position before the first action and after each one; always the same object, updated."""
    position = deal_again(stored, edition)
    yield position
    for action in actions:
        position.play(action.move_number, action.seat)
        yield position


def restore_states(stored: StoredGame, edition: Edition, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries of a log with their positions recomputed from its seed and moves."""
    position = deal_again(stored, edition)
    before: list[Position] = []
    for entry in entries:
        if entry.kind == "moved":
            before.append(position.copy())
            position.play(entry.move_number, entry.seat)
        elif entry.kind == "undone":
            position = before[-entry.undone_count]
            del before[-entry.undone_count :]
        elif entry.kind != "started":
            yield entry
            continue
        yield msgspec.structs.replace(entry, state=position.to_bytes())


def complete_states(stored: StoredGame, edition: Edition, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return a log with the positions that are needed to continue its game.

    A finished game has only its last position. If its log was cut back, it goes on from an earlier one.
    Raise ValueError if another version wrote the positions.
    """
    states = [entry.state for entry in entries if entry.kind in {"started", "moved", "undone"}]
    if None not in states:
        return entries
    if states[-1] is not None:
        position = Position(edition)
        position.load(states[-1])
        if position.is_over:
            return entries
    return list(restore_states(stored, edition, entries))


def log_of(game: Game, game_id: str, at: int) -> list[Entry]:
    """Return a game's actions as the entries of a new log.

    All entries get the time `at`, because the real times are unknown.
    """
    position, rows = Position.deal(game.edition, game.players, game.seed, game.first)
    entries = [start_entry(game_id, position, pack_rows(rows), at)]
    for number, played in enumerate(game.played, start=1):
        position.play(played.number, played.seat)
        entries.append(
            Entry.moved(
                game_id,
                number,
                at,
                played.seat,
                None,
                move=played.number,
                text=played.text,
                events=pack_rows(played.rows),
                state=position.to_bytes(),
                state_hash=played.state_hash,
                reveals=True,  # copied moves cannot be undone
            )
        )
    return entries


def start_entry(game_id: str, position: Position, events: bytes, at: int) -> Entry:
    """Return the first entry of a log."""
    state, state_hash = position.to_bytes(), position.state_hash
    return Entry.started(game_id, at, events=events, state=state, state_hash=state_hash)
