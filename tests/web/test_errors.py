"""Failures around a game: the page reports each in a sentence and offers a way to continue."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from goldenspike.version import VERSION
from tests.server.serving import Server
from tests.web.browsing import EXPECT_MS, LAPTOP, PHONE, SOCKET, Browsing, Screen
from tests.web.deals import begun, bring, seat_of
from tests.web.player import MousePlayer
from tests.web.sight import look, wait_until

CUT = ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "WebSocket connection", "ERR_FAILED", "status of 40")
OUTDATED = "This page is out of date. Reload it to keep playing; nothing is lost."
BAD_LINK = "This link is not valid. Copy the whole link, or ask for it again."
HANG_ONCE = """{
  const Real = WebSocket;
  let made = 0;
  window.WebSocket = function (url) { return made++ ? new Real(url) : { close() {} }; };
}"""
"""The first socket of a page gets no answer, as with a lost mobile connection."""
FAST_BOTS = ("--bot-seconds", "0.02")


def expect_sentence(part: Locator) -> str:
    """Check that a part of the page shows a sentence; return it."""
    expect(part).to_have_text(re.compile(r"^\s*\S.* .*[.…!?]"))
    expect(part).to_be_in_viewport()
    return part.inner_text()


def expect_start(page: Page) -> None:
    """Check that the start page is open and usable."""
    expect(page.get_by_role("button", name="Play now")).to_be_enabled()


# The server is unreachable


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Start a server that may be killed; later calls restart it with the same address and games."""
    started: list[Server] = []

    def start() -> Server:
        port = ["--port", str(urlsplit(started[0].url).port)] if started else []
        started.append(Server(tmp_path, *FAST_BOTS, *port))
        return started[-1].wait_ready()

    yield start
    for server in started:
        server.stop()


def stop_trying(page: Page) -> None:
    """Stop the clock of a page, so that its timers do not fire."""
    page.clock.pause_at(page.evaluate("Date.now() + 5_000"))


def test_a_server_that_is_killed_and_comes_back_loses_no_move(
    browser: Browser, mortal: Callable[[], Server]
) -> None:
    server = mortal()
    browsing = Browsing(browser, server.url)
    game = bring(server, begun("new-york", 2, "killed"), "here", "here")
    visitor = browsing.visitor()
    visitor.forgive(*CUT)
    visitor.context.clock.install()
    page = visitor.open(browsing.address(f"table/{seat_of(game, 0)}"))
    player = MousePlayer(page)
    before = player.wait_turn()
    player.step(before)
    server.stop(signal.SIGKILL)
    banner = page.get_by_test_id("reconnecting")
    assert "Reconnecting" in expect_sentence(banner)
    player.draw()
    assert sum(look(page).hand.values()) == sum(before.hand.values()) + 1
    stop_trying(page)
    server = mortal()
    banner.get_by_role("button", name="Try now").click()
    page.clock.resume()
    after = wait_until(page, lambda sight: not sight.can_move)
    expect(banner).to_be_hidden()
    assert sum(after.hand.values()) == sum(before.hand.values()) + 2
    other = MousePlayer(browsing.sit(seat_of(game, 1)))
    last = server.show(game.watch).last
    other.step(other.wait_turn())
    assert server.show(game.watch).last > last
    browsing.close()


def test_the_start_page_of_a_server_that_was_killed_deals_once_it_is_back(
    browser: Browser, mortal: Callable[[], Server]
) -> None:
    server = mortal()
    browsing = Browsing(browser, server.url)
    page = browsing.open()
    browsing.visitor_of(page).forgive(*CUT)
    expect_start(page)
    server.stop(signal.SIGKILL)
    page.get_by_role("button", name="Play now").click()
    expect_sentence(page.get_by_role("alert"))
    mortal()
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_test_id("offer")).to_be_visible()
    browsing.close()


