"""Colours and symbols are distinguishable, also with colour blindness: measured on the page."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.server.serving import Server
from tests.web.browsing import Browsing
from tests.web.deals import bring, crowded, hoarded, seat_of
from tests.web.scenes import EDITIONS
from tests.web.vision import MATRICES, Colour, contrast, difference, lab_difference, parse_colour, seen_with

APART = 10.0
"""The smallest CIEDE2000 between two kinds of cards: ten times the just visible difference."""
SEATS_APART = 13.0
"""The smallest CIEDE2000 between two seats: trains are small and far apart."""
SYMBOL = 3.0
"""The smallest contrast of meaningful graphics: WCAG 2.2, 1.4.11."""
TEXT = 4.5
"""The smallest contrast of text: WCAG 2.2, 1.4.3."""

_LOOK = """() => {
  const style = (part) => getComputedStyle(part);
  const paint = (path) => (style(path).fill === "none" ? style(path).stroke : style(path).fill);
  const root = style(document.querySelector("[data-testid=table]"));
  const solid = (name) => {
    const probe = document.createElement("i");
    probe.style.color = root.getPropertyValue(name);
    document.body.append(probe);
    const colour = style(probe).color;
    probe.remove();
    return colour;
  };
  const opacity = (part) => (part === null ? 1 : Number(style(part).opacity) * opacity(part.parentElement));
  const spaces = Object.fromEntries([...document.querySelectorAll("defs [id^=space-]")].map((space) => {
    const [field, path] = [space.querySelector("rect"), space.querySelector(".symbol path")];
    return [space.id.slice(6), { fill: style(field).fill, edge: style(field).stroke, symbol: path && {
      d: path.getAttribute("d"), paint: paint(path), opacity: opacity(path) } }];
  }));
  const trains = [...document.querySelectorAll("defs [id^=train-]")].map((train) => {
    const [outer, inner] = train.querySelectorAll(".edge");
    const shape = [...train.querySelectorAll("path")].at(-1);
    return { fill: style(inner).fill, edges: [style(outer).stroke, style(inner).stroke],
      outline: inner.getAttribute("d"), shape: shape.getAttribute("d"), paint: paint(shape) };
  });
  const cards = Object.fromEntries([...document.querySelectorAll("[data-testid=hand-card]")].map((card) => {
    const [field] = card.querySelectorAll("svg.card rect");
    const path = card.querySelector(".symbol path") ?? card.querySelector(".vehicle path");
    return [card.dataset.kind, { fill: style(field).fill, edge: style(field).stroke,
      symbol: { d: path.getAttribute("d"), paint: paint(path), opacity: opacity(path) } }];
  }));
  const names = ["--land", "--land-abroad", "--water", "--park", "--paper", "--paper-raised"];
  const grounds = Object.fromEntries(names.map((name) => [name, solid(name)]));
  const text = document.querySelector(".city text");
  return { spaces, trains, cards, grounds, ink: style(text).fill, halo: style(text).stroke,
    lit: solid("--lit"), ring: solid("--focus"), turn: solid("--gold"), pin: solid("--pin"),
    focus: solid("--accent"), bad: solid("--bad") };
}"""
_USES = """() => Object.fromEntries([...document.querySelectorAll("[data-testid=route]")].map((route) =>
  [route.dataset.route, [...route.querySelectorAll("use")].map((use) => use.getAttribute("href"))]))"""

Look = dict[str, Any]
THEMES = ["light", "dark"]


def sit(browsing: Browsing, server: Server, edition: str, theme: str) -> Page:
    """Open a table at which the reader holds many cards."""
    created = bring(
        server, hoarded(edition, 2, "colours 1", 8 if edition == "new-york" else 16), "here", "here"
    )
    page = browsing.sit(seat_of(created, 0), theme=theme)
    page.get_by_test_id("hand-card").first.wait_for()
    return page


@pytest.fixture(scope="module", params=[(edition, theme) for edition in EDITIONS for theme in THEMES])
def look(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Look:
    """Return every meaningful colour of a page."""
    edition, theme = request.param
    browsing = Browsing(browser, server.url)
    found = sit(browsing, server, edition, theme).evaluate(_LOOK)
    browsing.close()
    colours = server.get(f"/api/editions/{edition}").json["colours"]
    assert set(found["cards"]) == {*colours, "loco"}, "The hand must contain every kind."
    return found | {"colours": colours}


def seen(text: str, vision: str) -> Colour:
    return seen_with(vision, parse_colour(text))


def expect_contrast(one: str, other: str, least: float, what: str) -> None:
    for vision in MATRICES:
        found = contrast(seen(one, vision), seen(other, vision))
        assert found >= least, f"{what}: {found:.2f} with {vision}"


@pytest.mark.parametrize("vision", MATRICES)
def test_cards_and_seats_look_different(vision: str, look: Look) -> None:
    cards = {kind: seen(card["fill"], vision) for kind, card in look["cards"].items()}
    for one, other in combinations(cards, 2):
        assert difference(cards[one], cards[other]) >= APART, (one, other)
    spaces = {kind: seen(look["spaces"][kind]["fill"], vision) for kind in look["colours"]}
    for one, other in combinations(spaces, 2):
        assert difference(spaces[one], spaces[other]) >= APART, (one, other)
    seats = [seen(train["fill"], vision) for train in look["trains"]]
    assert len(seats) == 5
    for one, other in combinations(seats, 2):
        assert difference(one, other) >= SEATS_APART, (one, other)


def test_symbols_are_different_and_stand_out(look: Look) -> None:
    symbols = {kind: card["symbol"]["d"] for kind, card in look["cards"].items()}
    assert len(set(symbols.values())) == len(symbols)
    for kind, card in look["cards"].items():
        assert card["symbol"]["opacity"] == 1
        expect_contrast(card["symbol"]["paint"], card["fill"], SYMBOL, f"the symbol of a {kind} card")
    for kind in look["colours"]:
        space = look["spaces"][kind]
        assert space["symbol"]["d"] == symbols[kind]
        assert space["symbol"]["opacity"] == 1
        expect_contrast(space["symbol"]["paint"], space["fill"], SYMBOL, f"the symbol of a {kind} space")
    assert look["spaces"]["grey"]["symbol"] is None, "Grey routes have no symbol."
    shapes = [train["shape"] for train in look["trains"]]
    assert len(set(shapes)) == len(shapes) == 5
    for seat, train in enumerate(look["trains"]):
        expect_contrast(train["paint"], train["fill"], SYMBOL, f"the shape of seat {seat}")


def test_pieces_of_every_seat_have_an_outline_of_their_own(look: Look) -> None:
    outlines = [train["outline"] for train in look["trains"]]
    assert len(set(outlines)) == len(outlines) == 5


def test_outlines_stand_out_from_the_map(look: Look) -> None:
    for name, ground in look["grounds"].items():
        for kind, space in look["spaces"].items():
            expect_contrast(space["edge"], ground, SYMBOL, f"the edge of a {kind} space on {name}")
        for vision in MATRICES:
            for train in look["trains"]:
                edges = [contrast(seen(edge, vision), seen(ground, vision)) for edge in train["edges"]]
                assert max(edges) >= SYMBOL, (name, vision, edges)
    for name in ("--land", "--land-abroad", "--water"):
        for what in ("lit", "ring", "turn", "pin", "focus", "bad"):
            expect_contrast(look[what], look["grounds"][name], SYMBOL, f"{what} on {name}")
    for name in ("--paper", "--paper-raised"):
        for kind, card in look["cards"].items():
            expect_contrast(
                card["edge"], look["grounds"][name], SYMBOL, f"the edge of a {kind} card on {name}"
            )
        expect_contrast(look["ring"], look["grounds"][name], SYMBOL, f"what marks the focus on {name}")


def test_names_of_cities_can_be_read(look: Look) -> None:
    expect_contrast(look["ink"], look["halo"], TEXT, "a name and its border")
    for name, ground in look["grounds"].items():
        expect_contrast(look["ink"], ground, TEXT, f"a name on {name}")


@pytest.mark.parametrize("edition", ["usa-classic", "new-york"])
def test_every_space_of_a_route_and_every_train_carries_its_symbol(
    edition: str, browsing: Browsing, server: Server
) -> None:
    game = crowded(edition, 4, 11)
    created = bring(server, game, *["here"] * 4)
    page = browsing.sit(seat_of(created, 0))
    page.get_by_test_id("table").wait_for()
    drawn: dict[str, list[str]] = page.evaluate(_USES)
    owners = game.view(0).owners
    assert {route.name for route in game.edition.board.routes} == set(drawn)
    for route in game.edition.board.routes:
        owner = owners.get(route.name)
        piece = f"#space-{route.colour}" if owner is None else f"#train-{owner}"
        assert drawn[route.name] == [piece] * route.length


# The measurement itself

SHARMA = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]
"""Published test pairs of the formula, with their difference to four decimals."""


@pytest.mark.parametrize(("one", "other", "expected"), SHARMA)
def test_the_colour_difference_matches_published_values(one: Colour, other: Colour, expected: float) -> None:
    assert lab_difference(one, other) == pytest.approx(expected, abs=0.00005)
    assert lab_difference(other, one) == pytest.approx(expected, abs=0.00005)


def test_contrast_follows_wcag() -> None:
    assert contrast(parse_colour("#767676"), parse_colour("#ffffff")) == pytest.approx(4.54, abs=0.005)
    assert contrast(parse_colour("#949494"), parse_colour("#ffffff")) == pytest.approx(3.03, abs=0.005)


@pytest.mark.parametrize("vision", MATRICES)
def test_greys_look_the_same_with_every_colour_vision(vision: str) -> None:
    for grey in range(0, 256, 51):
        colour = (grey / 255, grey / 255, grey / 255)
        assert difference(seen_with(vision, colour), colour) < 0.1


def test_colour_blindness_reduces_differences() -> None:
    red, green, blue, teal = map(parse_colour, ("#d2443f", "#4e9a4f", "#3f7fd0", "#35857f"))
    assert difference(red, green) > 50
    assert difference(seen_with("deuteranopia", red), seen_with("deuteranopia", green)) < 6
    assert difference(blue, teal) > 3 * difference(
        seen_with("tritanopia", blue), seen_with("tritanopia", teal)
    )
    assert all(one != other for one, other in pairwise(MATRICES.values()))
