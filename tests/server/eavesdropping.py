"""Checks everything that a client was sent against the record: did it learn what it may not know?"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from goldenspike import Game
from goldenspike.game.events import Event, read_events
from goldenspike.server.protocol.messages import Told
from goldenspike.server.views.view_messages import show_own, show_table

OWN_ONLY = {"offered", "kept", "returned", "received", "joined"}
"""Events whose tickets only one seat may see."""
SEAT_FIELDS = {
    "cards",
    "known",
    "tickets",
    "completed",
    "has_bonus_ticket",
    "pieces",
    "points",
    "routes",
}
"""All fields that describe a seat to other players."""


class Truth(NamedTuple):
    """A finished game: its record, and the entry number of each action."""

    game: Game
    numbers: list[int]
    """The numbers of the entries whose moves were not undone."""

    @classmethod
    def of(cls, record: str, log: list[Told]) -> Truth:
        """Return the truth of a game, from its record and the log of a client that was always connected."""
        moved: list[int] = []
        for entry in log:
            if entry.kind == "moved":
                moved.append(entry.n)
            elif entry.kind == "undone":
                del moved[-(entry.move or 1) :]
        game = Game.from_record(record)
        assert len(moved) == len(game.played)
        return cls(game, moved)

    def events(self) -> Iterator[tuple[int, Event]]:
        """Yield all events, including hidden ones, with the number of their entry."""
        edition = self.game.edition
        setup = self.game.rows()[: -sum(len(played.rows) for played in self.game.played) or None]
        yield from ((0, event) for event in read_events(edition, setup))
        for number, played in zip(self.numbers, self.game.played, strict=True):
            yield from ((number, event) for event in read_events(edition, played.rows))

    def seen_from(self, viewer: int | None) -> dict[str, int]:
        """Return each ticket that a seat may know, with the entry from which on it may."""
        seen: dict[str, int] = {}
        for number, event in self.events():
            is_own = event.kind in OWN_ONLY and event.seat == viewer and viewer is not None
            if is_own or event.kind in {"completed", "revealed"}:
                seen.setdefault(event.details["ticket"], number)
        return seen

    @property
    def end(self) -> int:
        """The number of the entry that ended the game and revealed everything."""
        return self.numbers[-1]


class Message(NamedTuple):
    """A received message, and the last entry that it can refer to."""

    text: str
    content: dict[str, Any]
    number: int


def read(traffic: list[str]) -> list[Message]:
    """Return messages with the entries they belong to; an answer may arrive before the update it caused."""
    messages: list[Message] = []
    number = 10**9
    for text in reversed(traffic):
        content = json.loads(text)
        if content["type"] == "fetched":
            messages.append(Message(text, content, content["last"]))
            continue
        if content["type"] == "welcome":
            number = content["last"]
        elif content["type"] == "update" and content["entries"]:
            number = content["entries"][-1]["n"]
        messages.append(Message(text, content, number))
    return messages[::-1]


def check_traffic(truth: Truth, viewer: int | None, traffic: list[str]) -> int:
    """Fail if a client was sent what it may not know; return how many messages were checked."""
    before_end = [message for message in read(traffic) if message.number < truth.end]
    _check_texts(truth, viewer, before_end)
    for message in before_end:
        _check_entries(viewer, message.content.get("entries", []))
        if "view" in message.content:
            _check_view(viewer, message.content)
    _check_public_memory(truth, [m for m in before_end if m.content["type"] != "fetched"])
    return len(before_end)


def _check_texts(truth: Truth, viewer: int | None, messages: list[Message]) -> None:
    """Check that no message contains a ticket that its reader has not seen yet."""
    seen = truth.seen_from(viewer)
    names = [ticket.name for ticket in truth.game.edition.tickets]
    ticket = re.compile(rf"(?<![A-Z-])(?:{'|'.join(map(re.escape, names))})(?![A-Z/-])")
    seed = truth.game.seed.hex()
    for message in messages:
        for name in ticket.findall(message.text):
            assert seen.get(name, 10**9) <= message.number, (viewer, name, message.text)
        assert seed not in message.text


def _check_entries(viewer: int | None, entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        if entry["kind"] == "moved" and entry["seat"] != viewer and "move" not in entry:
            assert "text" not in entry
        for event in entry.get("events", ()):
            details = event["details"]
            if event["seat"] == viewer:
                continue
            match event["kind"]:
                case "offered" | "kept" | "returned" | "received":
                    assert details == {"ticket": None}, entry
                case "drew":
                    assert details == {"card": None}, entry
                case "chose":
                    assert details == {"mask": None}, entry
                case "joined":
                    raise AssertionError(entry)
                case _:
                    assert None not in details.values()
        kinds = {event["kind"] for event in entry.get("events", ())}
        if kinds & {"chose", "kept"} and entry["seat"] != viewer:
            assert "move" not in entry
            assert "text" not in entry


def _check_view(viewer: int | None, message: dict[str, Any]) -> None:
    assert (message["own"] is None) == (viewer is None)
    assert message["view"]["ending"] is None
    for seat in message["view"]["seats"]:
        assert set(seat) == SEAT_FIELDS


def _check_public_memory(truth: Truth, messages: list[Message]) -> None:
    """Check that the known cards of hands follow only from the cards that all have seen taken and played."""
    lengths = {route.name: route.length for route in truth.game.edition.board.routes}
    hands = [Counter[str]() for _ in range(truth.game.players)]
    before: list[list[Counter[str]]] = []
    for message in messages:
        content = message.content
        if content["type"] == "welcome" and message is not messages[0]:
            assert not content["entries"] or content["entries"][-1]["n"] == content["last"]
        for entry in content.get("entries", []):
            if entry["kind"] == "undone":
                hands = before[-entry["move"]]
                del before[-entry["move"] :]
            if entry["kind"] == "moved":
                before.append([hand.copy() for hand in hands])
            for event in entry.get("events", []):
                details = event["details"]
                if event["kind"] == "took":
                    hands[event["seat"]][details["card"]] += 1
                elif event["kind"] == "claimed":
                    paid = {details["card"]: lengths[details["route"]] - details["locos"]}
                    hands[event["seat"]] -= Counter(paid)
                    hands[event["seat"]] -= Counter({"loco": details["locos"]})
        if "view" in content:
            assert [Counter(seat["known"]) for seat in content["view"]["seats"]] == hands


def check_shown(truth: Truth, viewer: int | None, traffic: list[str]) -> None:
    """Check that a client was sent the right view after each action that was not undone.

    The server caches parts of its messages from move to move; here each is built from the record.
    """
    shown = {message.number: message.content for message in read(traffic) if "view" in message.content}
    game = Game.new(truth.game.edition, truth.game.players, truth.game.seed, truth.game.first)
    compared = 0
    for number, played in zip(truth.numbers, truth.game.played, strict=True):
        game.play(played.number, played.seat)
        if number not in shown:
            continue
        compared += 1
        table = msgspec.to_builtins(show_table(game.position, game.seed.hex()))
        assert shown[number]["view"] | {"deadline": None} == table
        if viewer is not None:
            _check_own(game, viewer, shown[number]["own"])
    assert compared > len(truth.numbers) / 2


def _check_own(game: Game, viewer: int, own: dict[str, Any]) -> None:
    view = game.view(viewer)
    assert own["hand"] == view.hand
    assert own["offer"] == view.offer
    assert own["legal"] == (list(view.legal_moves().numbers) if viewer in game.to_move else [])
    fresh = show_own(game.position, viewer)
    assert (own["tickets"], own["joined"]) == (fresh.tickets, fresh.joined)
    assert set(own["tickets"]) == set(view.tickets_of(viewer))
