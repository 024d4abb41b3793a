"""The packaged editions have the numbers of the rules."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import goldenspike.editions
from goldenspike.boards import load_board, parse_board
from goldenspike.editions import Bonuses, Edition, EditionError, edition_ids, load_edition, parse_edition

FOLDER = Path(goldenspike.editions.__file__).parent


@pytest.fixture(params=edition_ids())
def edition(request: pytest.FixtureRequest) -> Edition:
    return load_edition(request.param)


def points(edition_id: str) -> dict[str, int]:
    return {ticket.name: ticket.points for ticket in load_edition(edition_id).tickets}


def test_every_edition_file_has_its_id() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(edition_ids())
    assert [load_edition(edition_id).id for edition_id in edition_ids()] == list(edition_ids())


def test_loading_twice_gives_the_same_edition() -> None:
    assert load_edition("usa-mega") is load_edition("usa-mega")
    assert load_edition("usa-mega").board is load_edition("usa-classic").board is load_board("usa")


@pytest.mark.parametrize(
    ("edition_id", "board", "players", "pieces", "hand", "face_up", "deal", "draw", "bonuses"),
    [
        ("usa-classic", "usa", (2, 5), 45, 4, 5, (3, 2), (3, 1), Bonuses(longest_path=10)),
        ("usa-1910", "usa", (2, 5), 45, 4, 5, (3, 2), (3, 1), Bonuses(globetrotter=15)),
        ("usa-big-cities", "usa", (2, 5), 45, 4, 5, (4, 2), (4, 1), Bonuses()),
        ("usa-mega", "usa", (2, 5), 45, 4, 5, (5, 3), (4, 1), Bonuses(longest_path=10, globetrotter=15)),
        ("new-york", "new-york", (2, 4), 15, 2, 5, (2, 1), (2, 1), Bonuses(attraction=1)),
        (
            "first-journey",
            "first-journey",
            (2, 4),
            20,
            4,
            0,
            (2, 2),
            (2, 2),
            Bonuses(coast_to_coast=("west", "east")),
        ),
    ],
)
def test_table_of_editions(
    edition_id: str,
    board: str,
    players: tuple[int, int],
    pieces: int,
    hand: int,
    face_up: int,
    deal: tuple[int, int],
    draw: tuple[int, int],
    bonuses: Bonuses,
) -> None:
    """V-5, V-6, J-5: the numbers of all six editions."""
    edition = load_edition(edition_id)
    rules = edition.ticket_rules
    assert edition.board is load_board(board)
    assert (edition.players, edition.pieces) == (players, pieces)
    assert (edition.opening_hand, edition.face_up) == (hand, face_up)
    assert (rules.deal, rules.deal_keep) == deal
    assert (rules.draw, rules.draw_keep) == draw
    assert edition.bonuses == bonuses


@pytest.mark.parametrize("edition_id", edition_ids())
def test_deck(edition_id: str) -> None:
    """S-1, J-1: 110 cards in the USA editions, 44 in New York, 72 in First Journey."""
    edition = load_edition(edition_id)
    numbers = (len(edition.board.colours), edition.deck.colour, edition.deck.locomotive, edition.cards)
    if edition_id.startswith("usa"):
        assert numbers == (8, 12, 14, 110)
    else:
        assert numbers == {"new-york": (6, 6, 8, 44), "first-journey": (6, 10, 12, 72)}[edition_id]


def test_usa_classic_tickets() -> None:
    """V-1: 30 tickets, with the values of 2004."""
    tickets = points("usa-classic")
    assert len(tickets) == 30
    assert (tickets["LAX-MIA"], tickets["LAX-NYC"], tickets["SSM-OKC"], tickets["SEA-NYC"]) == (20, 21, 9, 22)


def test_usa_1910_tickets() -> None:
    """V-2: the 35 tickets of 1910 only."""
    assert len(points("usa-1910")) == 35
    assert not set(points("usa-1910")) & set(points("usa-classic"))


def test_usa_mega_tickets() -> None:
    """V-3: all 69, with the values of the 1910 printing."""
    tickets = points("usa-mega")
    assert len(tickets) == 69
    assert set(points("usa-classic")) | set(points("usa-1910")) < set(tickets)
    assert (tickets["LAX-MIA"], tickets["LAX-NYC"], tickets["SSM-OKC"], tickets["SEA-NYC"]) == (19, 20, 8, 20)


def test_usa_big_cities_tickets() -> None:
    """V-4: the 35 that name a big city, with the values of the 1910 printing."""
    tickets = points("usa-big-cities")
    assert len(tickets) == 35
    assert all(set(name.split("-")) & {"CHI", "DAL", "HOU", "LAX", "MIA", "NYC", "SEA"} for name in tickets)
    assert tickets.items() < points("usa-mega").items()


def test_route_points() -> None:
    """C-1, J-3: points by length of a route; none in First Journey."""
    assert load_edition("usa-classic").route_points == (1, 2, 4, 7, 10, 15)
    assert load_edition("new-york").route_points == (1, 2, 4, 7)
    assert load_edition("first-journey").route_points == ()


def test_doubles() -> None:
    """C-6: a claimed lane closes the other up to 3 players, in New York up to 2, never in First Journey."""
    closing = [load_edition(edition_id).doubles_close_up_to for edition_id in edition_ids()]
    assert closing == [3, 3, 3, 3, 2, 0]


def test_tie_breaks() -> None:
    """F-4, F-6, R-8, J-7: tickets, then the Longest Path if there is one; no tie-break in First Journey."""
    both, one = ("completed-tickets", "longest-path"), ("completed-tickets",)
    breaks = [load_edition(edition_id).tie_breaks for edition_id in edition_ids()]
    assert breaks == [both, one, one, both, one, ()]


def test_ends() -> None:
    """E-1, J-6, J-7: a game ends with two pieces left, six tickets, or the last train."""
    for edition_id in edition_ids()[:-1]:
        end = load_edition(edition_id).end
        assert (end.when, end.pieces, end.tickets) == ("few-pieces", 2, 0)
    end = load_edition("first-journey").end
    assert (end.when, end.pieces, end.tickets) == ("race", 0, 6)


def test_flows() -> None:
    """T-1, J-2: tickets are offered; in First Journey they are swapped."""
    flows = [load_edition(edition_id).ticket_rules.flow for edition_id in edition_ids()]
    assert flows == ["offer"] * 5 + ["swap"]


def test_words() -> None:
    """S-1: New York says taxi where the USA editions say locomotive and train."""
    assert load_edition("usa-classic").words == goldenspike.editions.EditionWords(
        "locomotive", "train", "city"
    )
    assert load_edition("new-york").words == goldenspike.editions.EditionWords("taxi", "taxi", "location")


def test_digests_of_packaged_data_do_not_change() -> None:
    """Saved games contain these digests; if one changes, they no longer match their rules."""
    assert {edition_id: load_edition(edition_id).digest[:12] for edition_id in edition_ids()} == {
        "usa-classic": "b4b21a1aff68",
        "usa-1910": "2ff30107478f",
        "usa-big-cities": "1870692b2892",
        "usa-mega": "fa7c843645b9",
        "new-york": "edfc43032ff9",
        "first-journey": "ff2e93bec361",
    }


def test_the_digest_covers_only_the_rules(edition_text: str, board_text: str) -> None:
    board = parse_board(board_text)
    digest = parse_edition(edition_text, board=board).digest
    assert len(digest) == 64
    for old, new in [("Quick Lakes", "Slow Lakes"), ("[5, 10]", "[50, 90]"), ("quick", "slow")]:
        assert parse_edition(edition_text.replace(old, new), board=board).digest == digest
    for old, new in [
        ("pieces = 8", "pieces = 9"),
        ("colour = 6", "colour = 7"),
        ("globetrotter = 3", "globetrotter = 4"),
        ("[1, 2, 4]", "[1, 2, 5]"),
        ('sets = ["main"]', 'sets = ["main"]\nprinting = "late"'),
    ]:
        assert parse_edition(edition_text.replace(old, new), board=board).digest != digest
    other = parse_board(board_text.replace("length = 3", "length = 2"))
    assert parse_edition(edition_text, board=other).digest != digest


def test_an_edition_can_be_pickled(edition: Edition) -> None:
    copy = pickle.loads(pickle.dumps(edition))
    assert copy == edition
    assert hash(copy) == hash(edition)


def test_a_home_made_board_and_edition(tmp_path: Path, board_text: str, edition_text: str) -> None:
    (tmp_path / "lakes.toml").write_text(board_text, "utf-8")
    text = edition_text.replace("deal = 2", "deal = 1").replace("deal_keep = 2", "deal_keep = 1")
    (tmp_path / "quick.toml").write_text(text.replace('["main"]', '["main"]\nnaming = "port"'), "utf-8")
    edition = load_edition(tmp_path / "quick.toml")
    assert edition == load_edition(str(tmp_path / "quick.toml"))
    assert edition.board.name == "Four Lakes"
    assert [ticket.name for ticket in edition.tickets] == ["ASH-DUN", "BAY-DUN", "COL-DUN"]
    assert edition.cards == 15


def test_a_home_made_edition_of_a_packaged_board(tmp_path: Path) -> None:
    text = (FOLDER / "usa-classic.toml").read_text("utf-8").replace("pieces = 45", "pieces = 30")
    (tmp_path / "short.toml").write_text(text, "utf-8")
    edition = load_edition(tmp_path / "short.toml")
    assert edition.pieces == 30
    assert edition.board is load_board("usa")
    assert edition.digest != load_edition("usa-classic").digest


def test_unknown_id_suggests_the_nearest() -> None:
    for typed, meant in [
        ("usa-clasic", "usa-classic"),
        ("newyork", "new-york"),
        ("journey", "first-journey"),
    ]:
        with pytest.raises(EditionError) as caught:
            load_edition(typed)
        assert str(caught.value) == f'there is no edition "{typed}"; did you mean "{meant}"?'
    with pytest.raises(EditionError, match="the editions are usa-classic, usa-1910, usa-big-cities,"):
        load_edition("zzz")


@pytest.mark.parametrize("typed", ["usa", "USA"])
def test_the_id_of_a_board_suggests_its_editions(typed: str) -> None:
    with pytest.raises(EditionError) as caught:
        load_edition(typed)
    assert str(caught.value) == (
        f'there is no edition "{typed}"; "{typed}" is a board: '
        "choose usa-classic, usa-1910, usa-big-cities or usa-mega"
    )
