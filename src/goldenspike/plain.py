"""A whole game state in plain words, hidden things included: for replays, referees and other programs."""

from __future__ import annotations

from typing import Any

from goldenspike.engine.state import CHOOSING, EMPTY, KEEPING, LOCOMOTIVE
from goldenspike.game import Game
from goldenspike.view import PHASES, cards_in_words, members


def describe_state(game: Game) -> dict[str, Any]:
    """Return the state of a game as JSON-ready words; the reference documentation has the schema.

    >>> state = describe_state(Game.new("usa-classic", 2, seed=3, first=1))
    >>> state["phase"], state["to_move"], state["deck_size"], state["seats"][0]["pieces"]
    ('choosing', [0, 1], 97, 45)
    """
    state, edition = game.state, game.edition
    colours = edition.board.colours
    row = [int(kind) for kind in state.row[: edition.face_up]]
    return {
        "phase": PHASES[state.phase],
        "turn": None if state.phase == CHOOSING or game.is_over else int(state.turn),
        "to_move": game.to_move,
        "turns": int(state.turns),
        "turns_left": None if state.turns_left < 0 else int(state.turns_left),
        "face_up": [None if k == EMPTY else "loco" if k == LOCOMOTIVE else colours[k] for k in row],
        "deck_size": int(state.deck_size),
        "discards": cards_in_words(edition, state.discards),
        "ticket_deck_size": int(state.ticket_deck_size),
        "seats": [_describe_seat(game, seat) for seat in range(game.players)],
        "scores": list(game.scores().totals)
        if game.is_over
        else [int(p) for p in state.points[: game.players]],
    }


def _describe_seat(game: Game, seat: int) -> dict[str, Any]:
    state, edition = game.state, game.edition

    def names(tickets: Any) -> list[str]:
        return [edition.tickets[int(ticket)].name for ticket in tickets]

    is_offered = state.phase in {CHOOSING, KEEPING}
    return {
        "hand": cards_in_words(edition, state.hands[seat]),
        "pieces": int(state.pieces[seat]),
        "points": int(state.points[seat]),
        "routes": [edition.board.routes[route].name for route in members(state.owned[seat])],
        "tickets": names(members(state.held[seat])),
        "completed": names(members(state.completed[seat])),
        "completed_count": int(state.completed_count[seat]),
        "offer": names(state.offer[seat][: state.offer_size[seat]]) if is_offered else [],
    }
