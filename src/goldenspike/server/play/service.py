"""The game service: carries out all requests from the WebSocket and HTTP, and checks permissions."""

from __future__ import annotations

import secrets
from collections import OrderedDict

import msgspec

from goldenspike.editions import Edition
from goldenspike.game.position import Position
from goldenspike.game.seeds import commitment, read_seed
from goldenspike.game.words import numbers_of_seats
from goldenspike.server.archive.history import start_entry
from goldenspike.server.play.bot_pool import ask, is_hard, is_level
from goldenspike.server.play.bot_queue import HardBotLimit
from goldenspike.server.play.entry import Entry, now, pack_rows
from goldenspike.server.play.games import Games
from goldenspike.server.play.live_game import STAND_IN, LiveGame, Setup
from goldenspike.server.play.lobby import LobbyList
from goldenspike.server.play.seat_access import SeatAccess
from goldenspike.server.play.seat_wishes import clean_wish, name_bots
from goldenspike.server.protocol.links import (
    Key,
    hash_secret,
    join_link,
    new_game_id,
    new_secret,
)
from goldenspike.server.protocol.messages import (
    Ack,
    AnyCommand,
    Created,
    Hint,
    Invite,
    MakeCode,
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
from goldenspike.server.protocol.problems import Problem, refused_move, removed_game
from goldenspike.server.settings import Settings
from goldenspike.server.socket.rate_limits import AddressCounter, Bucket, Buckets, frame_rate
from goldenspike.server.storage.database import StoredGame
from goldenspike.server.views.view_messages import show_paths

_MOST_SPEAKERS = 20_000
_CHAT_BURST = 5
_PER_ADDRESS = 5
"""An address may use this many cost units for each command that a socket may send: one budget for HTTP
requests, one for the commands of all its sockets, and one for the moves of its bots."""
_FRAMES_PER_ADDRESS = 10
"""All sockets of an address together may send this many times the frames of one."""
ENTRY_COST = 0.02
"""The cost of sending an old entry: 0.017 ms of processor time."""
_BURST_SECONDS = 3
_ADVISER = "hard"
"""The bot level that computes hints."""
_REMATCH = "rematch"
"""The token of the rematch entry. All seats use the same one, so a game has at most one rematch."""


class GameService:
    """Carries out the requests of all clients."""

    def __init__(self, settings: Settings, games: Games) -> None:
        self.settings = settings
        self.games = games
        self.seat_access = SeatAccess(games)
        self.lobby = LobbyList(games)
        self.sockets = AddressCounter(settings.connections, settings.address_connections)
        self.makers = Buckets(settings.create_rate / 60, settings.create_rate)
        self.senders = Buckets(settings.message_rate, settings.message_rate * _BURST_SECONDS)
        """For commands over HTTP; each WebSocket has its own bucket."""
        rate = settings.message_rate * _PER_ADDRESS
        self.readers = Buckets(rate, rate * _BURST_SECONDS)
        """For all HTTP requests and hellos, weighted by cost."""
        self.players = Buckets(rate, rate * _BURST_SECONDS)
        """For the commands of all WebSockets of an address."""
        rate = frame_rate(settings.message_rate) * _FRAMES_PER_ADDRESS
        self.frames = Buckets(rate, rate * _BURST_SECONDS)
        """For the frames of all WebSockets of an address."""
        self._hard_bots = HardBotLimit(settings.hard_bots, self._worked_for)
        self._advised: set[tuple[str, int]] = set()
        """The seats for which a hint is being computed."""
        self._speakers: OrderedDict[tuple[str, int], Bucket] = OrderedDict()

    # New games

    async def create(self, new: NewGame, address: str = "") -> Created:
        """Deal a game for a client at an address."""
        edition = self.games.catalogue.get(new.edition)
        check_seats(edition, new.seats, new.options)
        seed = read_seed(new.options.seed)
        try:
            position, rows = Position.deal(edition, len(new.seats), seed, new.options.first)
        except ValueError as error:
            raise Problem("malformed", str(error)) from None
        game = new_game_id()
        start = start_entry(game, position, pack_rows(rows), now())
        is_chosen = new.options.seed is not None
        return await self.keep(
            game, edition, new.seats, new.options, seed, [start], is_seed_chosen=is_chosen, address=address
        )

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
        address: str = "",
    ) -> Created:
        """Store a game that was dealt, and return its links; `address` is the address of the client."""
        wishes = [clean_wish(wish) for wish in wishes]
        if not is_imported:  # the seats of a record were not necessarily played by bots
            wishes = name_bots(wishes)
        made = {seat: new_secret() for seat, wish in enumerate(wishes) if wish.who in {"here", "link"}}
        time_now = now()
        keys = tuple(
            Key(hash_secret(secret), seat, "device" if wishes[seat].who == "here" else "invitation", time_now)
            for seat, secret in made.items()
        )
        watch = new_secret()
        devices = [int(wish.who == "here") for wish in wishes]
        copied = len(entries) - 1
        setup = Setup(wishes, options.aids, options.clock, is_seed_chosen, is_imported, devices, copied)
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
            time_now,
            None,
            branch_of,
            None,
            keys,
            frozenset(seat for seat, wish in enumerate(wishes) if wish.who == "open"),
        )
        if not is_over:
            self._hard_bots.add(game, address, _count_hard(wishes))
        await self.games.store.create(stored, entries)
        if options.public:
            self.lobby.invalidate()
        if is_over:
            await self.games.store.finish(game, now())

        def links(who: str) -> list[str | None]:
            return [
                join_link(game, made[seat]) if wish.who == who else None for seat, wish in enumerate(wishes)
            ]

        return Created(game, links("here"), links("link"), join_link(game, watch), commitment(seed))

    def _worked_for(self, game: str) -> str | None:
        """Return the address that a game's bots count for.

        It is empty if the game is paused or over, and None if the game is not in memory.
        """
        live = self.games.find(game)
        if live is None:
            return None
        is_running = not live.position.is_over and live.audience.is_present
        return live.audience.address if is_running else ""

    def require_bots(self, live: LiveGame, address: str) -> None:
        """Refuse a client that opens a game if its address has too many hard bots in other games.

        The caller must register the client before its next await. Otherwise the client could open many games
        at once.
        """
        if not live.position.is_over:
            bots = sum(
                seat_state.level is not None and is_hard(seat_state.level) for seat_state in live.seat_states
            )
            self._hard_bots.attend(live.id, address, bots)

    # Commands and questions

    async def do(
        self, live: LiveGame, viewer: int | None, command: AnyCommand, address: str = ""
    ) -> Ack | Reply:
        """Carry out a command of a seat; a spectator may only send :class:`Ping`.

        `address` is the address of the client. Cancelling this call cancels a hint.
        """
        if isinstance(command, Ping):
            return Reply(command.id)
        if viewer is None:
            raise Problem("not_allowed", "You are watching; only players can do that.", reason="watching")
        if live.is_hidden and isinstance(command, Why | Ways | Hint):  # the answers would show the cards
            raise Problem(
                "not_allowed", "The cards stay hidden until everyone has joined.", reason="cards_hidden"
            )
        match command:
            case Why():
                return self._why(live, viewer, command)
            case Ways():
                self._require_aids(live)
                return Reply(command.id, ways=show_paths(live, viewer))
            case Hint():
                self._require_aids(live)
                return await self._hint(live, viewer, command, address)
            case Rematch():
                return await self._rematch(live, viewer, command, address)
            case Invite():
                return await self.seat_access.invite(live, viewer, command)
            case MakeCode():
                self._speaker(live.id, viewer).require()
                return await self.seat_access.make_code(live, viewer, command)
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
            raise Problem("not_allowed", "This game does not allow hints.", reason="no_hints")

    def _why(self, live: LiveGame, seat: int, command: Why) -> Reply:
        error = live.position.refusal(command.move, seat)
        if error is None:
            return Reply(command.id)
        problem = refused_move(error)
        return Reply(command.id, problem.reason or problem.code, problem.rule, problem.details)

    async def _hint(self, live: LiveGame, seat: int, command: Hint, address: str) -> Reply:
        if seat not in live.position.to_move:
            raise Problem("not_allowed", "It is not your turn; ask again when it is.", reason="hint_later")
        view = live.position.view(seat)
        source = self.games.catalogue.source(live.stored.edition)
        question = ask(source, view, _ADVISER, secrets.token_bytes(32), self.settings.bot_seconds)
        if (live.id, seat) in self._advised:
            raise Problem(
                "too_fast",
                "A hint is already on its way; wait for it.",
                reason="hint_pending",
                retry_after=self.settings.bot_seconds,
            )
        self._advised.add((live.id, seat))
        try:
            choice = await self.games.bot_pool.choose(question, address, live.id)
        finally:
            self._advised.discard((live.id, seat))
        legal = view.legal_moves()
        number, move = next((n, m) for n, m in zip(legal.numbers, legal, strict=True) if n == choice.move)
        return Reply(
            command.id,
            hint=str(move),
            hint_move=number,
            win_chance=choice.win_chance,
            reasons=list(choice.reasons),
        )

    async def _rematch(self, live: LiveGame, seat: int, command: Rematch, address: str) -> Ack:
        """Deal a rematch. Only the first request deals one; later requests return the same game."""
        if not live.position.is_over:
            raise Problem("not_over", "The game is not over yet.")
        if live.rematch is None:
            await self._deal_rematch(live, address)
        stored = await self.games.store.game(live.id)
        if stored is None:
            raise removed_game()

        def make() -> Entry:
            return Entry.rematch(live.id, live.number + 1, now(), seat, _REMATCH, stored.rematch)

        entry = await self.games.write(live, make, _REMATCH, is_lasting=True)
        return Ack(command.id, entry.number, game=stored.rematch)

    async def _deal_rematch(self, live: LiveGame, address: str) -> None:
        """Store the next game, with each player one seat further.

        Players keep their keys, so their secrets open the new game as well.
        """
        order = [(seat + 1) % len(live.seat_states) for seat in range(len(live.seat_states))]
        wishes: list[SeatWish] = []
        for i in order:
            seat_state, who = live.seat_states[i], live.setup.seats[i].who
            if seat_state.devices:
                wish = SeatWish("here" if who == "here" else "link", seat_state.name)
            else:  # a bot, or a player who never joined
                level = seat_state.level or STAND_IN
                wish = SeatWish("bot", seat_state.name, level, style=seat_state.style)
            wishes.append(msgspec.structs.replace(wish, colour=seat_state.colour))
        # Read the keys from the database: memory lacks keys of seats that were taken in another process.
        kept = await self.games.store.game(live.id)
        if kept is None:
            raise removed_game()
        devices = [live.seat_states[i].devices for i in order]
        setup = Setup(wishes, live.setup.aids, live.setup.clock, devices=devices)
        seed, game = read_seed(None), new_game_id()
        position, rows = Position.deal(live.edition, len(wishes), seed, None)
        stored = live.stored._replace(
            id=game,
            rules=live.edition.digest,
            first=None,
            seed=seed.hex(),
            setup=msgspec.json.encode(setup).decode(),
            is_public=False,
            created=now(),
            ended=None,
            branch_of=None,
            rematch=None,
            keys=tuple(key._replace(seat=order.index(key.seat)) for key in kept.keys if key.kind != "code"),
            free=frozenset(),
        )
        start = start_entry(game, position, pack_rows(rows), now())
        self._hard_bots.add(game, address, _count_hard(wishes))
        await self.games.store.create(stored, [start], before=live.id)

    async def missed(self, live: LiveGame, last: int | None, most: int, address: str = "") -> list[Entry]:
        """Return the entries after `last` for a client that reconnects; none if they are more than `most`."""
        if last is not None and last > live.number:  # another process has sent entries not yet read here
            async with live.lock:
                await self.games.loader.catch_up(live)
        if last is None or last >= live.number or live.number - last > most:
            return []
        self.readers.require(address, (live.number - last) * ENTRY_COST)
        # The caller sends the welcome without another await, so entries written during the await below are
        # still in `recent`.
        older: list[Entry] = []
        if last < live.recent[0].number - 1:
            older = await self.games.store.entries(live.id, last)
        # The database may be ahead of the view in the welcome; the next update sends the rest.
        found = {entry.number: entry for entry in (*older, *live.recent)}
        return [entry for number, entry in found.items() if last < number <= live.number]


