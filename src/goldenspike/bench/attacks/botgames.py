"""A person in a game with bots, who plays at random; for honest players and for the attacker."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from goldenspike.bench.load.client_socket import ClientSocket, Tally
from goldenspike.bench.load.replies import LoadRefused, LoadUpdate, LoadWelcome, read_message

_SEAT = 0
"""The person's seat; the bots have the others."""
_RETRY = 1.0
"""Seconds until the next try after the server has refused a move."""


class BotGame(ClientSocket):
    """The person in a game with bots: plays random moves, and reports when bots think and have moved."""

    __slots__ = ("_commands", "_is_moving", "_legal", "_on_thinking", "_pause", "_random", "ended")

    def __init__(self, link: str, pause: float, random: Random, on_thinking: Callable[[bool], None]) -> None:
        super().__init__(link, Tally())
        self._pause, self._random, self._on_thinking = pause, random, on_thinking
        self._commands = 0
        self._legal: list[int] = []
        self._is_moving = False
        """Whether a move is planned or sent, and the server has not reported it yet."""
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the game is over or the connection has ended."""

    def hear(self, data: bytes) -> None:
        """Handle a message of the server: report what the bots do, and move when it is the person's turn."""
        message = read_message(data)
        if isinstance(message, LoadRefused):
            asyncio.get_running_loop().call_later(_RETRY, self._move)
        elif isinstance(message, LoadUpdate | LoadWelcome):
            self._take_view(message)

    def _take_view(self, message: LoadUpdate | LoadWelcome) -> None:
        movers = [entry.seat for entry in message.entries if entry.kind == "moved"]
        if any(seat != _SEAT for seat in movers):
            self._on_thinking(False)
        if _SEAT in movers:
            self._is_moving = False
        self._legal = [] if message.own is None else message.own.legal
        if message.view.phase == "over":
            self.close()
        elif not self._legal:
            self._on_thinking(True)
        elif not self._is_moving:
            self._is_moving = True
            asyncio.get_running_loop().call_later(self._pause, self._move)

    def _move(self) -> None:
        if self._legal and not self.closed:
            self._commands += 1
            move = self._random.choice(self._legal)
            self.say(b'{"type":"play","id":"%d","move":%d}' % (self._commands, move))

    def lose(self) -> None:
        """Handle the end of the connection."""
        if not self.ended.done():
            self.ended.set_result(None)
