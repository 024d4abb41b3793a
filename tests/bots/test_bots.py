"""Properties of every bot: it plays legal moves, sees only its view, is deterministic, and ends its games."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldenspike import Game, load_edition
from goldenspike.bots import (
    LEVELS,
    Bot,
    BotAnswerError,
    Budget,
    Choice,
    Dice,
    bot_names,
    describe_bot,
    make_bot,
)
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import MOST_DECISIONS, POLICIES, play_tables
from goldenspike.bots.workspace import new_workspaces
from goldenspike.cli import main
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.state import OVER, new_states
from goldenspike.engine.tables import build_tables
from goldenspike.errors import MoveError
from goldenspike.game.seeds import key_words, read_seed
from goldenspike.game.view import View
from goldenspike.simulation import series_seed
from tests.game.games import EVERY_TABLE, FEW_TABLES, TABLES, GameSetup, every_moment
from tests.rules.table import bare

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "bots.md"
QUICK = Budget(playouts=12)
BASE = read_seed("bots")


def lineup(names: tuple[str, ...], players: int) -> list[Bot]:
    return [make_bot(name) for name in islice(cycle(names), players)]


def play_out(edition: str, bots: list[Bot], seed: int) -> Game:
    game = Game.new(edition, len(bots), seed)
    dice = [Dice.of(seed, seat) for seat in range(len(bots))]
    while not game.is_over:
        seat = game.to_move[-1]
        game.play(bots[seat].ask(game.view(seat), dice[seat], QUICK).move, seat)
        assert len(game.played) < MOST_DECISIONS
    return game


def play_compiled(edition_id: str, policies: list[int], games: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the final states and how many decisions they took."""
    edition = load_edition(edition_id)
    seats = len(policies)
    keys = np.array([key_words(series_seed(BASE, i)) for i in range(games)], np.uint32)
    rows = np.array([policies] * games, np.int16)
    states, decisions = new_states(games), np.zeros(games, np.int64)
    seat_row_sets = new_workspaces(seats), np.zeros(seats, CHANCE), np.zeros(1, LOG)
    firsts = np.full(games, ANY_SEAT, np.int16)
    play_tables(
        build_tables(edition), build_graph(edition), rows, firsts, keys, states, decisions, *seat_row_sets
    )
    return states, decisions


@pytest.mark.parametrize("table", EVERY_TABLE)
def test_every_bot_plays_every_table_to_its_end(table: GameSetup):
    for seed, names in enumerate([("planner",), ("search", "planner"), ("planner", "greedy", "random")]):
        play_out(table[0], lineup(names, table[1]), seed)


@pytest.mark.slow
@pytest.mark.parametrize("table", FEW_TABLES)
@pytest.mark.parametrize("claims", [0.5, 0.02])
def test_the_same_view_and_dice_give_the_same_legal_move(table: tuple[str, int], claims: float):
    """Whatever the bot has seen before: a used one and a new one agree, also in unusual games."""
    used = {name: make_bot(name) for name in bot_names()}
    for number, game in enumerate(every_moment(table, 3, claims)):
        if number % 9 == 0 and not game.is_over:
            seat = game.to_move[0]
            view, legal = game.view(seat), game.legal_moves(seat)
            assert view.legal_moves().numbers == legal.numbers
            before = bytes(view)
            for name, bot in used.items():
                move = make_bot(name).ask(view, Dice.of(number), QUICK).move
                assert move in legal, name
                assert bot.ask(view, Dice.of(number), QUICK).move == move, name
            assert bytes(view) == before, "a bot wrote into its view"


@pytest.mark.parametrize(
    ("table", "seed"), [(("usa-classic", 4), 11), (("usa-mega", 5), 14), (("new-york", 4), 11)], ids=str
)
def test_a_used_bot_and_a_fresh_bot_choose_the_same_move(table: GameSetup, seed: int):
    """At every turn, with the reasons, in games where a plan survives claims by others (C-6)."""
    names = [name for name in bot_names() if name != "search"]
    used = [{name: make_bot(name) for name in names} for _ in range(table[1])]
    for number, game in enumerate(every_moment(table, seed)):
        for seat in game.to_move:
            view = game.view(seat)
            for name, bot in used[seat].items():
                fresh = make_bot(name).ask(view, Dice.of(number), QUICK)
                assert bot.ask(view, Dice.of(number), QUICK) == fresh, name


@pytest.mark.parametrize("other", [("usa-1910", 2, 0), ("usa-classic", 5, 0), ("usa-classic", 2, 1)], ids=str)
def test_a_bot_keeps_no_state_between_tables_or_seats(other: tuple[str, int, int]):
    """The same ticket and route numbers mean something else there; a server uses one bot for all games."""
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
        used.ask(views[0], Dice.of(1), QUICK)
        assert used.ask(views[1], Dice.of(1), QUICK) == fresh.ask(views[1], Dice.of(1), QUICK), name


def test_python_and_compiled_tables_play_the_same_games():
    """A game played through `Game` and one played whole in compiled code are the same, move for move."""
    names = ("planner", "one-step", "random")
    policies = [POLICIES[name][0] for name in names]
    states, decisions = play_compiled("usa-classic", policies, 6)
    for i in range(6):
        seed = series_seed(BASE, i)
        game = Game.new("usa-classic", 3, seed)
        bots, dice = lineup(names, 3), [Dice.of(seed, seat) for seat in range(3)]
        while not game.is_over:
            seat = game.to_move[0]
            game.play(bots[seat].ask(game.view(seat), dice[seat], QUICK).move, seat)
        assert len(game.played) == decisions[i]
        assert game.states.tobytes() == states[i : i + 1].tobytes()


