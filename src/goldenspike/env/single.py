"""One game, seen and stepped as the environments do it: what PettingZoo's and OpenSpiel's have in common."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition
from goldenspike.engine import doors
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.state import CHOOSING, OVER, State, new_states
from goldenspike.engine.tables import build_tables
from goldenspike.env.graph import new_kept
from goldenspike.env.layout import layout_of
from goldenspike.env.rewards import rewards_of
from goldenspike.env.stepping import Setting, see_game
from goldenspike.errors import MalformedMoveError
from goldenspike.refusals import Scene, explain_refusal
from goldenspike.seeds import key_words
from goldenspike.view import View


class SingleGame:
    """A bare game: its state, and the arrays that its observations are written into."""

    def __init__(self, edition: Edition, players: int, graph: bool = False) -> None:
        self.edition = edition
        self.players = players
        self.layout = layout_of(edition, players, graph)
        self.states = new_states(1)
        self.tables = build_tables(edition)
        self._logs = np.zeros(1, LOG)
        self._setting = Setting(self.tables, self.layout.array, np.zeros(8, np.uint32), players, 1, 1, 0)
        self._kept = new_kept(1, 1)[0]
        self._features = np.zeros(max(0, int(self.layout.array["graph_size"][0])), np.uint8)

    @property
    def state(self) -> State:
        """The record of the game."""
        return cast("State", self.states[0])

    def deal(self, seed: bytes) -> None:
        """Deal a new game."""
        self.states = new_states(1)
        doors.deal(self.states, self.tables, self.players, key_words(seed), ANY_SEAT, self._logs)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == OVER)

    @property
    def seat(self) -> int:
        """The seat to move; of several that choose at setup, the lowest."""
        if self.state.phase == CHOOSING:
            return next(seat for seat in range(self.players) if self.state.choice[seat] == 0)
        return int(self.state.turn)

    def observe(self, seat: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Return what a seat sees, every number from 0 to 1, and which moves it may play now."""
        row = np.zeros(self.layout.width, np.uint8)
        mask = np.zeros(self.layout.moves, np.bool_)
        see_game(self._setting, self.states, seat, row, mask, self._kept, self._features)
        return row * self.layout.scales, mask.view(np.int8)

    def play(self, move: int) -> None:
        """Play a move for the seat to move; raise why not if it is not legal."""
        if not 0 <= move < self.layout.moves:
            raise MalformedMoveError(f"Moves are numbered from 0 to {self.layout.moves - 1}.")
        reason = doors.quick_step(self.states, self.tables, self.seat, move, self._logs)
        if reason != LEGAL:
            raise explain_refusal(reason, Scene(self.edition, self.state, self.seat, move))

    def rewards(self, reward: int) -> list[float]:
        """Return what the finished game earned each seat."""
        out = np.zeros(self.players, np.float64)
        rewards_of(self.states, reward, out)
        return out.tolist()

    def view(self, seat: int | None) -> View:
        """Return what a seat, or a spectator, may see."""
        return View.of(self.edition, self.states, seat)
