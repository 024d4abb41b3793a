"""Benchmarks of ``goldenspike bench page``: the web page in a real browser."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import sys
import tempfile
import urllib.request
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldenspike.bench.figures import Figure
from goldenspike.bench.load.processes import start_server
from goldenspike.extras import how_to_install_library

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
"""The script injected into a page to note when things happen in it."""
MOST_BYTES = 250_000
"""Fonts and drawings included."""
MOST_START_MS = 1_500
MOST_TABLE_MS = 150
MOST_CLAIM_MS = 25
"""Of the median claim."""
MOST_SLOW_CLAIM_MS = 100
MOST_FRAME_MS = 50
GAMES = 100
_EDITION = "usa-mega"
_SEATS = 5
_BROWSERS = ("chromium-headless-shell", "chromium")
"""The system's browsers, best first; without any, Playwright uses the one it may have downloaded."""
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SETTINGS: dict[str, object] = {"pace": "instant", "theme": "light", "isSoundOffered": True}
"""The settings of a reader who wants no pauses: otherwise their length would be measured."""
_STEPS = 120
_CLAIMS = 20
_WAIT_MS = 120_000


def measure_page(repeat: int, games: int = GAMES) -> list[Figure]:
    """Measure everything, and report progress on stderr."""
    with tempfile.TemporaryDirectory(prefix="goldenspike-bench-") as folder:
        database = f"sqlite:///{Path(folder) / 'games.db'}"
        with start_server(database, bot_seconds="0.02") as server, _start_browser() as browser:
            bench = _PageBench(browser, f"http://{server.address.host}:{server.address.port}")
            parts: list[tuple[str, Callable[[], list[Figure]]]] = [
                ("loading", lambda: bench.measure_loading(repeat)),
                ("claims", bench.measure_claims),
                ("moving the board", lambda: bench.measure_frames(repeat)),
                (f"{games} games in one tab", lambda: bench.measure_memory(games)),
            ]
            figures: list[Figure] = []
            for name, measure in parts:
                print(f"{name} ...", file=sys.stderr, flush=True)
                figures += measure()
            return figures


@contextmanager
def _start_browser() -> Generator[Browser]:
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415
    except ImportError as error:
        raise OSError(
            f"The page is measured with Playwright. {how_to_install_library('playwright')}"
        ) from error
    with sync_playwright() as playwright:
        own = next(filter(None, map(shutil.which, _BROWSERS)), None)
        try:
            browser = playwright.chromium.launch(args=_FLAGS, executable_path=own)
        except Error as error:
            reason = error.message.partition("\n")[0].rstrip(".")
            raise OSError(f"No browser starts ({reason}); install the package {_BROWSERS[0]}.") from error
        try:
            yield browser
        finally:
            browser.close()


