"""Commands: compute the log entry of a command, or refuse it. Nothing is changed here."""

from __future__ import annotations

import hashlib

import msgspec

from goldenspike.errors import MoveError
from goldenspike.game.events import is_revealing
from goldenspike.game.moves import Move
from goldenspike.game.position import Position
from goldenspike.game.words import numbers_of_seats
from goldenspike.server.play.entry import Entry, pack_rows
from goldenspike.server.play.live_game import STAND_IN, LiveGame
from goldenspike.server.protocol.messages import Answer, Command, Leave, Play, Replace, Return, Say, Undo
from goldenspike.server.protocol.names import clean_text
from goldenspike.server.protocol.problems import Problem, refused_move


def decide(live: LiveGame, seat: int, command: Command, token: str, now: int, patience: float) -> Entry:
    """Return the entry of a command.

    `token` identifies the command. `patience` is how many seconds a player must be absent before other
    players may replace them.
    """
    match command:
        case Play():
            _require_person(live, seat)
            return decide_move(live, seat, command.move, now, token)
        case Undo():
            _require_person(live, seat)
            return _decide_undo(live, seat, token, now)
        case Answer():
            return _decide_answer(live, seat, command, token, now)
        case Say():
            text = clean_text(command.text)
            if not text:
                raise Problem("malformed", "The message is empty.", reason="empty_message")
            return Entry.said(live.id, live.number + 1, now, seat, token, text)
        case Leave():
            _require_person(live, seat)
            return Entry.left(live.id, live.number + 1, now, seat, token, STAND_IN)
        case Return():
            seat_state = live.seat_states[seat]
            if seat_state.level is None:
                raise Problem(
                    "not_allowed",
                    "You already have your seat; no bot is playing for you.",
                    reason="seat_is_yours",
                )
            if seat_state.has_left and seat_state.has_bot_moved and not live.setup.aids:
                raise Problem(
                    "not_allowed",
                    "This game does not allow hints, and a bot has moved for you; it keeps the seat.",
                    reason="bot_keeps_seat",
                )
            return Entry.returned(live.id, live.number + 1, now, seat, token)
        case Replace():
            return _decide_replace(live, seat, command, token, now, patience)
        case _:
            raise TypeError(f"{command!r} adds nothing to a log.")


def _require_person(live: LiveGame, seat: int) -> None:
    if not live.seat_states[seat].waits_for_person:
        raise Problem(
            "not_allowed", "A bot is playing for you; take your seat back first.", reason="bot_plays"
        )


def decide_move(live: LiveGame, seat: int, move: Move | int | str, now: int, token: str | None) -> Entry:
    """Return the entry of a move."""
    if live.is_waiting:
        raise Problem(
            "not_allowed",
            "A seat is still open; the game starts when all players have joined.",
            reason="seat_open",
        )
    after = live.position.copy()
    try:
        outcome = after.play(move, seat)
    except MoveError as error:
        raise refused_move(error) from None
    return Entry.moved(
        live.id,
        live.number + 1,
        now,
        seat,
        token,
        move=outcome.number,
        text=outcome.text,
        events=pack_rows(outcome.rows),
        state=after.to_bytes(),
        state_hash=after.state_hash,
        # A bot's move also counts as revealing. Otherwise a player could see it and then undo their own move.
        reveals=is_revealing(outcome.rows) or token is None,
    )


def _decide_undo(live: LiveGame, seat: int, token: str, now: int) -> Entry:
    own = [i for i, step in enumerate(live.trail) if step.seat == seat]
    if not own or live.position.is_over:
        raise Problem(
            "not_allowed",
            "You have no move to undo, or hidden information has been revealed since.",
            reason="nothing_to_undo",
        )
    if live.asked is not None:
        raise Problem(
            "not_allowed", "Another undo request is pending; wait for the answers.", reason="undo_pending"
        )
    count = len(live.trail) - own[-1]
    if live.people() - {seat}:
        return Entry.undo_asked(live.id, live.number + 1, now, seat, token, count)
    return decide_undone(live, seat, count, now, token)


def decide_undone(live: LiveGame, seat: int, count: int, now: int, token: str | None = None) -> Entry:
    """Return the entry that undoes the last actions."""
    before = Position(live.edition)
    before.restore(live.trail[-count].before)
    return Entry.undone(
        live.id,
        live.number + 1,
        now,
        seat,
        token,
        count,
        state=before.to_bytes(),
        state_hash=before.state_hash,
    )


def _decide_answer(live: LiveGame, seat: int, command: Answer, token: str, now: int) -> Entry:
    # Every player may refuse, even the one who asked and those who agreed. Otherwise the wait for an absent
    # player could not be ended.
    if live.asked is None or seat not in (live.asked.waiting if command.agree else live.people()):
        raise Problem("not_allowed", "There is no request to answer.", reason="no_request")
    return Entry.undo_answered(live.id, live.number + 1, now, seat, token, command.agree)


def _decide_replace(
    live: LiveGame, seat: int, command: Replace, token: str, now: int, patience: float
) -> Entry:
    if command.seat >= len(live.seat_states):
        raise Problem("not_allowed", numbers_of_seats("A seat", len(live.seat_states)))
    seat_state = live.seat_states[command.seat]
    if not seat_state.waits_for_person or seat_state.is_free:
        raise Problem(
            "not_allowed", "A bot already has this seat, or it is an open seat.", reason="no_person"
        )
    if live.setup.clock is not None and not seat_state.is_invited:
        left = live.seconds_left
        is_up = left is not None and left <= 0 and command.seat in live.position.to_move
        if not (is_up or seat_state.is_out_of_time):
            raise Problem(
                "not_allowed",
                f"{seat_state.name} still has time left.",
                reason="has_time",
                details={"name": seat_state.name},
            )
    else:
        absent = live.audience.seconds_absent(command.seat)
        if absent == 0.0:
            raise Problem(
                "not_allowed",
                f"{seat_state.name} is online; a bot can only take over for a player who is offline.",
                reason="is_online",
                details={"name": seat_state.name},
            )
        if absent < patience:
            seconds = int(patience - absent) + 1
            raise Problem(
                "not_allowed",
                f"{seat_state.name} went offline a moment ago. Wait {seconds} more seconds.",
                reason="just_left",
                details={"name": seat_state.name, "count": seconds},
            )
    return Entry.bot_seated(live.id, live.number + 1, now, command.seat, token, seat, STAND_IN)


def hash_command(command: Command) -> str:
    """Return a hash of a command without its `after` field.

    >>> hash_command(Play("1", "draw deck")) == hash_command(Play("1", "draw deck", after=7))
    True
    """
    said = msgspec.structs.replace(command, after=None)
    return hashlib.blake2b(msgspec.json.encode(said), digest_size=8).hexdigest()


def require_same(entry: Entry, request: str) -> None:
    """Refuse a command if its id was used before for another command, whose entry this is.

    Entries of older versions have no hash of their command.
    """
    if entry.request not in {None, request}:
        raise Problem("conflict", "This id was used for another command; choose a new one.")
