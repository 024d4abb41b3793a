"""Players who use only the page: with a mouse, touch or the keyboard."""

from __future__ import annotations

import re
from typing import ClassVar

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as LateError

from tests.web.sight import Sight, look, wait_until

ANSWER_MS = 5_000
"""How long a player waits for a reaction before tapping again."""
STILL_MS = 200
"""The board stops moving within this time after a gesture."""
LONGEST_GAME = 600
DOUBLE_CLICK_MS = 450
"""Two taps within this time count as one, so that no route is claimed before its preview was seen."""

_FIND_ROUTE = """(name) => {
  const route = document.querySelector(`[data-route="${CSS.escape(name)}"]`);
  for (const space of route.querySelectorAll("use")) {
    const box = space.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (document.elementFromPoint(x, y)?.closest("[data-route]") === route) return [x, y];
  }
  return null;
}"""


class PagePlayer:
    """A player driving the page; subclasses define the input device."""

    def __init__(self, page: Page, patience: int = 3) -> None:
        self.page = page
        self.patience = patience
        """The shortest route to claim while there are cards to draw."""
        self.lost: list[str] = []
        """Actions that had no effect at first and were repeated."""

    # Defined by the input device

    def press(self, button: Locator) -> None:
        """Press a button."""
        raise NotImplementedError

    def point(self, route: str) -> None:
        """Point at a route."""
        raise NotImplementedError

    # Moves

    def part(self, testid: str) -> Locator:
        """Return a part of the page."""
        return self.page.get_by_test_id(testid)

    def draw(self) -> None:
        """Draw from the deck."""
        self.press(self.part("deck"))

    def take(self, slot: int) -> None:
        """Take a face-up card."""
        self.press(self.part("row-card").nth(slot))

    def draw_tickets(self) -> None:
        """Draw or swap tickets, and confirm."""
        self.press(self.part("ticket-deck"))
        self.press(self.part("draw-tickets"))

    def keep(self, count: int) -> None:
        """Keep the first of the offered tickets."""
        for i in range(count):
            self.press(self.part("offer-ticket").nth(i))
        self.press(self.part("keep"))

    def claim(self, route: str) -> None:
        """Claim a route with the payment that is chosen for it at once."""
        self.point(route)
        self.part("claim").wait_for()
        self.press(self.part("confirm-claim"))

    def give_up_turn(self) -> None:
        """Pass."""
        self.press(self.part("pass"))

    def undo(self) -> None:
        """Undo the last action."""
        self.press(self.part("undo"))

    # Playing by a simple plan

    def wait_turn(self) -> Sight:
        """Wait until this seat can act or the game is over."""
        return wait_until(self.page, lambda sight: sight.can_move or sight.is_over)

    def least_to_keep(self) -> int:
        """Return how many of the offered tickets must be kept."""
        found = re.search(r"at least (\d+)", self.part("offer").inner_text())
        assert found, self.part("offer").inner_text()
        return int(found[1])

    def move(self, sight: Sight) -> str:
        """Make one move of a simple plan: long routes first, else cards. Return what was done."""
        longest = max(sight.claims, key=lambda name: sight.claims[name], default=None)
        takes = [slot for slot, (_, may) in enumerate(sight.row) if may]
        if sight.offer:
            self.keep(self.least_to_keep())
            return "keep"
        if longest and (sight.claims[longest] >= self.patience or not (takes or sight.may_draw)):
            self.claim(longest)
            return f"claim {longest}"
        if takes and not (sight.may_draw and len(sight.text) % 2):  # alternate
            self.take(takes[0])
            return f"take {takes[0]}"
        if sight.may_draw:
            self.draw()
            return "draw"
        if sight.may_pass:
            self.give_up_turn()
            return "pass"
        self.draw_tickets()
        return "tickets"

    def step(self, sight: Sight) -> Sight:
        """Make a move and wait until the page shows its result."""
        done = self.move(sight)
        is_silent = done in {"pass", "tickets"}
        try:
            return wait_until(
                self.page,
                lambda now: now.own != sight.own or (is_silent and now.text != sight.text),
                ANSWER_MS,
            )
        except LateError:
            self.lost.append(done)
            return look(self.page)

    def play_on(self, moves: int = LONGEST_GAME) -> Sight:
        """Play until the game is over, or for a number of moves."""
        sight = self.wait_turn()
        for _ in range(moves):
            if sight.is_over:
                return sight
            self.step(sight)
            sight = self.wait_turn()
        assert moves < LONGEST_GAME or sight.is_over, f"The game does not end: {sight.sentence}"
        return sight


class MousePlayer(PagePlayer):
    """A player with a mouse."""

    def press(self, button: Locator) -> None:
        button.click()

    def point(self, route: str) -> None:
        self.page.mouse.click(*find_route(self.page, route))


