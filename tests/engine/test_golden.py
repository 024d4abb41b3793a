"""Golden games: known seeds give known games, with a replay for every kind of ending (tools/golden)."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldenspike.editions import edition_ids, load_edition
from goldenspike.engine import api
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.moves import CLAIM, DRAW_TICKETS, PASS
from goldenspike.engine.referee import FINE, SENTENCES, compare_moves, inspect
from goldenspike.engine.state import (
    BY_COMPLETED_TICKETS,
    BY_LONGEST_PATH,
    CHOOSING,
    LAST_PIECE_PLACED,
    LAST_ROUND_PLAYED,
    NO_TIE,
    NOBODY_CAN_ACT,
    OVER,
    SHARED,
    TICKETS_COMPLETED,
    new_states,
    portable_bytes,
)
from goldenspike.engine.tables import build_tables

GOLDEN = tomllib.loads(Path(__file__).with_name("golden.toml").read_text(encoding="utf-8"))

ENDINGS = {
    "last round played, no tie": (LAST_ROUND_PLAYED, NO_TIE),
    "last round played, tie broken by completed tickets": (LAST_ROUND_PLAYED, BY_COMPLETED_TICKETS),
    "last round played, tie broken by longest path": (LAST_ROUND_PLAYED, BY_LONGEST_PATH),
    "last round played, shared victory": (LAST_ROUND_PLAYED, SHARED),
    "nobody can act": (NOBODY_CAN_ACT, None),
    "tickets completed by a claim": (TICKETS_COMPLETED, NO_TIE),
    "tickets completed by a swap": (TICKETS_COMPLETED, NO_TIE),
    "last piece placed, no tie": (LAST_PIECE_PLACED, NO_TIE),
    "last piece placed, shared victory": (LAST_PIECE_PLACED, SHARED),
}


def name(game: dict[str, Any]) -> str:
    return f"{game['edition']}-{game['seats']}-{game['kind'].replace(',', '').replace(' ', '-')}"


def deal(game: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Deal a golden game; return states, tables, logs and the random players."""
    states, logs, chances = new_states(1), np.zeros(1, LOG), np.zeros(1, CHANCE)
    tables = build_tables(load_edition(game["edition"]))
    key = np.frombuffer(bytes.fromhex(game["seed"]), "<u4").astype(np.uint32)
    api.open_players(chances, key)
    api.deal(states, tables, game["seats"], key, ANY_SEAT, logs)
    return states, tables, logs, chances


def to_move(state: Any) -> int:
    if state.phase == CHOOSING:
        return next(seat for seat in range(state.seats) if state.choice[seat] == 0)
    return int(state.turn)


def check_result(game: dict[str, Any], states: Any, decisions: int, last: int) -> None:
    state, seats = states[0], game["seats"]
    ending, tie_break = ENDINGS[game["kind"]]
    assert decisions == game["decisions"]
    assert state["phase"] == OVER
    assert state["ending"] == ending
    assert tie_break is None or state["tie_break"] == tie_break
    assert [seat for seat in range(5) if state["winners"] >> seat & 1] == game["winners"]
    assert state["totals"].tolist() == game["totals"] + [0] * (5 - seats)
    if ending == TICKETS_COMPLETED:
        assert (last >= CLAIM) == game["kind"].endswith("a claim")
    assert hashlib.sha256(portable_bytes(states)).hexdigest() == game["state"]


@pytest.mark.parametrize("game", GOLDEN["seed"], ids=name)
def test_a_seed_gives_the_same_game_everywhere(game: dict[str, Any]):
    states, tables, logs, chances = deal(game)
    moves: list[int] = []
    while states[0].phase != OVER:
        seat = to_move(states[0])
        moves.append(api.random_move(states, tables, chances, seat))
        assert api.step(states, tables, seat, moves[-1], logs) == LEGAL
    check_result(game, states, len(moves), moves[-1])


@pytest.mark.parametrize("game", GOLDEN["game"], ids=name)
def test_a_golden_game_replays(game: dict[str, Any]):
    states, tables, logs, _ = deal(game)
    moves = [int(word) for word in game["moves"].split()]
    for number, move in enumerate(moves):
        seat = to_move(states[0])
        for fault in (inspect(states, tables), compare_moves(states, tables, seat)):
            assert fault == FINE, f"before decision {number}: {SENTENCES[fault]}"
        assert api.step(states, tables, seat, move, logs) == LEGAL, f"decision {number}"
    assert inspect(states, tables) == FINE
    check_result(game, states, len(moves), moves[-1])
    if game["kind"] == "nobody can act":
        idle = PASS if game["edition"] != "first-journey" else DRAW_TICKETS
        assert moves[-game["seats"] :] == [idle] * game["seats"]


def test_every_edition_has_a_golden_game_for_each_ending():
    """New York has too few pieces to fill its board, so some seat can act until the last round."""
    shared = {"last round played, no tie", "last round played, tie broken by completed tickets"}
    shared |= {"last round played, shared victory"}
    for edition in map(load_edition, edition_ids()):
        kinds = {game["kind"] for game in GOLDEN["game"] if game["edition"] == edition.id}
        if edition.end.when == "race":
            assert kinds == {kind for kind in ENDINGS if not kind.startswith("last round")}
            continue
        by_path = (
            {"last round played, tie broken by longest path"}
            if "longest-path" in edition.tie_breaks
            else set()
        )
        standstill = {"nobody can act"} if edition.board.id == "usa" else set()
        assert kinds == shared | by_path | standstill


def test_every_edition_and_number_of_seats_has_a_golden_seed():
    for edition in map(load_edition, edition_ids()):
        seats = [game["seats"] for game in GOLDEN["seed"] if game["edition"] == edition.id]
        assert seats == list(range(edition.players[0], edition.players[1] + 1))
