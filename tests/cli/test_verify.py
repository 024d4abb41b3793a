"""``goldenspike verify``: one line about each saved game, and a reliable exit code."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from goldenspike import Game, edition_ids
from goldenspike.cli import main
from goldenspike.exit_codes import FAILED, OK
from goldenspike.game.seeds import commitment
from tests.boards.conftest import BOARD, EDITION
from tests.game.games import random_game
from tests.game.lines import open_record, resealed, seal

Out = pytest.CaptureFixture[str]

GAME = random_game(("new-york", 2), 4)
RECORD = GAME.record()
LINES = RECORD.count("\n")
OTHER = random_game(("new-york", 3), 5).record()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def verify(*arguments: str | Path) -> int:
    return main(["verify", *map(str, arguments)])


def refuses(file: Path, text: str, says: str, out: Out) -> None:
    """Check that one game fails, with a line that names the file and says why."""
    file.write_text(text, "utf-8", "surrogateescape")
    assert verify(file) == FAILED
    told = out.readouterr()
    assert told.out.startswith(f"{file}: game 1: line ")
    assert says in told.out
    assert told.out.count("\n") == 1


@pytest.mark.parametrize("edition", edition_ids())
def test_a_valid_game_gets_one_line(edition: str, file: Path, capsys: Out) -> None:
    game = random_game((edition, 3), 1)
    assert game.result
    file.write_text(game.record())
    assert verify(file) == OK
    won = f"won by Seat {game.result.winners[0] + 1}" if len(game.result.winners) == 1 else "shared by Seat"
    assert capsys.readouterr().out.startswith(
        f"{file}: game 1: ok, {game.edition.name}, 3 players, {len(game.played)} actions, {won}"
    )


def test_an_unfinished_game_is_valid(file: Path, capsys: Out) -> None:
    file.write_text(random_game(("usa-classic", 2), 1, actions=1).record())
    assert verify(file) == OK
    assert capsys.readouterr().out == f"{file}: game 1: ok, USA, 2 players, 1 action, not over yet\n"


def test_a_shared_victory_names_all_winners(file: Path, capsys: Out) -> None:
    games = (random_game(("first-journey", 3), seed) for seed in itertools.count())
    game = next(game for game in games if game.result and game.result.winners == (0, 2))
    file.write_text(game.record())
    assert verify(file) == OK
    assert capsys.readouterr().out.endswith("shared by Seat 1 and Seat 3\n")


def test_winners_are_named(file: Path, capsys: Out) -> None:
    game = random_game(("new-york", 2), 4)
    game.names = ["Ann", "Ben"]
    file.write_text(game.record())
    assert verify(file) == OK
    assert game.result is not None
    assert capsys.readouterr().out.endswith(f"won by {game.names[game.result.winners[0]]}\n")
    refuses(file, game.record().replace("Ann", "Eve"), "the line was changed", capsys)


def test_every_game_of_every_file_is_checked(tmp_path: Path, capsys: Out) -> None:
    """A damaged game does not hide those after it, in its file or in the next one."""
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_text(RECORD + resealed(RECORD, 7, state="0" * 16) + OTHER)
    second.write_text(OTHER)
    assert verify(first, second) == FAILED
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"{first}: game 1: ok")
    assert told[1].startswith(f"{first}: game 2: line {LINES + 7}: after ")
    assert told[2].startswith(f"{first}: game 3: ok, New York, 3 players")
    assert told[3].startswith(f"{second}: game 1: ok")
    assert told[4:] == ["3 of 4 games are valid"]


def test_a_truncated_file_fails_only_in_its_last_game(file: Path, capsys: Out) -> None:
    file.write_text((RECORD + OTHER)[:-5])
    assert verify(file) == FAILED
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"{file}: game 1: ok")
    assert told[1].startswith(f"{file}: game 2: line ")
    assert "cut off" in told[1]


@pytest.mark.parametrize(
    ("line", "changes", "says"),
    [
        (7, {"state": "0" * 16}, "the state is"),
        (7, {"outcome": []}, "did not come out as the record says"),
        (7, {"move": "pass"}, "cannot be played"),
        (LINES, {"scores": [1000, 0]}, "did not end as the record says"),
        (LINES, {"winners": [0, 1]}, "did not end as the record says"),
        (1, {"seed": "0" * 64}, "not the one that was committed to"),
        (1, {"commitment": commitment(bytes(32))}, "not the one that was committed to"),
        (1, {"seed": None}, "the seed is not revealed yet, so the game cannot be played again."),
        (1, {"edition": "new-yrok"}, "is not known here"),
        (1, {"goldenspike": 2}, "only format 1 is known"),
    ],
)
def test_a_forged_line_is_found(
    line: int, changes: dict[str, object], says: str, file: Path, capsys: Out
) -> None:
    refuses(file, resealed(RECORD, line, **changes), f"line {line}: ", capsys)
    refuses(file, resealed(RECORD, line, **changes), says, capsys)


def test_a_changed_line_is_found_by_its_sum(file: Path, capsys: Out) -> None:
    rows = RECORD.splitlines(keepends=True)
    changed = [*rows[:8], rows[8].replace('"seat":', '"seat": '), *rows[9:]]
    refuses(file, "".join(changed), "line 9: the line was changed", capsys)
    refuses(file, "".join(rows[:8] + rows[9:]), "line 9: ", capsys)
    refuses(file, "".join(rows[:-1]), "did not end as the record says", capsys)
    refuses(file, seal([*open_record(RECORD), open_record(RECORD)[-1]]), "after the end", capsys)
    refuses(file, RECORD.replace('"move"', '"move\udcff"', 1), "the line was changed", capsys)


def test_a_file_without_a_game_is_invalid(file: Path, capsys: Out) -> None:
    file.touch()
    assert verify(file) == FAILED
    assert capsys.readouterr().out == f"{file}: line 1: there is no game in this file.\n"
    refuses(file, "hello\n", "not from a saved game", capsys)


def test_a_missing_file_is_reported(capsys: Out) -> None:
    assert verify("nowhere.jsonl") == FAILED
    assert "nowhere.jsonl: No such file" in capsys.readouterr().err


def test_the_commitment_published_before_the_game(file: Path, capsys: Out) -> None:
    """Another seed, with a matching commitment, is only detected with the commitment published before."""
    published = commitment(GAME.seed)
    file.write_text(RECORD)
    assert verify(file, "--commitment", published) == OK
    assert verify(file, "--commitment", published.upper()) == OK
    file.write_text(Game.new("new-york", 2, seed=99).record())
    assert verify(file) == OK
    capsys.readouterr()
    assert verify(file, "--commitment", published) == FAILED
    assert "line 1: the commitment is another than the one given" in capsys.readouterr().out


def test_a_commitment_is_that_of_one_game(file: Path, capsys: Out) -> None:
    published = commitment(GAME.seed)
    file.write_text(RECORD + OTHER)
    assert verify(file, "--commitment", published) == FAILED
    assert f"{file} holds 2" in capsys.readouterr().err
    assert verify(file, file, "--commitment", published) == FAILED
    assert "the file of that game alone" in capsys.readouterr().err
    assert verify(file, "--commitment", "cafe") == FAILED
    assert "64 hexadecimal digits" in capsys.readouterr().err


def test_a_game_on_a_home_made_board(tmp_path: Path, file: Path, capsys: Out) -> None:
    (tmp_path / "lakes.toml").write_text(BOARD)
    edition = tmp_path / "lakes-quick.toml"
    edition.write_text(EDITION)
    file.write_text(Game.new(edition, 2, seed=1).record())
    assert verify(file) == FAILED
    assert "is not known here" in capsys.readouterr().out
    assert verify(file, "--edition", edition) == OK
