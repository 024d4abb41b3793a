"""Resampling: other histories of a game that one seat cannot tell from the real one.

What the seat has seen is kept: its own cards and tickets, the row, claims and their payments, how many
tickets others kept. What it has not seen is resampled: cards and tickets that others drew, and which of their
tickets they kept. Every possible history is equally likely.

There is no simple way to sample uniformly under the constraints (a card that was paid with must have been
drawn before). So this is a Markov chain: two random cards are swapped whenever that leaves a possible game,
and so are tickets if what is held reveals something. After many swaps every possible game is equally likely,
whatever the first was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition
from goldenspike.engine import events
from goldenspike.engine.moves import CLAIM, KEEP
from goldenspike.engine.state import KINDS, LOCOMOTIVE

Act = tuple[int, int]
"""Decisions as OpenSpiel stores them: a seat or chance, and the number of the action."""

_SWEEPS = 8
"""How often each card or ticket is picked for a swap on average. A deck is well shuffled after a few."""


def other_history(
    edition: Edition,
    rows: NDArray[np.int16],
    deck: Sequence[int],
    history: Sequence[Act],
    seat: int,
    rng: Random,
) -> list[Act]:
    """Return a history that a seat cannot tell from this one, with hidden information resampled.

    `rows` are all events so far, `deck` the cards left in the deck by kind. The result is a proposal: rules
    that depend on the whole deck, such as wiping the row with hardly a card left, must be checked by
    replaying it.
    """
    events_so_far: list[list[int]] = rows.tolist()
    cards = iter(_Cards(edition, events_so_far, deck, history, seat).draw_again(rng))
    masks, order = _Tickets(edition, events_so_far, history, seat).draw_again(rng)
    tickets = iter(order)
    told = [history[0]]  # who begins
    for i, (player, action) in enumerate(history[1:], start=1):
        if player >= 0:
            told.append((player, KEEP + masks[i] if i in masks else action))
        elif action < KINDS:
            told.append((player, next(cards)))
        else:
            told.append((player, KINDS + next(tickets)))
    return told


class _Slot(NamedTuple):
    """A card whose kind the seat does not know: its draw, its owner, and the owner's earlier claims."""

    draw: int
    owner: int | None
    """None: it is still in the deck."""
    claims: int


class _Cards:
    """The kinds of all cards drawn so far, and which of them may be swapped."""

    def __init__(
        self,
        edition: Edition,
        rows: Iterable[Sequence[int]],
        deck: Sequence[int],
        history: Sequence[Act],
        seat: int,
    ) -> None:
        self.kinds = [action for player, action in history[1:] if player < 0 and action < KINDS]
        self._decks: list[list[_Slot]] = [[]]
        """Hidden cards by the deck they come from. A card stays in its deck: when a deck is used up, all of
        it has been drawn, and the next one is made of discards that all seats have seen."""
        hands: dict[int, NDArray[np.int64]] = {}
        after: dict[int, list[NDArray[np.int64]]] = {}
        lengths = [route.length for route in edition.board.routes]
        draw = 0
        for kind, who, a, b, c, _ in rows:
            hand = hands.setdefault(who, np.zeros(KINDS, np.int64))
            claims = after.setdefault(who, [])
            if kind == events.DREW:
                hand[a] += 1
                if who != seat:
                    self._decks[-1].append(_Slot(draw, who, len(claims)))
                draw += 1
            elif kind == events.TURNED_UP:
                draw += 1
            elif kind == events.TOOK:
                hand[b] += 1
            elif kind == events.RESHUFFLED:
                self._decks.append([])
            elif kind == events.CLAIMED:
                hand[b] -= lengths[a] - c
                hand[LOCOMOTIVE] -= c
                claims.append(hand.copy())
        self._drawn = draw
        for kind, count in enumerate(deck):
            for _ in range(count):
                self._decks[-1].append(_Slot(len(self.kinds), None, 0))
                self.kinds.append(kind)
        self._left = {who: np.array(hands, np.int64).reshape(-1, KINDS) for who, hands in after.items()}
        """By seat, claim and kind: the cards left after the claim. They must not become negative."""

    def draw_again(self, rng: Random) -> list[int]:
        """Return the kinds drawn, with hidden ones swapped."""
        for slots in self._decks:
            for _ in range(_SWEEPS * len(slots)):
                self._try_swap(rng.choice(slots), rng.choice(slots))
        return self.kinds[: self._drawn]

    def _try_swap(self, one: _Slot, other: _Slot) -> None:
        if one.owner == other.owner and one.claims > other.claims:
            one, other = other, one
        a, b = self.kinds[one.draw], self.kinds[other.draw]
        if a == b:
            return
        until = other.claims if one.owner == other.owner else None
        changes = [(one.owner, slice(one.claims, until), a, b)]
        if one.owner != other.owner:
            changes.append((other.owner, slice(other.claims, None), b, a))
        known = [(self._left[who][span], lost, won) for who, span, lost, won in changes if who is not None]
        if all((left[:, lost] >= 1).all() for left, lost, _ in known):
            self.kinds[one.draw], self.kinds[other.draw] = b, a
            for left, lost, won in known:
                left[:, lost] -= 1
                left[:, won] += 1


