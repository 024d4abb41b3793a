"""The log in words: whole games told to every seat, with nothing in it that the seat may not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenspike import Game
from goldenspike.cli.seating import Seat, read_seats
from goldenspike.cli.terminal.saving import Company
from goldenspike.cli.terminal.table import Table
from goldenspike.editions import edition_ids

NAMES = ["Ann", "Ben", "Cleo"]

pytestmark = pytest.mark.quick


@pytest.fixture(params=edition_ids())
def table(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    game = Game.new(request.param, 3, seed="a story", first=0)
    table = Table(game, Company([Seat(name) for name in NAMES]), think=0.01)
    while not game.is_over:
        seat = table.next_seat
        game.play(table.ask_bot("greedy", seat).move, seat)
    return table


def test_a_whole_game_in_sentences(table: Table) -> None:
    for seat in (0, 1, 2, None):
        told = table.story(seat)
        assert len(told) > 20
        assert all(sentence.endswith((".", "!")) for sentence in told)
        assert not any("None" in sentence or "{" in sentence for sentence in told)
        starts = {sentence.split()[0].rstrip(":") for sentence in told}
        assert starts <= {*NAMES, "The", "Three"}
        assert told[-1] == "The game is over."


def test_cards_and_tickets_are_named_to_their_owner_alone(table: Table) -> None:
    own = [sentence for sentence in table.story(0) if sentence.startswith("Ann drew ")]
    told = [sentence for sentence in table.story(1) if sentence.startswith("Ann drew ")]
    assert len(own) == len(told)
    assert any("from the deck" in sentence for sentence in told)
    assert not any("from the deck" in sentence for sentence in own)
    kept = [sentence for sentence in table.story(1) if sentence.startswith(("Ann kept", "Ann got"))]
    assert not any("-" in sentence for sentence in kept)


def test_news_are_told_once(table: Table) -> None:
    assert table.news(0) == table.story(0)
    assert table.news(0) == []


def test_seats_are_read_or_refused_with_a_way_out() -> None:
    assert [seat.is_person for seat in read_seats("Easy, easy")] == [True, False]
    for wrong, said in (
        ("", "Say who plays"),
        ("Ann,Ann", "Two people"),
        ("hardd", "did you mean"),
        ("x" * 30, "name"),
    ):
        with pytest.raises(ValueError, match=said):
            read_seats(wrong)


@pytest.mark.parametrize("name", ["anna", "mark", "mary", "richard", "sarah", "grace", "frank", "andrea"])
def test_a_first_name_in_small_letters_is_no_misspelt_bot(name: str) -> None:
    assert read_seats(f"{name},easy")[0] == Seat(name)


@pytest.mark.parametrize(("word", "bot"), [("esay", "easy"), ("serach", "search"), ("hardd", "hard")])
def test_a_misspelt_bot_is_no_first_name(word: str, bot: str) -> None:
    with pytest.raises(ValueError, match=f'did you mean "{bot}"'):
        read_seats(f"me,{word}")
