"""Before a game: which edition, who plays, and the first compilation."""

from __future__ import annotations

from collections.abc import Sequence

from goldenspike.bots import Budget, Dice, describe_bot, make_bot
from goldenspike.cli.seating import Seat, bot_words, default_seats, read_seats, verify_seats
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.terminal import Terminal
from goldenspike.datafiles.words import fold
from goldenspike.editions import Edition, edition_ids, load_edition
from goldenspike.game.game import Game

_FAVOURITE = "usa-classic"


def choose_edition(terminal: Terminal) -> Edition:
    """Ask which edition to play."""
    ids = edition_ids()
    editions = [load_edition(id_) for id_ in ids]
    default = _FAVOURITE if _FAVOURITE in ids else ids[0]
    terminal.say(texts.WHICH_EDITION)
    for number, edition in enumerate(editions, start=1):
        least, most = edition.players
        short, long = edition.minutes
        terminal.say(
            texts.EDITION_LINE.format(
                number=number, name=edition.name, least=least, most=most, short=short, long=long
            )
        )
    while True:
        answer = terminal.ask(texts.ASK_EDITION.format(default=ids.index(default) + 1))
        if not answer:
            return editions[ids.index(default)]
        if answer.isdecimal() and 1 <= int(answer) <= len(editions):
            return editions[int(answer) - 1]
        for edition in editions:
            if fold(answer) in {fold(edition.id), fold(edition.name)}:
                return edition
        try:
            return load_edition(answer)
        except (ValueError, OSError) as error:
            terminal.say(texts.NO_SUCH_EDITION.format(reason=error, count=len(editions)))


def choose_seats(terminal: Terminal, edition: Edition) -> list[Seat]:
    """Ask who plays."""
    least, most = edition.players
    default = default_seats(most)
    terminal.say(texts.WHO_PLAYS.format(least=least, most=most))
    for name in bot_words():
        terminal.say(texts.BOT_LINE.format(name=name, about=describe_bot(name)))
    while True:
        try:
            seats = read_seats(terminal.ask(texts.ASK_SEATS.format(default=default)) or default)
            verify_seats(edition, seats)
        except ValueError as error:
            terminal.say(str(error))
        else:
            return seats


def rehearse(edition: Edition, seats: Sequence[Seat]) -> None:
    """Run everything that is compiled once: a deal, moves, views, scores, the built-in bots' first moves."""
    game = Game.new(edition, len(seats), seed=0)
    while game.view(0).phase == "choosing":
        game.play("keep all")
    game.play(game.legal_moves().numbers[0])
    assert "pass" not in game.legal_moves()
    game.scores()
    view = game.view(game.to_move[0])
    # A bot from a user's file is not compiled. If it fails, the game handles that.
    for spec in {seat.bot for seat in seats if seat.bot is not None and seat.bot in bot_words()}:
        make_bot(spec).ask(view, Dice.of(0), Budget(seconds=0.01))
