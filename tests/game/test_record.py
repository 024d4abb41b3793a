"""Records: replays give the same game, and errors name the line."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any

import pytest

from goldenspike import Game, edition_ids
from goldenspike.boards import parse_board
from goldenspike.editions import parse_edition
from goldenspike.errors import RecordError
from goldenspike.game import load_games
from goldenspike.game.record import fit_name, read_records, verify_names
from goldenspike.game.seeds import commitment
from tests.boards.conftest import BOARD, EDITION
from tests.game.games import TABLES, GameSetup, fingerprint, moments, random_game
from tests.game.lines import open_record, resealed, seal

GAME = random_game(("new-york", 2), 4)
RECORD = GAME.record()
LINES = RECORD.count("\n")


def fails(text: str, line: int, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    assert caught.value.line == line
    assert says in caught.value.reason
    assert str(caught.value) == f"line {line}: {caught.value.reason}"


@pytest.mark.parametrize("edition", edition_ids())
def test_a_record_of_any_moment_restores_the_game(edition: str) -> None:
    for game in moments((edition, 3), 51, 4):
        loaded = Game.from_record(game.record())
        assert fingerprint(loaded) == fingerprint(game)
        assert loaded.events == game.events
        assert (loaded.result, loaded.scores()) == (game.result, game.scores())
        assert loaded.seed == game.seed


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_records_restore_many_games(table: GameSetup) -> None:
    for game in moments(table, 52, 10):
        assert fingerprint(Game.from_record(game.record())) == fingerprint(game)


def test_a_record_is_lines_of_json_that_people_can_read() -> None:
    header, *actions, end = open_record(RECORD)
    assert list(header) == [
        "goldenspike", "edition", "rules", "seats", "first", "seed", "commitment", "version",
    ]  # fmt: skip
    assert header["edition"] == "new-york"
    assert header["commitment"] == hashlib.sha256(bytes.fromhex(header["seed"])).hexdigest()
    assert [action["n"] for action in actions] == list(range(1, LINES - 1))
    assert [action["move"] for action in actions] == [played.text for played in GAME.played]
    assert actions[-1]["outcome"][-1].startswith("ended ending=")
    assert end["scores"] == list(GAME.result.totals) if GAME.result else False
    assert seal(open_record(RECORD)) == RECORD, "the tests seal as the product does"


def test_a_record_keeps_the_first_seat() -> None:
    assert open_record(Game.new("usa-classic", 3, seed=1, first=2).record())[0]["first"] == 2
    assert open_record(Game.new("usa-classic", 3, seed=1).record())[0]["first"] is None
    assert Game.from_record(Game.new("usa-classic", 3, seed=1, first=2).record()).state.first == 2


def test_a_record_keeps_names_and_old_records_have_none() -> None:
    names = ("Ann", "Zoë 🚂", "Seat 3")
    game = Game.new("usa-classic", 3, seed=1, names=names)
    assert open_record(game.record())[0]["names"] == list(names)
    loaded = Game.from_record(game.record())
    assert loaded.names == names
    assert loaded.copy().names == names
    assert loaded.record() == game.record()
    assert seal(open_record(game.record())) == game.record()
    nameless = Game.new("usa-classic", 3, seed=1)
    assert "names" not in open_record(nameless.record())[0], "a record is as it always was"
    assert Game.from_record(nameless.record()).names == ("Seat 1", "Seat 2", "Seat 3")
    assert fingerprint(game) != fingerprint(nameless)
    assert game.state_hash == nameless.state_hash


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["Ann"], "a name for each of the 2 seats; these are 1: 'Ann'"),
        ("AB", "a name for each of the 2 seats"),
        (["Ann", ""], "1 to 40 characters"),
        (["Ann", "x" * 41], "1 to 40 characters"),
        (["Ann", "B\x1b[2J"], "control character"),
        (["Ann", "two\nlines"], "line break"),
        (["Ann", 5], "1 to 40 characters"),
    ],
    ids=str,
)
def test_invalid_names_are_refused(names: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Game.new("new-york", 2, seed=1, names=names)
    with pytest.raises(RecordError) as caught:
        Game.from_record(resealed(RECORD, 1, names=names))
    assert caught.value.line == 1


def test_any_name_can_be_made_valid() -> None:
    for name in ("", " ", "\x00", "a\u2028b", "x" * 100, " " * 60, "tab\tbed", "\x1b[31mred"):
        verify_names([fit_name(name, 0)], 1)
    assert fit_name("Ann", 0) == "Ann"


def test_an_undone_move_is_not_in_the_record() -> None:
    game = Game.new("usa-classic", 2, seed=1)
    before = game.record()
    game.play("keep all", 1)
    game.undo()
    assert game.record() == before
    assert Game.from_record(before).to_move == [0, 1]


def test_a_cut_between_lines_is_an_unfinished_game() -> None:
    """Every line has its checksum, so a game can be saved during play and read up to that point."""
    lines = RECORD.splitlines(keepends=True)
    for count in (1, 2, LINES // 2, LINES - 2):
        game = Game.from_record("".join(lines[:count]))
        assert len(game.played) == count - 1
        assert not game.is_over


def test_a_finished_game_without_its_last_line_is_not_complete() -> None:
    fails("".join(RECORD.splitlines(keepends=True)[:-1]), LINES, "did not end as the record says")


def test_an_end_line_of_an_unfinished_game_is_found() -> None:
    lines = open_record(RECORD)
    del lines[-2]
    fails(seal(lines), LINES - 1, "did not end as the record says")


@pytest.mark.parametrize("text", ["", "\n", "\n\n", " ", "{}", "{}\n", "[]\n", "hello\n", "\ufeff" + RECORD])
def test_a_file_that_is_not_a_record_is_refused_at_its_first_line(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    assert caught.value.line == 1


def test_a_wrong_state_hash_is_found_at_its_move() -> None:
    fails(resealed(RECORD, 7, state="0" * 16), 7, "the state is")


def test_a_wrong_outcome_is_found_at_its_move() -> None:
    fails(resealed(RECORD, 7, outcome=["drew seat=0 card=loco"]), 7, "did not come out")
    fails(resealed(RECORD, 7, outcome=[]), 7, "did not come out")


def test_a_changed_move_is_found_at_its_line() -> None:
    fails(resealed(RECORD, 4, move="pass"), 4, "cannot be played")
    fails(resealed(RECORD, 4, move="hello"), 4, "is not a move")
    fails(resealed(RECORD, 4, seat=5), 4, "A seat is a number from 0 (Seat 1) to 1 (Seat 2)")
    fails(resealed(RECORD, 4, seat=-1), 4, "A seat is a number from 0 (Seat 1) to 1 (Seat 2)")
    fails(resealed(RECORD, 4, seat=2**63), 4, "")


def test_a_changed_end_is_found() -> None:
    assert GAME.result is not None
    for changes in (
        {"end": "nobody can act"},
        {"winners": [0, 1]},
        {"scores": [0, 0]},
        {"tie_break": "longest path"},
    ):
        fails(resealed(RECORD, LINES, **changes), LINES, "did not end as the record says")


def test_wrong_action_numbers_are_found() -> None:
    fails(resealed(RECORD, 3, n=3), 3, "expected action 2, found action 3")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"edition": "usa-clasic"}, "is not known here"),
        ({"edition": "usa-classic"}, "another version"),
        ({"edition": "/etc/hostname"}, "is not known here"),
        ({"edition": "./home.toml"}, "is not known here"),
        ({"rules": "0" * 64}, "another version of 'new-york'"),
        ({"seats": 5}, "is for 2 to 4 players"),
        ({"seats": 0}, "is for 2 to 4 players"),
        ({"seats": -(2**62)}, "is for 2 to 4 players"),
        ({"seats": "2"}, "cannot be read"),
        ({"seats": 2.5}, "cannot be read"),
        ({"seats": None}, "cannot be read"),
        ({"first": 2}, "first seat"),
        ({"seed": None}, "not revealed yet"),
        ({"seed": "00"}, "64 hexadecimal digits"),
        ({"seed": "xyz"}, "hex"),
        ({"seed": "00" * 32}, "not the one that was committed to"),
        ({"commitment": "00" * 32}, "not the one that was committed to"),
        ({"goldenspike": 2}, "this is format 2; only format 1 is known"),
        ({"goldenspike": 2, "novelty": [1]}, "this is format 2; only format 1 is known"),
        ({"goldenspike": "1"}, "cannot be read"),
        ({"novelty": 1}, "cannot be read"),
    ],
)
def test_an_invalid_header_is_refused(changes: dict[str, object], says: str) -> None:
    fails(resealed(RECORD, 1, **changes), 1, says)


def test_the_error_names_missing_and_mistyped_fields() -> None:
    for line, field in ((1, "edition"), (4, "move"), (4, "state"), (LINES, "winners")):
        lines = open_record(RECORD)
        del lines[line - 1][field]
        fails(seal(lines), line, field)
    fails(resealed(RECORD, 4, move=[1]), 4, "cannot be read")
    fails(resealed(RECORD, 4, outcome="x"), 4, "cannot be read")


def test_a_record_without_its_seed_can_be_read_but_not_played() -> None:
    redacted = GAME.record(reveal_seed=False)
    assert GAME.seed.hex() not in redacted
    (saved,) = read_records(redacted)
    assert saved.header.seed is None
    assert saved.header.commitment == commitment(GAME.seed)
    assert [action.move for action in saved.actions] == [played.text for played in GAME.played]
    fails(redacted, 1, "not revealed yet")


def test_several_games_in_one_file() -> None:
    games = [
        random_game(table, 6, 30) for table in (("usa-classic", 2), ("first-journey", 3), ("new-york", 2))
    ]
    file = "".join(game.record() for game in games)
    loaded = list(load_games(file))
    assert [fingerprint(game) for game in loaded] == [fingerprint(game) for game in games]
    starts = [saved.line for saved in read_records(file)]
    assert starts == [1, len(games[0].played) + 2, len(games[0].played) + len(games[1].played) + 3]
    with pytest.raises(RecordError, match="another game begins here") as caught:
        Game.from_record(file)
    assert caught.value.line == starts[1]


def test_an_error_in_a_later_game_names_its_line_in_the_file() -> None:
    games = iter(load_games(RECORD + resealed(RECORD, 7, state="0" * 16)))
    assert fingerprint(next(games)) == fingerprint(GAME)
    with pytest.raises(RecordError) as caught:
        next(games)
    assert caught.value.line == LINES + 7


def test_games_before_a_cut_are_read() -> None:
    games = load_games(RECORD + RECORD[:-5])
    assert fingerprint(next(games)) == fingerprint(GAME)
    with pytest.raises(RecordError, match="cut off") as caught:
        next(games)
    assert caught.value.line == 2 * LINES


def test_a_record_of_a_home_made_edition_needs_the_edition() -> None:
    edition = parse_edition(EDITION, "quick.toml", parse_board(BOARD))
    game = Game.new(edition, 2, seed=1)
    game.play("keep all", 0)
    fails(game.record(), 1, "'lakes-quick' is not known here")
    assert fingerprint(Game.from_record(game.record(), edition)) == fingerprint(game)
    assert [fingerprint(loaded) for loaded in load_games(game.record(), edition)] == [fingerprint(game)]
    with pytest.raises(RecordError, match="another version"):
        Game.from_record(RECORD, edition)


@pytest.mark.parametrize("text", ["\ud800\n", RECORD[:40] + "\udcff" + RECORD[40:], RECORD[:-1] + "\ud800\n"])
def test_broken_text_is_a_record_error(text: str) -> None:
    with pytest.raises(RecordError):
        Game.from_record(text)


def test_invalid_utf8_with_a_valid_sum_is_a_record_error() -> None:
    body = json.dumps(
        {**open_record(RECORD)[0], "version": "\ud800"}, separators=(",", ":"), ensure_ascii=False
    )
    total = hashlib.sha256(body.encode(errors="surrogatepass")).hexdigest()[:16]
    fails(f'{body[:-1]},"sum":"{total}"}}\n', 1, "cannot be read")


def test_large_records_load_fast() -> None:
    game = random_game(("usa-mega", 5), 53, claims=0.1)
    text = game.record()
    assert len(text) > 80_000
    start = time.perf_counter()
    for _ in range(2):
        Game.from_record(text)
    assert time.perf_counter() - start < 5
    start = time.perf_counter()
    with pytest.raises(RecordError):
        Game.from_record(text.replace("\n", " ") + "\n")
    with pytest.raises(RecordError):
        Game.from_record("{" * 1_000_000 + "\n")
    assert time.perf_counter() - start < 5
