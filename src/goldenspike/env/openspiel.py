"""The game for OpenSpiel: importing this module registers it as `python_goldenspike`.

Chance is explicit: every draw is a chance node with its exact odds, so that algorithms can sum over outcomes
or sample them, and a state that is looked ahead from does not give away what will be drawn. The alternative,
one chance node that samples a seed, would play the same games with the same odds, but a clone of a state
would hold the future of the original: search from it would cheat.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine import doors, events
from goldenspike.engine.state import KINDS, LOCOMOTIVE, OVER
from goldenspike.env.odds import PLAY, SETTLE, Kit, Question, Step, kit_of, word_for
from goldenspike.env.rewards import BY_WINS
from goldenspike.env.text import write_own, write_text
from goldenspike.env.vector import LIMIT
from goldenspike.event import see_events
from goldenspike.notation import notation_of

try:
    import pyspiel  # pyright: ignore[reportMissingTypeStubs]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "This environment needs OpenSpiel: install goldenspike[openspiel].", name=error.name
    ) from None

_pyspiel: Any = pyspiel

NAME = "python_goldenspike"
"""What to load: ``pyspiel.load_game("python_goldenspike(edition=new-york,players=3)")``."""
PARAMETERS = {"edition": "usa-classic", "players": 2, "limit": LIMIT}

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
        """Return a table where nothing is dealt yet and chance decides who begins."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a number that no game comes near: a row can be swept away again and again."""
        return 100 * self.limit

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what observes states for a player."""
        return Observer(
            kit_of(self.edition, self.players),
            iig_obs_type or _pyspiel.IIGObservationType(perfect_recall=False),
            params,
        )


class SpielState(_pyspiel.State):
    """A game in progress: a state of the engine, and the steps that wait for chance to decide.

    All that is kept can be copied and pickled; tables and buffers are shared by the games of an edition.
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
        self._question: Question | None = Question()  # who begins
        self._has_begun = False
        self._decisions = 0
        self.log: tuple[bytes, ...] = ()  # what each step left behind, as rows of numbers

    @property
    def kit(self) -> Kit:
        """What the game is played on."""
        return kit_of(*self.table)

    @property
    def states(self) -> NDArray[np.record]:
        """The engine's state, as an array of one; while chance decides, the one before the move."""
        return self._states

    def current_player(self) -> int:
        """Return who decides: a seat, chance, or nobody."""
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
        return out[: doors.list_moves(self._states, self.kit.tables, int(player), out)].tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may decide, with the odds: a seat, a kind of card, or KINDS + a ticket."""
        if not self._has_begun:
            players = self.table[1]
            return [(seat, 1 / players) for seat in range(players)]
        counts, tickets = self._question or Question()
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
            self._steps = [Step(PLAY, int(self.current_player()), int(action))]
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
            if question is not None and question != Question():
                self._question = question
                return
            self._log(rows)
            self._states = states
            self._unseen -= len(self._tickets)
            self._words, self._tickets = [], []
            self._steps = [Step(SETTLE), *self._steps[1:]] if question is not None else self._steps[1:]

    def _log(self, rows: NDArray[np.int16]) -> None:
        self.log = (*self.log, rows.tobytes())

    def rows(self) -> NDArray[np.int16]:
        """Return all that happened, hidden things included."""
        return np.frombuffer(b"".join(self.log), np.int16).reshape(-1, events.WIDTH)

    def returns(self) -> list[float]:
        """Return what the game earned each seat: nothing if it is not over or was broken off."""
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
            return f"seat {action} begins"
        if action >= KINDS:
            return f"ticket {edition.tickets[action - KINDS].name}"
        return f"card {'loco' if action == LOCOMOTIVE else edition.board.colours[action]}"

    def __str__(self) -> str:
        single = self.kit.single
        single.states = self._states
        owns = [write_own(single.view(seat)) for seat in range(self.table[1])]
        return "\n".join([write_text(single.view(None)), *owns])


class Observer:
    """What a player observes: numbers as the layout says, and text.

    The numbers are the same with and without perfect recall: they sum up what was seen, and leave out in
    which order. The text with perfect recall is everything that the seat has seen happen.
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
        """Write what a player sees into `tensor`, of which `dict` holds the parts."""
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
    """Return what a seat hears of a step; kept, because every decision asks for the whole story again."""
    rows = np.frombuffer(log, np.int16).reshape(-1, events.WIDTH)
    return "".join(f"{event}\n" for event in see_events(kit_of(edition, players).edition, rows, seat))


_pyspiel.register_game(_GAME_TYPE, SpielGame)
