"""The longest path (F-3): exact on every network, and never slow.

The reference is a brute-force search from every city. It shares no code with the engine.
"""

from __future__ import annotations

import itertools
import random
import time
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

from goldenspike.boards import Board, load_board, parse_board
from goldenspike.editions import load_edition, parse_edition
from goldenspike.engine import trail
from goldenspike.engine.bits import NO_BITS, bit, lowest
from goldenspike.engine.compile import IS_INTERPRETED
from goldenspike.engine.events import LOG, SMALL_LOG
from goldenspike.engine.sweep import EDGES, TOO_WIDE, sweep
from goldenspike.engine.tables import build_tables
from tests.engine.hard_networks import HARD, USA_HARD, parse_network

Edges = list[tuple[int, int, int]]
"""Routes as two cities and a length."""

_njit: Any = numba.njit
"""Not `compiled`, because its cached code for a test would not be invalidated by changes of the engine."""

LIMIT = 0.050
"""Time limit in seconds for any network of 45 trains."""


LOGS, SMALL_LOGS = np.zeros(1, LOG), np.zeros(1, SMALL_LOG)


@_njit
def _longest(tables: Any, owned_0: np.uint64, owned_1: np.uint64, floor: int, logs: Any) -> int:
    return trail.longest_trail(tables[0], owned_0, owned_1, floor, logs[0].network, logs[0].sweep)


def longest(tables: Any, owned_0: np.uint64, owned_1: np.uint64, floor: int, logs: Any = LOGS) -> int:
    return int(_longest(tables, owned_0, owned_1, floor, logs))


@_njit
def _longest_by(
    tables: Any, owned_0: np.uint64, owned_1: np.uint64, floor: int, is_sweep: int, logs: Any
) -> int:
    network = logs[0].network
    edges = trail._lay_edges(tables[0], owned_0, owned_1, network)
    rest = ~NO_BITS if edges == EDGES else bit(edges) - bit(0)
    best = floor
    while rest != NO_BITS:
        component, _, cities, _ = trail._survey(network, network.ends[0, lowest(rest)], rest)
        rest &= ~component
        if is_sweep:
            best = sweep(network, logs[0].sweep, component, cities, best)
            if best == TOO_WIDE:
                return TOO_WIDE
        elif trail._count_odd(network, cities) > 2:
            best = trail._search_all(network, component, cities, best, 1 << 62)[0]
        else:
            best = max(best, trail._survey(network, lowest(cities), component)[1])
    return best


def longest_by(
    tables: Any, owned_0: np.uint64, owned_1: np.uint64, floor: int, is_sweep: int, logs: Any = LOGS
) -> int:
    """Find the longest trail by the sweep alone, or by the search alone without a step limit."""
    return int(_longest_by(tables, owned_0, owned_1, floor, is_sweep, logs))


def brute_force(edges: Edges) -> int:
    """Return the longest trail by trying every unused edge from every city."""

    @cache
    def onward(city: int, used: int) -> int:
        ways = [0]
        for i, (a, b, length) in enumerate(edges):
            if city in {a, b} and not used >> i & 1:
                ways.append(length + onward(a + b - city, used | 1 << i))
        return max(ways)

    return max((onward(city, 0) for edge in edges for city in edge[:2]), default=0)


def board_of(edges: Edges, cities: int = 0) -> Board:
    """Return a board with these routes, and routes of length 9 that connect its parts."""
    cities = max([cities, 3, *(1 + city for edge in edges for city in edge[:2])])
    codes = ["".join(code) for code in itertools.islice(itertools.product("ABCD", repeat=3), cities)]
    known = {frozenset(edge[:2]) for edge in edges}
    joined, more = {0}, list[tuple[int, int, int]]()
    while len(joined) < cities:
        grown = {city for pair in known if pair & joined for city in pair} - joined
        if not grown:
            stray = min(set(range(cities)) - joined)
            more.append((0, stray, 9))
            grown = {stray}
        joined |= grown
    rows = [
        f'{{ a = "{codes[a]}", b = "{codes[b]}", length = {n}, colour = "grey" }},'
        for a, b, n in [*edges, *more]
    ]
    places = [f'{code} = {{ name = "City {code}", at = [{i}, {i}] }}' for i, code in enumerate(codes)]
    head = ["format = 1", 'id = "net"', 'name = "Net"', 'colours = ["red"]']
    pairs = [f'{{ a = "{codes[0]}", b = "{code}" }},' for code in codes[1:3]]
    tickets = ["[tickets]", "all = [", *pairs, "]"]
    return parse_board("\n".join([*head, "routes = [", *rows, "]", "[cities]", *places, *tickets]))


