"""`goldenspike admin` on real databases: games are listed, exported, and lose their names and chat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import delete

from goldenspike.cli import main
from goldenspike.exit_codes import FAILED, OK
from goldenspike.game import Game
from goldenspike.server.play.entry import Entry, intact_prefix, now, with_chains
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.schema import ENTRIES
from tests.server.stored import fill, keep, keep_played, played_game

Out = pytest.CaptureFixture[str]


def listed(url: str, capsys: Out, *options: str) -> list[dict[str, object]]:
    """Return what `admin list --json` prints."""
    assert main(["admin", "list", "--json", "--database", url, *options]) == OK
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_games_are_listed(url: str, capsys: Out) -> None:
    fill(url)
    seats = (
        '{"seats":[{"who":"open","name":"Cleo"},{"who":"open"},{"who":"bot","name":"Bob"},{"who":"here"}]}'
    )
    keep(url, "open", 3, 3, 2, setup=seats, joined="Dora")
    keep(url, "brought", 4, 4, setup='{"seats":[{"who":"bot","name":"Eve"}],"is_imported":true}', edition="x")
    keep(url, "broken", 5, 5, setup="no JSON")
    keep(url, "invited", 6, 6, setup='{"seats":[{"who":"link","name":"Ann"},{"who":"link","name":"Ben"}]}')
    games = listed(url, capsys)
    assert [game["id"] for game in games][:4] == ["new", "open", "brought", "broken"]
    by_id = {game["id"]: game for game in games}
    assert (by_id["invited"]["state"], by_id["invited"]["names"]) == ("waiting", ["Ann", "Ben"])
    store = Database(url, 1)
    store.append(
        with_chains(
            [Entry.bot_seated("invited", 1, now(), 1, "0.1", 0, "medium")], store.entries("invited")[0].chain
        )
    )
    store.close()
    assert next(game["state"] for game in listed(url, capsys) if game["id"] == "invited") == "running"
    assert by_id.pop("invited")
    assert by_id["open"]["names"] == ["Dora", None, "Bob", "Player 4"]
    assert {name: game["state"] for name, game in by_id.items()} == {
        "new": "running",
        "open": "waiting",
        "brought": "finished",
        "broken": "running",
        "ended": "finished",
        "old": "running",
        "busy": "running",
    }
    assert [by_id[name]["entries"] for name in ("old", "new", "open")] == [2, 1, 3]
    assert (
        str(by_id["busy"]["created"]) < str(by_id["old"]["last_active"]) < str(by_id["busy"]["last_active"])
    )
    assert [game["id"] for game in listed(url, capsys, "--limit", "2")] == ["new", "open"]
    assert [game["id"] for game in listed(url, capsys, "--state", "waiting")] == ["open"]
    assert [game["id"] for game in listed(url, capsys, "--edition", "x")] == ["brought"]
    assert {game["id"] for game in listed(url, capsys, "--older-than", "90d")} == {"old", "ended"}
    assert listed(url, capsys, "--older-than", "90d", "--state", "waiting") == []


def test_the_list_is_a_table_that_no_name_can_break(url: str, capsys: Out) -> None:
    assert main(["admin", "list", "--database", url]) == OK
    assert capsys.readouterr().out == "There are no such games.\n"
    seats = json.dumps({"seats": [{"who": "link", "name": "[/red]\x1b[31m\u202eEve"}, {"who": "open"}]})
    keep(url, "odd", 3, 1, setup=seats)
    assert main(["admin", "list", "--database", url]) == OK
    out = capsys.readouterr().out
    [line] = [line.split() for line in out.splitlines() if "odd" in line]
    assert line[:5] == ["odd", "new-york", "waiting", "[/red]\ufffd[31m\ufffdEve,", "(open)"]
    assert line[5:] == ["3d", "24h", "1"]
    assert out.endswith("\n1 game\n")


def test_games_are_exported_as_records(url: str, tmp_path: Path, capsys: Out) -> None:
    keep_played(url, "over")
    keep_played(url, "running", actions=12)
    export = ["admin", "export", "--database", url]
    folder = tmp_path / "of" / "records"
    assert main([*export, str(folder)]) == OK
    printed = capsys.readouterr()
    assert printed.out == f"wrote 1 record to {folder}\n"
    assert printed.err == "left out 1 game not over yet; --unfinished includes them\n"
    assert [file.name for file in folder.iterdir()] == ["over.jsonl"]
    exported = Game.from_record((folder / "over.jsonl").read_text())
    assert exported.names == ("Ann", "Ben")
    assert [action.state_hash for action in exported.played] == [
        action.state_hash for action in played_game().played
    ]
    assert exported.result == played_game().result
    file = tmp_path / "all.jsonl"
    assert main([*export, "--unfinished", str(file)]) == OK
    assert "warning: 1 game not over yet: the records reveal hidden cards" in capsys.readouterr().err
    assert main(["verify", str(folder / "over.jsonl"), str(file)]) == OK
    out = capsys.readouterr().out
    assert f"{file}: game 2: ok, New York, 2 players, 12 actions, not over yet" in out
    assert out.endswith("3 of 3 games are valid\n")
    assert "Well played" not in file.read_text()


def test_names_and_chat_are_removed_from_a_finished_game(url: str, capsys: Out) -> None:
    keep_played(url, "over")
    keep_played(url, "running", actions=12)
    redact = ["admin", "redact", "--database", url]
    assert main([*redact, "over", "running"]) == FAILED
    assert "running is not over, and its players still need their names: wait" in capsys.readouterr().err
    assert main([*redact, "over", "--seat", "3"]) == FAILED
    assert "over has seats 1 to 2, not 3." in capsys.readouterr().err

    def names_and_chat() -> tuple[object, str | None]:
        store = Database(url, 1)
        entries = store.entries("over")
        store.close()
        assert intact_prefix(entries) == entries, "a server would cut the log back"
        chat = entries[-1].text
        return next(game["names"] for game in listed(url, capsys) if game["id"] == "over"), chat

    assert names_and_chat() == (["Ann", "Ben"], "Well played, Ann")
    assert main([*redact, "over", "--seat", "1"]) == OK
    assert capsys.readouterr().out.startswith("removed names and chat from 1 game; ")
    assert names_and_chat() == (["Player 1", "Ben"], "Well played, Ann")
    assert main([*redact, "over"]) == OK
    capsys.readouterr()
    assert names_and_chat() == (["Player 1", "Player 2"], "\u2026")


def test_a_game_that_cannot_be_exported_is_named(url: str, tmp_path: Path, capsys: Out) -> None:
    keep_played(url, "over")
    keep(url, "other", 1, 1, is_over=True)
    keep(url, "lost", 1, 1, is_over=True, edition="atlantis")
    keep_played(url, "cut")
    store = Database(url, 1)
    with store.engine.begin() as connection:
        connection.execute(delete(ENTRIES).where(ENTRIES.c.game == "cut", ENTRIES.c.number == 5))
    store.close()
    export = ["admin", "export", str(tmp_path / "records"), "--database", url]
    assert main(export) == FAILED
    printed = capsys.readouterr()
    assert printed.out.startswith("wrote 1 record to ")
    assert "other is left out: it was played with another version of the edition 'new-york'." in printed.err
    assert "lost is left out: There is no edition 'atlantis' here; " in printed.err
    assert "cut is left out: its log is damaged, so" in printed.err
