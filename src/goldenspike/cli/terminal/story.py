"""Events as sentences, grouped by turn, and how a game ended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.palette import LOCO
from goldenspike.editions import Edition
from goldenspike.game.events import Event
from goldenspike.game.moves import ClaimRoute
from goldenspike.game.result import Result


def tell(edition: Edition, names: Sequence[str], events: Iterable[Event]) -> list[str]:
    """Return events as sentences, in order, for a seat or for the reader of a replay.

    >>> from goldenspike import Game
    >>> game = Game.new("usa-classic", 2, seed="prairie", first=0)
    >>> for seat in (0, 1):
    ...     game.play("keep all", seat)
    >>> game.play("claim Boston-New York with 2 yellow")
    >>> tell(game.edition, ["Ann", "Ben"], game.events_for(1))[-1]
    'Ann claimed Boston-New York (yellow) with 2 yellow for 2 points.'
    """
    teller = _Teller(edition, names)
    for event in events:
        teller.hear(event)
    teller.finish()
    return teller.lines


def tell_result(edition: Edition, names: Sequence[str], result: Result) -> list[str]:
    """Return who won, and what broke a tie."""
    plural = texts.COMPLETED_SCORE if edition.end.when == "race" else texts.POINTS
    winners = [names[seat] for seat in result.winners]
    score = plural.of(result.totals[result.winners[0]]) if result.winners else ""
    if len(winners) > 1:
        return [texts.WINNERS.format(names=texts.AND.join(winners), score=score)]
    lines = [texts.WINNER.format(name=winners[0], score=score)]
    if result.tie_break in texts.TIE_BREAKS:
        lines.append(texts.TIE_BREAK.format(tie_break=texts.TIE_BREAKS[result.tie_break]))
    return lines


def tell_ending(edition: Edition, result: Result) -> str:
    """Return why a game is over."""
    reason = texts.ENDINGS.get(result.reason, result.reason).format(piece=edition.words.piece)
    return texts.END_TITLE.format(reason=reason)


def route_in_words(edition: Edition, name: str) -> str:
    """Return a route by the names of its cities, with its lane if it is part of a double."""
    route = next(route for route in edition.board.routes if route.name == name)
    a, b = edition.board.cities[route.a].name, edition.board.cities[route.b].name
    return f"{a}-{b} ({route.lane})" if route.lane else f"{a}-{b}"


def card_word(edition: Edition, card: str) -> str:
    """Return a card as people call and type it: a colour, or the edition's word for the locomotive.

    >>> from goldenspike.editions import load_edition
    >>> card_word(load_edition("new-york"), "loco"), card_word(load_edition("usa-classic"), "loco")
    ('taxi', 'loco')
    """
    if card != LOCO:
        return card
    return texts.SHORT_WORDS.get(edition.words.locomotive, edition.words.locomotive)


def in_words_of(edition: Edition, text: str) -> str:
    """Return a text with moves in it in the edition's words; `loco` is the notation's word.

    >>> from goldenspike.editions import load_edition
    >>> in_words_of(load_edition("new-york"), "take loco")
    'take taxi'
    """
    return re.sub(r"\bloco\b", card_word(edition, LOCO), text)


def payment_in_words(edition: Edition, claim: ClaimRoute) -> str:
    """Return what a claim pays.

    >>> from goldenspike.editions import load_edition
    >>> payment_in_words(load_edition("new-york"), ClaimRoute("CHE-GRV/red", "red", 2, 1))
    '2 red, 1 taxi'
    """
    cards = ((claim.colour or "", claim.cards), (LOCO, claim.locomotives))
    return ", ".join(f"{count} {card_word(edition, card)}" for card, count in cards if count)


class _Teller:
    """Collects what one seat does until its turn ends, and makes one sentence of it."""

    def __init__(self, edition: Edition, names: Sequence[str]) -> None:
        self.lines: list[str] = []
        self._edition = edition
        self._names = names
        self._actor: int | None = None
        self._deeds: list[str] = []
        self._after: list[str] = []
        self._counted: tuple[str, list[str | None]] = ("", [])
        self._taken: str | None = None
        """The face-up card taken last, if nothing was done since."""

    def hear(self, event: Event) -> None:
        """Handle one event."""
        said = _TOLD.get(event.kind)
        if said is not None:
            said(self, event)
        elif event.kind in _COUNTED:
            if event.kind != self._counted[0] or event.seat != self._actor:
                self._count_up()
                self._begin(event.seat)
            self._counted = (event.kind, [*self._counted[1], next(iter(event.details.values()))])

    def finish(self) -> None:
        """Write the sentence that is still pending."""
        self._count_up()
        if self._deeds and self._actor is not None:
            self.lines.append(f"{self._names[self._actor]} {_listed(self._deeds)}.")
        self.lines.extend(self._after)
        self._deeds, self._after = [], []
        self._taken = None

    def _begin(self, seat: int | None) -> None:
        if seat != self._actor:
            self.finish()
            self._actor = seat

    def _did(self, event: Event, deed: str) -> None:
        self._count_up()
        self._begin(event.seat)
        self._taken = None
        self._deeds.append(deed)

    def _count_up(self) -> None:
        kind, things = self._counted
        self._counted = ("", [])
        if things:
            self._taken = None
            self._deeds.append(_COUNTED[kind](self, things))

    def drew(self, things: list[str | None]) -> str:
        known = [thing for thing in things if thing is not None]
        if len(known) < len(things):
            return texts.DREW_BLIND.of(len(things))
        return texts.DREW_CARD.format(card=texts.AND.join(map(self._card, known)))

    def took(self, event: Event) -> None:
        card = self._card(event.details["card"])
        if self._taken is not None and event.seat == self._actor:
            self._deeds[-1] = texts.TOOK_CARDS.format(card=self._taken, other=card)
            return
        self._did(event, texts.TOOK_CARD.format(card=card))
        self._taken = card

    def offered(self, things: list[str | None]) -> str:
        return texts.DREW_TICKETS.of(len(things))

    def kept(self, things: list[str | None]) -> str:
        return _named(things, texts.KEPT_NAMES) or texts.KEPT_COUNT.of(len(things))

    def received(self, things: list[str | None]) -> str:
        return _named(things, texts.RECEIVED_NAMES) or texts.RECEIVED_COUNT.of(len(things))

    def claimed(self, event: Event) -> None:
        name, locos = event.details["route"], event.details["locos"]
        route = next(route for route in self._edition.board.routes if route.name == name)
        cards = route.length - locos
        payment = payment_in_words(
            self._edition, ClaimRoute(name, event.details["card"] if cards else None, cards, locos)
        )
        text = texts.CLAIMED_POINTS if self._edition.route_points else texts.CLAIMED
        points = texts.POINTS.of(event.details["points"])
        self._did(
            event,
            text.format(route=route_in_words(self._edition, name), payment=payment, points=points),
        )

    def swapped(self, event: Event) -> None:
        self._did(event, texts.SWAPPED)

    def passed(self, event: Event) -> None:
        self._did(event, texts.PASSED)

    def aside(self, event: Event) -> None:
        """Add a sentence after what the seat did."""
        self._count_up()
        name = "" if event.seat is None else self._names[event.seat]
        ticket = event.details.get("ticket")
        self._after.append(
            _ASIDES[event.kind].format(name=name, locomotive=self._edition.words.wild_card, ticket=ticket)
        )

    def reshuffled(self, event: Event) -> None:
        self._count_up()
        self._after.append(texts.RESHUFFLED.of(event.details["cards"]))

    def turn_ended(self, _event: Event) -> None:
        self.finish()
        self._actor = None

    def _card(self, card: str) -> str:
        if card == LOCO:
            return texts.A_LOCO.format(locomotive=self._edition.words.wild_card)
        return texts.A_CARD.format(colour=card)


def _named(things: list[str | None], template: str) -> str:
    names = [thing for thing in things if thing is not None]
    return template.format(tickets=", ".join(names)) if len(names) == len(things) else ""


def _listed(deeds: list[str]) -> str:
    return f"{', '.join(deeds[:-1])}{texts.AND}{deeds[-1]}" if len(deeds) > 1 else deeds[0]


_COUNTED: dict[str, Callable[[_Teller, list[str | None]], str]] = {
    "drew": _Teller.drew,
    "offered": _Teller.offered,
    "kept": _Teller.kept,
    "received": _Teller.received,
}
"""Events that occur several in a row and are described as one."""

_ASIDES = {
    "wiped": texts.WIPED,
    "joined": texts.JOINED,
    "completed": texts.COMPLETED,
    "coast to coast": texts.COAST,
    "last round": texts.LAST_ROUND_BEGAN,
    "ended": texts.GAME_ENDED,
}

_TOLD: dict[str, Callable[[_Teller, Event], None]] = {
    "took": _Teller.took,
    "claimed": _Teller.claimed,
    "swapped": _Teller.swapped,
    "passed": _Teller.passed,
    "reshuffled": _Teller.reshuffled,
    "turn ended": _Teller.turn_ended,
    "turn began": _Teller.turn_ended,
    **dict.fromkeys(_ASIDES, _Teller.aside),
}
"""Events that are described one by one. The others need no words, or have their own screen."""