EDITION = """
format = 1
id = "net"
name = "Net"
board = "net.toml"
minutes = [1, 2]
players = [2, 2]
pieces = 64
opening_hand = 1
face_up = 0
deck = { colour = 50, locomotive = 0 }
route_points = [1, 2, 3, 4, 5, 6, 7, 8, 9]
doubles_close_up_to = 0
[tickets]
flow = "offer"
sets = ["all"]
deal = 1
deal_keep = 1
draw = 1
draw_keep = 1
[end]
when = "few-pieces"
pieces = 2
"""


def tables_of(board: Board) -> Any:
    return build_tables(parse_edition(EDITION, board=board))


def words_of(routes: list[int]) -> tuple[np.uint64, np.uint64]:
    word = sum(1 << route for route in routes)
    return np.uint64(word & 0xFFFF_FFFF_FFFF_FFFF), np.uint64(word >> 64)


def measure(edges: Edges, floor: int = 0) -> int:
    """Return the longest trail over a whole network, which must be the same by every method."""
    tables, owned = tables_of(board_of(edges)), words_of(list(range(len(edges))))
    found = longest(tables, *owned, floor)
    assert longest_by(tables, *owned, floor, 1) == found
    return found


def random_routes(board: Board, chance: random.Random, pieces: int, most: int) -> list[int]:
    """Return routes one player can own: within the pieces, never both lanes of a double (C-6).

    Half the networks grow from a city, so that they have loops; the others are scattered.
    """
    routes, cities, left = list[int](), set[int](), pieces
    is_grown, order = chance.random() < 0.5, list(board.routes)
    chance.shuffle(order)
    while len(routes) < most:
        fits = [r for r in order if r.index not in routes and r.twin not in routes and r.length <= left]
        near = [r for r in fits if {r.a, r.b} & cities]
        inside = [r for r in near if {r.a, r.b} <= cities]
        if not fits:
            break
        route = ((inside or near) if is_grown and near and chance.random() < 0.9 else fits)[0]
        routes.append(route.index)
        cities |= {route.a, route.b}
        left -= route.length
    return routes


def edges_of(board: Board, routes: list[int]) -> Edges:
    return [(board.routes[i].a, board.routes[i].b, board.routes[i].length) for i in routes]


def verify(board: Board, tables: Any, routes: list[int], chance: random.Random) -> None:
    """Compare brute force with the whole algorithm, the sweep, the search, and a search above a floor."""
    expected, owned = brute_force(edges_of(board, routes)), words_of(routes)
    assert longest(tables, *owned, 0) == expected, routes
    assert longest_by(tables, *owned, 0, 1) == expected, routes
    assert longest_by(tables, *owned, 0, 0) == expected, routes
    floor = max(0, expected + chance.randint(-3, 2))
    assert longest(tables, *owned, floor) == max(expected, floor), (routes, floor)
    assert longest_by(tables, *owned, floor, 1) == max(expected, floor), (routes, floor)


def random_board(chance: random.Random) -> Board:
    """Return a board of few cities and many routes: dense, sparse or a grid, with short or mixed lengths."""
    cities = chance.randint(5, 14)
    pairs = list(itertools.combinations(range(cities), 2))
    if chance.random() < 0.3:
        pairs = [(a, b) for a, b in pairs if b - a in {1, 4}]
    lengths = chance.choice([(1,), (1, 2), (1, 2, 3, 4, 5, 6, 7, 8, 9)])
    chosen = chance.sample(pairs, min(len(pairs), chance.randint(cities, 40)))
    return board_of([(a, b, chance.choice(lengths)) for a, b in chosen], cities)


