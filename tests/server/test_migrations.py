"""Migrations: a database that was brought up to date is the one that the schema describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, event, inspect, text
from sqlalchemy.exc import IntegrityError

from goldenspike.cli import FAILED, OK, main
from goldenspike.server import migrate
from goldenspike.server.entry import Entry
from goldenspike.server.migrate import config_for, current, newest, require_current, upgrade
from goldenspike.server.schema import METADATA
from goldenspike.server.store import Store, open_engine
from tests.server.processes import GameServer
from tests.server.stored import stored_game

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
    """Say that a database is at a revision, whatever is in it."""
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})


def test_a_migrated_database_is_what_the_schema_says(engine: Engine) -> None:
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
ENTRIES = [Entry("one", 0, "started", 7, state=b"a position"), Entry("one", 1, "said", 8, 1, "1.a")]


@pytest.fixture
def old_store(engine: Engine, url: str) -> Iterator[Store]:
    """Open a database with a game in it that an older version has written."""
    command.upgrade(config_for(engine), "0001")
    assert [u["name"] for u in inspect(engine).get_unique_constraints("entries")] == ["entries_token"]
    store = Store(url)
    store.create(GAME, ENTRIES)
    yield store
    store.close()


def test_what_was_written_before_a_migration_is_kept(engine: Engine, old_store: Store) -> None:
    for revision in ("head", "0001", "head"):
        move = command.upgrade if revision == "head" else command.downgrade
        move(config_for(engine), revision)
        assert old_store.game("one") == GAME
        assert old_store.entries("one") == ENTRIES
    assert inspect(engine).get_unique_constraints("entries") == []
    assert old_store.append([Entry("one", 1, "said", 9)]) == [False]
    with pytest.raises(IntegrityError):
        old_store.append([Entry("two", 0, "started", 9)])


def test_a_migration_that_breaks_off_has_changed_nothing(engine: Engine, old_store: Store) -> None:
    def break_off(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "RENAME" in statement:  # the old table is gone by now
            raise OSError("The power failed.")

    event.listen(engine, "before_cursor_execute", break_off)
    with pytest.raises(OSError, match="The power failed"):
        upgrade(engine)
    event.remove(engine, "before_cursor_execute", break_off)
    assert current(engine) == "0001"
    assert old_store.entries("one") == ENTRIES
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
    monkeypatch.setattr(migrate, "newest", lambda: "9999")  # as if there were one revision more
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
    said = capsys.readouterr()
    assert said.out == ""
    [line] = said.err.splitlines()
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