class Inside:
    """Figures of a page that only the browser's developer tools protocol provides."""

    def __init__(self, page: Page) -> None:
        self._session: Any = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")

    def count(self, name: str) -> float:
        """Return one of the browser's counters, such as LayoutCount."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in metrics if metric["name"] == name)

    def collect_garbage(self) -> tuple[float, float]:
        """Collect garbage; return the bytes of the heap and the number of DOM nodes left."""
        for _ in range(2):
            self._session.send("HeapProfiler.collectGarbage")
        return self.count("JSHeapUsedSize"), self.count("Nodes")


class _PageBench:
    """A server's page, opened in a new browser context each time."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url

    def measure_loading(self, repeat: int) -> list[Figure]:
        """Load the page from a cold cache, go on to a table, and load a table directly."""
        sizes: list[float] = []
        starts: list[float] = []
        tables: list[float] = []
        for _ in range(repeat):
            with self._open("") as page:
                starts.append(self._ready(page))
                page.evaluate("(hash) => { location.hash = hash; }", f"#/table/{self._deal('link')}")
                page.locator("[data-testid=hand]").wait_for()
                sizes.append(float(page.evaluate("probe.bytes()")) / 1000)
            with self._open(f"table/{self._deal('link')}") as page:
                tables.append(self._ready(page))
        return [
            _least("bytes of the page and a table, compressed", sizes, "kB", MOST_BYTES // 1000),
            _least("until the start page can be used", starts, "ms", MOST_START_MS),
            _least("until a table can be used", tables, "ms", MOST_TABLE_MS),
        ]

    def measure_claims(self) -> list[Figure]:
        """Watch a game at human pace and time each claim from its event to the screen."""
        created = self._ask("/api/games", {"edition": _EDITION, "seats": [{"who": "link"}] * _SEATS})
        listed = self._ask(f"/api/editions/{_EDITION}")["moves"]
        kinds = {int(number): str(move["kind"]) for number, move in listed.items()}
        with self._open(f"table/{created['watch']}") as page:
            page.locator("[data-route]").first.wait_for()
            for count in range(_CLAIMS):
                while not self._play(created["seats"], kinds):
                    pass
                page.wait_for_function("(count) => probe.claims.length > count", arg=count)
            times = [float(claim["ms"]) for claim in page.evaluate("probe.claims")]
        return [
            _least("from the event of a claim to its picture", times, "ms", MOST_CLAIM_MS),
            Figure("slowest claim", max(times), max(times), "ms", f"{MOST_SLOW_CLAIM_MS}"),
        ]

    def _play(self, links: list[str], kinds: dict[int, str]) -> bool:
        """Make a move for the seat to move: a claim if there is one. Tell whether it was."""
        for link in links:
            game = f"/api/games/{link.partition('.')[0]}"
            legal = self._ask(game, link=link)["own"]["legal"]
            if not legal:
                continue
            ranks = {"claim": 0, "keep": 1, "draw": 2}
            move = min(legal, key=lambda number: ranks.get(kinds[number], 9))
            self._ask(f"{game}/commands", {"type": "play", "id": str(uuid.uuid4()), "move": move}, link)
            return kinds[move] == "claim"
        raise OSError("No player in the game can move.")

    def measure_frames(self, repeat: int) -> list[Figure]:
        """Drag and zoom a board on which every route is claimed."""
        link = self._deal("link")
        worst: list[float] = []
        usual: list[float] = []
        work: list[float] = []
        for _ in range(repeat):
            with self._open(f"table/{link}", claims_all=True) as page:
                page.locator("[data-route][data-owner]").first.wait_for()
                frames, busy = self._move(page)
                worst.append(max(frames))
                usual.append(statistics.median(frames))
                work.append(busy)
        return [
            _least("a frame while the board is moved", usual, "ms", "16.7"),
            _least("longest frame", worst, "ms", MOST_FRAME_MS),
            _least("work of the page in a frame", work, "ms", ""),
        ]

    def _move(self, page: Page) -> tuple[list[float], float]:
        inside = Inside(page)
        box = page.get_by_test_id("board").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        busy = inside.count("TaskDuration")
        page.evaluate("probe.film()")
        for step in range(_STEPS):
            page.mouse.wheel(0, -30 if step < _STEPS / 2 else 20)
        page.mouse.down()
        for step in range(_STEPS):
            page.mouse.move(x + 2 * step, y + step)
        page.mouse.up()
        frames: list[float] = page.evaluate("probe.cut()")
        return frames, (inside.count("TaskDuration") - busy) * 1000 / len(frames)

    def measure_memory(self, games: int) -> list[Figure]:
        """Watch many games in one tab, one after the other, and compare the memory at the end."""
        with self._open("settings") as page:
            inside = Inside(page)
            sizes = [(1.0, 1.0)]
            for number in range(1, games + 1):
                link = self._deal("easy", "first-journey", 2, is_watched=True)
                page.evaluate("(hash) => { location.hash = hash; }", f"#/table/{link}")
                page.locator("[data-testid=winner]").wait_for()
                page.evaluate("() => { location.hash = '#/settings'; }")
                page.get_by_role("heading", name="Settings").wait_for()
                if number == max(1, games // 10):
                    sizes = [inside.collect_garbage()]
            sizes.append(inside.collect_garbage())
        (heap, nodes), (heap_after, nodes_after) = sizes
        return [
            _least(
                f"memory after {games} games against a tenth of them", [heap_after / heap], "times", "1.1"
            ),
            _least(
                f"DOM nodes after {games} games against a tenth of them",
                [nodes_after / nodes],
                "times",
                "1.05",
            ),
        ]

    @contextmanager
    def _open(self, place: str, *, claims_all: bool = False) -> Generator[Page]:
        context = self._browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(_WAIT_MS)
        context.add_init_script(
            f"localStorage['goldenspike.settings'] ??= {json.dumps(json.dumps(SETTINGS))}"
        )
        context.add_init_script(PROBE)
        if claims_all:
            routes = [route["name"] for route in self._ask(f"/api/editions/{_EDITION}")["routes"]]
            context.route_web_socket(
                re.compile(r"/api/socket\?"), lambda page_end: _claim_all(page_end, routes)
            )
        try:
            page = context.new_page()
            page.goto(f"{self._url}/#/{place}")
            yield page
        finally:
            context.close()

    @staticmethod
    def _ready(page: Page) -> float:
        return float(page.wait_for_function("() => probe.ready").json_value())

    def _deal(
        self, who: str, edition: str = _EDITION, seats: int = _SEATS, *, is_watched: bool = False
    ) -> str:
        wish = {"who": who} if who == "link" else {"who": "bot", "level": who}
        created = self._ask("/api/games", {"edition": edition, "seats": [wish] * seats})
        return created["watch"] if is_watched else created["seats"][0]

    def _ask(self, path: str, body: object = None, link: str = "") -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {link}"} if link else {})
        request = urllib.request.Request(self._url + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def _claim_all(page_end: WebSocketRoute, routes: list[str]) -> None:
    """Change the messages to the page so that every route looks claimed, as in no real game."""

    def tell(text: str | bytes) -> None:
        message = json.loads(text)
        seats = message.get("view", {}).get("seats", [])
        for seat, view in enumerate(seats):
            view["routes"] = routes[seat :: len(seats)]
        page_end.send(json.dumps(message))

    page_end.connect_to_server().on_message(tell)


def _least(name: str, values: list[float], unit: str, goal: float | str) -> Figure:
    return Figure(name, min(values), statistics.median(values), unit, f"{goal}")
