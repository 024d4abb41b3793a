"""Countable costs of the page: bytes, changed elements, frames, memory.

What a clock would have to tell is measured by ``goldenspike bench page``.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from goldenspike.bench.page import GAMES, MOST_BYTES, PROBE, SETTINGS, Inside
from tests.server.serving import Server
from tests.web.browsing import LAPTOP, Browsing, Visitor
from tests.web.deals import bring, hoarded, played, seat_of
from tests.web.scenes import EDITIONS, Stage, all_claimed

FRAMES = 60


@pytest.fixture
def stage(browsing: Browsing, server: Server) -> Stage:
    return Stage(browsing, server, LAPTOP)


def probed(browsing: Browsing, place: str) -> Page:
    """Open a page with a script that records events and their times."""
    visitor = browsing.visitor()
    visitor.context.add_init_script(PROBE)
    return visitor.open(browsing.address(place))


@pytest.mark.parametrize("edition", EDITIONS)
def test_from_a_cold_cache_to_a_table_takes_few_bytes(
    edition: str, browsing: Browsing, server: Server
) -> None:
    page = probed(browsing, "")
    page.get_by_role("button", name="Create game").wait_for()
    link = seat_of(server.create(edition, "here", "easy"), 0)
    page.evaluate("(link) => { location.hash = `#/table/${link}`; }", link)
    page.get_by_test_id("hand").wait_for()
    assert 0 < page.evaluate("probe.bytes()") < MOST_BYTES


def test_the_benchmark_measures_a_page_without_pauses(browsing: Browsing, server: Server) -> None:
    browsing.visitors.append(Visitor(browsing.browser, LAPTOP, SETTINGS))
    link = seat_of(server.create("usa-classic", "here", "easy"), 0)
    page = browsing.visitors[-1].open(browsing.address(f"table/{link}"))
    table = page.get_by_test_id("table")
    assert table.evaluate("(table) => table.style.getPropertyValue('--pace')") == "0"
    page.goto(browsing.address("settings"))
    expect(page.get_by_label("Pace of the game")).to_have_value("instant")


def test_a_claim_changes_its_route_and_no_other(browsing: Browsing, server: Server) -> None:
    game = hoarded("usa-classic", 4, "mixed", 5)
    created = bring(server, game, *["here"] * 4)
    page = probed(browsing, f"table/{created.watch}")
    page.locator("[data-route]").first.wait_for()
    page.evaluate("probe.watch()")
    move = game.legal_moves(0).of_kind("claim")[0]
    route = str(move).split()[1]
    server.command(seat_of(created, 0), type="play", id="claim", move=str(move)).read(dict)
    expect(page.locator(f"[data-route='{route}']")).to_have_attribute("data-owner", "0")
    assert set(page.evaluate("probe.changes()")) == {route}


def test_a_claim_is_drawn_in_the_first_frame_after_its_event(browsing: Browsing, server: Server) -> None:
    game = hoarded("usa-classic", 4, "mixed", 5)
    created = bring(server, game, *["here"] * 4)
    page = probed(browsing, f"table/{created.watch}")
    page.locator("[data-route]").first.wait_for()
    move = game.legal_moves(0).of_kind("claim")[0]
    server.command(seat_of(created, 0), type="play", id="claim", move=str(move)).read(dict)
    page.wait_for_function("() => probe.claims.length === 1")
    assert page.evaluate("probe.claims[0].frames") <= 1


def test_dragging_and_zooming_moves_one_thing_and_lays_nothing_out(stage: Stage) -> None:
    page = all_claimed("usa-mega")(stage)
    page.evaluate(PROBE)
    inside = Inside(page)
    board = page.get_by_test_id("board").bounding_box()
    assert board is not None
    x, y = board["x"] + board["width"] / 2, board["y"] + board["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -600)
    page.get_by_label("Fit map").wait_for()
    page.mouse.down()  # moves the focus to the element below
    page.mouse.move(x + 10, y)
    page.evaluate("probe.watch()")
    before = inside.count("LayoutCount")
    for step in range(FRAMES):
        page.mouse.move(x + 10 - 3 * step, y - step)
    after = inside.count("LayoutCount")
    page.mouse.up()
    assert set(page.evaluate("probe.changes()")) <= {"board style"}
    assert after - before <= 2


def test_a_hundred_games_in_one_tab_leave_nothing_behind(browsing: Browsing, server: Server) -> None:
    game = played("first-journey", 2, "the end", lambda _: False)
    page = browsing.open("settings")
    inside = Inside(page)
    sizes: dict[int, tuple[float, float]] = {}
    for number in range(1, GAMES + 1):
        created = bring(server, game, "easy", "easy", after=len(game.played) - 4)
        page.evaluate("(link) => { location.hash = `#/table/${link}`; }", created.watch)
        page.get_by_test_id("winner").wait_for()
        page.evaluate("() => { location.hash = '#/settings'; }")
        page.get_by_role("heading", name="Settings").wait_for()
        if number in {10, GAMES}:
            sizes[number] = inside.collect_garbage()
    (heap, nodes), (heap_after, nodes_after) = sizes[10], sizes[GAMES]
    assert nodes_after <= nodes * 1.05 + 50, (
        f"{nodes} parts of the page after 10 games, {nodes_after} after 100"
    )
    assert heap_after <= heap * 1.1 + 500_000, f"{heap} bytes after 10 games, {heap_after} after 100"