def _count_hard(wishes: list[SeatWish]) -> int:
    return sum(wish.level is not None and is_hard(wish.level) for wish in wishes)


def check_seats(edition: Edition, seats: list[SeatWish], options: Options) -> None:
    """Raise a :class:`Problem` if a game cannot be played with these seats and options."""
    try:
        edition.require_players(len(seats))
    except ValueError as error:
        raise Problem("malformed", str(error)) from None
    if options.first is not None and options.first >= len(seats):
        raise Problem("malformed", numbers_of_seats("The first seat", len(seats)))
    for seat in seats:
        if (seat.who == "bot") != (seat.level is not None):
            raise Problem("malformed", "Give a level for each bot, and only for bots.")
        if seat.style is not None and seat.level != "medium":
            raise Problem("malformed", "Only a medium bot can be given a style.")
        if seat.level is not None and not is_level(seat.level):
            raise Problem(
                "malformed", f"There is no level {seat.level!r}; the levels are easy, medium and hard."
            )
    if options.public and options.seed is not None:
        raise Problem(
            "malformed",
            "A public game has a random seed that no player knows; leave out the seed.",
            reason="public_seed",
        )
    if any(seat.who == "open" for seat in seats) and not options.public:
        raise Problem("malformed", "Only a public game can have open seats.")
