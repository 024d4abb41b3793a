"""Settings: their sources, their precedence, and the messages about invalid ones."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import goldenspike
from goldenspike.cli import main
from goldenspike.exit_codes import FAILED, OK
from goldenspike.extras import how_to_install
from goldenspike.server.settings import (
    Settings,
    default_database,
    describe_settings,
    load_settings,
    to_environment,
)

PACKAGE = Path(goldenspike.__file__).parent
Out = pytest.CaptureFixture[str]

OTHER: dict[str, Any] = {
    "host": "0.0.0.0",
    "port": 9000,
    "database": "postgresql://me@db/games",
    "redis": "redis://cache:6379/0",
    "workers": 3,
    "editions": "/srv/editions",
    "bot_processes": 4,
    "bot_seconds": 2.5,
    "hard_bots": 3,
    "undo_seconds": 0.5,
    "patience": 30.0,
    "idle_seconds": 10.0,
    "database_connections": 7,
    "message_bytes": 4096,
    "message_rate": 5.0,
    "chat_rate": 6.0,
    "create_rate": 7.0,
    "record_bytes": 5000,
    "connections": 99,
    "address_connections": 9,
    "hosts": "games.example",
    "metrics": "127.0.0.1:9464",
    "retention_days": 90,
    "proxy": "10.0.0.1",
    "log": "warning",
    "log_format": "text",
}
"""A value for every setting, none of them the default."""


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("GOLDENSPIKE_"):
            monkeypatch.delenv(name)


def write_file(folder: Path, **values: object) -> Path:
    file = folder / "goldenspike.toml"
    file.write_text("".join(f"{name} = {value!r}\n" for name, value in values.items()))
    return file


def test_every_setting_has_another_value_to_test_with() -> None:
    assert set(OTHER) == set(Settings.__struct_fields__)
    defaults = msgspec.to_builtins(load_settings({}))
    assert not [name for name, value in OTHER.items() if defaults[name] == value]


def test_flags_come_before_the_environment_before_the_file_before_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_file(tmp_path, port=1111)
    assert load_settings({}).port == 8000
    assert load_settings({"port": None}).port == 8000
    assert load_settings({}, file).port == 1111
    monkeypatch.setenv("GOLDENSPIKE_PORT", "2222")
    assert load_settings({}, file).port == 2222
    assert load_settings({"port": "3333"}, file).port == 3333


def test_every_setting_can_be_a_flag_a_variable_or_a_line_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Settings(**OTHER)
    assert load_settings({name: str(value) for name, value in OTHER.items()}) == wanted
    assert load_settings({}, write_file(tmp_path, **OTHER)) == wanted
    for name, value in OTHER.items():
        monkeypatch.setenv(f"GOLDENSPIKE_{name.upper()}", str(value))
    assert load_settings({}) == wanted


@pytest.mark.parametrize("settings", [load_settings({}), Settings(**OTHER)], ids=["default", "other"])
def test_a_worker_reads_the_settings_that_it_is_given(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in to_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings({}) == settings


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OTHER:
        monkeypatch.setenv(f"GOLDENSPIKE_{name.upper()}", "")
    assert load_settings({}) == Settings(database=default_database())


@pytest.mark.parametrize("proxy", ["0.0.0.0/0", "10.0.0.1,::/0", "0.0.0.0/1,128.0.0.0/1"])
def test_networks_of_all_addresses_are_refused_as_proxies(proxy: str, capsys: Out) -> None:
    assert main(["serve", "--proxy", proxy]) != OK
    assert f"--proxy cannot be '{proxy}': it names all addresses" in capsys.readouterr().err


def test_a_wildcard_proxy_is_refused(capsys: Out) -> None:
    assert main(["serve", "--proxy", "*"]) != OK
    assert "--proxy cannot be '*': every client could then choose its address." in capsys.readouterr().err


def test_games_are_kept_in_the_users_own_folder_unless_said_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load_settings({}).database == f"sqlite:///{tmp_path}/goldenspike/games.db"


def test_the_page_about_settings_is_up_to_date() -> None:
    tool = Path(__file__).parents[2] / "tools" / "settings_table"
    assert subprocess.run([sys.executable, str(tool), "--check"], check=False).returncode == 0


def test_help_names_every_setting(capsys: Out) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", "--help"])
    assert stopped.value.code == OK
    said = " ".join(capsys.readouterr().out.split())
    for name, _, about in describe_settings():
        assert f"--{name.replace('_', '-')} X" in said
        assert about[:20] in said


# Invalid settings


def refusal(capsys: Out, *arguments: str) -> str:
    """Return the line in which the command says why it does not serve."""
    assert main(["serve", *arguments]) == FAILED
    said = capsys.readouterr()
    assert said.out == ""
    [line] = said.err.splitlines()
    assert re.fullmatch(r"goldenspike serve: .*([^.]\.|')", line), line
    return line.removeprefix("goldenspike serve: ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "eighty"),
        ("port", "70000"),
        ("port", "-1"),
        ("workers", "0"),
        ("workers", "1.5"),
        ("bot_seconds", "0"),
        ("bot_seconds", "soon"),
        ("patience", "-1"),
        ("idle_seconds", "0.5"),
        ("database_connections", "1"),
        ("message_bytes", "10"),
        ("retention_days", "0"),
        ("log", "loud"),
    ],
)
def test_an_invalid_value_error_names_the_setting(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    said = refusal(capsys, f"--{name.replace('_', '-')}={value}")
    assert name in said
    assert value in said
    monkeypatch.setenv(f"GOLDENSPIKE_{name.upper()}", value)
    assert refusal(capsys) == said
    monkeypatch.delenv(f"GOLDENSPIKE_{name.upper()}")
    assert name in refusal(capsys, "--config", str(write_file(tmp_path, **{name: value})))


def test_several_workers_need_what_they_share(capsys: Out) -> None:
    assert "PostgreSQL database and Redis" in refusal(capsys, "--workers", "2")
    assert "PostgreSQL database and Redis" in refusal(capsys, "--workers", "2", "--redis", "redis://x")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("prot = 9000\n", "prot"),
        ("[server]\nport = 9000\n", "server"),
        ("port 9000\n", "line 1"),
        ("port = [1]\n", "port"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(text: str, says: str, tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "goldenspike.toml"
    file.write_text(text)
    said = refusal(capsys, "--config", str(file))
    assert says in said
    assert str(file) in said


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: Out) -> None:
    assert str(tmp_path / "none.toml") in refusal(capsys, "--config", str(tmp_path / "none.toml"))
    (tmp_path / "no-text.toml").write_bytes(b"\xff\xfe")
    assert str(tmp_path / "no-text.toml") in refusal(capsys, "--config", str(tmp_path / "no-text.toml"))


@pytest.mark.parametrize(
    ("database", "says"),
    [
        ("games.db", "sqlite:///FILE"),
        ("mysql://me@db/games", "'mysql' is no database we know"),
        ("sqlite:////dev/null/games.db", "/dev/null"),
        ("sqlite:////dev", "/dev"),
        ("postgresql://me:hush@127.0.0.1:1/games", "127.0.0.1"),
        ("postgresql://me:hush@127.0.0.1:none/games", "sqlite:///FILE"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_without_its_password(
    database: str, says: str, capsys: Out
) -> None:
    said = refusal(capsys, "--database", database)
    assert says in said
    assert "hush" not in said


def test_a_file_that_is_no_database_is_named(tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "games.db").write_text("The quick brown fox jumps over the lazy dog. " * 50)
    assert "games.db" in refusal(capsys, "--database", f"sqlite:///{tmp_path / 'games.db'}")


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: Out) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        said = refusal(capsys, "--port", port, "--database", f"sqlite:///{tmp_path / 'games.db'}")
    assert f"Port {port} of 127.0.0.1 cannot be used" in said
    assert "--port" in said


def test_an_address_that_is_not_ours_is_named(tmp_path: Path, capsys: Out) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    assert "203.0.113.7" in refusal(capsys, "--host", "203.0.113.7", "--database", database)


@pytest.mark.parametrize("library", ["psycopg", "redis"])
def test_a_missing_library_is_named_with_its_extra(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    postgres, file = "postgresql://me@127.0.0.1:1/games", f"sqlite:///{tmp_path / 'games.db'}"
    database = postgres if library == "psycopg" else file
    said = refusal(capsys, "--database", database, "--redis", "redis://127.0.0.1:1")
    assert said == f"This needs {library}. {how_to_install('server')}"


@pytest.mark.parametrize("redis", ["cache:6379", "http://cache", "redis://me:hush@cache:none/0"])
def test_an_address_that_is_not_of_redis_is_refused_without_its_password(
    redis: str, tmp_path: Path, capsys: Out
) -> None:
    said = refusal(capsys, "--database", f"sqlite:///{tmp_path / 'games.db'}", "--redis", redis)
    assert said == "This is not the address of Redis: write redis://HOST:PORT/0."


def test_a_folder_of_editions_that_cannot_be_used_is_named(tmp_path: Path, capsys: Out) -> None:
    flags = ["--database", f"sqlite:///{tmp_path / 'games.db'}", "--editions"]
    assert "There is no folder" in refusal(capsys, *flags, str(tmp_path / "none"))
    (tmp_path / "broken.toml").write_text('[end]\nwhen = "never"\n')
    assert main(["serve", *flags, str(tmp_path)]) == FAILED
    assert "broken.toml" in capsys.readouterr().err
    (tmp_path / "broken.toml").write_text((PACKAGE / "editions" / "usa-classic.toml").read_text())
    assert "there is an edition 'usa-classic' already" in refusal(capsys, *flags, str(tmp_path))
