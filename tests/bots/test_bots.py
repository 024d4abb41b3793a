"""What holds for every bot: it plays legal moves, sees only its view, depends on nothing else, and ends."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pytest

from goldenspike import Game, load_edition
from goldenspike.bots import LEVELS, Bot, Budget, Dice, bot_names, describe_bot, make_bot
from goldenspike.bots.atlas import build_atlas
from goldenspike.bots.mind import new_minds
from goldenspike.bots.policies import MOST_DECISIONS, POLICIES, play_tables
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.state import OVER, new_states
from goldenspike.engine.tables import build_tables
from goldenspike.seeds import key_words, read_seed
from goldenspike.simulation import series_seed
from goldenspike.view import View
from tests.game.games import EVERY_TABLE, FEW_TABLES, TABLES, Table, every_moment
from tests.rules.table import bare

QUICK = Budget(playouts=12)
BASE = read_seed("bots")


def lineup(names: tuple[str, ...], players: int) -> list[Bot]:
    return [make_bot(name) for name in islice(cycle(names), players)]


def play_out(edition: str, bots: list[Bot], seed: int) -> Game:
    game = Game.new(edition, len(bots), seed)
    dice = [Dice.of(seed, seat) for seat in range(len(bots))]
    while not game.is_over:
        seat = game.to_move[-1]
        game.play(bots[seat].choose(game.view(seat), dice[seat], QUICK).move, seat)
        assert len(game.played) < MOST_DECISIONS
    return game


def play_compiled(edition_id: str, policies: list[int], games: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the final states and how many decisions they took."""
    edition = load_edition(edition_id)
    seats = len(policies)
    keys = np.array([key_words(series_seed(BASE, i)) for i in range(games)], np.uint32)
    rows = np.array([policies] * games, np.int16)
    states, decisions = new_states(games), np.zeros(games, np.int64)
    sheets = new_minds(seats), np.zeros(seats, CHANCE), np.zeros(1, LOG)
    firsts = np.full(games, ANY_SEAT, np.int16)
    play_tables(build_tables(edition), build_atlas(edition), rows, firsts, keys, states, decisions, *sheets)
    return states, decisions


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_every_bot_plays_every_table_to_its_end(table: Table):
    for seed, names in enumerate([("planner",), ("search", "planner"), ("planner", "greedy", "random")]):
        play_out(table[0], lineup(names, table[1]), seed)


@pytest.mark.slow
@pytest.mark.parametrize("table", FEW_TABLES)
@pytest.mark.parametrize("claims", [0.5, 0.02])
def test_the_same_view_and_dice_give_the_same_legal_move(table: tuple[str, int], claims: float):
    """Whatever the bot has seen before: a used one and a fresh one agree, at moments of odd games too."""
    used = {name: make_bot(name) for name in bot_names()}
    for number, game in enumerate(every_moment(table, 3, claims)):
        if number % 9 == 0 and not game.is_over:
            seat = game.to_move[0]
            view, legal = game.view(seat), game.legal_moves(seat)
            assert view.legal_moves().numbers == legal.numbers
            before = bytes(view)
            for name, bot in used.items():
                move = make_bot(name).choose(view, Dice.of(number), QUICK).move
                assert move in legal, name
                assert bot.choose(view, Dice.of(number), QUICK).move == move, name
            assert bytes(view) == before, "a bot wrote into its view"


@pytest.mark.parametrize(
    ("table", "seed"), [(("usa-classic", 4), 11), (("usa-mega", 5), 14), (("new-york", 4), 11)], ids=str
)
def test_a_bot_that_was_there_from_the_start_says_what_a_fresh_one_says(table: Table, seed: int):
    """At every turn, with the reasons, in games that show a plan kept although others have claimed (C-6)."""
    names = [name for name in bot_names() if name != "search"]
    used = [{name: make_bot(name) for name in names} for _ in range(table[1])]
    for number, game in enumerate(every_moment(table, seed)):
        for seat in game.to_move:
            view = game.view(seat)
            for name, bot in used[seat].items():
                fresh = make_bot(name).choose(view, Dice.of(number), QUICK)
                assert bot.choose(view, Dice.of(number), QUICK) == fresh, name


