"""The catalogue: the editions that a server offers, from the package and from a folder of home-made ones."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import msgspec

from goldenspike.boards import Board
from goldenspike.boards.layout import BoardLayout, Land
from goldenspike.editions import Edition, advise_edition, edition_ids, load_edition
from goldenspike.game.moves import ClaimRoute, KeepTickets, TakeCard
from goldenspike.game.notation import notation_of
from goldenspike.game.rulings import rulings_of
from goldenspike.mapmaking import layout_of
from goldenspike.server.http.page import StaticFile, pack_json
from goldenspike.server.protocol.problems import Problem

_IN_PICTURES = {"abroad", "land", "water", "park", "river", "relief"}
"""The kinds of land in a picture of a board, without borders and streets."""


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
    has_points: bool
    """Whether routes score points; without them, the edition is a race for tickets."""


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
    """The numbers and named choices of an edition, for help in any language, and the ids of our rulings."""

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
    coast_to_coast: list[str]
    """The two marks whose cities are joined for the bonus ticket (J-5); none without such a ticket."""
    tie_breaks: list[str]
    rulings: list[str]


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
    layout: BoardLayout
    digest: str
    """Two editions with the same one play alike."""


class EditionCards(msgspec.Struct, frozen=True):
    """All editions at a glance, and pictures of their boards by name."""

    editions: list[EditionCard]
    boards: dict[str, BoardPicture]


class Catalogue:
    """Editions by id. All are loaded when the server starts, so that a broken file is reported then.

    The layout of a board is loaded as well. If its folder has none, it is computed in a second or two.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._sources: dict[str, str] = {}
        self._editions: dict[str, Edition] = {}
        self._layouts: dict[str, BoardLayout] = {}
        self._infos: dict[str, StaticFile] = {}
        self._cards: StaticFile | None = None
        for source in edition_ids():
            self._add(source, load_edition(source))
        if folder is not None and not folder.is_dir():
            raise ValueError(f"There is no folder {folder} with editions; make it, or leave --editions out.")
        for path in sorted(folder.glob("*.toml")) if folder else ():
            text = path.read_text(encoding="utf-8-sig")
            if "[end]" in text:  # an edition; other files are boards
                edition = load_edition(path)
                # A layout is in the folder of its board, which may differ from the edition's folder.
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
            advice = advise_edition(edition_id, self._editions.values())
            sentence = f"There is no edition {edition_id!r} here; "
            sentence += advice or f"there are {', '.join(self._editions)}"
            raise Problem("unknown_edition", sentence if sentence.endswith("?") else f"{sentence}.")
        return self._editions[edition_id]

    def source(self, edition_id: str) -> str:
        """Return the id or path from which another process can load an edition."""
        return self._sources[edition_id]

    def cards(self) -> EditionCards:
        """Return short descriptions of all editions, and pictures of their boards."""
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
                    bool(e.route_points),
                )
                for e in self._editions.values()
            ],
            {e.board.name: _picture(e.board, self._layouts[e.id]) for e in self._editions.values()},
        )

    def packed_cards(self) -> StaticFile:
        """Return the short descriptions of all editions, as compressed JSON."""
        if self._cards is None:
            self._cards = pack_json(msgspec.json.encode(self.cards()))
        return self._cards

    def info(self, edition_id: str) -> StaticFile:
        """Return the full description of an edition, as compressed JSON."""
        edition = self.get(edition_id)
        if edition_id not in self._infos:
            info = describe_edition(edition, self._layouts[edition_id])
            self._infos[edition_id] = pack_json(msgspec.json.encode(info))
        return self._infos[edition_id]


def describe_edition(edition: Edition, layout: BoardLayout) -> EditionInfo:
    """Return the full description of an edition.

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
        list(bonuses.coast_to_coast or ()),
        list(edition.tie_breaks),
        list(rulings_of(edition)),
    )


def _stops(edition: Edition) -> dict[str, int]:
    ends = Counter(city for ticket in edition.tickets for city in (ticket.a, ticket.b))
    return {edition.board.cities[city].code: count for city, count in sorted(ends.items())}


def _picture(board: Board, layout: BoardLayout) -> BoardPicture:
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
