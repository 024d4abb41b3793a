"""How people get access to a seat: they join a public game, accept an invitation, or use a code."""

from __future__ import annotations

import contextlib
from collections import OrderedDict

from goldenspike.server.play.commands import hash_command, require_same
from goldenspike.server.play.entry import Entry, now
from goldenspike.server.play.games import Games
from goldenspike.server.play.live_game import LiveGame
from goldenspike.server.protocol.links import (
    CODE_SECONDS,
    Key,
    hash_secret,
    join_link,
    new_code,
    new_secret,
    read_code,
    split_link,
)
from goldenspike.server.protocol.messages import (
    COLOURS,
    Accept,
    Ack,
    Colour,
    Invite,
    Join,
    Joined,
    MakeCode,
    Reply,
)
from goldenspike.server.protocol.names import clean_text, distinct_name
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.database import SpentError

_MOST_JOINED = 20_000
_NOT_FREE = "That seat is no longer open; choose another one."


class SeatTakenError(Exception):
    """Another player took the seat first."""


class SeatAccess:
    """Gives devices access to seats."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._joined: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Pairs of game and address that have taken a free seat, or are about to."""

    async def join(self, game: str, wish: Join, address: str) -> Joined:
        """Take a free seat of a public game. Each address gets at most one seat per game."""
        live = await self._games.open(game)
        if not live.stored.is_public:
            raise Problem(
                "not_allowed", "This game is not public; ask for an invitation.", reason="not_public"
            )
        free = [seat for seat, seat_state in enumerate(live.seat_states) if seat_state.is_free]
        wanted = [wish.seat] if wish.seat in free else [] if wish.seat is not None else free
        if not wanted:
            raise Problem("conflict", _NOT_FREE, reason="seat_taken")
        if (game, address) in self._joined:
            raise Problem(
                "not_allowed",
                "A player at your address already has a seat in this game; ask the host for an invitation.",
                reason="address_has_seat",
            )
        self._joined[game, address] = None  # before the first await: an address may ask several times at once
        if len(self._joined) > _MOST_JOINED:
            self._joined.popitem(last=False)
        try:
            return await self._take_any(live, wanted, wish)
        except BaseException:
            self._joined.pop((game, address), None)
            raise

    async def _take_any(self, live: LiveGame, seats: list[int], wish: Join) -> Joined:
        for seat in seats:
            with contextlib.suppress(SeatTakenError):
                return await self._take(live, seat, wish)
        raise Problem("conflict", _NOT_FREE, reason="seat_taken")

    async def _take(self, live: LiveGame, seat: int, wish: Join) -> Joined:
        secret = new_secret()
        key = Key(hash_secret(secret), seat, "device", now())

        def make() -> Entry:
            if not live.seat_states[seat].is_free:
                raise SeatTakenError
            name, colour = _name_for(live, seat, wish.name), _colour_for(live, seat, wish.colour)
            return Entry.joined(live.id, live.number + 1, now(), seat, name, colour)

        async def keep(entry: Entry) -> bool:
            return await self._games.store.take_seat(entry, key)

        await self._games.write(live, make, is_lasting=True, keep=keep)
        await self._games.loader.read_keys(live)
        return Joined(live.id, seat, join_link(live.id, secret))

    # Invitations, and other devices

    async def accept(self, link: str, wish: Accept) -> Joined:
        """Accept an invitation: take its seat. An invitation works once."""
        game, secret_hash = split_link(link)
        live = await self._games.open(game)
        try:
            spent = live.invitation_of(secret_hash)
        except Problem:  # another process may have created it
            await self._games.loader.read_keys(live)
            spent = live.invitation_of(secret_hash)
        if spent.kind != "invitation":
            raise Problem("bad_link", "This is a code, not an invitation.")
        return await self._spend(live, spent, wish)

    async def use_code(self, typed: str) -> Joined:
        """Give a device access to a seat by a code that another device of the same player created."""
        secret_hash = hash_secret(read_code(typed))
        game = await self._games.store.find_code(secret_hash, now() - CODE_SECONDS * 1000)
        if game is None:
            raise Problem(
                "bad_link", "This code is not valid, or has expired; create a new one.", reason="code_expired"
            )
        live = await self._games.open(game)
        await self._games.loader.read_keys(live)
        return await self._spend(live, live.invitation_of(secret_hash), Accept())

    async def _spend(self, live: LiveGame, spent: Key, wish: Accept) -> Joined:
        """Exchange an invitation or a code for a device key."""
        secret, seat, is_code = new_secret(), spent.seat, spent.kind == "code"
        key = Key(hash_secret(secret), seat, "device", now())

        def make() -> Entry:
            seat_state = live.seat_states[seat]
            if not seat_state.is_persons:
                raise Problem(
                    "not_allowed",
                    "A bot has this seat, because you did not join in time; ask for a new game.",
                    reason="joined_too_late",
                )
            if is_code or not seat_state.is_invited:
                devices = seat_state.devices + 1 if is_code else 1
                return Entry.device_added(live.id, live.number + 1, now(), seat, devices)
            name, colour = _name_for(live, seat, wish.name), _colour_for(live, seat, wish.colour)
            return Entry.joined(live.id, live.number + 1, now(), seat, name, colour)

        async def keep(entry: Entry) -> bool:
            return await self._games.store.spend_key(entry, spent, key, is_only=not is_code)

        try:
            await self._games.write(live, make, is_lasting=True, keep=keep)
        except SpentError:
            raise Problem(
                "bad_link", "This invitation was already used; ask for a new one.", reason="invitation_used"
            ) from None
        await self._games.loader.read_keys(live)
        return Joined(live.id, seat, join_link(live.id, secret))

    async def invite(self, live: LiveGame, viewer: int, command: Invite) -> Ack:
        """Create a new invitation for a seat. It revokes the old one, and the log shows it to all players."""
        if viewer != live.host:
            raise Problem("not_allowed", "Only the host can invite players.", reason="host_only")
        if command.seat >= len(live.seat_states) or command.seat == viewer:
            raise Problem("not_allowed", "Choose another player's seat.")
        if not live.seat_states[command.seat].is_persons or live.seat_states[command.seat].is_free:
            raise Problem("not_allowed", "That seat is a bot's, or an open seat.", reason="no_person")
        secret = new_secret()
        key = Key(hash_secret(secret), command.seat, "invitation", now())
        token, request = f"{viewer}.{command.id}", hash_command(command)

        def make() -> Entry:
            number = live.number + 1
            return Entry.invited(live.id, number, now(), command.seat, token, viewer, request)

        async def keep(entry: Entry) -> bool:
            return await self._games.store.add_key(live.id, key, entry)

        entry = await self._games.write(live, make, token, is_lasting=True, keep=keep)
        require_same(entry, request)
        await self._games.loader.read_keys(live)
        is_new = any(each.secret_hash == key.secret_hash for each in live.keys)
        return Ack(command.id, entry.number, invitation=join_link(live.id, secret) if is_new else None)

    async def make_code(self, live: LiveGame, viewer: int, command: MakeCode) -> Reply:
        """Create a code for another device of the same player."""
        code = new_code()
        key = Key(hash_secret(code), viewer, "code", now())
        await self._games.store.add_key(live.id, key)
        return Reply(command.id, code=code, seconds=CODE_SECONDS)


def _name_for(live: LiveGame, seat: int, name: str | None) -> str | None:
    """Return the name of a player who takes a seat; None keeps the name of the seat."""
    cleaned = clean_text(name or "")
    others = [seat_state.name for other, seat_state in enumerate(live.seat_states) if other != seat]
    return distinct_name(cleaned, others) if cleaned else None


def _colour_for(live: LiveGame, seat: int, colour: Colour | None) -> int | None:
    """Return the number of the colour of a player who takes a seat; None keeps the colour of the seat.

    A bot and a seat that is not taken give up their colour; a person does not.
    """
    others = (state for other, state in enumerate(live.seat_states) if other != seat)
    is_taken = any(state.colour == colour and state.is_persons and state.devices for state in others)
    return None if colour is None or is_taken else COLOURS.index(colour)
