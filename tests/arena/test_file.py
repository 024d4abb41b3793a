"""Match files: everything is read back, and nothing is lost on interruption."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from goldenspike.arena import MatchPlan, make_plan, play_match
from goldenspike.arena.file import MatchFile, MatchFileError, journal_of, read_match
from goldenspike.arena.play_compiled import play_quick
from goldenspike.arena.play_python import play_hosted
from goldenspike.arena.rows import GameRows, fingerprint
from goldenspike.bots import Budget
from goldenspike.cli import main
from goldenspike.exit_codes import OK
from goldenspike.game import Game

BOTS = Path(__file__).with_name("bots_to_try.py")


@pytest.fixture
def plan() -> MatchPlan:
    return make_plan("new-york", ["greedy", "random"], 20)


def write(path: Path, plan: MatchPlan, batch: GameRows) -> None:
    with MatchFile(path, plan, "a command") as file:
        file.add(batch)


@pytest.mark.parametrize("edition", ["usa-mega", "new-york", "first-journey"])
def test_a_batch_is_read_as_it_was_written(edition: str, tmp_path: Path) -> None:
    plan = make_plan(edition, ["random", "greedy", "greedy"], 5)
    batch = play_hosted(plan, range(plan.games))
    write(tmp_path / "m.parquet", plan, batch)
    saved = read_match(tmp_path / "m.parquet")
    np.testing.assert_array_equal(saved.batch.rows["seconds"], batch.rows["seconds"])
    assert fingerprint(saved.batch) == fingerprint(batch) == saved.about["results"]
    assert saved.bots == ("random", "greedy")
    assert saved.seatings == plan.seatings


def test_errors_and_records_are_read_as_written(tmp_path: Path) -> None:
    plan = make_plan("new-york", [f"{BOTS}:Cheat", "greedy"], 2, keeps_records=True)
    batch = play_hosted(plan, range(2))
    write(tmp_path / "m.parquet", plan, batch)
    saved = read_match(tmp_path / "m.parquet").batch
    assert saved.errors == batch.errors != {}
    assert saved.records == batch.records
    assert not Game.from_record(saved.records[0]).is_over


def test_columns_can_be_read_with_pyarrow_alone(plan: MatchPlan, tmp_path: Path) -> None:
    write(tmp_path / "m.parquet", plan, play_match(plan, jobs=1))
    table = pq.read_table(tmp_path / "m.parquet")
    rows = table.to_pylist()
    assert [(row["deal"], row["seating"]) for row in rows] == [(d, s) for d in range(10) for s in range(2)]
    assert rows[0]["bots"] == ["greedy", "random"]
    assert rows[1]["bots"] == ["random", "greedy"]
    about = json.loads(table.schema.metadata[b"goldenspike"])
    assert about["plan"]["edition_digest"] == plan.edition.digest
    assert about["plan"]["seed"] == plan.seed.hex()
    assert about["command"] == "a command"
    lengths = [route["length"] for route in about["board"]["routes"]]
    for row in rows:
        assert sum(row["win_share"]) == pytest.approx(1)
        assert row["seed"] == plan.deal_seed(row["deal"]).hex()
        game = Game.new(plan.edition, 2, row["seed"])
        assert int(game.state.first) == row["first"]
        for seat in range(2):
            terms = sum(row[name][seat] for name in row if name.startswith("points_"))
            assert terms == row["score"][seat]
            assert sum(lengths[route] for route in row["routes"][seat]) <= plan.edition.pieces
            assert set(row["completed"][seat]) <= set(row["tickets"][seat])
            assert len(row["tickets"][seat]) == row["tickets_made"][seat] + row["tickets_failed"][seat]


def test_games_before_an_error_are_kept(plan: MatchPlan, tmp_path: Path) -> None:
    path = tmp_path / "m.parquet"
    with pytest.raises(KeyboardInterrupt), MatchFile(path, plan, "c") as file:  # noqa: PT012  # as it happens
        file.add(play_quick(plan, [3, 4]))
        raise KeyboardInterrupt
    assert read_match(path).batch.games.tolist() == [3, 4]
    assert not journal_of(path).exists()
    with MatchFile(path, plan, "c") as file:
        assert file.done.games.tolist() == [3, 4]
        file.add(play_quick(plan, [0]))
    assert read_match(path).batch.games.tolist() == [0, 3, 4]


@pytest.mark.parametrize("torn", [0, 1, 200])
def test_games_before_a_kill_are_kept(torn: int, plan: MatchPlan, tmp_path: Path) -> None:
    path = tmp_path / "m.parquet"
    write(path, plan, play_quick(plan, [0]))
    journal = journal_of(path)
    with MatchFile(path, plan, "c") as file:
        for game in (1, 2, 3):
            file.add(play_quick(plan, [game]))
        before, whole = path.read_bytes(), journal.read_bytes()
    path.write_bytes(before)  # the state when it was killed
    journal.write_bytes(whole[: len(whole) - torn])
    with MatchFile(path, plan, "c") as again:
        assert again.done.games.tolist() == ([0, 1, 2, 3] if torn == 0 else [0, 1, 2])
    assert fingerprint(read_match(path).batch) == fingerprint(play_quick(plan, range(4 if torn == 0 else 3)))
    assert [p.name for p in tmp_path.iterdir()] == ["m.parquet"]


def test_a_file_is_synced_before_it_replaces_another(
    plan: MatchPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a power cut could leave an empty file, and no journal."""
    path, synced = tmp_path / "m.parquet", list[int]()

    def sync(handle: int) -> None:
        assert journal_of(path).exists()
        assert os.fstat(handle).st_size > 0
        synced.append(os.fstat(handle).st_ino)

    monkeypatch.setattr(os, "fsync", sync)
    for game in (0, 1):
        write(path, plan, play_quick(plan, [game]))
        assert synced == [path.stat().st_ino]
        synced.clear()


