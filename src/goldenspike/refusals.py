"""Why a move is refused, in words: the rule's id and a sentence for the person who tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from goldenspike.editions import Edition
from goldenspike.engine import legal
from goldenspike.engine.state import CHOOSING, LOCOMOTIVE, State
from goldenspike.errors import IllegalMoveError
from goldenspike.moves import ClaimRoute, TakeCard
from goldenspike.notation import notation_of
from goldenspike.words import count_of


class Scene(NamedTuple):
    """What a sentence may speak of: who tried what, and where."""

    edition: Edition
    state: State
    seat: int
    number: int

    @property
    def claim(self) -> ClaimRoute:
        """The refused move, if it is a claim."""
        move = notation_of(self.edition).value(self.number)
        assert isinstance(move, ClaimRoute)
        return move

    @property
    def length(self) -> int:
        """The length of the route."""
        return self.claim.cards + self.claim.locomotives

    @property
    def missing(self) -> int:
        """How many cards the seat lacks to pay for the claim."""
        claim = self.claim
        coloured = max(0, claim.cards - self.holds(claim.colour)) if claim.cards else 0
        return coloured + max(0, claim.locomotives - self.holds(None))

    def holds(self, colour: str | None) -> int:
        """How many cards of a kind the seat has."""
        kind = LOCOMOTIVE if colour is None else self.edition.board.colours.index(colour)
        return int(self.state.hands[self.seat, kind])


def explain_refusal(reason: int, scene: Scene) -> IllegalMoveError:
    """Return the error that says why a move was refused."""
    rule, sentence = _REFUSALS[reason](scene)
    return IllegalMoveError(rule, sentence)


def _not_your_turn(scene: Scene) -> tuple[str, str]:
    return "S-4", f"It is not the turn of seat {scene.seat}; seat {int(scene.state.turn)} is to move."


def _keep_more(scene: Scene) -> tuple[str, str]:
    rules, offered = scene.edition.ticket_rules, int(scene.state.offer_size[scene.seat])
    rule, least = ("S-3", rules.deal_keep) if scene.state.phase == CHOOSING else ("T-1", rules.draw_keep)
    return rule, f"Keep at least {min(least, offered)} of these tickets."


def _not_face_up(scene: Scene) -> tuple[str, str]:
    move = notation_of(scene.edition).value(scene.number)
    colour = move.colour if isinstance(move, TakeCard) else None
    return "D-1", f"No {colour or scene.edition.words.locomotive} lies face up."


def _locomotive_second(scene: Scene) -> tuple[str, str]:
    return "D-4", f"A face-up {scene.edition.words.locomotive} cannot be the second card."


def _twin_closed(scene: Scene) -> tuple[str, str]:
    few = scene.edition.doubles_close_up_to
    return (
        "C-6",
        f"With {few} players or fewer only one lane of a double can be used, and the other is taken.",
    )


def _too_few_pieces(scene: Scene) -> tuple[str, str]:
    left, piece = int(scene.state.pieces[scene.seat]), scene.edition.words.piece
    return "C-5", f"You have {count_of(left, piece)} left; this route needs {scene.length}."


def _too_few_cards(scene: Scene) -> tuple[str, str]:
    claim = scene.claim
    held = count_of(scene.holds(claim.colour), f"{claim.colour} card")
    return "C-2", f"You have {held}; this takes {claim.cards}."


def _too_few_locomotives(scene: Scene) -> tuple[str, str]:
    held = count_of(scene.holds(None), f"{scene.edition.words.locomotive} card")
    return "C-3", f"You have {held}; this takes {scene.claim.locomotives}."


def _say(rule: str, sentence: str) -> Callable[[Scene], tuple[str, str]]:
    return lambda _scene: (rule, sentence)


_REFUSALS: dict[int, Callable[[Scene], tuple[str, str]]] = {
    legal.GAME_IS_OVER: _say("E-1", "The game is over."),
    legal.NOT_YOUR_TURN: _not_your_turn,
    legal.NO_SUCH_MOVE: _say("C-4", "There is no such move on this board."),
    legal.CHOOSE_TICKETS_FIRST: _say("T-1", "First choose which of the offered tickets to keep."),
    legal.ALREADY_CHOSEN: _say("S-3", "You have chosen your tickets; the others are still choosing."),
    legal.NOTHING_OFFERED: _say("T-1", "No tickets are offered to you now."),
    legal.KEEP_MORE: _keep_more,
    legal.NOT_OFFERED: _say("T-1", "Keep only tickets that were offered to you."),
    legal.SECOND_CARD_FIRST: _say("R-3", "Take your second card first."),
    legal.CAN_ACT: _say("R-4", "You can only pass when there is nothing else to do."),
    legal.DECK_EMPTY: _say("D-8", "The deck is empty and there are no discards to shuffle."),
    legal.NOT_FACE_UP: _not_face_up,
    legal.LOCOMOTIVE_SECOND: _locomotive_second,
    legal.NO_TICKETS_LEFT: _say("T-4", "There are no tickets left to draw."),
    legal.NO_TICKETS_TO_SWAP: _say("R-9", "You have no tickets to swap."),
    legal.ROUTE_TAKEN: _say("C-4", "This route is already claimed."),
    legal.TWIN_IS_OWN: _say("C-6", "You hold the other lane of this double; nobody may hold both."),
    legal.TWIN_CLOSED: _twin_closed,
    legal.TOO_FEW_PIECES: _too_few_pieces,
    legal.TOO_FEW_CARDS: _too_few_cards,
    legal.TOO_FEW_LOCOMOTIVES: _too_few_locomotives,
}
