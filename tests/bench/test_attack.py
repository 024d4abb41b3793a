"""``goldenspike bench attack``: real attacks on a real server, and their effect on honest players."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from goldenspike.bench.attack import AttackResults, AttackRun, tabulate_attacks
from goldenspike.bench.attacks.attacker import Attacker, AttackResult
from goldenspike.bench.attacks.catalogue import ATTACKS
from goldenspike.bench.attacks.honest import Answers, HonestResult, Waits
from goldenspike.bench.load.requests import Address
from goldenspike.cli import main
from goldenspike.exit_codes import FAILED, OK
from tests.server.serving import Server

Out = pytest.CaptureFixture[str]


def test_an_answer_that_fails_or_never_comes_counts_as_unanswered() -> None:
    waits = Waits()
    for key in ("before", "answered", "failed", "waiting"):
        waits.begin(key)
    waits.end("before")
    waits.clear()
    waits.end("answered")
    waits.fail("failed")
    waits.fail("unknown")
    waits.begin("waiting")
    answers = waits.read()
    assert (answers.count, answers.unanswered) == (3, 2)
    assert 0 < answers.half <= answers.most <= answers.worst < 60


def test_a_table_has_a_row_for_each_attack() -> None:
    answers = Answers(0.004, 0.012, 1.5, count=100, unanswered=2)
    quiet = AttackRun("none", HonestResult(answers, answers, answers, {}, 0), 200_000_000)
    result = AttackResult(10.0, done=5000, refused=100, closed=20, connections=16)
    hints = AttackRun("hints", HonestResult(answers, answers, answers, {"hard": answers}, 0), 0, result)
    ((headings, rows),) = tabulate_attacks(AttackResults(10.0, [quiet, hints]))
    cell = "4/12/1500"
    assert list(rows) == [
        ("none", cell, cell, cell, "", "", "6", "200", "", "", "", ""),
        ("hints", cell, cell, cell, "", cell, "8", "0", "500", "10", "2", "16"),
    ]
    assert all(len(row) == len(headings) for row in rows)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--attack", "pigns"], "There is no attack called 'pigns': choose from pings, fragments"),
        (["--seconds", "0"], "at least"),
        (["--attack", "pings", "--program", "false"], "The server did not start"),
    ],
)
def test_invalid_attack_arguments_are_reported(wrong: list[str], said: str, capsys: Out) -> None:
    assert main(["bench", "attack", *wrong]) == FAILED
    assert said in capsys.readouterr().err


REFUSED = {
    *("junk", "creates", "joins", "large-messages", "large-bodies"),
    *("entries", "hellos", "lobby", "many-sockets", "replays"),
}
"""The attacks that the server partly refuses, however fast it is."""


async def attack_until_noticed(name: str, address: Address) -> None:
    """Attack until the server has served the attacker, and has refused what it must refuse."""
    attacker = Attacker(address, 60.0, lambda _: None)
    attacking = asyncio.create_task(ATTACKS[name](attacker))
    async with asyncio.timeout(60.0):
        while attacker.done == 0 or (name in REFUSED and attacker.refused == 0):
            assert not attacking.done(), attacking
            await asyncio.sleep(0.01)
    attacking.cancel()
    await asyncio.gather(attacking, return_exceptions=True)
    assert attacker.result().connections > 0


@pytest.mark.slow
def test_every_attack_reaches_a_server_that_answers_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldenspike.bench.attacks.sockets._SILENT", 50)
    monkeypatch.setattr("goldenspike.bench.attacks.sockets._HALF_REQUESTS", 50)
    monkeypatch.setattr("goldenspike.bench.attacks.requests._PUBLIC_GAMES", 3)
    running = Server(tmp_path, "--bot-seconds", "0.02")
    try:
        running.wait_ready()
        parts = urlsplit(running.url)
        address = Address(str(parts.hostname), int(parts.port or 0))
        # Those that use up an address's rate limits come last.
        for name in sorted(ATTACKS, key=lambda name: (name in REFUSED, name)):
            asyncio.run(attack_until_noticed(name, address))
            assert running.get("/readyz").status == 200
    finally:
        running.stop()


@pytest.mark.slow
def test_the_command_measures_honest_players_without_and_with_an_attack(capsys: Out) -> None:
    assert main(["bench", "attack", "--attack", "hints", "--seconds", "1", "--json"]) == OK
    out, err = capsys.readouterr()
    results = json.loads(out)["attack"]
    assert results["seconds"] == 1.0
    assert [run["name"] for run in results["runs"]] == ["none, with bots", "hints"]
    for run in results["runs"]:
        honest = run["honest"]
        assert set(honest["bots"]) == {"medium", "hard"}
        for kind in ("moves", "connects", "gets"):
            answers = honest[kind]
            assert 0 < answers["half"] <= answers["most"] <= answers["worst"]
            assert answers["count"] > answers["unanswered"]
        assert run["memory"] > 10_000_000
        assert f"attack: {run['name']} ..." in err
    quiet, hints = (run["attacker"] for run in results["runs"])
    assert quiet is None
    assert hints["done"] > 0