class _Tickets:
    """The initial order of the ticket deck, as far as it is known, and what others kept.

    A position in that order is numbered by when its ticket is first drawn.
    """

    def __init__(
        self, edition: Edition, rows: Iterable[Sequence[int]], history: Sequence[Act], seat: int
    ) -> None:
        self._edition = edition
        self._seat = seat
        self._rows = _ticket_rows(rows)
        drawn = [action - KINDS for player, action in history[1:] if player < 0 and action >= KINDS]
        self._drawn = len(drawn)
        self._order = drawn + [t for t in range(len(edition.tickets)) if t not in set(drawn)]
        self._keeps: dict[int, list[int]] = {}
        """By seat: the indices in the history where it kept tickets."""
        self._masks: dict[int, int] = {}
        for i, (player, action) in enumerate(history[1:], start=1):
            if player >= 0 and KEEP < action < CLAIM:
                self._keeps.setdefault(player, []).append(i)
                self._masks[i] = action - KEEP
        self._counts: dict[int, list[list[int]]] = {}
        """By seat: how many tickets it has kept, and of how many, each time all seats saw it."""
        for kind, who, _ in self._rows:
            if kind == _KEEPS:
                self._counts.setdefault(who, []).append([0, 0])
            elif kind in {events.KEPT, events.RETURNED}:
                self._counts[who][-1][0] += kind == events.KEPT
                self._counts[who][-1][1] += 1
        self._barred: dict[int, set[int]] = {}
        """By position: tickets that cannot have been there."""

    def draw_again(self, rng: Random) -> tuple[dict[int, int], list[int]]:
        """Return which tickets are kept, by index in the history, and those drawn for the first time."""
        known = self._follow(self._masks)
        assert known is not None, "what happened is possible"
        for _ in range(2):
            for who, places in self._keeps.items():
                for number, place in enumerate(places if who != self._seat else ()):
                    masks = self._masks | {place: self._other_mask(who, number, rng)}
                    pins = self._follow(masks)
                    if pins is not None:
                        self._masks, known = masks, pins
        return self._masks, self._other_order(known, rng)[: self._drawn]

    def _other_mask(self, who: int, number: int, rng: Random) -> int:
        """Return a random set of offered tickets to keep: as many as all seats saw kept, if they did."""
        if number < len(self._counts.get(who, ())):
            kept, size = self._counts[who][number]
            return sum(1 << i for i in rng.sample(range(size), kept))
        size = sum(kind == events.OFFERED and seat == who for kind, seat, _ in self._rows)
        least = min(self._edition.ticket_rules.deal_keep, size)
        return rng.choice([mask for mask in range(1, 1 << size) if mask.bit_count() >= least])

    def _follow(self, masks: dict[int, int]) -> dict[int, int] | None:
        """Follow the tickets; return those known to the seat, by position, or None on a contradiction."""
        ring = deque(range(len(self._order)))
        offers: dict[int, list[int]] = {}
        keeps = {who: iter(places) for who, places in self._keeps.items()}
        networks: dict[int, _Network] = {}
        pins: dict[int, int] = {}
        self._barred = {}
        for kind, who, ticket in self._rows:
            offer = offers.setdefault(who, [])
            network = networks.setdefault(who, _Network(self._edition))
            if kind in {events.OFFERED, events.RECEIVED}:
                place = ring.popleft()
                offer.append(place)
                if who == self._seat and pins.setdefault(place, ticket) != ticket:
                    return None
            elif kind == _KEEPS:
                mask = masks[next(keeps[who])]
                ring.extend(place for i, place in enumerate(offer) if not mask >> i & 1)
                offer.clear()
            elif kind == events.SWAPPED:
                self._bar(offer, network)
                ring.extend(offer)
                offer.clear()
            elif kind == events.COMPLETED:
                place = next(place for place in offer if self._order[place] == ticket)
                pins[place] = ticket
                offer.remove(place)
            elif kind == events.CLAIMED:
                network.join(ticket)
        if self._edition.ticket_rules.flow == "swap":
            for who, offer in offers.items():
                self._bar(offer, networks[who])
        return pins if len(set(pins.values())) == len(pins) else None

    def _bar(self, offer: Iterable[int], network: _Network) -> None:
        """Note that held tickets are not joined by the network, because they would have been shown (J-4)."""
        joined = network.joined_tickets()
        for place in offer:
            self._barred.setdefault(place, set()).update(joined)

    def _other_order(self, known: dict[int, int], rng: Random) -> list[int]:
        """Return an order of all tickets with the known ones in their positions."""
        seen = set(known.values())
        free = [place for place in range(len(self._order)) if place not in known]
        order = self._order.copy()
        if [order[place] for place in known] != list(known.values()):  # other tickets were kept
            rest = iter([ticket for ticket in order if ticket not in seen])
            order = [known[place] if place in known else next(rest) for place in range(len(order))]
        for _ in range(_SWEEPS * len(free)):
            one, other = rng.choice(free), rng.choice(free)
            barred = self._barred.get(one, _NONE), self._barred.get(other, _NONE)
            if order[other] not in barred[0] and order[one] not in barred[1]:
                order[one], order[other] = order[other], order[one]
        return order


