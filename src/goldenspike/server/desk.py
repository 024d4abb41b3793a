"""The desk: what people ask for, over the socket or over HTTP, and who may ask for it."""

from __future__ import annotations

import contextlib
import secrets
from collections import OrderedDict

import msgspec

from goldenspike.editions import Edition
from goldenspike.position import Position
from goldenspike.seeds import commitment, read_seed
from goldenspike.server.entry import Entry, now, pack_rows
from goldenspike.server.face import show_ways
from goldenspike.server.games import Games
from goldenspike.server.history import start_entry
from goldenspike.server.limits import Bucket, Buckets
from goldenspike.server.links import hash_secret, join_link, new_game_id, new_secret
from goldenspike.server.live import LiveGame, Setup
from goldenspike.server.messages import (
    Ack,
    AnyCommand,
    Created,
    Hint,
    Join,
    Joined,
    Listed,
    Lobby,
    NewGame,
    Options,
    Ping,
    Rematch,
    Reply,
    Say,
    SeatWish,
    Ways,
    Why,
)
from goldenspike.server.problems import Problem, refused_move
from goldenspike.server.settings import Settings
from goldenspike.server.store import StoredGame
from goldenspike.server.thinkers import ask, is_level

_LISTED = 100
_MOST_SPEAKERS = 20_000
_CHAT_BURST = 5
_READS = 5
"""So many times as fast as commands may be sent, games may be looked at."""
_ADVISER = "hard"
"""The level that is asked for a hint."""
_REMATCH = "rematch"
"""The token of the entry that leads to the next game: there is one, whoever asks."""


class SeatTakenError(Exception):
    """A seat that somebody else was faster to take."""