@pytest.mark.parametrize("place", ["", "rules/new-york", "guide"])
def test_a_screen_that_could_not_be_read_is_read_when_asked_again(place: str, browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.forgive(*CUT)
    visitor.context.route("**/api/**", lambda route: route.abort())
    page = visitor.open(browsing.address(place))
    assert "Cannot reach the server" in expect_sentence(page.get_by_role("alert"))
    visitor.context.unroute("**/api/**")
    page.get_by_role("button", name="Try again").click()
    there = {"": "Create game", "rules/new-york": "Back", "guide": "Keep 0 tickets"}[place]
    expect(page.get_by_text(there)).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_table_that_cannot_be_reached_says_so_and_goes_on_trying(
    browsing: Browsing, server: Server
) -> None:
    game = server.create("new-york", "here", "easy", first=0)
    visitor = browsing.visitor()
    visitor.forgive(*CUT)
    is_gone = True

    def answer(socket: WebSocketRoute) -> None:
        if is_gone:
            socket.close()
        else:
            socket.connect_to_server()

    visitor.context.route_web_socket(SOCKET, answer)
    visitor.context.clock.install()
    page = visitor.open(browsing.address(f"table/{seat_of(game, 0)}"))
    expect(page.get_by_role("status")).to_have_text("Loading …")
    stop_trying(page)
    assert "keeps trying" in expect_sentence(page.get_by_role("status").filter(has_text="keeps trying"))
    is_gone = False
    page.get_by_role("button", name="Try now").click()
    page.clock.resume()
    expect(page.get_by_test_id("offer")).to_be_visible()


def test_an_attempt_that_gets_no_answer_is_given_up_when_asked(browsing: Browsing, server: Server) -> None:
    game = server.create("new-york", "here", "easy", first=0)
    visitor = browsing.visitor()
    visitor.forgive(*CUT)
    visitor.context.add_init_script(HANG_ONCE)
    visitor.context.clock.install()
    page = visitor.open(browsing.address(f"table/{seat_of(game, 0)}"))
    expect(page.get_by_role("status")).to_have_text("Loading …")
    page.clock.fast_forward(5_000)
    page.get_by_role("button", name="Try now").click()
    expect(page.get_by_test_id("offer")).to_be_visible()


@pytest.mark.parametrize("how", ["tapped meanwhile", "refused"])
def test_a_move_made_while_the_database_is_away_is_done_once_it_is_back(
    how: str, browsing: Browsing, server: Server
) -> None:
    game = bring(server, begun("new-york", 2, "away"), "here", "here")
    visitor = browsing.visitor()
    ends: list[WebSocketRoute] = []
    is_away = False

    def say(**message: object) -> None:
        ends[-1].send(json.dumps(message))

    def answer(socket: WebSocketRoute) -> None:
        ends.append(socket)
        to_server = socket.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            command = json.loads(data)
            if is_away and command["type"] == "play":
                say(type="refused", code="unavailable", message="The database is away.", id=command["id"])
                say(type="status", status="reconnecting")
            else:
                to_server.send(data)

        socket.on_message(pass_on)

    visitor.context.route_web_socket(SOCKET, answer)
    visitor.context.clock.install()
    page = visitor.open(browsing.address(f"table/{seat_of(game, 0)}"))
    player = MousePlayer(page)
    before = player.wait_turn()
    is_away = True
    if how == "tapped meanwhile":
        say(type="status", status="reconnecting")
        expect(page.get_by_test_id("reconnecting")).to_be_visible()
    player.draw()
    expect(page.get_by_test_id("reconnecting")).to_be_visible()
    expect(page.get_by_role("button", name="Try now")).to_be_hidden()  # the server is reachable again
    page.clock.fast_forward(5_000)
    assert look(page).hand == before.hand
    is_away = False
    say(type="status", status="connected")
    after = wait_until(page, lambda sight: sight.is_second_card, EXPECT_MS)
    assert sum(after.hand.values()) == sum(before.hand.values()) + 1
    player.draw()
    wait_until(page, lambda sight: not sight.can_move)
    assert server.show(game.watch).view.to_move == [1]


# The game does not exist, or the link is invalid


@pytest.mark.parametrize("screen", [LAPTOP, PHONE])
def test_a_game_that_is_not_there_any_more(screen: Screen, browsing: Browsing) -> None:
    page = browsing.sit("nosuchgame12.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", screen)
    expect(page.get_by_role("heading")).to_have_text("This game no longer exists.")
    page.get_by_role("button", name="Home").click()
    expect_start(page)


@pytest.mark.parametrize(
    "link", ["nonsense", "%E0%A4%A", "a/b?c=%00", "%F0%9F%9A%82.%F0%9F%9A%82", "x" * 15 + "." + "y" * 3000]
)
def test_a_mangled_link_opens_nothing_and_says_so(link: str, browsing: Browsing) -> None:
    page = browsing.sit(link)
    expect(page.get_by_role("heading")).to_have_text(BAD_LINK)
    page.get_by_role("button", name="Home").click()
    expect_start(page)


@pytest.mark.parametrize("link", ["nonsense", "%E0%A4%A", "%F0%9F%9A%82.x", "nosuchgame12.AAAAAAAAAAAAAAAA"])
def test_a_mangled_link_to_a_replay(link: str, browsing: Browsing) -> None:
    page = browsing.open(f"replay/{link}/0")
    browsing.visitor_of(page).forgive("status of 40")
    expect_sentence(page.get_by_role("alert"))
    page.get_by_role("link", name="Home").click()
    expect_start(page)


def test_a_link_of_a_seat_with_a_letter_missing(browsing: Browsing, server: Server) -> None:
    game = server.create("new-york", "here", "easy")
    page = browsing.sit(seat_of(game, 0)[:-1])
    expect(page.get_by_role("heading")).to_have_text(BAD_LINK)


@pytest.mark.parametrize("text", ["100% sure", "come and play with us", "%"])
def test_a_text_without_a_link_is_no_way_to_join(text: str, page: Page) -> None:
    page.get_by_label("Invitation or link").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text(BAD_LINK)
    expect_start(page)


# The page is outdated, or did not load completely


def greet_as(
    browsing: Browsing, change: Callable[[dict[str, object]], dict[str, object]]
) -> Callable[[], None]:
    """Change the server's welcome messages for a visitor; the returned function stops it."""
    is_on = True

    def answer(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(data: str | bytes) -> None:
            message = json.loads(data)
            socket.send(json.dumps(change(message)) if is_on and message["type"] == "welcome" else data)

        server.on_message(pass_on)

    def end() -> None:
        nonlocal is_on
        is_on = False

    browsing.visitors[-1].context.route_web_socket(SOCKET, answer)
    return end


@pytest.mark.parametrize(
    "change",
    [
        lambda welcome: welcome | {"version": "99.0.0"},
        lambda _: {"type": "refused", "code": "malformed", "message": "What?", "id": None, "rule": None},
    ],
    ids=["newer", "another protocol"],
)
def test_a_page_from_before_an_upgrade_asks_to_be_loaded_again(
    change: Callable[[dict[str, object]], dict[str, object]], browsing: Browsing, server: Server
) -> None:
    game = server.create("new-york", "here", "easy", first=0)
    visitor = browsing.visitor()
    upgrade = greet_as(browsing, change)
    page = visitor.open(browsing.address(f"table/{seat_of(game, 0)}"))
    expect(page.get_by_role("heading")).to_have_text(OUTDATED)
    upgrade()
    page.get_by_role("button", name="Reload page").click()
    expect(page.get_by_test_id("offer")).to_be_visible()


def test_the_page_has_the_version_of_the_server() -> None:
    package = Path(__file__).parents[2] / "web" / "package.json"
    assert json.loads(package.read_text())["version"] == VERSION


@pytest.mark.parametrize("how", ["gone", "cut"])
def test_a_page_whose_program_does_not_come_offers_to_load_it_again(
    how: str, browsing: Browsing, server: Server
) -> None:
    game = server.create("new-york", "here", "easy", first=0)
    visitor = browsing.visitor()
    visitor.forgive(*CUT)
    visitor.context.route(
        "**/assets/*.js",
        lambda route: route.abort() if how == "cut" else route.continue_(url=f"{server.url}/assets/old.js"),
    )
    page = visitor.open(browsing.address(f"table/{seat_of(game, 0)}"))
    expect_sentence(page.get_by_role("heading"))
    visitor.context.unroute("**/assets/*.js")
    page.get_by_role("button", name="Reload page").click()
    expect(page.get_by_test_id("offer")).to_be_visible()


def test_a_script_error_is_reported_and_the_page_can_be_reloaded(browsing: Browsing) -> None:
    visitor = browsing.visitor()
    visitor.forgive("TypeError")
    visitor.context.route(
        "**/api/editions/", lambda route: route.fulfill(json={"editions": [{"id": "usa-classic"}]})
    )
    page = visitor.open(browsing.address(""))
    expect_sentence(page.get_by_role("heading"))
    visitor.context.unroute("**/api/editions/")
    page.get_by_role("button", name="Reload page").click()
    expect_start(page)


# A damaged record


def records() -> dict[str, str]:
    """Return invalid records, by their fault."""
    sound = begun("new-york", 2, "record").record()
    return {
        "empty": "",
        "no record": "Dear diary,\nwe played trains.\n",
        "other JSON": '{"a": [1, 2, 3]}\n',
        "cut off": sound[: len(sound) // 2],
        "changed": sound.replace("keep", "take", 1),
    }


@pytest.mark.parametrize("wrong", list(records()))
def test_a_broken_record_is_refused_with_a_sentence_and_another_can_be_chosen(
    wrong: str, browsing: Browsing
) -> None:
    page = browsing.open(screen=PHONE)
    browsing.visitor_of(page).forgive("status of 4")
    expect_start(page)
    choose(page, records()[wrong])
    expect_sentence(page.get_by_role("alert"))
    choose(page, begun("new-york", 2, "record").record())
    expect(page.get_by_test_id("moment")).to_contain_text("Start of the game")


def choose(page: Page, record: str) -> None:
    """Open a saved game from a file."""
    with page.expect_file_chooser() as choosing:
        page.get_by_text("Choose a file …").click()
    choosing.value.set_files(
        [{"name": "game.jsonl", "mimeType": "text/plain", "buffer": record.encode()}],
    )


# What proxies can see


def test_the_address_of_a_socket_names_the_game_and_no_secret(browsing: Browsing, server: Server) -> None:
    link = seat_of(server.create("new-york", "here", "easy", first=0), 0)
    game, _, secret = link.partition(".")
    for given, seen in ((link, game), (secret, ""), (f"{secret}.{game}", "")):
        page = browsing.visitor().context.new_page()
        with page.expect_websocket() as opened:
            page.goto(browsing.address(f"table/{given}"))
        assert urlsplit(opened.value.url).query == f"game={seen}"
