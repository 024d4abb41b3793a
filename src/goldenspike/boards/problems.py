"""What is wrong with a data file: a problem, the report that collects them, the errors that carry them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldenspike.boards.lines import Place, find_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

# A file of nonsense should neither fill the screen nor take minutes to complain about.
_SHOWN = 50
_ENOUGH = 500


@dataclass(frozen=True, slots=True)
class Problem:
    """Say one thing that is wrong, where it is, and the way out.

    >>> print(Problem("usa.toml", "route 17 (CHI-OMA)", 57, "length 11 is outside 1-9", "make it shorter"))
    usa.toml:57: route 17 (CHI-OMA): length 11 is outside 1-9; make it shorter
    """

    file: str
    where: str
    line: int | None
    what: str
    fix: str

    def __str__(self) -> str:
        position = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return ": ".join(part for part in (position, self.where, f"{self.what}; {self.fix}") if part)


class DataError(ValueError):
    """Report everything that is wrong with a board or edition file; `problems` holds it piece by piece."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            lines.append(f"... and {len(self.problems) - _SHOWN} more problems.")
        return "\n".join(lines)


class BoardError(DataError):
    """Report everything that is wrong with a board file."""


class Report:
    """Collect the problems of one file, so that its author sees all of them at once.

    A place is the way to a value from the top of the file, such as `("routes", 16, "length")`. `text` is
    where line numbers come from; it is searched only when something is wrong.
    """

    def __init__(self, file: str, error: type[DataError]) -> None:
        self.file = file
        self.text = ""
        self.problems: list[Problem] = []
        self._error = error
        self._places: list[Place] = []
        self._lines: dict[Place, int] | None = None

    def add(self, place: Place, where: str, what: str, fix: str, *, line: int | None = None) -> None:
        """Note a problem at a place; `line` is given only where the place cannot tell it.

        Raise the file's error when there are so many problems that reading on helps nobody.
        """
        self.problems.append(Problem(self.file, where, line or self._line(place), what, fix))
        self._places.append(place)
        if len(self.problems) >= _ENOUGH:
            raise self.error()

    def is_clean(self, *places: Place) -> bool:
        """Say whether nothing was noted at, inside or around any of these places.

        A check that compares several values asks this first: it has nothing to say about a value that is
        already known to be wrong.
        """
        return not any(
            place[: len(noted)] == noted[: len(place)] for noted in self._places for place in places
        )

    def include(self, place: Place, problems: Iterable[Problem]) -> None:
        """Note the problems of another file, which this one names at a place."""
        for problem in problems:
            # Without a file of its own a problem is about the name that was given here.
            here = problem if problem.file else replace(problem, file=self.file, line=self._line(place))
            self.problems.append(here)
        self._places.append(place)

    def error(self) -> DataError:
        """Return the file's error with everything noted so far, from the top of the file to its end."""
        return self._error(sorted(self.problems, key=lambda each: (each.file != self.file, each.line or 0)))

    def raise_if_any(self) -> None:
        """Raise the file's error if anything was noted."""
        if self.problems:
            raise self.error()

    def _line(self, place: Place) -> int | None:
        if self._lines is None:
            self._lines = find_lines(self.text)
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place)
