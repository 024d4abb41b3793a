"""What a command comes to: the entry it would add to a game's log, or why not. Nothing is changed here."""

from __future__ import annotations

from goldenspike.errors import MoveError
from goldenspike.event import is_revealing
from goldenspike.position import Position
from goldenspike.server.entry import Entry, pack_rows
from goldenspike.server.live import STAND_IN, LiveGame
from goldenspike.server.messages import Answer, Command, Leave, Play, Replace, Return, Say, Undo
from goldenspike.server.problems import Problem, refused_move


def decide(live: LiveGame, seat: int, command: Command, token: str, now: int, patience: int) -> Entry:
    """Return the entry of a command.

    `token` is what its sender calls it, `patience` how long nobody may be replaced, in milliseconds.
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
            return Entry(live.id, live.number + 1, "said", now, seat, token, text=command.text)
        case Leave():
            _require_person(live, seat)
            return Entry(live.id, live.number + 1, "left", now, seat, token, text=STAND_IN)
        case Return():
            if live.chairs[seat].level is None:
                raise Problem("not_allowed", "The seat is yours already; no bot plays there.")
            return Entry(live.id, live.number + 1, "returned", now, seat, token)
        case Replace():
            return _decide_replace(live, command, token, now, patience)
        case _:
            raise TypeError(f"{command!r} adds nothing to a log.")


def _require_person(live: LiveGame, seat: int) -> None:
    if not live.chairs[seat].waits_for_person:
        raise Problem("not_allowed", "A bot plays for you; take the seat back first.")


def decide_move(live: LiveGame, seat: int, move: int | str, now: int, token: str | None) -> Entry:
    """Return the entry of a move."""
    if live.is_waiting:
        raise Problem("not_allowed", "A seat is still free; the game begins when somebody takes it.")
    after = live.position.copy()
    try:
        outcome = after.play(move, seat)
    except MoveError as error:
        raise refused_move(error) from None
    return Entry(
        live.id,
        live.number + 1,
        "moved",
        now,
        seat,
        token,
        outcome.number,
        outcome.text,
        pack_rows(outcome.rows),
        after.to_bytes(),
        after.state_hash,
        is_revealing(outcome.rows),
    )


def _decide_undo(live: LiveGame, seat: int, token: str, now: int) -> Entry:
    own = [i for i, step in enumerate(live.trail) if step.seat == seat]
    if not own or live.position.is_over:
        raise Problem("not_allowed", "Nothing of yours can be taken back: something new was shown since.")
    if live.asked is not None:
        raise Problem(
            "not_allowed", "Somebody has asked to take back an action already; wait for the answers."
        )
    count = len(live.trail) - own[-1]
    if live.people() - {seat}:
        return Entry(live.id, live.number + 1, "undo asked", now, seat, token, count)
    return decide_undone(live, seat, count, now, token)


def decide_undone(live: LiveGame, seat: int, count: int, now: int, token: str | None = None) -> Entry:
    """Return the entry that takes back the last actions."""
    before = Position(live.edition)
    before.restore(live.trail[-count].before)
    return Entry(
        live.id,
        live.number + 1,
        "undone",
        now,
        seat,
        token,
        count,
        state=before.to_bytes(),
        state_hash=before.state_hash,
    )


def _decide_answer(live: LiveGame, seat: int, command: Answer, token: str, now: int) -> Entry:
    # Anybody may say no, also who asked or has agreed: else nobody could end the wait for one who is away.
    if live.asked is None or seat not in (live.asked.waiting if command.agree else live.people()):
        raise Problem("not_allowed", "Nobody waits for your answer.")
    return Entry(live.id, live.number + 1, "undo answered", now, seat, token, int(command.agree))


def _decide_replace(live: LiveGame, command: Replace, token: str, now: int, patience: int) -> Entry:
    if command.seat >= len(live.chairs):
        raise Problem("not_allowed", f"There is no seat {command.seat} in this game.")
    chair = live.chairs[command.seat]
    if not chair.waits_for_person or chair.is_free:
        raise Problem("not_allowed", "Nobody has to be replaced there.")
    left = live.turn_began + patience - now
    can_move = command.seat in live.position.to_move and not live.is_waiting
    if not can_move or left > 0:
        wait = f" Wait {left // 1000 + 1} seconds more." if can_move else ""
        raise Problem("not_allowed", f"{chair.name} does not keep the game waiting.{wait}")
    return Entry(live.id, live.number + 1, "bot seated", now, command.seat, token, text=STAND_IN)
