"""Migrations: an upgraded database has the schema that the code describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, event, insert, inspect, text

from goldenspike.cli import main
from goldenspike.exit_codes import FAILED, OK
from goldenspike.server.play.entry import Entry
from goldenspike.server.storage import migrate
from goldenspike.server.storage.database import Database, open_engine
from goldenspike.server.storage.migrate import config_for, current, newest, require_current, upgrade
from goldenspike.server.storage.schema import ENTRIES as ENTRIES_TABLE
from goldenspike.server.storage.schema import GAMES, METADATA
from tests.server.processes import GameServer
from tests.server.stored import said, started, stored_game

Out = pytest.CaptureFixture[str]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.db'}"


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """Open an empty database."""
    engine = open_engine(url, 2)
    yield engine
    engine.dispose()


def stamp(engine: Engine, revision: str) -> None:
    """Set the revision of a database, whatever its contents."""
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})


def test_a_migrated_database_matches_the_schema(engine: Engine) -> None:
    upgrade(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    tables = inspect(engine)
    assert set(tables.get_table_names()) == {"alembic_version", *METADATA.tables}
    for name, table in METADATA.tables.items():
        assert {column["name"] for column in tables.get_columns(name)} == set(table.columns.keys())
        nullable = {c["name"] for c in tables.get_columns(name) if c["nullable"]}
        assert nullable == {column.name for column in table.columns if column.nullable}
    assert [index["name"] for index in tables.get_indexes("games")] == ["games_public"]


def test_a_migration_can_be_undone_and_done_again(engine: Engine) -> None:
    upgrade(engine)
    command.downgrade(config_for(engine), "base")
    assert current(engine) is None
    assert inspect(engine).get_table_names() == ["alembic_version"]
    upgrade(engine)
    require_current(engine)
    upgrade(engine)
    assert current(engine) == newest()


GAME = stored_game("one")
ENTRIES = [started("one", 7), Entry.said("one", 1, 8, 1, "1.a", "Hello.")]


@pytest.fixture
def old_store(engine: Engine, url: str) -> Iterator[Database]:
    """Open a database with a game that an older version wrote."""
    command.upgrade(config_for(engine), "0001")
    assert [u["name"] for u in inspect(engine).get_unique_constraints("entries")] == ["entries_token"]
    store = Database(url)
    with engine.begin() as connection:
        old = {"id": "one", "edition": "new-york", "rules": "", "players": 2, "first": 0, "seed": "00" * 32}
        old |= {"setup": GAME.setup, "watch_hash": bytes(32), "is_public": False, "created": 0}
        connection.execute(insert(GAMES), old)
        seats = "INSERT INTO seats (game, seat, secret_hash) VALUES ('one', :seat, :hash)"
        for seat, secret_hash in enumerate((bytes(32), None)):
            connection.execute(text(seats), {"seat": seat, "hash": secret_hash})
        rows = [{**msgspec.structs.asdict(entry)} for entry in ENTRIES]
        for row in rows:
            del row["request"], row["chain"]
        connection.execute(insert(ENTRIES_TABLE), rows)
    yield store
    store.close()


def test_a_migration_keeps_existing_rows(engine: Engine, old_store: Database) -> None:
    for revision in ("head", "0001", "head"):
        move = command.upgrade if revision == "head" else command.downgrade
        move(config_for(engine), revision)
        if revision == "head":
            assert old_store.game("one") == GAME
            assert old_store.entries("one") == ENTRIES
    assert inspect(engine).get_unique_constraints("entries") == []
    assert old_store.append([said("one", 1)]) == [False]
    assert old_store.append([started("two")]) == [False]


def test_an_interrupted_migration_changes_nothing(engine: Engine, old_store: Database) -> None:
    def break_off(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "RENAME" in statement:  # the old table is gone by now
            raise OSError("The power failed.")

    event.listen(engine, "before_cursor_execute", break_off)
    with pytest.raises(OSError, match="The power failed"):
        upgrade(engine)
    event.remove(engine, "before_cursor_execute", break_off)
    assert current(engine) == "0001"
    upgrade(engine)
    require_current(engine)
    assert old_store.entries("one") == ENTRIES


@pytest.mark.slow
def test_a_server_brings_its_own_file_up_to_date_and_says_so() -> None:
    with GameServer() as server:
        game = server.new_game()
        server.stop()
        engine = open_engine(server.database, 1)
        command.downgrade(config_for(engine), "0001")
        server.start()
        assert "The file of games is brought up to date" in (server.folder / "log").read_text()
        assert current(engine) == newest()
        engine.dispose()
        assert server.get(f"/api/games/{game.game}/entries?after=-1", game.watch)["last"] == 0


def test_an_empty_or_outdated_database_is_refused_with_what_to_do(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="is empty: run 'goldenspike serve --migrate' once"):
        require_current(engine)
    upgrade(engine)
    found = newest()
    monkeypatch.setattr(migrate, "newest", lambda: "9999")  # as if there were one more revision
    with pytest.raises(ValueError, match=f"is at revision {found}, not 9999: run 'goldenspike"):
        require_current(engine)


def test_the_command_says_what_it_did(url: str, capsys: Out) -> None:
    assert main(["serve", "--migrate", "--database", url]) == OK
    assert capsys.readouterr().out == f"The database was empty; it is at {newest()} now.\n"
    assert main(["serve", "--migrate", "--database", url]) == OK
    assert capsys.readouterr().out == f"The database was at {newest()}; it is at {newest()} now.\n"


@pytest.mark.parametrize("flags", [[], ["--migrate"]])
def test_a_database_of_a_newer_version_is_left_alone(
    flags: list[str], engine: Engine, url: str, capsys: Out
) -> None:
    upgrade(engine)
    stamp(engine, "9999")
    assert main(["serve", *flags, "--database", url]) == FAILED
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert "revision 9999" in line
    assert "a newer version of Golden Spike" in line
    assert current(engine) == "9999"


def test_a_database_of_something_else_is_left_alone(engine: Engine, url: str, capsys: Out) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE games (title TEXT)"))
    assert main(["serve", "--database", url]) == FAILED
    [line] = capsys.readouterr().err.splitlines()
    assert "games" in line
    assert inspect(engine).get_table_names() in (["games"], ["alembic_version", "games"])