@pytest.mark.parametrize("other", [("usa-1910", 2, 0), ("usa-classic", 5, 0), ("usa-classic", 2, 1)], ids=str)
def test_a_bot_keeps_nothing_for_another_table_or_seat(other: tuple[str, int, int]):
    """The same numbers of tickets and routes mean something else there; a server asks one bot for all."""
    views: list[View] = []
    for edition, players, seat in (("usa-classic", 2, 0), other):
        scene = bare(edition, players)
        scene.own(0, "HOU-NOL")
        scene.own(1, "DEN-KAN/black")
        scene.set_tickets(seat, *(ticket.name for ticket in scene.edition.tickets[9:12]))
        scene.state.turn = seat
        views.append(View.of(scene.edition, scene._states, seat))
    for name in bot_names():
        used, fresh = make_bot(name), make_bot(name)
        used.choose(views[0], Dice.of(1), QUICK)
        assert used.choose(views[1], Dice.of(1), QUICK) == fresh.choose(views[1], Dice.of(1), QUICK), name


def test_python_and_compiled_tables_play_the_same_games():
    """A game played through `Game` and one played whole in compiled code are the same, move for move."""
    names = ("planner", "one-step", "random")
    policies = [POLICIES.index(name) for name in names]
    states, decisions = play_compiled("usa-classic", policies, 6)
    for i in range(6):
        seed = series_seed(BASE, i)
        game = Game.new("usa-classic", 3, seed)
        bots, dice = lineup(names, 3), [Dice.of(seed, seat) for seat in range(3)]
        while not game.is_over:
            seat = game.to_move[0]
            game.play(bots[seat].choose(game.view(seat), dice[seat], QUICK).move, seat)
        assert len(game.played) == decisions[i]
        assert game.states.tobytes() == states[i : i + 1].tobytes()


def soak(games: int) -> None:
    """Play so many games of every edition and seat count; every bot meets every other."""
    rng = np.random.default_rng(1)
    for edition, players in TABLES:
        for _ in range(10):
            policies = rng.integers(0, len(POLICIES), players).tolist()
            states, decisions = play_compiled(edition, policies, games // 10)
            assert decisions.min() > 0, f"an illegal move: {edition}, {policies}"
            assert decisions.max() < MOST_DECISIONS, f"it never ends: {edition}, {policies}"
            assert (states["phase"] == OVER).all()


def test_a_few_thousand_games_without_an_illegal_move_or_a_stall():
    soak(100)


@pytest.mark.slow
def test_a_hundred_thousand_games_without_an_illegal_move_or_a_stall():
    soak(100_000 // len(TABLES) + 10)


def test_bots_have_names_and_say_what_they_do():
    for name in [*bot_names(), *LEVELS]:
        assert make_bot(name).name == name
        assert describe_bot(name)


def test_an_unknown_bot_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"There is no bot 'planer'\. The bots are random, greedy"):
        make_bot("planer")


def test_a_bot_of_ones_own(tmp_path: Path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from goldenspike.bots import Bot, Choice\n"
        "class Last(Bot):\n"
        "    '''Plays the last legal move.'''\n"
        "    def choose(self, view, dice, budget):\n"
        "        return Choice(view.legal_moves().numbers[-1])\n"
        "nothing = 3\n"
    )
    bot = make_bot(f"{mine}:Last")
    assert bot.name == "Last"
    assert play_out("new-york", [bot, make_bot("random")], 1).is_over
    with pytest.raises(ValueError, match="has no class nothing"):
        make_bot(f"{mine}:nothing")
    with pytest.raises(ValueError, match="There is no file"):
        make_bot(f"{tmp_path / 'other.py'}:Last")


def test_the_bot_in_the_documentation_plays(tmp_path: Path):
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "write-a-bot.md").read_text(encoding="utf-8")
    mine = tmp_path / "mine.py"
    mine.write_text(page.split("```python\n")[1].split("```")[0], encoding="utf-8")
    game = play_out("usa-classic", [make_bot(f"{mine}:LongFirst"), make_bot("random")], 2)
    assert game.result is not None
    assert game.result.winners == (0,)


def test_dice_fall_alike_for_the_same_seed_and_seat():
    rolls = [[Dice.of(7, seat).below(1000) for _ in range(3)] for seat in (0, 0, 1)]
    assert rolls[0] == rolls[1] != rolls[2]
    dice = Dice.of(7)
    copy, child = dice.copy(), dice.copy().child()
    assert [dice.below(100) for _ in range(5)] == [copy.below(100) for _ in range(5)]
    assert [child.below(100) for _ in range(5)] != [Dice.of(7).below(100) for _ in range(5)]
    with pytest.raises(ValueError, match="no number"):
        dice.below(0)
