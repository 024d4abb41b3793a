"""Problems of a data file, the report that collects them, and the errors that contain them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldenspike.datafiles.lines import Place, find_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

# Errors in a broken file must not fill the screen or take minutes to report.
_SHOWN = 50
_ENOUGH = 500


@dataclass(frozen=True, slots=True)
class FileProblem:
    """One problem: what is wrong, where it is, and how to fix it.

    >>> print(FileProblem("usa.toml", "route 17 (CHI-OMA)", 57, "length 11 is over 9", "make it shorter"))
    usa.toml:57: route 17 (CHI-OMA): length 11 is over 9; make it shorter
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
    """All problems of a board or edition file; `problems` has each of them."""

    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            lines.append(f"... and {len(self.problems) - _SHOWN} more problems.")
        return "\n".join(lines)


class BoardError(DataError):
    """All problems of a board file."""


class Report:
    """Collect the problems of one file, so that its author sees all of them at once.

    A place is the path to a value from the top of the file, such as `("routes", 16, "length")`. `text` is the
    source for line numbers; it is scanned only if there is a problem.
    """

    def __init__(self, file: str, error: type[DataError]) -> None:
        self.file = file
        self.text = ""
        self.problems: list[FileProblem] = []
        self._error = error
        self._places: list[Place] = []
        self._lines: dict[Place, int] | None = None

    def add(self, place: Place, where: str, what: str, fix: str, *, line: int | None = None) -> None:
        """Note a problem at a place; pass `line` only if it cannot be found from the place.

        Raise the file's error if there are too many problems to continue.
        """
        self.problems.append(FileProblem(self.file, where, line or self._line(place), what, fix))
        self._places.append(place)
        if len(self.problems) >= _ENOUGH:
            raise self.error()

    def is_clean(self, *places: Place) -> bool:
        """Say whether nothing was noted at, inside or around any of these places.

        A check that compares several values calls this first, so that it skips values already known to be
        wrong.
        """
        return not any(
            place[: len(noted)] == noted[: len(place)] for noted in self._places for place in places
        )

    def include(self, place: Place, problems: Iterable[FileProblem]) -> None:
        """Note the problems of another file that this one refers to at a place."""
        for problem in problems:
            # A problem without a file is about the name given here.
            here = problem if problem.file else replace(problem, file=self.file, line=self._line(place))
            self.problems.append(here)
        self._places.append(place)

    def error(self) -> DataError:
        """Return the file's error with all problems so far, in order of their lines."""
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