HAND_MADE = {
    "nothing": ("", 0),
    "one route": ("0-1:6", 6),
    "a line": ("0-1 1-2:3 2-3:2", 6),
    "a loop": ("0-1:2 1-2:2 2-0:2", 6),
    "a star of three": ("0-1:2 0-2:3 0-3:4", 7),
    "a star of five": ("0-1 0-2 0-3 0-4 0-5", 2),
    "a figure eight": ("0-1 1-2 2-0 0-3 3-4 4-0", 6),
    "two triangles with a route between": ("0-1 1-2 2-0 0-3:5 3-4 4-5 5-3", 11),
    "two triangles apart": ("0-1 1-2:2 2-0 3-4:3 4-5 5-3", 5),
    "a city passed three times": ("6-0 0-1 1-2 2-0 0-3 3-4 4-0 0-5", 8),
    "a loop with three tails": ("0-1 1-2 2-0 0-3:3 1-4:2 2-5", 7),
    "three loops on a fork": ("0-1:2 0-2:2 0-3:2 1-4 4-5 5-1 2-6 6-7 7-2 3-8 8-9 9-3", 10),
    "four cities, all joined": ("0-1 0-2 0-3 1-2 1-3 2-3", 5),
    "three houses, three wells": ("0-3 0-4 0-5 1-3 1-4 1-5 2-3 2-4 2-5", 7),
    "a ladder": ("0-1 1-2 2-3 4-5 5-6 6-7 0-4 1-5 2-6 3-7", 9),
    "a triangle apart from the tails": ("0-5:6 2-3:9 1-2:6 1-5:2 4-6:6 2-4:2 1-3:9 4-5:8 3-4:2", 40),
}


@pytest.mark.parametrize("name", HAND_MADE)
def test_hand_made_networks(name: str) -> None:
    """F-3, with lengths worked out by hand."""
    text, expected = HAND_MADE[name]
    edges = parse_network(text)
    assert brute_force(edges) == expected
    assert measure(edges) == expected


def test_an_empty_network_has_no_path() -> None:
    """F-3, R-7: without routes the result is 0 or the floor."""
    tables = build_tables(load_edition("usa-classic"))
    assert longest(tables, *words_of([]), 0) == 0
    assert longest(tables, *words_of([]), 7) == 7


def test_a_path_may_repeat_cities_but_not_routes() -> None:
    """F-3: on the USA board neither a tree's span nor a simple path is enough."""
    usa = load_board("usa")
    names = ["DAL-OKC/1", "LIT-OKC", "DAL-LIT", "DAL-HOU/1", "HOU-NOL", "LIT-NOL"]
    routes = [usa_route(usa, name) for name in names]
    assert longest(build_tables(load_edition("usa-classic")), *words_of(routes), 0) == 2 + 2 + 2 + 1 + 2 + 3


def usa_route(usa: Board, name: str) -> int:
    return next(route.index for route in usa.routes if route.name == name)


@pytest.mark.parametrize("edition_id", ["usa-classic", "new-york", "first-journey"])
def test_random_networks_of_official_boards(edition_id: str) -> None:
    """F-3."""
    edition, chance = load_edition(edition_id), random.Random(3)
    tables = build_tables(edition)
    for _ in range(250):
        routes = random_routes(edition.board, chance, edition.pieces, 13)
        verify(edition.board, tables, routes, chance)


def test_random_networks_of_synthetic_boards() -> None:
    """F-3."""
    chance = random.Random(4)
    for _ in range(25):
        board = random_board(chance)
        tables = tables_of(board)
        for _ in range(20):
            verify(board, tables, random_routes(board, chance, 64, chance.randint(1, 13)), chance)


@pytest.mark.slow
def test_many_random_networks() -> None:
    """F-3: the same comparison with more and larger networks."""
    chance = random.Random(5)
    editions = [load_edition(edition_id) for edition_id in ("usa-classic", "new-york", "first-journey")]
    for _ in range(1500):
        edition = chance.choice(editions)
        routes = random_routes(edition.board, chance, edition.pieces, 15)
        verify(edition.board, build_tables(edition), routes, chance)
    for _ in range(150):
        board = random_board(chance)
        tables = tables_of(board)
        for _ in range(10):
            verify(board, tables, random_routes(board, chance, 64, chance.randint(8, 15)), chance)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        pytest.param([(i, i + 1, 1) for i in range(63)], 63, id="line"),
        pytest.param([(i, (i + 1) % 64, 1) for i in range(64)], 64, id="ring"),
        pytest.param([(a, 8 + b, 1) for a in range(8) for b in range(8)], 64, id="all even"),
        pytest.param([(0, i, 1) for i in range(1, 64)], 2, id="star"),
        pytest.param([(2 * i, 2 * i + 1, 1) for i in range(32)], 1, id="scattered"),
        # 21 odd cities with three edges lose one edge each, except the two ends.
        pytest.param([(a, 3 + b, 1) for a in range(3) for b in range(21)], 63 - 19, id="three hubs"),
        # A path through all 40 cities takes 39 edges, and each end has a third edge that it may use.
        pytest.param(
            [(i, (i + d) % 40, 1) for i in range(40) for d in (1, 20) if d == 1 or i < 20], 41, id="rungs"
        ),
    ],
)
def test_largest_networks(edges: Edges, expected: int) -> None:
    """F-3: with up to 64 routes, the most that one player can own, and up to 64 cities."""
    assert len(edges) <= EDGES
    assert measure(edges) == expected