class TouchPlayer(PagePlayer):
    """A player on a touch screen."""

    WIDE_ENOUGH: ClassVar = 9.0
    """Width of a space that a finger can hit, in pixels; below it the player zooms in first."""

    def press(self, button: Locator) -> None:
        button.tap()

    def point(self, route: str) -> None:
        x, y, width = self.find(route)
        if width < self.WIDE_ENOUGH:
            whole = self.page.get_by_label("Fit map")
            if whole.is_visible():
                whole.tap()
                self.page.wait_for_timeout(STILL_MS)
                x, y, width = self.find(route)
            spread(self.page, x, y, 1.4 * self.WIDE_ENOUGH / width)
            x, y, _ = self.find(route)
        self.page.touchscreen.tap(x, y)

    def find(self, route: str) -> tuple[float, float, float]:
        """Return the centre of a route on the page, and the width of its spaces; 0 if it is not in view."""
        x, y, width = self.page.evaluate(_MEASURE_ROUTE, route)
        return x, y, width


class KeyPlayer(PagePlayer):
    """A player with only a keyboard."""

    ARROWS: ClassVar = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowUp": (0, -1), "ArrowDown": (0, 1)}

    def __init__(self, page: Page, patience: int = 3) -> None:
        super().__init__(page, patience)
        self.by_arrows = 0
        self.by_command = 0

    def type(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)

    def press(self, button: Locator) -> None:
        """Press Tab until the button has the focus, then press it."""
        button.wait_for()
        for _ in range(150):
            if button.evaluate("(button) => button === document.activeElement"):
                self.type("Enter")
                return
            self.type("Tab")
        raise AssertionError(f"The tab key does not reach {button}.")

    def draw(self) -> None:
        self.leave()
        self.type("d")

    def take(self, slot: int) -> None:
        self.leave()
        self.type(str(slot + 1))

    def draw_tickets(self) -> None:
        self.leave()
        self.type("t")
        self.press(self.part("draw-tickets"))

    def undo(self) -> None:
        self.leave()
        self.type("u")

    def give_up_turn(self) -> None:
        self.command("pass")

    def leave(self) -> None:
        """Leave a text field; elsewhere cancel what was begun."""
        self.type("Escape")

    def command(self, text: str) -> None:
        """Type a move in words."""
        self.leave()
        self.type("/")
        self.page.wait_for_function("() => document.activeElement?.id === 'command'")
        self.page.keyboard.type(text)
        self.type("Enter")

    def claim(self, route: str) -> None:
        """Go to the route with arrow keys and press Enter until it is claimed; if none lead there, type."""
        self.leave()
        if self.walk(route):
            self.by_arrows += 1
            self.type("Enter")
            self.part("claim").wait_for()
            self.page.wait_for_timeout(DOUBLE_CLICK_MS)
            self.type("Enter")
        else:
            self.by_command += 1
            self.command(f"claim {route}")

    def walk(self, route: str, steps: int = 40) -> bool:
        """Move the focus over the board towards a route; return whether it was reached."""
        self.type("b")
        been: set[tuple[str, str]] = set()
        for _ in range(steps):
            where, dx, dy = self.page.evaluate(_WAY_TO, route)
            if where == route:
                return True
            ways = sorted(self.ARROWS, key=lambda key: -(self.ARROWS[key][0] * dx + self.ARROWS[key][1] * dy))
            way = next((key for key in ways if (where, key) not in been), None)
            if way is None:
                return False
            been.add((where, way))
            self.type(way)
        return False


_WAY_TO = """(name) => {
  const middle = (part) => {
    const box = part.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const focus = document.activeElement;
  const [x, y] = middle(document.querySelector(`[data-route="${CSS.escape(name)}"]`));
  const [fromX, fromY] = middle(focus);
  return [focus.dataset.route ?? focus.dataset.stop ?? "", x - fromX, y - fromY];
}"""


_MEASURE_ROUTE = """(name) => {
  const spaces = [...document.querySelectorAll(`[data-route="${CSS.escape(name)}"] use`)];
  const space = spaces[Math.floor(spaces.length / 2)];
  const box = space.getBoundingClientRect();
  const { a, b } = space.getScreenCTM();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const isSeen = document.elementFromPoint(x, y)?.closest(".frame") != null;
  return [x, y, isSeen ? space.getBBox().height * Math.hypot(a, b) : 0];
}"""


def spread(page: Page, x: float, y: float, factor: float, steps: int = 6) -> None:
    """Spread two fingers around a point, and wait until the board stops moving."""
    fingers = page.context.new_cdp_session(page)
    frame = page.get_by_test_id("board").bounding_box()
    assert frame is not None
    reach = min(x - frame["x"], frame["x"] + frame["width"] - x, 100)
    near = max(4.0, reach / factor)

    def touch(kind: str, apart: float | None) -> None:
        points = (
            [] if apart is None else [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        )
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", near)
    for step in range(1, steps + 1):
        touch("touchMove", near * factor ** (step / steps))
    touch("touchEnd", None)
    fingers.detach()
    page.wait_for_timeout(STILL_MS)


def find_route(page: Page, route: str) -> tuple[float, float]:
    """Return a point of a route that is not covered."""
    point = page.evaluate(_FIND_ROUTE, route)
    assert point is not None, f"No space of {route} can be pointed at."
    return point[0], point[1]