class Desk:
    """Where all requests arrive."""

    def __init__(self, settings: Settings, games: Games) -> None:
        self.settings = settings
        self.games = games
        self.connections = 0
        self.makers = Buckets(settings.create_rate / 60, settings.create_rate)
        self.senders = Buckets(settings.message_rate, settings.message_rate * 3)
        """For commands over HTTP; a socket has a bucket of its own."""
        self.readers = Buckets(settings.message_rate * _READS, settings.message_rate * _READS * 3)
        """For all that is asked about games over HTTP."""
        self._advised: set[tuple[str, int]] = set()
        """The seats for which a hint is being thought of."""
        self._speakers: OrderedDict[tuple[str, int], Bucket] = OrderedDict()

    # New games

    async def create(self, new: NewGame) -> Created:
        """Deal a game."""
        edition = self.games.shelf.get(new.edition)
        check_seats(edition, new.seats, new.options)
        seed = read_seed(new.options.seed)
        try:
            position, rows = Position.deal(edition, len(new.seats), seed, new.options.first)
        except ValueError as error:
            raise Problem("malformed", str(error)) from None
        game = new_game_id()
        start = start_entry(game, position, pack_rows(rows), now())
        is_chosen = new.options.seed is not None
        return await self.keep(game, edition, new.seats, new.options, seed, [start], is_seed_chosen=is_chosen)

    async def keep(
        self,
        game: str,
        edition: Edition,
        wishes: list[SeatWish],
        options: Options,
        seed: bytes,
        entries: list[Entry],
        *,
        is_seed_chosen: bool,
        is_imported: bool = False,
        is_over: bool = False,
        branch_of: str | None = None,
    ) -> Created:
        """Write a game that was dealt, and return its links."""
        secrets_by_seat = [new_secret() if wish.who in {"here", "link"} else None for wish in wishes]
        # A bot's seat has a hash that no secret has: it is nobody's, but it is not free.
        hashes = tuple(
            None
            if wish.who == "open"
            else hash_secret(secret)
            if secret is not None
            else secrets.token_bytes(32)
            for wish, secret in zip(wishes, secrets_by_seat, strict=True)
        )
        watch = new_secret()
        setup = Setup(wishes, options.aids, options.clock, is_seed_chosen, is_imported)
        stored = StoredGame(
            game,
            edition.id,
            edition.digest,
            len(wishes),
            options.first,
            seed.hex(),
            msgspec.json.encode(setup).decode(),
            hash_secret(watch),
            options.public,
            now(),
            None,
            branch_of,
            None,
            hashes,
        )
        await self.games.pool.run(self.games.store.create, stored, entries)
        if is_over:
            await self.games.pool.run(self.games.store.finish, game, now())
        links = [None if secret is None else join_link(game, secret) for secret in secrets_by_seat]
        return Created(game, links, join_link(game, watch), commitment(seed))

    async def lobby(self) -> Lobby:
        """Return the public games with a free seat."""
        listed: list[Listed] = []
        for stored in await self.games.pool.run(self.games.store.free_games, _LISTED):
            try:
                live = await self.games.open(stored.id)
            except Problem as problem:
                if problem.code == "unavailable":
                    raise
                continue  # its edition is not here any more, say: that is no reason to show nobody any game
            if live.position.is_over:
                continue
            listed.append(
                Listed(stored.id, stored.edition, live.seat_infos(), live.setup.clock, stored.created)
            )
        return Lobby(listed)

    async def join(self, game: str, wish: Join) -> Joined:
        """Take a free seat of a public game."""
        live = await self.games.open(game)
        if not live.stored.is_public:
            raise Problem("not_allowed", "This game is not public; ask for the link to a seat.")
        free = [seat for seat, chair in enumerate(live.chairs) if chair.is_free]
        wanted = [wish.seat] if wish.seat in free else [] if wish.seat is not None else free
        for seat in wanted:
            with contextlib.suppress(SeatTakenError):
                return await self._take(live, seat, wish.name)
        raise Problem("conflict", "That seat is not free any more; look for another.")

    async def _take(self, live: LiveGame, seat: int, name: str | None) -> Joined:
        secret = new_secret()

        def make() -> Entry:
            if not live.chairs[seat].is_free:
                raise SeatTakenError
            return Entry(live.id, live.number + 1, "joined", now(), seat, text=name)

        async def keep(entry: Entry) -> bool:
            return await self.games.pool.run(self.games.store.take_seat, entry, hash_secret(secret))

        await self.games.write(live, make, is_lasting=True, keep=keep)
        live.hashes[seat] = hash_secret(secret)
        return Joined(live.id, seat, join_link(live.id, secret))

    # Commands and questions

    async def do(self, live: LiveGame, viewer: int | None, command: AnyCommand) -> Ack | Reply:
        """Carry out what a seat asks for; a spectator may only ask whether anybody is there."""
        if isinstance(command, Ping):
            return Reply(command.id)
        if viewer is None:
            raise Problem("not_allowed", "You are watching; only who has a seat can do that.")
        match command:
            case Why():
                return self._why(live, viewer, command)
            case Ways():
                self._require_aids(live)
                return Reply(command.id, ways=show_ways(live, viewer))
            case Hint():
                self._require_aids(live)
                return await self._hint(live, viewer, command)
            case Rematch():
                return await self._rematch(live, viewer, command)
            case Say():
                self._speaker(live.id, viewer).require()
                return await self.games.command(live, viewer, command)
            case _:
                return await self.games.command(live, viewer, command)

    def _speaker(self, game: str, seat: int) -> Bucket:
        bucket = self._speakers.setdefault((game, seat), Bucket(self.settings.chat_rate / 60, _CHAT_BURST))
        self._speakers.move_to_end((game, seat))
        if len(self._speakers) > _MOST_SPEAKERS:
            self._speakers.popitem(last=False)
        return bucket

    def _require_aids(self, live: LiveGame) -> None:
        if not live.setup.aids:
            raise Problem("not_allowed", "This game is played without aids.")

    def _why(self, live: LiveGame, seat: int, command: Why) -> Reply:
        error = live.position.refusal(command.move, seat)
        if error is None:
            return Reply(command.id)
        problem = refused_move(error)
        return Reply(command.id, problem.message, problem.rule)

    async def _hint(self, live: LiveGame, seat: int, command: Hint) -> Reply:
        if seat not in live.position.to_move:
            raise Problem("not_allowed", "It is not your turn; ask again when it is.")
        view = live.position.view(seat)
        source = self.games.shelf.source(live.stored.edition)
        question = ask(source, view, _ADVISER, secrets.token_bytes(32), self.settings.bot_seconds)
        if (live.id, seat) in self._advised:  # all bots of all games wait in the same line
            raise Problem(
                "too_fast",
                "A hint for you is being thought of already; wait for it.",
                retry_after=self.settings.bot_seconds,
            )
        self._advised.add((live.id, seat))
        try:
            choice = await self.games.thinkers.choose(question)
        finally:
            self._advised.discard((live.id, seat))
        move = next(
            m for n, m in zip(view.legal_moves().numbers, view.legal_moves(), strict=True) if n == choice.move
        )
        return Reply(
            command.id,
            hint=str(move),
            hint_move=choice.move,
            win_chance=choice.win_chance,
            reasons=list(choice.reasons),
        )

    async def _rematch(self, live: LiveGame, seat: int, command: Rematch) -> Ack:
        """Deal another game; whoever asks first, everybody goes to the same one."""
        if not live.position.is_over:
            raise Problem("not_over", "The game is not over yet.")
        if live.rematch is None:
            await self._deal_rematch(live)
        stored = await self.games.pool.run(self.games.store.game, live.id)
        assert stored is not None

        def make() -> Entry:
            return Entry(live.id, live.number + 1, "rematch", now(), seat, _REMATCH, text=stored.rematch)

        entry = await self.games.write(live, make, _REMATCH, is_lasting=True)
        return Ack(command.id, entry.number, game=stored.rematch)

    async def _deal_rematch(self, live: LiveGame) -> None:
        """Write the next game, everybody one seat further; the secrets of its seats are those of this one."""
        order = [(seat + 1) % len(live.chairs) for seat in range(len(live.chairs))]
        wishes = [
            SeatWish(
                "link" if chair.is_persons else "bot", chair.name, None if chair.is_persons else chair.level
            )
            for chair in (live.chairs[i] for i in order)
        ]
        # Not those in memory: of a seat that was taken at another process only the name was told.
        kept = await self.games.pool.run(self.games.store.game, live.id)
        assert kept is not None
        seed, game = read_seed(None), new_game_id()
        position, rows = Position.deal(live.edition, len(wishes), seed, None)
        stored = live.stored._replace(
            id=game,
            rules=live.edition.digest,
            first=None,
            seed=seed.hex(),
            setup=msgspec.json.encode(Setup(wishes, live.setup.aids, live.setup.clock)).decode(),
            is_public=False,
            created=now(),
            ended=None,
            branch_of=None,
            rematch=None,
            secret_hashes=tuple(kept.secret_hashes[i] for i in order),
        )
        start = start_entry(game, position, pack_rows(rows), now())
        await self.games.pool.run(self.games.store.create, stored, [start], before=live.id)

    async def missed(self, live: LiveGame, last: int | None, most: int) -> list[Entry]:
        """Return the entries that somebody has missed since the last they know, if they are not too many."""
        if last is not None and last > live.number:  # another process has told more than is known here
            async with live.lock:
                await self.games.catch_up(live)
        if last is None or last >= live.number or live.number - last > most:
            return []
        # No await between here and the welcome but the one below: what happens meanwhile is among the recent.
        older: list[Entry] = []
        if last < live.recent[0].number - 1:
            older = await self.games.pool.run(self.games.store.entries, live.id, last)
        # The log may be ahead of the view that goes with this; the rest comes with the next update.
        found = {entry.number: entry for entry in (*older, *live.recent)}
        return [entry for number, entry in found.items() if last < number <= live.number]


def check_seats(edition: Edition, seats: list[SeatWish], options: Options) -> None:
    """Raise a :class:`Problem` if a game cannot be played so."""
    try:
        edition.require_players(len(seats))
    except ValueError as error:
        raise Problem("malformed", str(error)) from None
    if options.first is not None and options.first >= len(seats):
        raise Problem("malformed", f"The first seat is one of 0 to {len(seats) - 1}, not {options.first}.")
    for seat in seats:
        if (seat.who == "bot") != (seat.level is not None):
            raise Problem("malformed", "A bot has a level, and nobody else has one.")
        if seat.level is not None and not is_level(seat.level):
            raise Problem("malformed", f"There is no level {seat.level!r}; there are easy, medium and hard.")
    if any(seat.who == "open" for seat in seats) and not options.public:
        raise Problem("malformed", "Only a public game has seats that anybody may take.")
