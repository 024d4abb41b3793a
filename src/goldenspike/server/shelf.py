"""The editions that a server offers: those of the package, and home-made ones from a folder."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import msgspec

from goldenspike.boards import Board
from goldenspike.boards.layout import Land, Layout
from goldenspike.editions import Edition, edition_ids, load_edition
from goldenspike.mapmaking import layout_of
from goldenspike.moves import ClaimRoute, KeepTickets, TakeCard
from goldenspike.notation import notation_of
from goldenspike.rulings import rulings_of
from goldenspike.server.problems import Problem

_IN_PICTURES = {"abroad", "land", "water", "park"}
"""The ground in a picture of a board: no borders, no streets."""


class EditionCard(msgspec.Struct, frozen=True):
    """An edition at a glance. `stops` are the cities that its tickets lead to, and how many do."""

    id: str
    name: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    board: str
    cities: int
    tickets: int
    stops: dict[str, int]


class BoardPicture(msgspec.Struct, frozen=True):
    """A board in small: the ground, its cities, and a line of a colour through the spaces of each route."""

    size: tuple[int, int]
    land: list[Land]
    cities: dict[str, tuple[int, int]]
    lines: list[tuple[str, list[int]]]


class CityInfo(msgspec.Struct, frozen=True):
    """A city, and where it is drawn."""

    code: str
    name: str
    x: float
    y: float
    marks: list[str]


class RouteInfo(msgspec.Struct, frozen=True):
    """A lane; `a` and `b` are codes of cities, `twin` is the name of the other lane of a double."""

    name: str
    a: str
    b: str
    length: int
    colour: str
    twin: str | None
    points: int


class TicketInfo(msgspec.Struct, frozen=True):
    """A ticket."""

    name: str
    a: str
    b: str
    points: int


class MoveInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a number of a move means. To keep tickets: bit i of `mask` keeps the i-th of the offer."""

    kind: str
    route: str | None = None
    colour: str | None = None
    cards: int = 0
    locomotives: int = 0
    mask: int = 0


class RulesInfo(msgspec.Struct, frozen=True):
    """The numbers and named choices of an edition, for help in any language, and our rulings by id."""

    opening_hand: int
    cards_of_a_colour: int
    locomotives: int
    ticket_flow: str
    deal: int
    deal_keep: int
    draw: int
    draw_keep: int
    doubles_close_up_to: int
    end_when: str
    end_pieces: int
    end_tickets: int
    longest_path: int
    globetrotter: int
    attraction: int
    has_coast_to_coast: bool
    tie_breaks: list[str]
    rulings: dict[str, str]


class EditionInfo(msgspec.Struct, frozen=True):
    """An edition in full: what a client needs to draw it and to say what moves mean."""

    id: str
    name: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    board: str
    credits: list[str]
    size: tuple[int, int]
    colours: list[str]
    pieces: int
    face_up: int
    route_points: list[int]
    locomotive_word: str
    piece_word: str
    city_word: str
    cities: list[CityInfo]
    routes: list[RouteInfo]
    tickets: list[TicketInfo]
    moves: dict[int, MoveInfo]
    rules: RulesInfo
    layout: Layout
    digest: str
    """Two editions with the same one play alike."""


class EditionCards(msgspec.Struct, frozen=True):
    """All editions at a glance, and pictures of their boards by name."""

    editions: list[EditionCard]
    boards: dict[str, BoardPicture]


