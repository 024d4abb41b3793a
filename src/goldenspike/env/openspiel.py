"""The OpenSpiel game; importing this module registers it as `python_goldenspike`.

Chance is explicit: every draw is a chance node with its exact probabilities. Algorithms can sum over outcomes
or sample them, and a cloned state does not reveal future draws. The alternative, one chance node that samples
a seed, would play the same games with the same odds, but a clone would contain the future of the original, so
search from it would cheat.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine import api, events
from goldenspike.engine.legal import LEGAL
from goldenspike.engine.state import KINDS, LOCOMOTIVE, OVER
from goldenspike.engine.struct import Structs
from goldenspike.env.explicit_chance import PLAY, SETTLE, ChanceQuestion, EngineStep, Kit, kit_of, word_for
from goldenspike.env.resample import other_history
from goldenspike.env.rewards import BY_WINS
from goldenspike.env.text import write_own, write_text
from goldenspike.env.vector import LIMIT
from goldenspike.extras import how_to_install
from goldenspike.game.events import see_events
from goldenspike.game.notation import notation_of
from goldenspike.game.words import seat_name

try:
    import pyspiel  # pyright: ignore[reportMissingTypeStubs]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"This environment needs OpenSpiel. {how_to_install('openspiel')}", name=error.name
    ) from None

_pyspiel: Any = pyspiel

NAME = "python_goldenspike"
"""The name to load: ``pyspiel.load_game("python_goldenspike(edition=new-york,players=3)")``."""
PARAMETERS = {"edition": "usa-classic", "players": 2, "limit": LIMIT}

_TRIES = 20
"""Histories proposed before an unchanged state is returned. Impossible ones are very rare."""

_GAME_TYPE = _pyspiel.GameType(
    short_name=NAME,
    long_name="Golden Spike",
    dynamics=_pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=_pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=_pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=_pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=_pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class SpielGame(_pyspiel.Game):
    """An edition with a number of players.

    >>> game = _pyspiel.load_game("python_goldenspike(edition=first-journey,players=3)")
    >>> game.num_players(), game.num_distinct_actions(), game.utility_sum()
    (3, 272, 0.0)
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        settings = PARAMETERS | (params or {})
        self.edition, self.players = str(settings["edition"]), int(settings["players"])
        self.limit = int(settings["limit"])
        kit = kit_of(self.edition, self.players)
        info = _pyspiel.GameInfo(
            num_distinct_actions=kit.single.layout.moves,
            max_chance_outcomes=KINDS + len(kit.edition.tickets),
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.limit,
        )
        super().__init__(_GAME_TYPE, info, params or {})  # pyright: ignore[reportUnknownMemberType]

    def new_initial_state(self) -> SpielState:
        """Return a state in which nothing is dealt yet and chance decides who begins."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound that no game comes near, because a row can be wiped repeatedly."""
        return 100 * self.limit

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of states for a player."""
        return Observer(
            kit_of(self.edition, self.players),
            iig_obs_type or _pyspiel.IIGObservationType(perfect_recall=False),
            params,
        )


class SpielState(_pyspiel.State):
    """A game in progress: a state of the engine, and the steps that wait for chance outcomes.

    All attributes can be copied and pickled; tables and buffers are shared by the games of an edition.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)  # pyright: ignore[reportUnknownMemberType]
        self.table = (game.edition, game.players)
        self._limit = game.limit
        self._states = self.kit.undealt.copy()
        self._steps = self.kit.setup()
        self._words: list[int] = []
        self._tickets: list[int] = []
        self._unseen = len(self.kit.edition.tickets)
        self._question: ChanceQuestion | None = ChanceQuestion()  # who begins
        self._has_begun = False
        self._decisions = 0
        self.log: tuple[bytes, ...] = ()  # events of each step, as bytes of their rows

    @property
    def kit(self) -> Kit:
        """Tables and buffers of the edition."""
        return kit_of(*self.table)

    @property
    def states(self) -> Structs:
        """The engine's state, as an array of one; at a chance node, the state before the move."""
        return self._states

    def current_player(self) -> int:
        """Return who decides: a seat, chance, or the terminal player."""
        if self.is_terminal():
            return _pyspiel.PlayerId.TERMINAL
        if self._question is not None:
            return _pyspiel.PlayerId.CHANCE
        single = self.kit.single
        single.states = self._states
        return single.seat

    def is_terminal(self) -> bool:
        """Tell whether the game is over, or has reached its limit of decisions."""
        return self._question is None and (self._states["phase"][0] == OVER or self._decisions >= self._limit)

    def _legal_actions(self, player: int) -> list[int]:
        out = np.empty(self.kit.single.layout.moves, np.int16)
        return out[: api.list_moves(self._states, self.kit.tables, int(player), out)].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes with their odds: a seat, a kind of card, or KINDS + a ticket."""
        if not self._has_begun:
            players = self.table[1]
            return [(seat, 1 / players) for seat in range(players)]
        counts, tickets = self._question or ChanceQuestion()
        if tickets:
            return [(KINDS + ticket, 1 / len(tickets)) for ticket in tickets]
        return [(kind, count / sum(counts)) for kind, count in enumerate(counts) if count]

    def _apply_action(self, action: int) -> None:
        question = self._question
        if not self._has_begun:
            self._has_begun = True
            self._states["first"] = self._states["turn"] = action
            self._log(np.array([[events.STARTED, action, self.table[1], 0, 0, 0]], np.int16))
        elif question is None:
            self._decisions += 1
            self._steps = [EngineStep(PLAY, int(self.current_player()), int(action))]
        elif question.tickets:
            self._tickets.append(action - KINDS)
        else:
            self._words.append(word_for(action, question.counts))
        self._go_on()

    def _go_on(self) -> None:
        """Carry out steps until chance or a seat must decide."""
        self._question = None
        while self._steps and self._question is None:
            states, rows, question = self.kit.attempt(
                self._states, self._steps[0], self._words, self._tickets, self._unseen
            )
            if question is not None and question != ChanceQuestion():
                self._question = question
                return
            self._log(rows)
            self._states = states
            self._unseen -= len(self._tickets)
            self._words, self._tickets = [], []
            self._steps = [EngineStep(SETTLE), *self._steps[1:]] if question is not None else self._steps[1:]

    def _log(self, rows: NDArray[np.int16]) -> None:
        self.log = (*self.log, rows.tobytes())

    def rows(self) -> NDArray[np.int16]:
        """Return all events, hidden parts included."""
        return np.frombuffer(b"".join(self.log), np.int16).reshape(-1, events.WIDTH)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> SpielState:
        """Return a state that a player cannot tell from this one, with hidden information resampled.

        It has its own history, which leads to it and looks to the player as this one does: the others' cards
        and tickets, and which tickets they kept, are sampled uniformly from all that are possible. The same
        numbers of the sampler, which are from 0 to 1, give the same state. A player must be to move; for a
        game that is over, a copy is returned.
        """
        if self.is_terminal():
            return self.clone()
        if self.is_chance_node():
            raise ValueError("Chance is to decide: resample where a player is to move.")
        player, rng = int(player_id), random.Random(int(probability_sampler() * (1 << 53)))
        history = [(int(act.player), int(act.action)) for act in self.full_history()]
        deck: list[int] = self._states["deck"][0].tolist()
        for _ in range(_TRIES):
            other = other_history(self.kit.edition, self.rows(), deck, history, player, rng)
            state = self._retell(other)
            if state is not None and self._looks_like(state, player):
                return state
        return self.clone()

    def _retell(self, history: list[tuple[int, int]]) -> SpielState | None:
        """Return the state that a history leads to, or None if it is not possible."""
        state: SpielState = self.get_game().new_initial_state()
        for player, action in history:
            if state.current_player() != player or not state.is_possible(action):
                return None
            state.apply_action(action)
        return state

    def is_possible(self, action: int) -> bool:
        """Tell whether an action is legal for the current player, without listing all legal actions."""
        if self._question is not None:
            return action in dict(self.chance_outcomes())
        seat = int(self.current_player())
        return api.verify_move(self._states, self.kit.tables, seat, action) == LEGAL

    def _looks_like(self, other: SpielState, player: int) -> bool:
        if self.information_state_string(player) != other.information_state_string(player):
            return False
        return self.information_state_tensor(player) == other.information_state_tensor(player)

    def returns(self) -> list[float]:
        """Return the reward of each seat: 0 if the game is not over or was truncated."""
        if self._states["phase"][0] != OVER:
            return [0.0] * self.table[1]
        single = self.kit.single
        single.states = self._states
        return single.rewards(BY_WINS)

    def _action_to_string(self, player: int, action: int) -> str:
        edition = self.kit.edition
        if player != _pyspiel.PlayerId.CHANCE:
            offer = self._states["offer"][0, player][: self._states["offer_size"][0, player]].tolist()
            return str(notation_of(edition).value(action, offer))
        if not self._has_begun:
            return f"{seat_name(action)} begins"
        if action >= KINDS:
            return f"ticket {edition.tickets[action - KINDS].name}"
        return f"card {'loco' if action == LOCOMOTIVE else edition.board.colours[action]}"

    def __str__(self) -> str:
        single = self.kit.single
        single.states = self._states
        owns = [write_own(single.view(seat)) for seat in range(self.table[1])]
        return "\n".join([write_text(single.view(None)), *owns])


class Observer:
    """A player's observation: numbers in the order of the layout, and text.

    The numbers are the same with and without perfect recall: they summarise what was seen, without its order.
    The text with perfect recall has everything that the seat has seen happen.
    """

    def __init__(self, kit: Kit, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"There are no parameters of observations; these were given: {params}")
        if not kind.public_info or kind.private_info != _pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("A player observes what is public and its own: there is nothing else to choose.")
        self._kit = kit
        self._has_recall = bool(kind.perfect_recall)
        self.tensor = np.zeros(kit.single.layout.width, np.float32)
        self.dict = kit.single.layout.parts(self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a player's observation into `tensor`; `dict` holds views of its parts."""
        single = self._kit.single
        single.states = state.states
        self.tensor[:] = single.observe(player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player sees, or has seen, as text."""
        if self._has_recall:
            return "".join(_tell(*state.table, rows, player) for rows in state.log)
        single = self._kit.single
        single.states = state.states
        return write_text(single.view(player))


@lru_cache(maxsize=1 << 16)
def _tell(edition: str, players: int, log: bytes, seat: int) -> str:
    """Return what a seat sees of a step; cached, because every decision asks for the whole history."""
    rows = np.frombuffer(log, np.int16).reshape(-1, events.WIDTH)
    return "".join(f"{event}\n" for event in see_events(kit_of(edition, players).edition, rows, seat))


_pyspiel.register_game(_GAME_TYPE, SpielGame)
