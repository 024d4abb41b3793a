"""Rulings: our decisions where the rulebooks are silent; R-2 is our interpretation of a rule instead.

They are part of the rules and are shown to players.
"""

from __future__ import annotations

from goldenspike.editions import Edition

_RULINGS = {
    "R-1": (
        "The row is only replaced if at least three cards other than locomotives remain outside players' "
        "hands."
    ),
    "R-2": (
        "If the deck and the discards are empty, face-up cards may still be taken. This is a deliberate "
        "reading, not a gap in the rules: the USA rulebook says that players cannot draw cards then, but "
        "licensed versions of the game let players take face-up cards, and so do we."
    ),
    "R-3": "You must take a second card if you can; if you cannot, your turn ends.",
    "R-4": "You may pass only when no action is possible; if only one action is possible, you must take it.",
    "R-5": "Returned tickets go under the deck in the order they were offered; at setup, in seat order.",
    "R-6": "The number of players at the start decides for the whole game whether double routes close.",
    "R-7": 'You need at least one route (or completed ticket) to earn a "most" bonus.',
    "R-8": "If the tie-breaks do not decide, the victory is shared.",
    "R-9": "A swap needs a ticket in hand and one to draw; you draw, then put the old ones under the deck.",
    "R-10": "If one claim both completes enough tickets and places the last piece, it is a win by tickets.",
    "R-11": "If only one card is left to draw, you draw one; if none is left, you cannot draw.",
    "R-12": "The numbers of cards, tickets and pieces are public, and so are the discards; hands are not.",
    "R-13": "When all players in a row have to pass, the game is over and is scored.",
    "R-14": "You may get two locomotives in one turn if both were drawn blind.",
    "R-15": (
        "Three face-up locomotives stay if there are no discards and the deck has as many cards as the row "
        "and three or more locomotives, because row and deck would only change places forever."
    ),
    "R-16": "A forced swap that completes no ticket counts as a public pass (R-13).",
}

_NEED_ROW = {"R-1", "R-2", "R-3", "R-14", "R-15"}
_NEED_OFFER = {"R-5", "R-8"}
_NEED_SWAP = {"R-9", "R-10", "R-11", "R-16"}


def rulings_of(edition: Edition) -> dict[str, str]:
    """Return the rulings that apply to an edition, by id.

    >>> from goldenspike.editions import load_edition
    >>> "R-9" in rulings_of(load_edition("usa-classic"))
    False
    >>> rulings_of(load_edition("new-york"))["R-14"]
    'You may get two taxi cards in one turn if both were drawn blind.'
    """
    left_out: set[str] = set()
    if not edition.face_up:
        left_out |= _NEED_ROW
    left_out |= _NEED_OFFER if edition.ticket_rules.flow == "swap" else _NEED_SWAP
    if not edition.doubles_close_up_to:
        left_out.add("R-6")
    if not (edition.bonuses.longest_path or edition.bonuses.globetrotter):
        left_out.add("R-7")
    return {
        id_: text.replace("locomotive", edition.words.wild_card)
        for id_, text in _RULINGS.items()
        if id_ not in left_out
    }
