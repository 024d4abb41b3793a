"""A single game for the PettingZoo and OpenSpiel environments: state, observations and moves."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.state import CHOOSING, OVER, State, new_states
from goldenspike.engine.tables import build_tables
from goldenspike.env.batch import SAME_STEP, STEP_MEMORY, Setting, see_game
from goldenspike.env.graph import new_kept
from goldenspike.env.layout import layout_of
from goldenspike.env.rewards import rewards_of
from goldenspike.errors import MalformedMoveError
from goldenspike.game.refusals import RefusedMove, explain_refusal
from goldenspike.game.seeds import key_words
from goldenspike.game.view import View


class SingleGame:
    """A game: its state, and the arrays that its observations are written into."""

    def __init__(self, edition: Edition, players: int, graph: bool = False) -> None:
        self.edition = edition
        self.players = players
        self.layout = layout_of(edition, players, graph)
        self.states = new_states(1)
        self.tables = build_tables(edition)
        self._logs = np.zeros(1, LOG)
        self._setting = Setting(self.tables, self.layout.array, players, 1, 0, SAME_STEP, ANY_SEAT)
        self._memories = np.zeros(1, STEP_MEMORY)
        self._kept = new_kept(1, 1)[0]
        self._features = np.zeros(max(0, int(self.layout.array["graph_size"][0])), np.uint8)

    @property
    def state(self) -> State:
        """The struct of the game."""
        return cast("State", self.states[0])

    def deal(self, seed: bytes) -> None:
        """Deal a new game."""
        self.states = new_states(1)
        api.deal(self.states, self.tables, self.players, key_words(seed), ANY_SEAT, self._logs)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == OVER)

    @property
    def seat(self) -> int:
        """The seat to move; of several that choose at setup, the lowest."""
        if self.states["phase"][0] == CHOOSING:
            return int((self.states["choice"][0] == 0).argmax())
        return int(self.states["turn"][0])

    def observe(self, seat: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Return a seat's observation, every number from 0 to 1, and the moves it may play now."""
        row = np.zeros(self.layout.width, np.uint8)
        mask = np.zeros(self.layout.moves, np.bool_)
        see_game(self._setting, self.states, seat, row, mask, self._kept, self._features, self._memories)
        return row * self.layout.scales, mask.view(np.int8)

    def play(self, move: int) -> None:
        """Play a move for the seat to move; raise an error with the reason if it is illegal."""
        if not 0 <= move < self.layout.moves:
            raise MalformedMoveError(f"Moves are numbered from 0 to {self.layout.moves - 1}.")
        reason = api.quick_step(self.states, self.tables, self.seat, move, self._logs)
        if reason != LEGAL:
            raise explain_refusal(reason, RefusedMove(self.edition, self.state, self.seat, move))

    def rewards(self, reward: int) -> list[float]:
        """Return the reward of each seat for the finished game."""
        out = np.zeros(self.players, np.float64)
        rewards_of(self.states, reward, out)
        return out.tolist()

    def view(self, seat: int | None) -> View:
        """Return the view of a seat or a spectator."""
        return View.of(self.edition, self.states, seat)
