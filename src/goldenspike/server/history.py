"""The log of a game looked back on: the actions that count, the record, and every position on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from goldenspike.editions import Edition
from goldenspike.event import read_events
from goldenspike.game import Game
from goldenspike.position import Position
from goldenspike.record import FORMAT, Action, End, Header, write_record
from goldenspike.seeds import commitment
from goldenspike.server.entry import Entry, pack_rows, unpack_rows
from goldenspike.server.store import StoredGame
from goldenspike.version import VERSION


def list_actions(entries: Iterable[Entry]) -> list[Entry]:
    """Return the moves that were not taken back, in order."""
    actions: list[Entry] = []
    for entry in entries:
        if entry.kind == "moved":
            actions.append(entry)
        elif entry.kind == "undone":
            del actions[-(entry.move or 1) :]
    return actions


def deal_again(stored: StoredGame, edition: Edition) -> Position:
    """Return the position that a game started from."""
    return Position.deal(edition, stored.players, bytes.fromhex(stored.seed), stored.first)[0]


def list_positions(stored: StoredGame, edition: Edition, actions: Iterable[Entry]) -> Iterator[Position]:
    """Yield the position before the first action and after each; it is the same object, going on."""
    position = deal_again(stored, edition)
    yield position
    for action in actions:
        assert action.move is not None
        position.play(action.move, action.seat)
        yield position


def restore_states(stored: StoredGame, edition: Edition, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries of a log with their positions worked out anew, from its seed and moves."""
    position = deal_again(stored, edition)
    before: list[Position] = []
    for entry in entries:
        if entry.kind == "moved":
            assert entry.move is not None
            before.append(position.copy())
            position.play(entry.move, entry.seat)
        elif entry.kind == "undone":
            position = before[-(entry.move or 1)]
            del before[-(entry.move or 1) :]
        elif entry.kind != "started":
            yield entry
            continue
        yield msgspec.structs.replace(entry, state=position.to_bytes())


def write_history(stored: StoredGame, edition: Edition, entries: Iterable[Entry], end: End | None) -> str:
    """Return the record of a game, its seed revealed."""
    header = Header(
        goldenspike=FORMAT,
        edition=stored.edition,
        rules=stored.rules,
        seats=stored.players,
        first=stored.first,
        seed=stored.seed,
        commitment=commitment(bytes.fromhex(stored.seed)),
        version=VERSION,
    )
    actions = [
        Action(
            n,
            entry.seat or 0,
            entry.text or "",
            [str(event) for event in read_events(edition, unpack_rows(entry.events))],
            entry.state_hash or "",
        )
        for n, entry in enumerate(list_actions(entries), start=1)
    ]
    return write_record(header, actions, end)


def log_of(game: Game, game_id: str, at: int) -> list[Entry]:
    """Return a game's actions as the entries of a new log; all at the same time, since nobody knows when."""
    position, rows = Position.deal(game.edition, game.players, game.seed, game.first)
    entries = [start_entry(game_id, position, pack_rows(rows), at)]
    for number, played in enumerate(game.played, start=1):
        position.play(played.number, played.seat)
        entries.append(
            Entry(
                game_id,
                number,
                "moved",
                at,
                played.seat,
                None,
                played.number,
                played.text,
                pack_rows(played.rows),
                position.to_bytes(),
                played.state_hash,
                reveals=True,  # what another game has shown is not taken back in this one
            )
        )
    return entries


def start_entry(game_id: str, position: Position, events: bytes, at: int) -> Entry:
    """Return the first entry of a log."""
    return Entry(
        game_id,
        0,
        "started",
        at,
        events=events,
        state=position.to_bytes(),
        state_hash=position.state_hash,
        reveals=True,
    )
