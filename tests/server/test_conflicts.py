"""Two processes, one game: of two conflicting commands exactly one is carried out, and all clients see it."""

from __future__ import annotations

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from goldenspike.editions import load_edition
from goldenspike.game.position import Position
from goldenspike.game.seeds import read_seed
from goldenspike.server.play.entry import Entry
from goldenspike.server.protocol.client import Client, RefusedError
from goldenspike.server.protocol.messages import Ack, AnyCommand, Created, Play, Reply, Say, Undo
from tests.server.players import RandomPlayer, check_game, play_all, players_of
from tests.server.process_tree import processes, send
from tests.server.processes import PEOPLE, GameServer
from tests.server.services import RedisServer
from tests.server.waiting import wait_until

Pair = tuple[GameServer, GameServer]

pytestmark = pytest.mark.slow
BOTS = [{"who": "bot", "level": "easy"}, {"who": "bot", "level": "easy"}, {"who": "bot", "level": "easy"}]


class ContestedGame:
    """A game that is played at both processes, with a local copy that predicts the result of each move."""

    def __init__(self, game: Created, mirror: Position, clients: list[list[Client]]) -> None:
        self.game, self.mirror = game, mirror
        self.clients = clients
        """For each process the clients of the seats, then a spectator."""
        self.codes: Counter[str] = Counter()

    @classmethod
    @asynccontextmanager
    async def lay(cls, pair: Pair, number: int, seats: int = 2) -> AsyncGenerator[ContestedGame]:
        """Deal a game, and connect all clients to both processes."""
        game = pair[0].new_game(seats=PEOPLE[:1] * seats, seed=f"table {number}", first=0)
        mirror, _ = Position.deal(load_edition("new-york"), seats, read_seed(f"table {number}"), 0)
        async with AsyncExitStack() as stack:
            links = [*(link for link in game.seats if link), game.watch]
            clients = [
                [await stack.enter_async_context(Client.connect(server.url, link, -1)) for link in links]
                for server in pair
            ]
            yield cls(game, mirror, clients)

    async def wait(self, answers: Iterable[Ack | Reply | str]) -> None:
        """Wait until all clients have received what was acknowledged, and have received the same."""
        all_clients = [client for process in self.clients for client in process]
        newest = max([client.last for client in all_clients] + [a.n for a in answers if isinstance(a, Ack)])
        for client in all_clients:
            await client.wait(lambda client=client: client.last >= newest)
        assert {client.last for client in all_clients} == {newest}
        assert {str(client.view) for client in all_clients} == {str(all_clients[0].view)}
        for here, there in zip(*self.clients, strict=True):
            assert here.log == there.log
            assert here.own == there.own

    def rivals(self, rng: random.Random) -> tuple[int, list[int]]:
        """Return the seat to move, and two moves that exclude each other; or only one."""
        seat = self.mirror.to_move[0]
        moves = list(self.mirror.legal_moves(seat).numbers)
        rng.shuffle(moves)
        for move in moves:
            after = self.mirror.copy()
            after.play(move, seat)
            for other in moves:
                if other != move and not self._can_follow(after, seat, other):
                    before = self.mirror.copy()
                    before.play(other, seat)
                    if not self._can_follow(before, seat, move):
                        return seat, [move, other]
        return seat, moves[:1]

    @staticmethod
    def _can_follow(position: Position, seat: int, move: int) -> bool:
        return position.refusal(move, seat) is None


async def ask(client: Client, command: AnyCommand) -> Ack | Reply | str:
    """Return the answer to a command, or the code of the refusal."""
    try:
        async with asyncio.timeout(30):
            return await client.send(command)
    except RefusedError as error:
        return error.refusal.code


async def fight(table: ContestedGame, rng: random.Random, most: int) -> None:
    """Play a game in which two tabs of the same player, at different processes, send different moves."""
    for turn in range(most):
        if table.mirror.is_over:
            return
        seat, moves = table.rivals(rng)
        processes = rng.sample([0, 1], len(moves))
        answers = await asyncio.gather(
            *(
                ask(table.clients[process][seat], Play(f"{turn}-{process}", move))
                for process, move in zip(processes, moves, strict=True)
            )
        )
        won = [(ack, move) for ack, move in zip(answers, moves, strict=True) if isinstance(ack, Ack)]
        assert len(won) == 1, (answers, moves)
        table.codes.update(answer for answer in answers if isinstance(answer, str))
        ack, move = won[0]
        table.mirror.play(move, seat)
        assert ack.state_hash == table.mirror.state_hash
        await table.wait(answers)


async def fight_at_tables(pair: Pair, tables: int, rounds: int) -> Counter[str]:
    async with AsyncExitStack() as stack:
        laid = [await stack.enter_async_context(ContestedGame.lay(pair, n)) for n in range(tables)]
        async with asyncio.TaskGroup() as tasks:
            for n, table in enumerate(laid):
                tasks.create_task(fight(table, random.Random(n), rounds))
        return sum((table.codes for table in laid), Counter[str]())


