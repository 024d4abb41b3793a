"""Reference pages during and after a game: the rules of the edition, the statistics."""

from __future__ import annotations

from rich.text import Text

from goldenspike.cli.rules import describe_numbers
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.layout import styled
from goldenspike.cli.terminal.palette import TOKENS
from goldenspike.cli.terminal.scoring import seat_columns
from goldenspike.cli.terminal.table import GameTable
from goldenspike.editions import Edition
from goldenspike.game.rulings import rulings_of
from goldenspike.game.statistics import Statistics, game_statistics

_OWN = {"locomotives_drawn", "tickets_made", "tickets_cut_off"}
"""Statistics that only the seat itself knows before the end."""

_PUBLIC_IN_RACE = {"tickets_made"}
"""In a race completed tickets are shown at once (J-4), so all seats know them."""

_AT_END = {"luck", "points_per_turn", "tickets_failed"}
"""Statistics shown only at the end: luck depends on all hands, the others mean nothing earlier."""

_BARS = "▁▂▃▄▅▆▇█"


def rules_lines(edition: Edition) -> list[str]:
    """Return the numbers of an edition and the rulings that apply to it."""
    numbers = [texts.RULE.format(name=name, text=text) for name, text in describe_numbers(edition)]
    rulings = [texts.RULE.format(name=id_, text=text) for id_, text in rulings_of(edition).items()]
    return [*numbers, "", texts.RULINGS, *rulings]


def statistics_lines(table: GameTable, seat: int | None, width: int) -> list[Text]:
    """Return the statistics of a game, without what a seat may not know; after the end everything."""
    game = table.game
    statistics = game_statistics(game.edition, game.history)
    words = {"piece": game.edition.words.piece, "loco": game.edition.words.wild_card}
    terms = {
        name: label.format(**words)
        for name, label in texts.STATISTICS.items()
        if game.is_over or name not in _AT_END
    }
    if not any(numbers.turns_passed for numbers in statistics.seats):
        del terms["turns_passed"]
    secret = _OWN - _PUBLIC_IN_RACE if game.edition.end.when == "race" else _OWN
    cells: list[list[str]] = []
    for number, numbers in enumerate(statistics.seats):
        known = {name: game.is_over or name not in secret or number == seat for name in terms}
        cells.append(
            [_shown(name, getattr(numbers, name)) if known[name] else texts.UNKNOWN_SCORE for name in terms]
        )
    lines = seat_columns(table, list(terms.values()), cells, has_total=False)
    if game.is_over:
        return [*lines, Text(), *_score_chart(table, statistics, width)]
    return [Text(texts.STATISTICS_SO_FAR, "dim"), *lines]


def _shown(name: str, number: float) -> str:
    if name == "luck":
        return f"{number:+.1f}"
    return f"{number:.1f}" if isinstance(number, float) else str(number)


def _score_chart(table: GameTable, statistics: Statistics, width: int) -> list[Text]:
    """Return a chart of the scores: a line for each seat, as high as its score would have been."""
    series = statistics.series.score
    low, high = min(map(min, series)), max(map(max, series))
    widest = max(map(len, table.names))
    room = min(max(width - widest - 8, 10), len(series[0]))
    lines = [Text(texts.SCORE_CHART, "dim")]
    for seat, (name, scores) in enumerate(zip(table.names, series, strict=True)):
        sampled = [scores[i * (len(scores) - 1) // max(room - 1, 1)] for i in range(room)]
        bars = "".join(_BARS[(score - low) * (len(_BARS) - 1) // max(high - low, 1)] for score in sampled)
        line = styled(name.ljust(widest), TOKENS[seat].style).append("  ").append(bars, TOKENS[seat].colour)
        lines.append(line.append(f" {scores[-1]}"))
    return lines
