"""`goldenspike admin` on real databases: games are removed, databases are copied and vacuumed."""

from __future__ import annotations

import shlex
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest

from goldenspike.cli import main
from goldenspike.exit_codes import FAILED, OK
from goldenspike.server.play.entry import now
from goldenspike.server.storage import maintenance, removal
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.schema import GAMES, METADATA
from tests.server.processes import PEOPLE, GameServer
from tests.server.stored import DAY, fill, keep, keep_played, said
from tests.server.waiting import wait_until

Out = pytest.CaptureFixture[str]
EXAMPLE = "Xk29hQmfT1aw"
"""The game id on the how-to page."""
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "maintain-a-server.md"


def kept(url: str) -> set[str]:
    """Return the games of a database, after checking that each is complete."""
    store = Database(url, 1)
    names = {name for name in ("old", "ended", "new", "busy") if store.game(name) is not None}
    for name in ("old", "ended", "new", "busy"):
        assert bool(store.entries(name)) == (name in names)
    store.close()
    return names


def test_old_games_are_removed(url: str, capsys: Out) -> None:
    fill(url)
    prune = ["admin", "prune", "--database", url, "--older-than"]
    assert main([*prune, "90d", "--dry-run"]) == OK
    assert capsys.readouterr().out == "would remove 2 games (1 finished, 1 not)\n"
    assert kept(url) == {"old", "ended", "busy", "new"}
    assert main([*prune, "90d", "--finished"]) == OK
    assert capsys.readouterr().out == "removed 1 game (1 finished, 0 not)\n"
    assert kept(url) == {"old", "busy", "new"}
    assert main([*prune, "2w"]) == OK
    assert kept(url) == {"busy", "new"}
    assert main([*prune, "12h"]) == OK
    assert kept(url) == set()


def test_games_of_one_state_are_removed(url: str, capsys: Out) -> None:
    fill(url)
    seats = '{"seats":[{"who":"link","name":"Ann"},{"who":"open"}]}'
    keep(url, "open", 100, 100, setup=seats)
    prune = ["admin", "prune", "--database", url, "--older-than", "90d", "--state"]
    assert main([*prune, "waiting"]) == OK
    assert capsys.readouterr().out == "removed 1 game (0 finished, 1 not)\n"
    assert kept(url) == {"old", "ended", "busy", "new"}
    assert main([*prune, "running"]) == OK
    assert kept(url) == {"ended", "busy", "new"}
    assert main([*prune, "finished"]) == OK
    assert kept(url) == {"busy", "new"}


def rows_of(url: str, game: str) -> int:
    """Return how many rows of all tables belong to a game."""
    store = Database(url, 1)
    with store.engine.connect() as connection:
        keys = [table.c.game for table in METADATA.sorted_tables if "game" in table.c] + [GAMES.c.id]
        rows = sum(len(connection.execute(key.table.select().where(key == game)).all()) for key in keys)
    store.close()
    return rows


def test_games_are_deleted_from_every_table(url: str, capsys: Out) -> None:
    fill(url)
    left = rows_of(url, "old")
    assert left > 3
    delete = ["admin", "delete", "--database", url]
    assert main([*delete, "busy", "nope"]) == FAILED
    assert "There is no game nope; 'goldenspike admin list' prints" in capsys.readouterr().err
    assert kept(url) == {"old", "ended", "busy", "new"}
    assert main([*delete, "busy", "ended", "busy"]) == OK
    assert capsys.readouterr().out.startswith("deleted 2 games; ")
    assert kept(url) == {"old", "new"}
    assert [rows_of(url, name) for name in ("busy", "ended", "old")] == [0, 0, left]


def test_an_id_may_begin_with_a_dash(url: str) -> None:
    keep(url, "-odd", 1, 1)
    assert main(["admin", "delete", "--database", url, "--", "-odd"]) == OK
    assert rows_of(url, "-odd") == 0


def test_what_belongs_to_a_game_can_be_found() -> None:
    """Check that every table that refers to games has the column `game`, which `delete` relies on."""
    for table in METADATA.sorted_tables:
        assert not table.foreign_keys or "game" in table.c, table.name


def test_nothing_of_a_deleted_game_is_left_after_vacuum(url: str, capsys: Out) -> None:
    seats = '{"seats":[{"who":"link","name":"Zebedee"},{"who":"open"}]}'
    for n in range(20):
        keep(url, f"game {n}", 1, *[1] * 50, setup=seats, joined="Quentin", said="Xylophone")
    keep(url, "stays", 1, *[1] * 50, said="Still here")  # stored after the others in the files
    words = [b"Zebedee", b"Quentin", b"Xylophone"]
    assert [word for word in words if word in every_byte(url)] == words
    assert main(["admin", "delete", "--database", url, *(f"game {n}" for n in range(20))]) == OK
    capsys.readouterr()
    assert main(["admin", "vacuum", "--database", url]) == OK
    printed = capsys.readouterr().out.split()
    given_back, before, after = (int(printed[i]) for i in (2, 7, 12))
    assert given_back == pytest.approx(before - after, abs=1)
    assert given_back > 40
    assert [word for word in [*words, b"Still here"] if word in every_byte(url)] == [b"Still here"]


def every_byte(url: str) -> bytes:
    """Return all bytes of a database's tables, as stored on disk."""
    if url.startswith("sqlite"):
        file = url.removeprefix("sqlite:///")
        return b"".join(Path(name).read_bytes() for name in (file, f"{file}-wal") if Path(name).exists())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        folder = str((connection.execute("SHOW data_directory").fetchone() or [""])[0])
        tables = "SELECT oid FROM pg_class WHERE relname = ANY(%s)"
        found = connection.execute(
            f"SELECT pg_relation_filepath(oid) FROM pg_class WHERE oid IN ({tables}) OR oid IN "
            f"(SELECT reltoastrelid FROM pg_class WHERE oid IN ({tables}))",
            [list(METADATA.tables)] * 2,
        )
        return b"".join((Path(folder) / path).read_bytes() for [path] in found)