_KEEPS = -1
"""Marker before the events of keeping and returning tickets of one offer."""
_NONE: frozenset[int] = frozenset()


def _ticket_rows(rows: Iterable[Sequence[int]]) -> list[tuple[int, int, int]]:
    """Return the events that move tickets or reveal what is joined: kind, seat, ticket or route."""
    found: list[tuple[int, int, int]] = []
    keeping: int | None = None
    for kind, who, a, *_ in rows:
        is_keeping = kind in {events.KEPT, events.RETURNED}
        if is_keeping and keeping != who:
            found.append((_KEEPS, who, 0))
        keeping = who if is_keeping else None
        if is_keeping or kind in _MOVES_TICKETS:
            found.append((kind, who, a))
    return found


_MOVES_TICKETS = {events.OFFERED, events.RECEIVED, events.SWAPPED, events.COMPLETED, events.CLAIMED}


class _Network:
    """The cities that a seat's routes join."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self._groups: list[Any] = []

    def join(self, route: int) -> None:
        """Add a route."""
        cities = {self._edition.board.routes[route].a, self._edition.board.routes[route].b}
        for group in [group for group in self._groups if group & cities]:
            self._groups.remove(group)
            cities |= group
        self._groups.append(cities)

    def joined_tickets(self) -> set[int]:
        """Return the tickets whose cities are joined."""
        return {
            number
            for number, ticket in enumerate(self._edition.tickets)
            if any(ticket.a in group and ticket.b in group for group in self._groups)
        }
