"""Display of a game: as one line, as a text table, as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from goldenspike.datafiles.words import listed
from goldenspike.engine.state import CHOOSING, KEEPING, SECOND_CARD
from goldenspike.game.view import cards_in_words
from goldenspike.game.words import count_of

if TYPE_CHECKING:
    from goldenspike.game.game import Game

_DECISIONS = {
    CHOOSING: "to choose tickets",
    KEEPING: "to choose tickets",
    SECOND_CARD: "to take a second card",
}
"""What is to be decided, by phase; in other phases, any move."""


def repr_game(game: Game) -> str:
    """Return a one-line description of a game."""
    edition, actions = game.edition, count_of(len(game.played), "action")
    players = count_of(game.players, "player")
    return f"<Game: {edition.name} ({edition.id}), {players}, {actions}, {_status(game)}>"


def write_game(game: Game) -> str:
    """Return the state of a game, hands included, as lines of text.

    >>> from goldenspike import Game
    >>> game = Game.new("usa-classic", 2, seed="prairie", first=0, names=["Ann", "Ben"])
    >>> for seat in (0, 1):
    ...     game.play("keep all", seat)
    >>> game.play("claim Boston-New York with 2 yellow")
    >>> print(game)
    USA (usa-classic), turn 2: Ben to move
           points  trains  tickets  cards
      Ann       2      43        3  1 orange, 1 black
    > Ben       0      45        3  1 purple, 1 green, 2 loco
    face up: orange, black, yellow, white, loco
    decks: 97 cards and 24 tickets left; 2 cards discarded
    last move: Ann: claim BOS-NYC/yellow with 2 yellow
    """
    edition, state = game.edition, game.state
    turn = "" if game.is_over or state.phase == CHOOSING else f", turn {int(state.turns) + 1}"
    lines = [f"{edition.name} ({edition.id}){turn}: {_status(game)}"]
    if not game.is_over and (left := game.view(None).turns_left) is not None:
        lines[0] += f", last round ({count_of(left, 'turn')} left)"
    lines += _seat_lines(game)
    if edition.face_up:
        lines.append(f"face up: {', '.join(card or 'empty' for card in game.view(None).row)}")
    cards, tickets = count_of(int(state.deck_size), "card"), count_of(int(state.ticket_deck_size), "ticket")
    discards = count_of(int(state.discards.sum()), "card")
    lines.append(f"decks: {cards} and {tickets} left; {discards} discarded")
    if game.played:
        last = game.played[-1]
        lines.append(f"last move: {game.names[last.seat]}: {last.text}")
    return "\n".join(lines)


def draw_game(game: Game) -> str:
    """Return the board as an SVG picture: claimed routes in the seats' colours, the scores below it.

    For a board without a layout, one is computed first, which takes a second or two.

    >>> from goldenspike import Game
    >>> game = Game.new("new-york", 2, seed=4, names=["Ann", "Ben"])
    >>> "Ann and Ben to choose tickets" in draw_game(game)
    True
    """
    from goldenspike.mapmaking import draw_svg, layout_of  # noqa: PLC0415  # only a picture needs it

    seats = [
        f"{name}: {', '.join([_score(game, seat), *_counts(game, seat)])}"
        for seat, name in enumerate(game.names)
    ]
    board = game.edition.board
    status = f"{game.edition.name}: {_status(game)}"
    return draw_svg(board, layout_of(board), owners=game.view(None).owners, caption=status, seats=seats)


def _status(game: Game) -> str:
    if game.result is not None:
        return f"{game.result} ({game.result.reason})"
    names = listed([game.names[seat] for seat in game.to_move], "and")
    return f"{names} {_DECISIONS.get(int(game.state.phase), 'to move')}"


def _points(game: Game) -> Sequence[int]:
    """Return the final scores; before the end the public ones: points for routes, or completed tickets."""
    if game.result is not None:
        return game.result.totals
    state = game.state
    numbers = state.completed_count if game.edition.end.when == "race" else state.points
    return [int(numbers[seat]) for seat in range(game.players)]


def _score(game: Game, seat: int) -> str:
    points = _points(game)[seat]
    return count_of(points, "completed ticket" if game.edition.end.when == "race" else "point")


def _counts(game: Game, seat: int) -> list[str]:
    state = game.state
    return [
        count_of(int(state.pieces[seat]), game.edition.words.piece),
        count_of(int(state.hand_size[seat]), "card"),
        count_of(int(state.held_count[seat]), "ticket"),
    ]


def _seat_lines(game: Game) -> list[str]:
    state, edition = game.state, game.edition
    counted = "completed" if edition.end.when == "race" else "points"
    rows = [["", counted, f"{edition.words.piece}s", "tickets"]]
    rows += [
        [game.names[seat], str(points), str(int(state.pieces[seat])), str(int(state.held_count[seat]))]
        for seat, points in enumerate(_points(game))
    ]
    hands = [cards_in_words(edition, state.hands[seat]) for seat in range(game.players)]
    cards = ["cards", *(", ".join(f"{n} {card}" for card, n in hand.items()) or "none" for hand in hands)]
    marks = [" ", *(">" if seat in game.to_move else " " for seat in range(game.players))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        f"{mark} {row[0].ljust(widths[0])}  "
        + "  ".join(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        + f"  {hand}"
        for mark, row, hand in zip(marks, rows, cards, strict=True)
    ]