def test_requesting_fewer_games_keeps_the_metadata(tmp_path: Path) -> None:
    """All of its games stay, so the file still says how to play them."""
    path = tmp_path / "m.parquet"
    for games, left in ((20, "20"), (4, "20"), (30, "30")):
        plan = make_plan("new-york", ["greedy", "random"], games)
        with MatchFile(path, plan, f"play {games}") as file:
            file.add(play_match(plan, jobs=1, done=file.done))
        about = read_match(path).about
        assert (about["command"], about["deals"]) == (f"play {left}", int(left) // 2)
    journal = journal_of(path)
    with MatchFile(path, plan, "play 30") as file:
        file.add(play_quick(plan, [0]))
        journal_alone = journal.read_bytes()
    path.unlink()
    journal.write_bytes(journal_alone)
    with MatchFile(path, make_plan("new-york", ["greedy", "random"], 4), "play 4"):
        pass
    assert read_match(path).about["command"] == "play 30"


@pytest.mark.parametrize(
    "bots", [["greedy", "greedy", "random"], ["greedy", "random"], ["greedy", "greedy", "random", "path"]]
)
@pytest.mark.parametrize("players", [2, 3])
def test_the_command_in_a_file_plays_its_match(bots: list[str], players: int, tmp_path: Path) -> None:
    path = tmp_path / "m.parquet"
    settings = ["--edition", "new-york", "--players", str(players), "--games", "1", "--out", str(path)]
    assert main(["match", *bots, *settings]) == OK
    before = read_match(path).about
    assert main([*shlex.split(before["command"])[1:], "--out", str(path)]) == OK
    after = read_match(path).about
    assert [after[key] for key in ("command", "plan", "results")] == [
        before[key] for key in ("command", "plan", "results")
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "its seed is"),
        ({"bots": ["greedy"]}, "its bots is"),
        ({"edition": "usa-1910"}, "its edition is"),
        ({"budget": Budget(playouts=200, threads=2)}, "its threads is"),
    ],
)
def test_another_match_is_not_mixed_in(
    change: dict[str, object], message: str, plan: MatchPlan, tmp_path: Path
) -> None:
    path = tmp_path / "m.parquet"
    write(path, plan, play_quick(plan, [0]))
    wanted: dict[str, object] = {"edition": "new-york", "bots": ["greedy", "random"], "games": 20} | change
    before = path.read_bytes()
    with pytest.raises(MatchFileError, match=message):
        MatchFile(path, make_plan(**wanted), "c")  # pyright: ignore[reportArgumentType]
    assert path.read_bytes() == before


def test_other_files_are_refused_with_a_reason(plan: MatchPlan, tmp_path: Path) -> None:
    path = tmp_path / "m.parquet"
    path.write_text("no parquet")
    with pytest.raises(MatchFileError, match="cannot be read as a Parquet file"):
        read_match(path)
    with pytest.raises(MatchFileError, match=r"should end in \.parquet"):
        MatchFile(tmp_path / "m.csv", plan, "c")
    pq.write_table(pa.table({"x": [1]}), path)
    with pytest.raises(MatchFileError, match="was not written by"):
        read_match(path)


def test_a_missing_file_error_says_how_to_make_it(tmp_path: Path):
    with pytest.raises(MatchFileError, match=r"There is no match in .*; keep one with 'goldenspike match"):
        read_match(tmp_path / "match.parquet")