def test_a_backup_is_taken_while_others_write(url: str, tmp_path: Path, capsys: Out) -> None:
    fill(url)
    is_done = threading.Event()

    def write() -> None:
        store = Database(url, 1)
        number = 2
        while not is_done.is_set():
            store.append([said("old", number, at=now())])
            number += 1
        store.close()

    writer = threading.Thread(target=write)
    writer.start()
    copy = tmp_path / "copy"
    try:
        assert main(["admin", "backup", str(copy), "--database", url]) == OK
    finally:
        is_done.set()
        writer.join()
    assert capsys.readouterr().out.startswith(f"wrote {copy} (")
    if url.startswith("sqlite"):
        assert kept(f"sqlite:///{copy}") == {"old", "ended", "busy", "new"}
        assert sqlite3.connect(copy).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    else:
        listed = subprocess.run(["pg_restore", "--list", copy], capture_output=True, text=True, check=True)
        assert "TABLE DATA public entries" in listed.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "prune --older-than 3 --database sqlite:///{}/games.db",
            "'3' is no age: write hours, days or weeks",
        ),
        ("prune --older-than 0d --database sqlite:///{}/games.db", "'0d' is no age"),
        ("list --older-than 9999999999999999d --database sqlite:///{}/games.db", "9d' is no age"),
        ("list --limit 0 --database sqlite:///{}/games.db", "--limit must be at least 1, not 0."),
        ("vacuum --database sqlite:///{}/games.db", "There is no database {}/games.db. Name"),
        ("export {}/out --database postgresql://me:hush@127.0.0.1:1/games", "cannot be used: "),
        (
            "prune --older-than 3d --database sqlite:///{}/games.db",
            "There is no database {}/games.db. Name",
        ),
        ("backup {}/copy.db --database sqlite:///{}/games.db", "There is no database {}/games.db. Name"),
        ("backup {}/copy.db --database postgresql://me:hush@127.0.0.1:1/games", "cannot be used: "),
        ("prune --older-than 3d --database postgresql://me:hush@127.0.0.1:1/games", "cannot be used: "),
    ],
)
def test_invalid_maintenance_commands_are_reported(
    words: str, sentence: str, tmp_path: Path, capsys: Out
) -> None:
    assert main(["admin", *words.replace("{}", str(tmp_path)).split()]) == FAILED
    printed = capsys.readouterr().err
    assert sentence.replace("{}", str(tmp_path)) in printed
    assert "hush" not in printed
    assert list(tmp_path.iterdir()) == []


def commands_of(heading: str) -> list[str]:
    """Return the commands of a section of the how-to page."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [line.removeprefix("$ ") for line in section.splitlines() if line.startswith("$ ")]


def run_section(heading: str, server: GameServer, folder: Path, **games: str) -> None:
    """Run the commands of a section; `games` are the ids that replace the example, by action."""
    places = {
        "/etc/goldenspike.toml": str(folder / "goldenspike.toml"),
        "/var/backups": str(folder),
        "/var/lib/goldenspike": str(folder / "lib"),
        "postgresql://goldenspike@db/goldenspike": server.database,
    }
    for command in commands_of(heading):
        if "install.sh" in command:  # covered by tests/server/test_deploy.py
            continue
        if command.startswith("systemctl "):
            getattr(server, command.split()[1])()
            continue
        for place, here in places.items():
            command = command.replace(place, here)  # noqa: PLW2901
        words = shlex.split(command)
        if words[:2] == ["goldenspike", "admin"]:
            assert main([games[words[2]] if word == EXAMPLE else word for word in words[1:]]) == OK, command
            continue
        program = f'goldenspike() {{ {shlex.quote(sys.executable)} -m goldenspike "$@"; }}\n'
        done = subprocess.run(["bash", "-ec", program + command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stdout, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_the_commands_of_the_page_do_what_it_says(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Run the page's commands: back up, lose everything, restore, list, export, prune, upgrade and delete."""
    database = request.getfixturevalue("postgres_url") if kind == "PostgreSQL" else None
    with GameServer(database) as server:
        created = server.new_game("new-york", PEOPLE)
        while created.game.startswith("-"):  # the page treats such ids separately, and so does another test
            created = server.new_game("new-york", PEOPLE)
        keep_played(server.database, "over")
        (tmp_path / "goldenspike.toml").write_text(f'database = "{server.database}"\n')
        (tmp_path / "lib").symlink_to(server.folder)  # a folder whose name has a space

        def run(heading: str) -> None:
            run_section(heading, server, tmp_path, delete=created.game, redact="over", export=created.game)

        def is_there() -> bool:
            return server.call(f"/api/games/{created.game}", created.watch)[0] == 200

        run("Back up")
        server.stop()
        with maintenance.existing_database(server.database) as engine:
            assert removal.remove_games(engine, [created.game], now() + DAY) == 1
        server.start()
        assert not is_there()
        run(f"Restore, on {kind}")
        assert is_there()
        for heading in ("List games", "Export games", "Remove old games", "Upgrade"):
            run(heading)
            assert is_there()
        assert [file.name for file in (tmp_path / "records").iterdir()] == ["over.jsonl"]
        assert (tmp_path / "evening.jsonl").exists()
        run("Delete a game")
        wait_until(lambda: not is_there(), "the deleted game is forgotten")
        run("Give space back")
        assert server.failures() == []
