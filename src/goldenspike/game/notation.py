"""Move notation: conversion between a move's value, number and text.

Text is what the log prints and what people type: ``draw deck``, ``take red``, ``claim CHI-PIT/black with 2
black, 1 loco``, ``keep LAX-NYC, DEN-ELP``. Parsing is lenient: it accepts city names for codes, any case, and
missing accents. A text without the lane or the payment may mean several moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from goldenspike.boards import Board
from goldenspike.datafiles.words import listed, suggest
from goldenspike.editions import Edition
from goldenspike.engine import moves as numbers
from goldenspike.engine.state import KINDS, LOCOMOTIVE
from goldenspike.errors import MalformedMoveError
from goldenspike.game.moves import (
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Move,
    Pass,
    SwapTickets,
    TakeCard,
)

_LOCOMOTIVES = {"loco", "locos", "locomotive", "locomotives", "wild"}
_SEPARATORS = re.compile(r"\s*(?:,|\+|&|\band\b)\s*")
_CLAIM = re.compile(r"(?:claim|build)\s+(?P<route>.+?)(?:\s+(?:with|for|using)\s+(?P<payment>.+))?$")
_PART = re.compile(r"(?P<count>\d{1,4})\s*x?\s*(?P<kind>[a-z]+)$")


class Notation:
    """The moves of one edition. Get it with :func:`notation_of`, which caches it.

    >>> from goldenspike.editions import load_edition
    >>> usa = notation_of(load_edition("usa-classic"))
    >>> usa.count
    1135
    >>> usa.value(75)
    ClaimRoute(route='ATL-CHS', colour='purple', cards=2, locomotives=0)
    >>> usa.number(TakeCard("red"))
    10
    """

    def __init__(self, edition: Edition) -> None:
        self._board = edition.board
        word = self._word = edition.words.locomotive.lower()
        self._locomotive = edition.words.wild_card
        self._locomotives = _LOCOMOTIVES | {
            form for name in (word, self._locomotive) for form in (name, f"{name}s")
        }
        self._example = edition.board.routes[0].name.partition("/")[0]
        self._card = "loco" if word in _LOCOMOTIVES else word
        """The edition's word for a locomotive card in move texts."""
        self._has_row = edition.face_up > 0
        self._tickets = [ticket.name for ticket in edition.tickets]
        self._ticket_ends = [{ticket.a, ticket.b} for ticket in edition.tickets]
        self._names = {
            thing.name: " \u2013 ".join(self._board.cities[city].name for city in (thing.a, thing.b))
            for thing in (*self._board.routes, *edition.tickets)
        }
        """City names of each route and ticket, by its own name."""
        self._ticket_numbers = {name: i for i, name in enumerate(self._tickets)}
        self._plain: dict[int, Move] = {
            numbers.PASS: Pass(),
            numbers.DRAW_DECK: DrawCard(),
            numbers.DRAW_TICKETS: SwapTickets() if edition.ticket_rules.flow == "swap" else DrawTickets(),
            numbers.TAKE + LOCOMOTIVE: TakeCard(None),
        }
        for i, colour in enumerate(self._board.colours):
            self._plain[numbers.TAKE + i] = TakeCard(colour)
        self._claims = list(_all_claims(self._board))
        self._texts: dict[int, str] = {}
        """Cached texts of moves that do not depend on the offer."""
        self._numbers: dict[Move, int] = {move: number for number, move in self._plain.items()}
        self._numbers |= {move: numbers.CLAIM + i for i, move in enumerate(self._claims)}

    @property
    def count(self) -> int:
        """The number of moves; they are numbered from 0."""
        return numbers.CLAIM + len(self._claims)

    def value(self, number: int, offer: Sequence[int] = ()) -> Move:
        """Return the move with this number; the bits of a keep move select tickets of the offer."""
        if number >= numbers.CLAIM and number < self.count:
            return self._claims[number - numbers.CLAIM]
        if number in self._plain:
            return self._plain[number]
        if self.is_keep(number):
            mask = self.keep_mask(number)
            if mask >> len(offer):
                raise MalformedMoveError(
                    f"Move {number} keeps a ticket that is not among the {len(offer)} offered."
                )
            return KeepTickets(tuple(self._tickets[t] for i, t in enumerate(offer) if mask >> i & 1))
        if 0 <= number < numbers.CLAIM:
            raise MalformedMoveError(f"Move {number} takes a card of a colour that is not on this board.")
        raise MalformedMoveError(f"Moves are numbered from 0 to {self.count - 1}.")

    def text(self, number: int, offer: Sequence[int] = ()) -> str:
        """Return the text of the move with this number.

        >>> from goldenspike.editions import load_edition
        >>> notation_of(load_edition("usa-classic")).text(75)
        'claim ATL-CHS with 2 purple'
        """
        text = self._texts.get(number)
        if text is None:
            text = str(self.value(number, offer))
            if self.is_fixed(number):
                self._texts[number] = text
        return text

    def text_by_name(self, number: int, offer: Sequence[int] = ()) -> str:
        """Return the text of a move with full names of cities and cards; it can be parsed again.

        For a double it does not name the lane, unless the payment does.

        >>> from goldenspike.editions import load_edition
        >>> print(notation_of(load_edition("usa-classic")).text_by_name(75))
        claim Atlanta ... Charleston with 2 purple
        """
        match self.value(number, offer):
            case ClaimRoute() as claim:
                paid = [(claim.cards, claim.colour), (claim.locomotives, self._word)]
                payment = ", ".join(f"{count} {kind}" for count, kind in paid if count)
                return f"claim {self._names[claim.route]} with {payment}"
            case KeepTickets(tickets):
                return f"keep {', '.join(self._names[ticket] for ticket in tickets)}"
            case TakeCard(colour):
                return f"take {colour or self._word}"
            case move:
                return str(move)

    def is_keep(self, number: int) -> bool:
        """Tell whether a number is a move that keeps tickets, which other seats may not see (T-2)."""
        return numbers.TAKE + KINDS <= number < numbers.CLAIM

    def keep_mask(self, number: int) -> int:
        """Return the tickets of the offer that a move keeps, as a bit mask."""
        return number - numbers.KEEP

    def is_fixed(self, number: int) -> bool:
        """Tell whether a number is a move that does not depend on the offer."""
        return number in self._plain or numbers.CLAIM <= number < self.count

    def number(self, move: Move, offer: Sequence[int] = ()) -> int:
        """Return the number of a move; the tickets of a keep move must be in the offer."""
        if isinstance(move, KeepTickets):
            return numbers.KEEP + self._mask(move, offer)
        try:
            return self._numbers[move]
        except (KeyError, TypeError):
            raise MalformedMoveError(f"There is no such move here: {move}. {self._advice(move)}") from None

    def _mask(self, move: KeepTickets, offer: Sequence[int]) -> int:
        mask = 0
        for name in move.tickets:
            ticket = self._ticket_numbers.get(name)
            if ticket is None or ticket not in offer:
                offered = ", ".join(self._tickets[t] for t in offer) or "none"
                raise MalformedMoveError(f"{name} is not among the tickets offered ({offered}).")
            mask |= 1 << list(offer).index(ticket)
        if mask == 0:
            raise MalformedMoveError("Name at least one ticket to keep.")
        return mask

    def _advice(self, move: Move) -> str:
        if isinstance(move, ClaimRoute):
            route = next((r for r in self._board.routes if r.name == move.route), None)
            if route is None:
                return (
                    f"No route is called {move.route}; routes are called like {self._board.routes[0].name}."
                )
            colour = "cards of any one colour" if route.colour == "grey" else f"{route.colour} cards"
            return f"{route.name} takes {route.length} {colour} or {self._locomotive}s (C-2)."
        return f"The colours here are {', '.join(self._board.colours)}."

    def parse(self, text: str, offer: Sequence[int] = ()) -> list[int]:
        """Return the numbers of all moves a text can mean, legal or not; the list is never empty.

        >>> from goldenspike.editions import load_edition
        >>> usa = notation_of(load_edition("usa-classic"))
        >>> [str(usa.value(n)) for n in usa.parse("claim Dallas-Houston with 1 red")]
        ['claim DAL-HOU/1 with 1 red', 'claim DAL-HOU/2 with 1 red']
        """
        words = " ".join(text.lower().split())
        for number, move in self._plain.items():
            if words == str(move):
                return [number]
        if words in {"draw tickets", "swap tickets"}:
            raise MalformedMoveError(
                f"In this edition the move is called: {self._plain[numbers.DRAW_TICKETS]}."
            )
        if match := _CLAIM.fullmatch(words):
            return self._parse_claim(match["route"], match["payment"])
        verb, _, rest = words.partition(" ")
        if verb in {"take", "draw"} and rest:
            return [self.number(TakeCard(self._kind(rest, ("deck", "tickets") if verb == "draw" else ())))]
        if verb == "keep" and rest:
            return [numbers.KEEP + self._parse_keep(rest, offer)]
        raise MalformedMoveError(
            f"{text!r} is not a move. Write one like: {'; '.join(map(str, self._examples()))}."
        )

    def _examples(self) -> Iterable[Move]:
        yield self._plain[numbers.DRAW_DECK]
        if self._has_row:
            yield TakeCard(self._board.colours[0])
        yield self._plain[numbers.DRAW_TICKETS]
        yield self._claims[0]
        yield self._plain[numbers.PASS]

    def _kind(self, word: str, others: Sequence[str] = ()) -> str | None:
        """Parse a kind of card; `others` are further words to suggest if it is misspelt."""
        if word in self._locomotives:
            return None
        if word not in self._board.colours:
            known = [*self._board.colours, self._card]
            advice = suggest(word, [*known, *others]) or f"the colours are {listed(known, 'and')}."
            raise MalformedMoveError(f"There are no {word!r} cards; {advice}")
        return word

    def _parse_keep(self, text: str, offer: Sequence[int]) -> int:
        if not offer:
            raise MalformedMoveError("You have no tickets to choose from now, so there are none to keep.")
        if text == "all":
            return (1 << len(offer)) - 1
        names: list[str] = []
        for part in _SEPARATORS.split(text):
            ends, _ = self._ends(part)
            names.append(
                next((self._tickets[t] for t in offer if self._ticket_ends[t] == ends), part.upper())
            )
        return self._mask(KeepTickets(tuple(names)), offer)

    def _parse_claim(self, route: str, payment: str | None) -> list[int]:
        ends, lane = self._ends(route)
        lanes = [r for r in self._board.routes if {r.a, r.b} == ends and lane in {"", r.lane, r.colour}]
        if not lanes:
            raise MalformedMoveError(f"There is no route {route.upper()}. {self._routes_at(ends)}")
        names = {r.name for r in lanes}
        wanted = None if payment is None else self._parse_payment(payment)
        found = [
            numbers.CLAIM + i
            for i, claim in enumerate(self._claims)
            if claim.route in names and wanted in {None, (claim.colour, claim.cards, claim.locomotives)}
        ]
        if not found:
            colours = " or ".join(sorted({r.colour for r in lanes}))
            raise MalformedMoveError(
                f"{payment} does not pay for {route.upper()}: it takes {lanes[0].length} cards, {colours}, "
                f"all of one colour, {self._locomotive}s standing for any (C-2, C-3)."
            )
        return found

    def _routes_at(self, cities: set[int]) -> str:
        """Return sentences that say which routes join two cities, or where routes from them lead."""
        joining = [route for route in self._board.routes if {route.a, route.b} == cities]
        if joining:
            return f"The routes there are {listed((route.name for route in joining), 'and')}."
        sentences: list[str] = []
        for city in sorted(cities):
            ends = {r.b if r.a == city else r.a for r in self._board.routes if city in {r.a, r.b}}
            codes = sorted(self._board.cities[end].code for end in ends)
            sentences.append(f"From {self._board.cities[city].code} routes lead to {listed(codes, 'and')}.")
        return " ".join(sentences)

    def _ends(self, text: str) -> tuple[set[int], str]:
        """Parse 'chi-pit/black' or 'Chicago to Pittsburgh' as two cities and a lane."""
        pair, _, lane = text.partition("/")
        parts = re.split(r"\s*(?:-|\u2013|\bto\b)\s*", pair.strip())
        if len(parts) != 2:
            raise MalformedMoveError(f"{text!r} does not name two cities; write them like {self._example}.")
        try:
            return {self._board.city(parts[0]), self._board.city(parts[1])}, lane.strip()
        except LookupError as error:
            raise MalformedMoveError(str(error.args[0])) from None

    def _parse_payment(self, text: str) -> tuple[str | None, int, int]:
        paid: dict[str | None, int] = {}
        for part in _SEPARATORS.split(text):
            match = _PART.fullmatch(part)
            if match is None:
                raise MalformedMoveError(
                    f"{part!r} is not a payment; write it like: 2 {self._board.colours[0]}, 1 {self._card}."
                )
            kind = self._kind(match["kind"])
            paid[kind] = paid.get(kind, 0) + int(match["count"])
        locomotives = paid.pop(None, 0)
        if len(paid) > 1:
            raise MalformedMoveError(
                f"A route is paid with one colour, not with {' and '.join(map(str, paid))} (C-2)."
            )
        colour, cards = next(iter(paid.items()), (None, 0))
        return (colour, cards, locomotives) if cards else (None, 0, locomotives)


def _all_claims(board: Board) -> Iterable[ClaimRoute]:
    """Yield every claim in the order of their numbers (see :mod:`goldenspike.engine.moves`)."""
    for route in board.routes:
        for colour in board.colours if route.colour == "grey" else (route.colour,):
            for locomotives in range(route.length):
                yield ClaimRoute(route.name, colour, route.length - locomotives, locomotives)
        yield ClaimRoute(route.name, None, 0, route.length)


@lru_cache(maxsize=64)
def notation_of(edition: Edition) -> Notation:
    """Return the notation of an edition."""
    return Notation(edition)