def test_routes_of_the_second_word_count() -> None:
    """F-3: on a board of 128 routes, 64 of them owned, anywhere among them."""
    chance = random.Random(6)
    pairs = chance.sample(list(itertools.combinations(range(40), 2)), 120)
    board = board_of([(a, b, 1) for a, b in pairs], 40)
    tables = tables_of(board)
    for _ in range(20):
        routes = sorted(chance.sample(range(120), 64))
        found = longest(tables, *words_of(routes), 0)
        assert found == measure(edges_of(board, routes))


@pytest.mark.parametrize("name", HARD)
def test_hard_networks(name: str) -> None:
    """F-3: the results do not change, also above a floor.

    The expected values come from the sweep, because most of these networks are too hard for brute force and
    for the search alone.
    """
    text, expected = HARD[name]
    edges = parse_network(text)
    assert measure(edges) == expected
    for floor in (expected - 2, expected - 1, expected, expected + 1):
        assert measure(edges, floor) == max(expected, floor)


def test_a_sweep_without_space_for_all_states_gives_way_to_the_search() -> None:
    """F-3: the length is exact, whatever the size of the memory."""
    text, expected = HARD["flower snark 7"]
    edges = parse_network(text)
    tables, owned = tables_of(board_of(edges)), words_of(list(range(len(edges))))
    assert longest_by(tables, *owned, 0, 1, SMALL_LOGS) == TOO_WIDE
    assert longest(tables, *owned, 0, SMALL_LOGS) == expected


def test_the_hardest_network_of_the_usa_board_fits_a_small_memory() -> None:
    """F-3: so the search without a step limit, which may take hours, is not needed on a GPU."""
    usa = load_board("usa")
    owned = words_of([usa_route(usa, name) for name in USA_HARD[0].split()])
    tables = build_tables(load_edition("usa-classic"))
    assert longest_by(tables, *owned, 0, 1, SMALL_LOGS) == USA_HARD[1]
    assert longest(tables, *owned, 0, SMALL_LOGS) == USA_HARD[1]


@pytest.mark.skipif(IS_INTERPRETED, reason="the limit is for compiled rules")
@pytest.mark.parametrize("name", [name for name in HARD if not name.endswith("64")])
def test_hard_networks_are_not_slow(name: str) -> None:
    """V-6: nothing that 45 trains can build takes more than 50 ms."""
    edges = parse_network(HARD[name][0])
    assert sum(length for _, _, length in edges) <= 45
    tables, owned = tables_of(board_of(edges)), words_of(list(range(len(edges))))
    assert best_time(tables, owned) < LIMIT


@pytest.mark.skipif(IS_INTERPRETED, reason="the limit is for compiled rules")
def test_the_hardest_network_of_the_usa_is_not_slow() -> None:
    """V-6."""
    usa = load_board("usa")
    routes = [usa_route(usa, name) for name in USA_HARD[0].split()]
    assert sum(usa.routes[route].length for route in routes) <= 45
    tables, owned = build_tables(load_edition("usa-classic")), words_of(routes)
    assert longest(tables, *owned, 0) == longest_by(tables, *owned, 0, 0) == USA_HARD[1]
    assert best_time(tables, owned) < LIMIT


def best_time(tables: Any, owned: tuple[np.uint64, np.uint64]) -> float:
    """Return the CPU time in seconds, because other processes may be using the machine."""
    times = list[float]()
    for _ in range(6):
        start = time.thread_time()
        longest(tables, *owned, 0)
        times.append(time.thread_time() - start)
    return min(times)
