"""Explanations of refused moves: a rule id and a sentence for the player."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from goldenspike.editions import Edition
from goldenspike.engine import legal
from goldenspike.engine.state import CHOOSING, LOCOMOTIVE, State
from goldenspike.errors import IllegalMoveError, IllegalReason
from goldenspike.game.moves import ClaimRoute, TakeCard
from goldenspike.game.notation import notation_of
from goldenspike.game.words import count_of, seat_name


class RefusedMove(NamedTuple):
    """A refused move and its context, for the explanation."""

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
        """The number of cards the seat lacks to pay for the claim."""
        claim = self.claim
        coloured = max(0, claim.cards - self.holds(claim.colour)) if claim.cards else 0
        return coloured + max(0, claim.locomotives - self.holds(None))

    def holds(self, colour: str | None) -> int:
        """Return the number of cards of a kind in the seat's hand."""
        kind = LOCOMOTIVE if colour is None else self.edition.board.colours.index(colour)
        return int(self.state.hands[self.seat, kind])


def explain_refusal(reason: int, refused: RefusedMove) -> IllegalMoveError:
    """Return the error that explains why a move was refused."""
    return _REFUSALS[reason](refused)


def _not_your_turn(refused: RefusedMove) -> IllegalMoveError:
    turn = int(refused.state.turn)
    sentence = f"It is not {seat_name(refused.seat)}'s turn; {seat_name(turn)} is to move."
    return IllegalMoveError("S-4", "not_your_turn", sentence, {"seat": turn})


def _keep_more(refused: RefusedMove) -> IllegalMoveError:
    rules, offered = refused.edition.ticket_rules, int(refused.state.offer_size[refused.seat])
    rule, least = ("S-3", rules.deal_keep) if refused.state.phase == CHOOSING else ("T-1", rules.draw_keep)
    count = min(least, offered)
    return IllegalMoveError(rule, "keep_more", f"Keep at least {count} of these tickets.", {"count": count})


def _not_face_up(refused: RefusedMove) -> IllegalMoveError:
    move = notation_of(refused.edition).value(refused.number)
    colour = move.colour if isinstance(move, TakeCard) else None
    sentence = f"No {colour or refused.edition.words.wild_card} is face up."
    return IllegalMoveError("D-1", "not_face_up", sentence, {"card": colour or "loco"})


def _locomotive_second(refused: RefusedMove) -> IllegalMoveError:
    sentence = f"A face-up {refused.edition.words.wild_card} cannot be the second card."
    return IllegalMoveError("D-4", "locomotive_second", sentence)


def _twin_closed(refused: RefusedMove) -> IllegalMoveError:
    few = refused.edition.doubles_close_up_to
    sentence = (
        f"With {few} or fewer players, only one lane of a double route can be claimed; one is taken already."
    )
    return IllegalMoveError("C-6", "twin_closed", sentence, {"count": few})


def _too_few_pieces(refused: RefusedMove) -> IllegalMoveError:
    left, piece = int(refused.state.pieces[refused.seat]), refused.edition.words.piece
    sentence = f"You have {count_of(left, piece)} left; this route needs {refused.length}."
    return IllegalMoveError("C-5", "too_few_pieces", sentence, {"left": left, "needed": refused.length})


def _too_few_cards(refused: RefusedMove) -> IllegalMoveError:
    claim = refused.claim
    colour, held = str(claim.colour), refused.holds(claim.colour)
    sentence = f"You have {count_of(held, f'{colour} card')}; this takes {claim.cards}."
    details = {"card": colour, "held": held, "needed": claim.cards}
    return IllegalMoveError("C-2", "too_few_cards", sentence, details)


def _too_few_locomotives(refused: RefusedMove) -> IllegalMoveError:
    held, needed = refused.holds(None), refused.claim.locomotives
    sentence = f"You have {count_of(held, f'{refused.edition.words.locomotive} card')}; this takes {needed}."
    return IllegalMoveError("C-3", "too_few_locomotives", sentence, {"held": held, "needed": needed})


def _say(rule: str, reason: IllegalReason, sentence: str) -> Callable[[RefusedMove], IllegalMoveError]:
    return lambda _refused: IllegalMoveError(rule, reason, sentence)


_REFUSALS: dict[int, Callable[[RefusedMove], IllegalMoveError]] = {
    legal.GAME_IS_OVER: _say("E-1", "game_is_over", "The game is over."),
    legal.NOT_YOUR_TURN: _not_your_turn,
    legal.NO_SUCH_MOVE: _say("C-4", "no_such_move", "There is no such move on this board."),
    legal.CHOOSE_TICKETS_FIRST: _say(
        "T-1", "choose_tickets_first", "First choose which of the offered tickets to keep."
    ),
    legal.ALREADY_CHOSEN: _say(
        "S-3", "already_chosen", "You have chosen your tickets; the others are still choosing."
    ),
    legal.NOTHING_OFFERED: _say("T-1", "nothing_offered", "You have no tickets to choose from now."),
    legal.KEEP_MORE: _keep_more,
    legal.NOT_OFFERED: _say("T-1", "not_offered", "Keep only tickets that were offered to you."),
    legal.SECOND_CARD_FIRST: _say("R-3", "second_card_first", "Take your second card first."),
    legal.CAN_ACT: _say("R-4", "can_act", "You can only pass when no other move is possible."),
    legal.DECK_EMPTY: _say("D-8", "deck_empty", "The deck is empty and there are no discards to shuffle."),
    legal.NOT_FACE_UP: _not_face_up,
    legal.LOCOMOTIVE_SECOND: _locomotive_second,
    legal.NO_TICKETS_LEFT: _say("T-4", "no_tickets_left", "There are no tickets left to draw."),
    legal.NO_TICKETS_TO_SWAP: _say("R-9", "no_tickets_to_swap", "You have no tickets to swap."),
    legal.ROUTE_TAKEN: _say("C-4", "route_taken", "This route is already claimed."),
    legal.TWIN_IS_OWN: _say(
        "C-6", "twin_is_own", "You have the other lane of this double route; no player may have both."
    ),
    legal.TWIN_CLOSED: _twin_closed,
    legal.TOO_FEW_PIECES: _too_few_pieces,
    legal.TOO_FEW_CARDS: _too_few_cards,
    legal.TOO_FEW_LOCOMOTIVES: _too_few_locomotives,
}
