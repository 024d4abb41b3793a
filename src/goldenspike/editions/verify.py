"""Check that the parts of an edition fit each other and its board.

Each check first makes sure that the values it compares are valid, so that one mistake gives one message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldenspike.boards.limits import DECK, LOCOMOTIVES, SCORE, TICKETS
from goldenspike.datafiles.words import listed, show, suggest

if TYPE_CHECKING:
    from goldenspike.boards.model import Board
    from goldenspike.datafiles.reader import TomlTable
    from goldenspike.editions.model import Edition


def verify_edition(top: TomlTable, edition: Edition) -> None:
    """Note all inconsistencies."""
    for verify in (
        _verify_kind,
        _verify_end,
        _verify_deck,
        _verify_route_points,
        _verify_ticket_count,
        _verify_tie_breaks,
        _verify_marks,
        _verify_score,
    ):
        verify(top, edition)


def _verify_kind(top: TomlTable, edition: Edition) -> None:
    """Note choices that cannot be combined.

    A race is decided by completed tickets that all can see (J-4, J-6), not by points.
    """
    if not top.is_clean("tickets", "end"):
        return
    is_race = edition.end.when == "race"
    if is_race != (edition.ticket_rules.flow == "swap"):
        what = f'when = "{edition.end.when}" does not go with flow = "{edition.ticket_rules.flow}"'
        fix = 'use "race" with "swap", and "few-pieces" with "offer"'
        top.report.add(("end", "when"), "end", what, fix)
        return
    bonuses = edition.bonuses
    if is_race and edition.route_points:
        top.note("route_points", "routes score nothing in a race", "write route_points = []")
    for key in ("longest_path", "globetrotter", "attraction"):
        if is_race and getattr(bonuses, key):
            _note_bonus(top, key, f"{key} points mean nothing in a race", "leave it out")
    if bonuses.coast_to_coast and not is_race:
        what = "a bonus ticket means nothing where tickets are scored by points"
        _note_bonus(top, "coast_to_coast", what, 'leave it out, or use end.when = "race"')


def _verify_end(top: TomlTable, edition: Edition) -> None:
    """Note a game that would be in its last round before it begins."""
    if edition.end.pieces >= edition.pieces and top.is_clean("end", "pieces"):
        what = f"pieces {edition.end.pieces} would end the game before it begins"
        fix = f"choose fewer than {edition.pieces}, the pieces of a player"
        top.report.add(("end", "pieces"), "end", what, fix)


def _verify_deck(top: TomlTable, edition: Edition) -> None:
    """Note a deck that is too large for the engine or too small to deal (S-2)."""
    if edition.cards > DECK and top.is_clean("deck"):
        top.note("deck", f"the deck has {edition.cards} cards", f"keep to {DECK}")
    players = edition.players[1]
    needed = players * edition.opening_hand + edition.face_up
    if edition.cards < needed and top.is_clean("deck", "players", "opening_hand", "face_up"):
        what = f"the deck has {edition.cards} cards, but dealing to {players} players takes {needed}"
        top.note("deck", what, "add cards, or deal fewer")
    coloured = edition.cards - edition.deck.locomotive
    if edition.face_up >= 3 and edition.deck.locomotive > coloured and top.is_clean("deck", "face_up"):
        # A row of mostly locomotives is wiped again and again (D-6).
        what = f"the deck has {edition.deck.locomotive} locomotives to {coloured} cards with a colour"
        top.note("deck", what, "have at least as many with a colour, or the face-up row is never at rest")
    elif edition.face_up >= 3 and edition.deck.locomotive > LOCOMOTIVES and top.is_clean("deck", "face_up"):
        what = f"the deck has {edition.deck.locomotive} locomotives"
        top.note("deck", what, f"keep to {LOCOMOTIVES}, or the face-up row may be wiped without end")


def _verify_route_points(top: TomlTable, edition: Edition) -> None:
    longest = max(route.length for route in edition.board.routes)
    count = len(edition.route_points)
    if 0 < count < longest and top.is_clean("route_points"):
        what = f"route_points ends at length {count}, but the board has a route of length {longest}"
        top.note("route_points", what, f"give {longest} numbers, or none if routes score nothing")


def _verify_ticket_count(top: TomlTable, edition: Edition) -> None:
    """Note a ticket deck that is too large for the engine or too small to deal (S-3)."""
    count, rules, players = len(edition.tickets), edition.ticket_rules, edition.players[1]
    if not top.is_clean("tickets"):
        return
    where = "tickets"
    if count > TICKETS:
        what = f"the sets hold {count} tickets together"
        top.report.add(("tickets", "sets"), where, what, f"keep to {TICKETS}")
    if count < rules.deal * players and top.is_clean("players"):
        what = f"there are {count} tickets, too few to deal {rules.deal} to each of {players} players"
        top.report.add(("tickets", "deal"), where, what, "add tickets, deal fewer, or seat fewer players")


def _verify_tie_breaks(top: TomlTable, edition: Edition) -> None:
    """Note a tie-break by a card that the edition does not have (R-8)."""
    if "longest-path" in edition.tie_breaks and not edition.bonuses.longest_path and top.is_clean("bonuses"):
        what = "longest-path cannot break ties without the longest_path bonus"
        top.note("tie_breaks", what, "leave it out, or add bonuses.longest_path")


def _verify_marks(top: TomlTable, edition: Edition) -> None:
    """Note bonuses for marks that no city of the board has."""
    bonuses = edition.bonuses
    marks = [("coast_to_coast", mark) for mark in bonuses.coast_to_coast or ()]
    if bonuses.attraction:
        marks.append(("attraction", "attraction"))
    for key, mark in marks:
        if not edition.board.marked(mark):
            what = f"no city of the board has the mark {show(mark)}"
            _note_bonus(top, key, what, advise_mark(edition.board, mark))


def _verify_score(top: TomlTable, edition: Edition) -> None:
    """Note numbers so large that a score might not fit the engine's 16 bits."""
    points, bonuses = edition.route_points, edition.bonuses
    if not top.is_clean("route_points", "tickets", "bonuses"):
        return
    total = sum(points[route.length - 1] for route in edition.board.routes if points)
    total += sum(ticket.points for ticket in edition.tickets)
    total += bonuses.longest_path + bonuses.globetrotter
    total += bonuses.attraction * len(edition.board.marked("attraction"))
    if total > SCORE:
        what = f"all routes, tickets and bonuses together are worth {total} points"
        top.note("route_points", what, f"keep the total to {SCORE}")


def advise_mark(board: Board, mark: str) -> str:
    """Return what to write instead of a mark that no city has.

    >>> from goldenspike.boards import load_board
    >>> advise_mark(load_board("usa"), "bigg")
    'did you mean "big"?'
    """
    marks = sorted({known for city in board.cities for known in city.marks})
    return suggest(mark, marks) or f"the marks on this board are {listed(marks, 'and')}"


def _note_bonus(top: TomlTable, key: str, what: str, fix: str) -> None:
    top.report.add(("bonuses", key), "bonuses", what, fix)