class Shelf:
    """Editions by id; each is loaded when the server starts, so that a broken file is found then.

    So is the layout of its board, or made in a second or two if there is none beside it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._sources: dict[str, str] = {}
        self._editions: dict[str, Edition] = {}
        self._layouts: dict[str, Layout] = {}
        self._infos: dict[str, bytes] = {}
        for source in edition_ids():
            self._add(source, load_edition(source))
        if folder is not None and not folder.is_dir():
            raise ValueError(f"There is no folder {folder} with editions; make it, or leave --editions out.")
        for path in sorted(folder.glob("*.toml")) if folder else ():
            text = path.read_text(encoding="utf-8-sig")
            if "[end]" in text:  # an edition; other files are boards
                edition = load_edition(path)
                # A layout is beside its board, which may lie in a folder of its own.
                self._add(str(path), edition, (path.parent / tomllib.loads(text)["board"]).parent)

    def _add(self, source: str, edition: Edition, folder: Path | None = None) -> None:
        if edition.id in self._editions:
            raise ValueError(f"{source}: there is an edition {edition.id!r} already; give it another id.")
        self._sources[edition.id] = source
        self._editions[edition.id] = edition
        self._layouts[edition.id] = layout_of(edition.board, folder)

    def get(self, edition_id: str) -> Edition:
        """Return an edition."""
        if edition_id not in self._editions:
            raise Problem(
                "unknown_edition",
                f"There is no edition {edition_id!r} here; there are {', '.join(self._editions)}.",
            )
        return self._editions[edition_id]

    def source(self, edition_id: str) -> str:
        """Return what another process loads an edition from."""
        return self._sources[edition_id]

    def cards(self) -> EditionCards:
        """Return all editions at a glance."""
        return EditionCards(
            [
                EditionCard(
                    e.id,
                    e.name,
                    e.players,
                    e.minutes,
                    e.board.name,
                    len(e.board.cities),
                    len(e.tickets),
                    _stops(e),
                )
                for e in self._editions.values()
            ],
            {e.board.name: _picture(e.board, self._layouts[e.id]) for e in self._editions.values()},
        )

    def info(self, edition_id: str) -> bytes:
        """Return an edition in full, as JSON."""
        edition = self.get(edition_id)
        if edition_id not in self._infos:
            self._infos[edition_id] = msgspec.json.encode(
                describe_edition(edition, self._layouts[edition_id])
            )
        return self._infos[edition_id]


def describe_edition(edition: Edition, layout: Layout) -> EditionInfo:
    """Return an edition in full.

    >>> york = load_edition("new-york")
    >>> info = describe_edition(york, layout_of(york.board))
    >>> len(info.routes), info.piece_word, info.moves[0].kind
    (41, 'taxi', 'pass')
    """
    board = edition.board
    codes = [city.code for city in board.cities]
    points = edition.route_points
    return EditionInfo(
        edition.id,
        edition.name,
        edition.players,
        edition.minutes,
        board.name,
        list(board.credits),
        board.size,
        list(board.colours),
        edition.pieces,
        edition.face_up,
        list(points),
        edition.words.locomotive,
        edition.words.piece,
        edition.words.city,
        [CityInfo(c.code, c.name, c.x, c.y, sorted(c.marks)) for c in board.cities],
        [
            RouteInfo(
                r.name,
                codes[r.a],
                codes[r.b],
                r.length,
                r.colour,
                None if r.twin is None else board.routes[r.twin].name,
                points[r.length - 1] if points else 0,
            )
            for r in board.routes
        ],
        [TicketInfo(t.name, codes[t.a], codes[t.b], t.points) for t in edition.tickets],
        dict(_list_moves(edition)),
        _describe_rules(edition),
        layout,
        edition.digest,
    )


def _describe_rules(edition: Edition) -> RulesInfo:
    tickets, end, bonuses = edition.ticket_rules, edition.end, edition.bonuses
    return RulesInfo(
        edition.opening_hand,
        edition.deck.colour,
        edition.deck.locomotive,
        tickets.flow,
        tickets.deal,
        tickets.deal_keep,
        tickets.draw,
        tickets.draw_keep,
        edition.doubles_close_up_to,
        end.when,
        end.pieces,
        end.tickets,
        bonuses.longest_path,
        bonuses.globetrotter,
        bonuses.attraction,
        bonuses.coast_to_coast is not None,
        list(edition.tie_breaks),
        rulings_of(edition),
    )


def _stops(edition: Edition) -> dict[str, int]:
    ends = Counter(city for ticket in edition.tickets for city in (ticket.a, ticket.b))
    return {edition.board.cities[city].code: count for city, count in sorted(ends.items())}


def _picture(board: Board, layout: Layout) -> BoardPicture:
    return BoardPicture(
        layout.size,
        [piece for piece in layout.land if piece.kind in _IN_PICTURES],
        {code: (round(place.x), round(place.y)) for code, place in layout.cities.items()},
        [
            (route.colour, [round(at) for x, y, _ in layout.routes[route.name] for at in (x, y)])
            for route in board.routes
        ],
    )


def _list_moves(edition: Edition) -> list[tuple[int, MoveInfo]]:
    notation = notation_of(edition)
    most = max(edition.ticket_rules.deal, edition.ticket_rules.draw)
    found: list[tuple[int, MoveInfo]] = []
    for number in range(notation.count):
        if notation.is_keep(number):
            mask = notation.keep_mask(number)
            if 0 < mask < 1 << most:
                found.append((number, MoveInfo(KeepTickets.kind, mask=mask)))
        elif notation.is_fixed(number):
            move = notation.value(number)
            match move:
                case ClaimRoute():
                    info = MoveInfo(move.kind, move.route, move.colour, move.cards, move.locomotives)
                case TakeCard():
                    info = MoveInfo(move.kind, colour=move.colour)
                case _:
                    info = MoveInfo(move.kind)
            found.append((number, info))
    return found