def soak(games: int) -> None:
    """Play this many games of every edition and seat count; every bot meets every other."""
    rng = np.random.default_rng(1)
    for edition, players in TABLES:
        for _ in range(10):
            policies = rng.integers(0, len(POLICIES), players).tolist()
            states, decisions = play_compiled(edition, policies, games // 10)
            assert decisions.min() > 0, f"an illegal move: {edition}, {policies}"
            assert decisions.max() < MOST_DECISIONS, f"it never ends: {edition}, {policies}"
            assert (states["phase"] == OVER).all()


def test_no_illegal_move_or_stall_in_a_few_thousand_games():
    soak(100)


@pytest.mark.slow
def test_no_illegal_move_or_stall_in_a_hundred_thousand_games():
    soak(100_000 // len(TABLES) + 10)


def test_every_bot_has_a_name_and_a_description():
    for name in [*bot_names(), *LEVELS]:
        assert make_bot(name).name == name
        assert describe_bot(name)


@pytest.mark.parametrize(("interpreted", "hard"), [("1", "PlannerBot"), ("0", "SearchBot")])
def test_with_interpreted_rules_hard_is_the_planner(interpreted: str, hard: str):
    """An interpreted search would be a thousand times too slow; the page says so until all is compiled."""
    code = (
        "from goldenspike.bots import make_bot\n"
        "bots = [make_bot(spec) for spec in ('medium', 'hard', 'search')]\n"
        "print(*(type(bot).__name__ for bot in bots), bots[1].name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": interpreted},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["PlannerBot", hard, "SearchBot", "hard"]


def test_help_and_documentation_list_the_bots(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["match", "--help"])
    told, page = capsys.readouterr().out, PAGE.read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{name}` | {describe_bot(name)} |" for name in bot_names()]
    assert all(f"{name} " in told and describe_bot(name) in told for name in bot_names())


def test_an_unknown_bot_error_lists_the_known_bots():
    with pytest.raises(ValueError, match=r"There is no bot 'planer'\. The bots are random, greedy"):
        make_bot("planer")


def test_a_bot_is_loaded_from_a_file(tmp_path: Path):
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


class Parrot(Bot):
    """Answers with a given value."""

    name = "parrot"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, view: View, dice: Dice, budget: Budget) -> Any:
        del view, dice, budget
        return self.answer


GAME = Game.new("usa-classic", 2, seed=1, first=0)


@pytest.mark.parametrize("move", ["keep all", 14, np.int16(14), GAME.legal_moves(0)[0]], ids=repr)
def test_a_move_is_a_value_a_number_or_a_text(move: Any):
    for answer in (move, Choice(move, 0.5, ("Why not.",))):
        choice = Parrot(answer).ask(GAME.view(0), Dice.of(1), Budget())
        assert choice.move is move
        game = GAME.copy()
        game.play(choice.move, 0)
        assert game.to_move == [1]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "None (did you forget to return the move?)"),
        (True, "True"),
        (14.0, "14.0"),
        ([14], "[14]"),
        ((14, 0.5), "(14, 0.5)"),
        (np.array([1, 2]), "array([1, 2])"),
        (Choice(None), "Choice(move=None, win_chance=None, reasons=())"),  # pyright: ignore[reportArgumentType]
        (GAME.legal_moves(0), "LegalMoves(keep "),
        ("x" * 5000, None),
        (object, "<class 'object'>"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_an_invalid_return_value_error_says_what_to_return(answer: object, shown: str | None):
    if shown is None:  # a text, which the game refuses
        with pytest.raises(MoveError):
            GAME.copy().play(Parrot(answer).ask(GAME.view(0), Dice.of(1), Budget()).move, 0)
        return
    with pytest.raises(BotAnswerError) as caught:
        Parrot(answer).ask(GAME.view(0), Dice.of(1), Budget())
    said = str(caught.value)
    assert said.startswith(f"The bot 'parrot' returned {shown}")
    assert "Return a move: one of view.legal_moves(), its number" in said
    assert len(said) < 300


def test_the_bot_in_the_documentation_plays(tmp_path: Path):
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "write-a-bot.md").read_text(encoding="utf-8")
    mine = tmp_path / "mine.py"
    mine.write_text(page.split("```python\n")[1].split("```")[0], encoding="utf-8")
    game = play_out("usa-classic", [make_bot(f"{mine}:LongFirst"), make_bot("random")], 2)
    assert game.result is not None
    assert game.result.winners == (0,)


def test_dice_depend_only_on_seed_and_seat():
    rolls = [[Dice.of(7, seat).below(1000) for _ in range(3)] for seat in (0, 0, 1)]
    assert rolls[0] == rolls[1] != rolls[2]
    dice = Dice.of(7)
    copy, child = dice.copy(), dice.copy().child()
    assert [dice.below(100) for _ in range(5)] == [copy.below(100) for _ in range(5)]
    assert [child.below(100) for _ in range(5)] != [Dice.of(7).below(100) for _ in range(5)]
    with pytest.raises(ValueError, match="no number"):
        dice.below(0)
