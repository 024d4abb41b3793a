"""Read the numbers and choices of an edition file that can be checked without its board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from goldenspike.boards.limits import DECK, LENGTH, OFFER, PIECES, POINTS, TICKETS
from goldenspike.editions.model import Bonuses, Deck, EditionWords, EndRule, TicketRules

if TYPE_CHECKING:
    from goldenspike.datafiles.reader import TomlTable
    from goldenspike.editions.model import EndWhen, Flow, TieBreak

_FLOWS: Final[tuple[Flow, ...]] = ("offer", "swap")
_ENDS: Final[tuple[EndWhen, ...]] = ("few-pieces", "race")
_TIE_BREAKS: Final[tuple[TieBreak, ...]] = ("completed-tickets", "longest-path")


def read_range(top: TomlTable, key: str, low: int, high: int) -> tuple[int, int]:
    """Return a range such as `players = [2, 5]`."""
    first, last = top.integers(key, low, high, exactly=2)
    if first > last and top.is_clean(key):
        top.note(key, f"{key} [{first}, {last}] runs backwards", "write the smaller number first")
    return first, last


def read_deck(top: TomlTable) -> Deck:
    """Return the number of cards of each colour, and of locomotives."""
    table = top.table("deck", "deck")
    deck = Deck(table.integer("colour", 1, DECK), table.integer("locomotive", 0, DECK))
    table.close()
    return deck


def read_route_points(top: TomlTable) -> tuple[int, ...]:
    """Return the points of routes by length."""
    points = top.integers("route_points", 0, POINTS)
    if len(points) > LENGTH:
        what = f"route_points has {len(points)} numbers"
        top.note("route_points", what, f"keep to {LENGTH}, one for each length")
    return points


def read_words(top: TomlTable) -> EditionWords:
    """Return the edition's words for game items."""
    table, usual = top.table("words", "words", optional=True), EditionWords()
    words = EditionWords(
        locomotive=table.text("locomotive", usual.locomotive),
        piece=table.text("piece", usual.piece),
        city=table.text("city", usual.city),
    )
    table.close()
    return words


def read_ticket_rules(top: TomlTable) -> TicketRules:
    """Return which tickets are used and how they flow."""
    table = top.table("tickets", "tickets")
    flow = table.choice("flow", _FLOWS)
    sets = table.texts("sets")
    if not sets and table.is_clean("sets"):
        table.note("sets", "sets is empty", "name at least one ticket set of the board")
    printing = table.text("printing") if table.has("printing") else None
    naming = table.text("naming") if table.has("naming") else None
    deal = table.integer("deal", 1, OFFER)
    if flow == "swap":
        for key in ("deal_keep", "draw", "draw_keep"):
            _note_idle(table, key, 'flow = "swap"')
        numbers = (deal, deal, deal, deal)
    else:
        draw = table.integer("draw", 1, OFFER)
        numbers = (deal, _read_keep(table, "deal", deal), draw, _read_keep(table, "draw", draw))
    table.close()
    return TicketRules(flow, sets, printing, naming, *numbers)


def _read_keep(table: TomlTable, key: str, offered: int) -> int:
    keep = table.integer(f"{key}_keep", 1, OFFER)
    if keep > offered and table.is_clean(key, f"{key}_keep"):
        what = f"{key}_keep {keep} is more than {key} {offered}"
        table.note(f"{key}_keep", what, "a player cannot keep more tickets than are offered")
    return keep


def read_end(top: TomlTable) -> EndRule:
    """Return what ends the game."""
    table = top.table("end", "end")
    when = table.choice("when", _ENDS)
    if when == "race":
        _note_idle(table, "pieces", 'when = "race"')
        end = EndRule(when, 0, table.integer("tickets", 1, TICKETS))
    else:
        _note_idle(table, "tickets", 'when = "few-pieces"')
        end = EndRule(when, table.integer("pieces", 0, PIECES), 0)
    table.close()
    return end


def read_bonuses(top: TomlTable) -> Bonuses:
    """Return the points besides routes and tickets."""
    table = top.table("bonuses", "bonuses", optional=True)
    longest, globetrotter, attraction = (
        table.integer(key, 1, POINTS) if table.has(key) else 0
        for key in ("longest_path", "globetrotter", "attraction")
    )
    coasts = table.texts("coast_to_coast") if table.has("coast_to_coast") else ()
    if table.has("coast_to_coast") and len(coasts) != 2 and table.is_clean("coast_to_coast"):
        what = f"coast_to_coast names {len(coasts)} marks"
        table.note("coast_to_coast", what, 'name two, such as ["west", "east"]')
    table.close()
    pair = (coasts[0], coasts[1]) if len(coasts) == 2 else None
    return Bonuses(longest, globetrotter, attraction, pair)


def read_tie_breaks(top: TomlTable) -> tuple[TieBreak, ...]:
    """Return what decides between players with equal points, in order."""
    return top.choices("tie_breaks", _TIE_BREAKS, ())


def _note_idle(table: TomlTable, key: str, choice: str) -> None:
    if table.has(key):
        table.note(key, f"{key} means nothing with {choice}", "leave it out")
