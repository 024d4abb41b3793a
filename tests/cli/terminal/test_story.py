"""The log in words: whole games for every seat, without what the seat may not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldenspike import Game
from goldenspike.cli.seating import Seat, read_seats
from goldenspike.cli.terminal.saving import Company
from goldenspike.cli.terminal.story import tell
from goldenspike.cli.terminal.table import GameTable
from goldenspike.editions import edition_ids

NAMES = ["Ann", "Ben", "Cleo"]

pytestmark = pytest.mark.quick


@pytest.fixture(params=edition_ids())
def table(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GameTable:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    game = Game.new(request.param, 3, seed="a story", first=0)
    table = GameTable(game, Company([Seat(name) for name in NAMES]), think=0.01)
    while not game.is_over:
        seat = table.next_seat
        game.play(table.ask_bot("greedy", seat).move, seat)
    return table


def test_a_whole_game_in_sentences(table: GameTable) -> None:
    for seat in (0, 1, 2, None):
        told = table.story(seat)
        assert len(told) > 20
        assert all(sentence.endswith((".", "!")) for sentence in told)
        assert not any("None" in sentence or "{" in sentence for sentence in told)
        starts = {sentence.split()[0].rstrip(":") for sentence in told}
        assert starts <= {*NAMES, "The", "Three"}
        assert told[-1] == "The game is over."


def test_cards_and_tickets_are_named_only_to_their_owner(table: GameTable) -> None:
    own = [sentence for sentence in table.story(0) if sentence.startswith("Ann drew ")]
    told = [sentence for sentence in table.story(1) if sentence.startswith("Ann drew ")]
    assert len(own) == len(told)
    assert any("from the deck" in sentence for sentence in told)
    assert not any("from the deck" in sentence for sentence in own)
    kept = [sentence for sentence in table.story(1) if sentence.startswith(("Ann kept", "Ann got"))]
    assert not any("-" in sentence for sentence in kept)


def test_two_cards_of_a_turn_are_one_sentence() -> None:
    game = Game.new("new-york", 2, seed=4, first=0)
    for seat in (0, 1):
        game.play("keep all", seat)
    for move in ("take black", "draw deck", "take green", "take green"):
        game.play(move)
    told = tell(game.edition, NAMES, game.events_for(1))
    assert told[-2:] == ["Ann took black and drew a card from the deck.", "Ben took green and green."]
    assert "Ann drew green and a taxi card." in tell(game.edition, NAMES, game.events_for(0))


def test_a_finished_game_shows_hidden_information(table: GameTable) -> None:
    last = len(table.game.played)
    told = table.tell_moves(None, 1, last)
    assert not any("from the deck" in sentence for sentence in told)
    kept = [sentence for sentence in told if " kept " in sentence or " got " in sentence]
    assert any("-" in sentence for sentence in kept)
    assert not any(" ticket" in sentence.partition(" and ")[0] for sentence in kept)
    table.game = Game.new(table.game.edition, 3, seed="a story", first=0)
    table.play(table.game.legal_moves(0).numbers[0], 0)
    assert not any("-" in sentence for sentence in table.tell_moves(None, 1, 1))


def test_news_is_shown_once(table: GameTable) -> None:
    assert table.news(0) == table.story(0)
    assert table.news(0) == []


def test_seats_are_parsed_or_refused_with_advice() -> None:
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
def test_a_lower_case_name_is_not_taken_for_a_misspelt_bot(name: str) -> None:
    assert read_seats(f"{name},easy")[0] == Seat(name)


@pytest.mark.parametrize(("word", "bot"), [("esay", "easy"), ("serach", "search"), ("hardd", "hard")])
def test_a_misspelt_bot_is_not_taken_for_a_name(word: str, bot: str) -> None:
    with pytest.raises(ValueError, match=f'did you mean "{bot}"'):
        read_seats(f"me,{word}")
