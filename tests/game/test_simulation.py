"""Simulations: a summary matches the game itself, whichever worker played it."""

from __future__ import annotations

import pytest

from goldenspike import load_edition, simulation
from goldenspike.game.seeds import read_seed
from goldenspike.simulation import random_games, simulate


@pytest.mark.parametrize("edition_id", ["new-york", "first-journey"])
def test_summaries_are_those_of_the_games_played_one_by_one(
    edition_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after the first chunk, where a worker starts in the middle of the series."""
    monkeypatch.setattr(simulation, "_CHUNK", 2)
    edition, seed = load_edition(edition_id), read_seed("one by one")
    run = simulate(edition, 3, 5, seed, jobs=2)
    assert len(run.summaries) == 5
    for summary, game in zip(run.summaries, random_games(edition, 3, 5, seed), strict=True):
        state = game.state
        assert summary["decisions"] == len(game.played)
        for name in ("turns", "ending", "tie_break", "winners"):
            assert summary[name] == state[name]
        assert summary["totals"].tolist() == state.totals.tolist()
        assert summary["held"].tolist() == state.held_count.tolist()
        assert summary["completed"].tolist() == state.completed_count.tolist()


@pytest.mark.parametrize("players", [0, 1, 5, 40])
def test_an_invalid_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"New York is for 2 to 4 players, not {players}"):
        simulate(load_edition("new-york"), players, 1, read_seed(1))
