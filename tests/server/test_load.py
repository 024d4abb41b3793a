"""Load measurement: the small client that creates the load, and the command that measures with it."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from array import array
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from goldenspike.bench.load import meters
from goldenspike.bench.load.client_socket import ClientSocket, Tally
from goldenspike.bench.load.frames import Frames, frame
from goldenspike.bench.load.replies import LoadAck, LoadRefused, LoadUpdate, LoadWelcome, read_message
from goldenspike.bench.load.requests import Address, read_figures
from goldenspike.bench.load.tables import Figures, LoadGame, LoadSeat, Pace
from goldenspike.bench.load.watchers import Crowd, CrowdOrder
from goldenspike.cli import main
from goldenspike.exit_codes import FAILED
from tests.server.serving import Server, within

TINY = ["bench", "server", "--games", "4", "--seconds", "2", "--rate", "20"]


class RecordingSocket(ClientSocket):
    """A client that keeps all received messages."""

    def __init__(self, link: str) -> None:
        self.tally = Tally()
        super().__init__(link, self.tally)
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.lost = asyncio.Event()

    def hear(self, data: bytes) -> None:
        self.heard.put_nowait(data)

    def lose(self) -> None:
        self.lost.set()


def address_of(server: Server) -> Address:
    parts = urlsplit(server.url)
    assert parts.hostname is not None
    assert parts.port is not None
    return Address(parts.hostname, parts.port)


async def connect(server: Server, link: str) -> RecordingSocket:
    loop = asyncio.get_running_loop()
    _, client_socket = await loop.create_connection(lambda: RecordingSocket(link), *address_of(server))
    return client_socket


async def until_closed(table: LoadGame) -> None:
    while not all(seat.closed for seat in table.seats):
        await asyncio.sleep(0.01)


@given(st.lists(st.binary(max_size=300), max_size=5), st.lists(st.integers(1, 50)), st.integers(0, 70_000))
def test_frames_of_another_implementation_are_read_however_they_are_cut(
    messages: list[bytes], cuts: list[int], long: int
) -> None:
    messages.append(bytes(long))
    stream = b"".join(Frame(Opcode.TEXT, data).serialize(mask=False) for data in messages)
    frames, found, at = Frames(), list[bytes](), 0
    for cut in [*cuts, len(stream)]:
        found += [data for _, data in frames.take(stream[at : at + cut])]
        at += cut
    assert found == messages


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_another_implementation_reads_what_is_framed(size: int) -> None:
    data = (bytes(range(256)) * 257)[:size]
    reader = StreamReader()
    reader.feed_data(frame(data))
    reading = Frame.parse(reader.read_exact, mask=True)
    with pytest.raises(StopIteration) as found:
        next(reading)
    assert found.value.value == Frame(Opcode.TEXT, data)
    assert not reader.buffer


def test_a_message_in_pieces_is_refused() -> None:
    with pytest.raises(ValueError, match="several frames"):
        Frames().take(Frame(Opcode.TEXT, b"half", fin=False).serialize(mask=False))


@within(60)
async def test_a_real_server_and_the_small_client_understand_each_other(server: Server) -> None:
    links = server.create("usa-classic", "here", "here").seats
    first, second = [await connect(server, link or "") for link in links]
    for client_socket in (first, second):
        assert isinstance(read_message(await client_socket.heard.get()), LoadWelcome)
    long = "x" * 400  # its size does not fit into the first byte
    first.say(json.dumps({"type": "say", "id": "1", "text": long}).encode())
    while not isinstance(message := read_message(await first.heard.get()), LoadAck):
        pass
    assert message.n == 1
    while not (isinstance(message := read_message(await second.heard.get()), LoadUpdate) and message.entries):
        pass
    assert (message.entries[0].n, message.entries[0].kind, message.entries[0].seat) == (1, "said", 0)
    first.say(b'{"type":"play","id":"2","move":"claim everything"}')
    while not isinstance(message := read_message(await first.heard.get()), LoadRefused):
        pass
    assert first.tally.sent > 500
    assert first.tally.received > 1000
    for client_socket in (first, second):
        client_socket.close()
        await client_socket.lost.wait()


@within(60)
async def test_a_link_that_opens_nothing_is_an_error_with_the_servers_sentence(server: Server) -> None:
    table = LoadGame(["no.link"], Figures(), Pace(Random(1)))
    with pytest.raises(ConnectionError, match="does not exist"):
        await table.connect(address_of(server))
    await until_closed(table)


@within(120)
async def test_a_table_plays_to_its_end_and_times_every_move(server: Server) -> None:
    figures, pace = Figures(), Pace(Random(1))
    links = [link or "" for link in server.create("new-york", "here", "here").seats]
    table = LoadGame(links, figures, pace)
    await table.connect(address_of(server))
    pace.is_on = True
    table.start()
    await table.over
    table.close()
    await until_closed(table)
    moves = len(figures.acknowledged)
    assert moves > 20
    assert len(figures.told) == moves
    assert all(0 < seconds < 60 for seconds in (*figures.acknowledged, *figures.told))
    assert not figures.refused
    figures_of_server = await read_figures(Address("127.0.0.1", server.metrics_port()))
    assert figures_of_server["goldenspike_entries_total"] >= moves


@within(60)
async def test_a_second_welcome_stops_the_timing_of_that_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LoadSeat, "say", lambda *_: None)
    figures, pace = Figures(), Pace(Random(1))
    first, second = LoadGame(["a.b", "a.c"], figures, pace).seats

    def hear(**message: object) -> None:
        second.hear(json.dumps({"view": {"phase": "turn"}, "own": {"legal": []}} | message).encode())

    hear(type="welcome", last=0)
    for number in range(1, 4):
        first._legal = [1]
        first.move()
        if number == 2:
            hear(type="welcome", last=2)
        else:
            hear(type="update", entries=[{"n": number, "kind": "moved", "seat": 0}])
    assert len(figures.told) == 1


@within(60)
async def test_refused_watchers_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(*_: object) -> tuple[None, None]:
        return None, None

    monkeypatch.setattr("goldenspike.bench.load.watchers._PATIENCE", 0.1)
    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", connect)
    order = CrowdOrder(Address("127.0.0.1", 1), [], "new-york", 2, watchers=3, moves=1)
    with pytest.raises(OSError, match="0 of 3 watchers were let in; try fewer"):
        await Crowd(order, lambda _: None)._connect("a.b")


def test_a_pace_offers_so_many_moves_a_second() -> None:
    pace = Pace(Random(1))
    pace.interval = 0.5
    due = [0.0]
    for _ in range(1000):
        due.append(pace.next_due(due[-1], now=0.0))
    assert due[-1] / 1000 == pytest.approx(0.5, rel=0.05)
    assert pace.next_due(0.0, now=100.0) == 100.0
    pace.interval = 0.0
    assert pace.next_due(50.0, now=10.0) == 10.0


def test_a_spread_without_values_is_nan() -> None:
    assert str(meters.Spread.of(array("d")).worst) == "nan"


def test_too_few_open_files_are_reported_with_advice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (100, 200))
    assert main([*TINY, "--watchers", "1000"]) == FAILED
    error = capsys.readouterr().err
    assert "1,500 open sockets" in error
    assert "--watchers" in error


def test_the_soft_limit_of_open_files_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[tuple[int, int]] = []
    monkeypatch.setattr("resource.getrlimit", lambda _: (100, 5000))
    monkeypatch.setattr("resource.setrlimit", lambda _, limits: changed.append(limits))
    meters.raise_open_files(3000)
    assert changed == [(3000, 5000)]


@pytest.mark.parametrize("wrong", [["--games", "0"], ["--seconds", "0"], ["--watchers", "-1"]])
def test_invalid_numbers_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TINY, *wrong]) == FAILED
    assert "at least" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_measures_a_server_and_prints_its_table() -> None:
    command = [sys.executable, "-m", "goldenspike", *TINY, "--watchers", "30"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900)
    for figure in ("moves acknowledged", "99th percentile", "memory of a live game", "entries in a commit"):
        assert figure in done.stdout
    assert "30 watchers" in done.stdout
    assert "100.00%" in done.stdout
    assert "--database" in done.stderr


@pytest.mark.slow
def test_a_measurement_that_is_ended_leaves_nothing_running() -> None:
    command = [sys.executable, "-m", "goldenspike", *TINY, "--watchers", "0", "--seconds", "600"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as bench:
        assert bench.stderr is not None
        next(line for line in bench.stderr if "playing" in line)
        started = meters.children(bench.pid)
        assert len(started) == 2  # the server and the load
        bench.terminate()
        assert bench.wait(60) == 128 + signal.SIGTERM
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


@pytest.mark.slow
def test_several_processes_are_measured_against_one(postgres_url: str, redis_url: str) -> None:
    services = ["--database", postgres_url, "--redis", redis_url, "--json"]
    command = [sys.executable, "-m", "goldenspike", *TINY, "--watchers", "0", *services]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900)
    results = json.loads(done.stdout)["server"]
    assert "crowd" not in results
    for part in ("play", "one_process", "processes"):
        assert all(run["moves"] > 0 and run["commits"] > 0 for run in results[part]["runs"])
        assert not results[part]["refused"]
        assert not results[part]["lost"]