def test_of_two_moves_at_the_same_instant_one_wins(pair: Pair) -> None:
    codes = asyncio.run(fight_at_tables(pair, tables=6, rounds=25))
    assert codes.keys() <= {"conflict", "illegal_move"}
    assert codes["conflict"] > 0


def test_of_many_moves_at_the_same_instant_one_wins_each_time(pair: Pair) -> None:
    codes = asyncio.run(fight_at_tables(pair, tables=30, rounds=100))
    assert codes.keys() <= {"conflict", "illegal_move"}
    assert codes["conflict"] > 0
    assert all(server.failures() == [] for server in pair)


async def choose_at_once(pair: Pair, number: int) -> None:
    async with ContestedGame.lay(pair, number, seats=4) as table:
        wishes = [
            ask(table.clients[seat % 2][seat], Play("keep", random.Random(seat).choice(client.own.legal)))
            for seat, client in enumerate(table.clients[0][:-1])
            if client.own is not None
        ]
        acks = await asyncio.gather(*wishes)
        assert sorted(ack.n for ack in acks if isinstance(ack, Ack)) == [1, 2, 3, 4], acks
        await table.wait(acks)


def test_all_choose_their_first_tickets_at_the_same_instant(pair: Pair) -> None:
    async def choose() -> None:
        await asyncio.gather(*(choose_at_once(pair, n) for n in range(8)))

    asyncio.run(choose())


async def take_back_at_once(pair: Pair, number: int) -> Counter[str]:
    """Let a player ask for an undo while the next player moves at the other process."""
    rng = random.Random(number)
    seen: Counter[str] = Counter()
    async with ContestedGame.lay(pair, number) as table:
        for turn in range(40):
            client = table.clients[0][0]
            assert client.view is not None
            if client.is_over:
                break
            seat = client.view.to_move[0]
            other = 1 - seat
            mover, asker = table.clients[turn % 2][seat], table.clients[1 - turn % 2][other]
            assert mover.own is not None
            wishes = [ask(mover, Play(f"m{turn}", rng.choice(mover.own.legal))), ask(asker, Undo(f"u{turn}"))]
            rng.shuffle(wishes)
            answers = await asyncio.gather(*wishes)
            seen.update(answer if isinstance(answer, str) else "done" for answer in answers)
            await table.wait(answers)
            if answers.count("conflict") == 2:
                pytest.fail("both were told that the other was faster")
    return seen


def test_of_an_undo_and_a_simultaneous_move_one_wins(pair: Pair) -> None:
    async def play() -> Counter[str]:
        found = await asyncio.gather(*(take_back_at_once(pair, n) for n in range(6)))
        return sum(found, Counter[str]())

    seen = asyncio.run(play())
    assert seen.keys() <= {"done", "conflict", "illegal_move", "not_allowed"}
    assert seen["done"] > 100


async def talk_at_once(pair: Pair) -> None:
    async with ContestedGame.lay(pair, 7) as table:
        for turn in range(30):
            seat = table.mirror.to_move[0]
            move = table.mirror.legal_moves(seat).numbers[0]
            speaker, mover = table.clients[turn % 2][1 - seat], table.clients[1 - turn % 2][seat]
            answers = await asyncio.gather(
                ask(speaker, Say(f"s{turn}", "Hurry up!")), ask(mover, Play(f"m{turn}", move))
            )
            assert all(isinstance(answer, Ack) for answer in answers), answers
            table.mirror.play(move, seat)
            await table.wait(answers)


async def send_twice(pair: Pair) -> None:
    """Send every command to both processes at once, and all of them again much later."""
    async with ContestedGame.lay(pair, 1) as table:
        done: list[tuple[int, Play, Ack]] = []
        while len(done) < 40 and not table.mirror.is_over:
            seat = table.mirror.to_move[0]
            move = table.mirror.legal_moves(seat).numbers[-1]
            command = Play(f"{len(done)}", move)
            here, there = await asyncio.gather(*(ask(clients[seat], command) for clients in table.clients))
            assert isinstance(here, Ack)
            assert here == there
            table.mirror.play(move, seat)
            assert here.state_hash == table.mirror.state_hash
            done.append((seat, command, here))
            await table.wait([here])
        for clients in table.clients:
            for seat, command, ack in done:
                assert await ask(clients[seat], command) == ack
        assert {client.last for clients in table.clients for client in clients} == {len(done)}


def test_a_command_sent_to_two_processes_runs_once(pair: Pair) -> None:
    asyncio.run(send_twice(pair))


def test_chat_does_not_conflict_with_moves(pair: Pair) -> None:
    asyncio.run(talk_at_once(pair))


