"""Thousands of random games, checked by the referee after every decision."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from goldenspike.editions import Deck, Edition, edition_ids, load_edition
from goldenspike.engine.playout import game_key
from goldenspike.engine.referee import play_refereed
from goldenspike.engine.tables import build_tables

BASE = np.frombuffer(b"A soak of a hundred thousand run", "<u4").astype(np.uint32)
TABLES = [
    (edition, seats)
    for edition in map(load_edition, edition_ids())
    for seats in range(edition.players[0], edition.players[1] + 1)
]
BATCH = 100
EVERY = 8
"""Decisions between two comparisons of the legal-move functions. Comparing at every decision would take three
times as long. A turn is one or two decisions, so over many games every kind of position is compared."""


def play_batch(job: tuple[Edition, int, int, int]) -> str | None:
    edition, seats, start, end = job
    failure = play_refereed(build_tables(edition), seats, BASE, (start, end), EVERY)
    if failure is None:
        return None
    key = np.zeros(8, np.uint32)
    game_key(BASE, failure.game, key)
    return f"{edition.id}, {seats} seats, seed {key.astype('<u4').tobytes().hex()}: {failure}"


def soak(games: int) -> None:
    """Play this many games of every edition and number of seats, on two cores."""
    play_batch((*TABLES[0], 0, 1))  # compile before threads start
    jobs = [
        (edition, seats, start, min(start + BATCH, games))
        for edition, seats in TABLES
        for start in range(0, games, BATCH)
    ]
    with ThreadPoolExecutor(2) as threads:
        failures = [failure for failure in threads.map(play_batch, jobs) if failure]
    assert not failures, "\n".join(failures)


def test_every_edition_and_number_of_seats_is_played():
    assert {edition.id for edition, _ in TABLES} == set(edition_ids())
    assert [seats for edition, seats in TABLES if edition.id == "usa-mega"] == [2, 3, 4, 5]
    assert [seats for edition, seats in TABLES if edition.id == "new-york"] == [2, 3, 4]
    assert [seats for edition, seats in TABLES if edition.id == "first-journey"] == [2, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["new-york", "first-journey"])
def test_odd_editions_pass_the_referee(name: str):
    """Editions with few cards, colours and tickets, which exercise R-1, R-3, R-9, R-13, R-15 and D-8."""
    edition = load_edition(name)
    rows = (0,) if edition.face_up == 0 else (1, 3, 4, 5)
    for colour, locomotive, pieces, face_up in product((1, 2, 4), (0, 3, 8, 30), (5, 40), rows):
        odd = replace(edition, pieces=pieces, face_up=face_up, deck=Deck(colour, locomotive))
        few = replace(odd, tickets=edition.tickets[: 2 * edition.ticket_rules.deal + 1])
        if odd.cards < 2 * odd.opening_hand + face_up:
            continue
        for played in (odd, few):
            failure = play_refereed(build_tables(played), 2, BASE, (0, 8), 1)
            assert failure is None, f"{played.deck}, {pieces} pieces, {face_up} face up: {failure}"


def test_a_thousand_games_pass_the_referee():
    soak(1_000 // len(TABLES) + 1)


@pytest.mark.slow
def test_a_hundred_thousand_games_pass_the_referee():
    soak(100_000 // len(TABLES) + 1)
