"""Plays games among bots and prints a line for every move; tests run it compiled and interpreted.

Arguments are the bots, seat by seat, separated by commas, and then editions, each with a limit of moves.
"""

from __future__ import annotations

import sys

from goldenspike import Game
from goldenspike.bots import Budget, Dice, make_bot


def play(names: list[str], edition: str, limit: int) -> None:
    game = Game.new(edition, len(names), seed="two modes", first=0)
    bots = [make_bot(name) for name in names]
    dice = [Dice.of("two modes", seat) for seat in range(len(names))]
    while not game.is_over and len(game.played) < limit:
        seat = game.to_move[0]
        game.play(bots[seat].ask(game.view(seat), dice[seat], Budget()).move, seat)
        played = game.played[-1]
        sys.stdout.write(f"{edition} {played.seat} {played.text} {played.state_hash}\n")


def main() -> None:
    names, *games = sys.argv[1:]
    for game in games:
        edition, limit = game.split(":")
        play(names.split(","), edition, int(limit))


if __name__ == "__main__":
    main()
