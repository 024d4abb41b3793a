"""Replaying a game move by move, with the board at each move."""

from __future__ import annotations

from typing import NamedTuple

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.layout import wrap
from goldenspike.cli.terminal.screen import Watched, draw_watched
from goldenspike.cli.terminal.table import GameTable
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.game.game import Game
from goldenspike.game.view import View

_LEAVE = {"q", "quit", "exit", "leave"}


class Frame(NamedTuple):
    """The game after a move: a view of it, and the move in words."""

    view: View
    told: list[str]


def frames_of(table: GameTable, seat: int | None) -> list[Frame]:
    """Return the game so far, move by move, as a seat may know it; a finished game without secrets."""
    game = table.game
    reader = None if game.is_over else seat
    again = Game.new(game.edition, game.players, game.seed, game.first)
    frames: list[Frame] = []
    for number, played in enumerate(game.played, start=1):
        again.play(played.number, played.seat)
        frames.append(Frame(again.view(reader), table.tell_moves(reader, number, number)))
    return frames


def replay_game(terminal: Terminal, table: GameTable, seat: int | None) -> None:
    """Replay the game so far, one move for each Enter; without an interactive terminal all at once."""
    frames = frames_of(table, seat)
    if not frames:
        terminal.say(texts.NOTHING_SINCE)
    elif not terminal.is_interactive:
        for number, frame in enumerate(frames, start=1):
            terminal.say(texts.REPLAY_LINE.format(number=number, told=" ".join(frame.told)))
    else:
        _step_through(terminal, table, frames)


def _step_through(terminal: Terminal, table: GameTable, frames: list[Frame]) -> None:
    at, refusal = 0, ""
    while 0 <= at < len(frames):
        _show(terminal, table, frames, at, refusal)
        answer = terminal.ask(texts.REPLAY_PROMPT, "replay").lower()
        if answer in _LEAVE:
            return
        refusal = ""
        if answer in {"", "n", "next"}:
            at += 1
        elif answer in {"b", "back"}:
            at = max(at - 1, 0)
        elif answer in {"start", "end"}:
            at = 0 if answer == "start" else len(frames) - 1
        elif answer.isdecimal() and 1 <= int(answer) <= len(frames):
            at = int(answer) - 1
        else:
            refusal = texts.NO_SUCH_MOVE.format(answer=answer, count=len(frames))


def _show(terminal: Terminal, table: GameTable, frames: list[Frame], at: int, refusal: str) -> None:
    title = texts.REPLAY_TITLE.format(edition=table.game.edition.name, number=at + 1, count=len(frames))
    frame = frames[at]
    told = [*frame.told, refusal] if refusal else frame.told
    if not terminal.look.is_drawn:
        for sentence in (texts.REPLAY_LINE.format(number=at + 1, told=" ".join(told)),):
            terminal.say_all(wrap(sentence, terminal.width))
        return
    before = [sentence for earlier in frames[max(at - 40, 0) : at] for sentence in earlier.told]
    watched = Watched(title, told, before)
    terminal.show_page(lambda: draw_watched(terminal, table, frame.view, watched))