def test_entries_without_a_notification_are_found(pair: Pair) -> None:
    async def watch() -> None:
        game = pair[0].new_game()
        async with Client.connect(pair[0].url, game.watch, -1) as watcher:
            with pair[0].store() as store:
                assert store.append([Entry.said(game.game, 1, 0, 0, "0.1", "My last words.")]) == [True]
            await watcher.wait(lambda: watcher.last == 1)
            assert watcher.log[-1].text == "My last words."

    asyncio.run(watch())


def test_nothing_comes_after_the_largest_number(pair: Pair) -> None:
    game = pair[0].new_game()
    path = f"/api/games/{game.game}/entries?after={2**31 - 1}"
    assert pair[0].call(path, game.watch) == (200, {"entries": [], "last": 0})


async def sit_down_at_once(pair: Pair) -> None:
    game = pair[0].new_game(seats=[PEOPLE[0], {"who": "open"}, {"who": "open"}], public=True)
    path = f"/api/games/{game.game}/join"
    people = [asyncio.to_thread(pair[n % 2].call, path, body={"name": f"Guest {n}"}) for n in range(8)]
    answers = await asyncio.gather(*people)
    seated = [answer["seat"] for status, answer in answers if status == 201]
    assert sorted(seated) == [1, 2]
    # "not_allowed": all come from one address, which gets one seat at each process.
    codes = {answer["code"] for status, answer in answers if status != 201}
    assert codes <= {"conflict", "not_allowed"}
    for server in pair:
        async with Client.connect(server.url, game.watch, -1) as watcher:
            await watcher.wait(lambda: watcher.last == 2)  # called before the next one
            assert [entry.kind for entry in watcher.log] == ["started", "joined", "joined"]


def test_many_want_the_last_seats_at_the_same_instant(pair: Pair) -> None:
    async def sit_down() -> None:
        for _ in range(5):
            await sit_down_at_once(pair)

    asyncio.run(sit_down())


# Bots, and several workers on one port


def test_no_bot_moves_twice(pair: Pair) -> None:
    """Watch at both processes, so that each asks its bots for every game from the start."""
    games = [pair[n % 2].new_game(seats=BOTS) for n in range(4)]
    tables = [[RandomPlayer(server.url, game.watch) for server in pair] for game in games]
    asyncio.run(play_all([player for table in tables for player in table]))
    with pair[0].store() as store:
        for game, table in zip(games, tables, strict=True):
            check_game(store, game, table, pair[0].record(game))
    assert [server.failures() for server in pair] == [[], []]


def test_bots_go_on_when_the_process_that_moved_them_is_killed(pair: Pair, redis: RedisServer) -> None:
    with GameServer(pair[0].database, redis.url) as third:
        third.wait_ready()
        games = [third.new_game(seats=BOTS) for _ in range(3)]
        watchers = [RandomPlayer(pair[1].url, game.watch) for game in games]

        async def watch() -> None:
            async with asyncio.TaskGroup() as tasks, AsyncExitStack() as stack:
                for game in games:  # a client must watch, or no bot would move
                    await stack.enter_async_context(Client.connect(third.url, game.watch))
                tasks.create_task(play_all(watchers))
                while any(watcher.client is None or watcher.client.last < 10 for watcher in watchers):
                    await asyncio.sleep(0.01)
                third.kill()

        asyncio.run(watch())
    with pair[0].store() as store:
        for game, watcher in zip(games, watchers, strict=True):
            check_game(store, game, [watcher], pair[0].record(game))


def test_several_workers_share_a_port(postgres_url: str, redis_url: str) -> None:
    with GameServer(postgres_url, redis_url, workers=2) as server:
        server.wait_ready()
        games = [server.new_game() for _ in range(6)]
        tables = [[*players_of([server.url], game), RandomPlayer(server.url, game.watch)] for game in games]
        players = [player for table in tables for player in table]

        async def play_and_kill() -> None:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play_all(players))
                while sum(len(player.acks) for player in players) < 60:
                    await asyncio.sleep(0.01)
                send(signal.SIGKILL, workers_of(server)[:1])

        workers = workers_of(server)
        assert len(workers) == 2
        asyncio.run(play_and_kill())
        with server.store() as store:
            for game, table in zip(games, tables, strict=True):
                check_game(store, game, table, server.record(game))
        wait_until(lambda: len(started_by(server)) == 3, "there is a worker in the place of the killed one")
        assert set(workers_of(server)) == started_by(server) - {workers[0]}
        no_connections = "goldenspike_connections 0.0"
        wait_until(
            lambda: no_connections in server.metrics(),
            "connections of the killed process are no longer counted",
        )


def started_by(server: GameServer) -> set[int]:
    return {line["pid"] for line in server.log() if line["message"] == "started"}


def workers_of(server: GameServer) -> list[int]:
    """Return the processes that serve games, without the bot processes."""
    known = processes()
    return [
        pid
        for pid in server.children()
        if pid in known and known[pid].parent == server.pid and is_worker(pid)
    ]


def is_worker(pid: int) -> bool:
    return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
