"""``goldenspike rules EDITION``."""

from __future__ import annotations

import argparse
import textwrap

from goldenspike.editions import Edition, load_edition
from goldenspike.exit_codes import OK
from goldenspike.game.rulings import rulings_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("edition", help="an edition's id, or the path of its file")
    parser.epilog = "example: goldenspike rules new-york"


def run(options: argparse.Namespace) -> int:
    """Print the numbers of an edition and the rulings that apply to it."""
    edition = load_edition(options.edition)
    print(f"{edition.name} ({edition.id}), on the board {edition.board.name}\n")
    for name, text in describe_numbers(edition):
        print(_wrap(f"{name:<22}{text}", 22))
    print("\nOur rulings:")
    for id_, text in rulings_of(edition).items():
        print(_wrap(f"  {id_:<6}{text}", 8))
    return OK


def _wrap(text: str, indent: int) -> str:
    return textwrap.fill(text, 100, subsequent_indent=" " * indent, drop_whitespace=True)


def describe_numbers(edition: Edition) -> list[tuple[str, str]]:
    """Return the numbers of an edition as names and sentences, in the order of a game."""
    piece, loco = edition.words.piece, edition.words.wild_card
    players = (
        f"{edition.players[0]} to {edition.players[1]}, {edition.minutes[0]}-{edition.minutes[1]} minutes"
    )
    colours = f"{edition.deck.colour} of each of {len(edition.board.colours)} colours"
    row = f"{edition.face_up} cards" if edition.face_up else "none: a draw is two cards from the deck"
    few = edition.doubles_close_up_to
    closing = f"with {few} players or fewer, one lane taken closes the other"
    return [
        ("Players", players),
        ("Cards", f"{edition.cards}: {colours}, {edition.deck.locomotive} {loco}s"),
        ("Each player", f"{edition.pieces} {piece}s, {edition.opening_hand} cards"),
        ("Face-up row", row),
        *_describe_tickets(edition),
        ("Route points", _route_points(edition)),
        ("Doubles", closing if few else "both lanes stay open, to different players"),
        ("Bonuses", _bonuses(edition)),
        ("End", _end(edition)),
        ("Ties", ", then ".join(tie.replace("-", " ") for tie in edition.tie_breaks) or "shared"),
    ]


def _describe_tickets(edition: Edition) -> list[tuple[str, str]]:
    rules, count = edition.ticket_rules, len(edition.tickets)
    if rules.flow == "swap":
        return [
            ("Tickets", f"{count}; {rules.deal} in hand, shown and replaced when completed"),
            ("Swapping tickets", "a turn may swap all tickets in hand for new ones"),
        ]
    return [
        ("Tickets", f"{count}; dealt {rules.deal}, keep at least {rules.deal_keep}"),
        ("Drawing tickets", f"draw {rules.draw}, keep at least {rules.draw_keep}"),
    ]


def _route_points(edition: Edition) -> str:
    if not edition.route_points:
        return "none"
    return ", ".join(f"{length}: {points}" for length, points in enumerate(edition.route_points, start=1))


def _bonuses(edition: Edition) -> str:
    bonuses, found = edition.bonuses, list[str]()
    if bonuses.longest_path:
        found.append(f"longest path {bonuses.longest_path}")
    if bonuses.globetrotter:
        found.append(f"most completed tickets {bonuses.globetrotter}")
    if bonuses.attraction:
        found.append(f"{bonuses.attraction} for each attraction reached")
    if bonuses.coast_to_coast:
        found.append(f"one ticket for joining {' and '.join(bonuses.coast_to_coast)} coast")
    return ", ".join(found) or "none"


def _end(edition: Edition) -> str:
    end, piece = edition.end, edition.words.piece
    if end.when == "race":
        return f"at once, with {end.tickets} completed tickets or the last {piece} placed"
    return f"one more turn each after a player has {end.pieces} {piece}s or fewer left"
