"""Completion of a typed line, and suggestions for a mistyped one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.panels import own_tickets
from goldenspike.cli.terminal.story import in_words_of
from goldenspike.datafiles.words import fold, suggest
from goldenspike.editions import Edition
from goldenspike.game.moves import ClaimRoute, Move
from goldenspike.game.view import View

COMMANDS = (
    "board",
    "hand",
    "tickets",
    "way",
    "claim",
    "score",
    "statistics",
    "log",
    "log all",
    "replay",
    "hint",
    "why",
    "undo",
    "rules",
    "save",
    "resume",
    "help",
    "quit",
)
"""The commands besides moves."""

_WITH = " with "
_VERBS = ("draw", "take", "claim", "build", "keep", "swap", "pass")


def complete(view: View, typed: str) -> Iterator[str]:
    """Yield completions of a typed beginning; for a claim first the route, then the payment.

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
    if text.startswith("way "):
        wanted = fold(text.removeprefix("way "))
        yield from (f"way {name}" for name in own_tickets(view) if fold(name).startswith(wanted))
        return
    moves = list(view.legal_moves())
    if text.startswith("claim "):
        yield from (in_words_of(view.edition, prefix + line) for line in _claims(view, moves, text))
        return
    seen: set[str] = set()
    shown = (in_words_of(view.edition, str(move)) for move in moves if not isinstance(move, ClaimRoute))
    lines = [*shown, *(() if prefix else COMMANDS)]
    if view.offer:
        lines.insert(0, "keep all")
    for line in lines:
        if line.lower().startswith(text) and line not in seen:
            seen.add(line)
            yield prefix + line


def _claims(view: View, moves: Sequence[Move], text: str) -> Iterator[str]:
    claims = [move for move in moves if isinstance(move, ClaimRoute)]
    if _WITH in text:
        lines = (in_words_of(view.edition, str(claim)) for claim in claims)
        yield from (line for line in lines if line.lower().startswith(text))
        return
    wanted = text.removeprefix("claim ").strip()
    routes = list(dict.fromkeys(claim.route for claim in claims))
    for name in routes:
        if wanted == name.lower():  # the route is complete: offer the payments
            yield from (str(claim) for claim in claims if claim.route == name)
            return
    yield from (f"claim {name}" for name in routes if _is_meant(view, name, wanted))


def _is_meant(view: View, route: str, wanted: str) -> bool:
    """Tell whether the typed text begins a route: by its name, or by a city's name at either end."""
    if route.lower().startswith(wanted):
        return True
    cities = {city.code: city.name for city in view.edition.board.cities}
    codes = route.partition("/")[0].split("-")
    ends = [cities[code] for code in codes]
    both = [f"{ends[0]}{ends[1]}", f"{ends[1]}{ends[0]}", f"{codes[1]}{codes[0]}"]
    return bool(fold(wanted)) and any(fold(each).startswith(fold(wanted)) for each in both)


def suggest_line(line: str) -> str:
    """Return a question that suggests a correction of a line that is neither command nor move; else "".

    >>> suggest_line("hlep"), suggest_line("clam CHI-PIT"), suggest_line("swap tickts")
    ('did you mean "help"?', 'did you mean "claim CHI-PIT"?', 'did you mean "swap tickets"?')
    >>> suggest_line("fly to Boston"), suggest_line("swap tickets")
    ('', '')
    """
    word, space, rest = line.partition(" ")
    known = dict.fromkeys([*(command.partition(" ")[0] for command in COMMANDS), *_VERBS])
    if word.lower() == "swap" and rest.lower() != "tickets":
        return suggest(line, ["swap tickets"])
    if word.lower() in known:
        return ""
    return suggest(word, known).replace('"?', f'{space}{rest}"?')


def ticket_meant(edition: Edition, text: str, names: Sequence[str]) -> str:
    """Return the ticket that is meant by codes or names of cities, in either order.

    Raise `LookupError`, with the nearest ticket, if none is.

    >>> from goldenspike.editions import load_edition
    >>> usa = load_edition("usa-classic")
    >>> ticket_meant(usa, "miami - toronto", ["TOR-MIA", "BOS-MIA"])
    'TOR-MIA'
    """
    cities = edition.board.cities
    spellings: dict[str, str] = {}
    for name in names:
        ticket = next(ticket for ticket in edition.tickets if ticket.name == name)
        for one, other in ((ticket.a, ticket.b), (ticket.b, ticket.a)):
            spellings[f"{cities[one].code}-{cities[other].code}"] = name
            spellings[f"{cities[one].name} - {cities[other].name}"] = name
    found = next((name for spelling, name in spellings.items() if fold(spelling) == fold(text)), None)
    if found is not None:
        return found
    advice = suggest(text, spellings) or texts.YOUR_TICKETS.format(tickets=", ".join(names))
    raise LookupError(texts.NO_SUCH_TICKET.format(text=text, advice=advice))
