"""Rulings: what we do where the rulebooks are silent. They are part of the game and shown to players."""

from __future__ import annotations

from goldenspike.editions import Edition

_RULINGS = {
    "R-1": "The row is wiped for its locomotives only while three other cards are left outside the hands.",
    "R-2": "With deck and discards empty, face-up cards may still be taken.",
    "R-3": "The second card must be taken if one may be; if none may, the turn ends.",
    "R-4": "You may pass only when nothing else can be done; a lone possible action must be taken.",
    "R-5": "Returned tickets go under the deck in the order they were offered, at setup in seat order.",
    "R-6": "How many sit down at the start decides for the whole game whether doubles close.",
    "R-7": "A bonus for the most needs something: a route, or a completed ticket.",
    "R-8": "If the tie-breaks do not decide, the victory is shared.",
    "R-9": "A swap needs a ticket in hand and one to draw; it draws, then puts the old under the deck.",
    "R-10": "Enough tickets and the last piece in one claim is a win by tickets.",
    "R-11": "If only one card can be drawn, it is drawn; if none, drawing is not possible.",
    "R-12": "How many cards, tickets and pieces anyone has is open, and so are the discards; hands are not.",
    "R-13": "When all players in a row can do nothing, the game is over and scored.",
    "R-14": "Two locomotives in one turn are fine if both were drawn blind.",
    "R-15": "Three locomotives stay when the whole deck would be the next row and has three of them as well.",
    "R-16": "A swap for want of anything else that completes no ticket counts as a pass, known to all.",
}

_NEED_ROW = {"R-1", "R-2", "R-3", "R-14", "R-15"}
_NEED_OFFER = {"R-5", "R-8"}
_NEED_SWAP = {"R-9", "R-10", "R-11", "R-16"}


def rulings_of(edition: Edition) -> dict[str, str]:
    """Return the rulings that matter in an edition, by id.

    >>> from goldenspike.editions import load_edition
    >>> "R-9" in rulings_of(load_edition("usa-classic"))
    False
    """
    left_out: set[str] = set()
    if not edition.face_up:
        left_out |= _NEED_ROW
    left_out |= _NEED_OFFER if edition.ticket_rules.flow == "swap" else _NEED_SWAP
    if not edition.doubles_close_up_to:
        left_out.add("R-6")
    if not (edition.bonuses.longest_path or edition.bonuses.globetrotter):
        left_out.add("R-7")
    return {id_: text for id_, text in _RULINGS.items() if id_ not in left_out}
