"""What a line could become: commands, then legal moves step by step, found by codes or by names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldenspike.boards.words import fold
from goldenspike.moves import ClaimRoute, Move
from goldenspike.view import View

COMMANDS = (
    "board",
    "hand",
    "tickets",
    "claim",
    "score",
    "log",
    "log all",
    "hint",
    "why",
    "undo",
    "save",
    "resume",
    "help",
    "quit",
)
"""What can be typed besides moves."""

_WITH = " with "


def complete(view: View, typed: str) -> Iterator[str]:
    """Yield the lines that a typed beginning could become; a claim is offered route first, then payment.

    >>> from goldenspike import Game
    >>> game = Game.new("usa-classic", 2, seed="prairie", first=0)
    >>> for seat in (0, 1):
    ...     game.play("keep all", seat)
    >>> list(complete(game.view(0), "dr"))
    ['draw deck', 'draw tickets']
    >>> list(complete(game.view(0), "claim new y"))
    ['claim BOS-NYC/yellow']
    """
    text = typed.lstrip().lower()
    prefix = ""
    if text.startswith("why "):
        prefix, text = "why ", text[4:].lstrip()
    moves = list(view.legal_moves())
    if text.startswith("claim "):
        yield from (prefix + line for line in _claims(view, moves, text))
        return
    seen: set[str] = set()
    lines = [*(str(m) for m in moves if not isinstance(m, ClaimRoute)), *(() if prefix else COMMANDS)]
    if view.offer:
        lines.insert(0, "keep all")
    for line in lines:
        if line.lower().startswith(text) and line not in seen:
            seen.add(line)
            yield prefix + line


def _claims(view: View, moves: Sequence[Move], text: str) -> Iterator[str]:
    claims = [move for move in moves if isinstance(move, ClaimRoute)]
    if _WITH in text:
        yield from (str(claim) for claim in claims if str(claim).lower().startswith(text))
        return
    wanted = text.removeprefix("claim ").strip()
    routes = list(dict.fromkeys(claim.route for claim in claims))
    for name in routes:
        if wanted == name.lower():  # the route is there: offer the payments
            yield from (str(claim) for claim in claims if claim.route == name)
            return
    yield from (f"claim {name}" for name in routes if _is_meant(view, name, wanted))


def _is_meant(view: View, route: str, wanted: str) -> bool:
    """Tell whether what was typed begins a route: by its name, or by a city's name at either end."""
    if route.lower().startswith(wanted):
        return True
    cities = {city.code: city.name for city in view.edition.board.cities}
    codes = route.partition("/")[0].split("-")
    ends = [cities[code] for code in codes]
    both = [f"{ends[0]}{ends[1]}", f"{ends[1]}{ends[0]}", f"{codes[1]}{codes[0]}"]
    return bool(fold(wanted)) and any(fold(each).startswith(fold(wanted)) for each in both)
