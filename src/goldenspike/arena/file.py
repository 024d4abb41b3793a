"""A match in one Parquet file, which can be interrupted at any time and resumed.

While a match is played, new games are appended to a journal beside the file, an Arrow stream; an incomplete
last batch is dropped. At the end both are written to a new file, which is renamed into place.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from goldenspike.arena.columns import from_columns, to_columns
from goldenspike.arena.plan import MatchPlan, Seating
from goldenspike.arena.rows import GameRows, fingerprint, join_batches
from goldenspike.arena.study import describe_board
from goldenspike.extras import need

FORMAT = 1
_KEY = b"goldenspike"


class MatchFileError(ValueError):
    """A file that is not the expected match."""


@dataclass(frozen=True)
class SavedMatch:
    """A match as read from its file."""

    about: dict[str, Any]
    """The file's metadata; see docs/reference/matches.md."""
    batch: GameRows
    sample: GameRows
    """Games played only to measure thinking time."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots, without duplicates."""
        return tuple(self.about["plan"]["bots"])

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of each deal."""
        return tuple(tuple(seating) for seating in self.about["plan"]["seatings"])


def journal_of(path: Path) -> Path:
    """Return the path of a match's journal."""
    return path.with_name(path.name + ".unfinished")


class MatchFile:
    """A match's file, open for writing. Use it in a `with` block: the file is written when the block ends.

    It is also written when an error or Ctrl-C ends the block, so the games played are kept.
    """

    def __init__(self, path: Path, plan: MatchPlan, command: str) -> None:
        need("pyarrow.parquet", "arena")
        if path.suffix != ".parquet":
            raise MatchFileError(f"{path} should end in .parquet: matches are kept as Parquet files.")
        self.path = path
        self.journal = journal_of(path)
        self.sample = GameRows()
        self._parts: list[GameRows] = []
        self._plan = plan
        self._about = describe_match(plan, command)
        self._seeds: dict[int, str] = {}
        self._writer: Any = None
        self._stream: Any = None
        if path.exists() or self.journal.exists():
            self._take_up()

    def _take_up(self) -> None:
        if self.path.exists():
            saved = read_match(self.path)
            self._verify(saved.about, self.path)
            self._parts.append(saved.batch)
            self.sample = saved.sample
        if self.journal.exists():
            about, batch = _read_journal(self.journal)
            if about is not None:
                self._verify(about, self.journal)
                self._parts.append(batch)

    @property
    def done(self) -> GameRows:
        """All games so far."""
        self._parts = [join_batches(self._parts)]
        return self._parts[0]

    def _verify(self, about: dict[str, Any], path: Path) -> None:
        """Refuse another match; if the file was begun with more deals, keep that number."""
        written, wanted = about["plan"], self._plan.identity()
        for key, value in wanted.items():
            if written.get(key) != value:
                raise MatchFileError(
                    f"{path} holds another match: its {key.replace('_', ' ')} is {_brief(written.get(key))}, "
                    f"not {_brief(value)}. Choose another file, or give the command that began this one."
                )
        if about["deals"] > self._about["deals"]:
            self._about |= {"deals": about["deals"], "command": about["command"]}

    def __enter__(self) -> Self:
        if self.journal.exists():
            self._write()  # before the journal is overwritten
        self._stream = self.journal.open("wb")
        return self

    def add(self, batch: GameRows) -> None:
        """Store games that were just played, so that they survive a killed process."""
        self._parts.append(batch)
        table = self._table(batch)
        if self._writer is None:
            ipc: Any = need("pyarrow.ipc", "arena")
            schema = table.schema.with_metadata({_KEY: json.dumps(self._about)})
            self._writer = ipc.new_stream(self._stream, schema)
        for part in table.to_batches():
            self._writer.write_batch(part)
        self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.close()
        self._stream.close()
        self._write()
        self.journal.unlink(missing_ok=True)

    def _write(self) -> None:
        done = self.done
        if not len(done.rows):
            return
        pq: Any = need("pyarrow.parquet", "arena")
        about = self._about | {
            "results": fingerprint(done),
            "clock": _clock_of(self.sample, self._plan.seats),
        }
        table = self._table(done).replace_schema_metadata({_KEY: json.dumps(about)})
        temporary = self.path.with_name(self.path.name + ".new")
        with temporary.open("wb") as file:
            pq.write_table(table, file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())  # before it replaces the old file and the journal
        temporary.replace(self.path)

    def _table(self, batch: GameRows) -> Any:
        plan = self._plan
        for deal in set((batch.games // len(plan.seatings)).tolist()) - self._seeds.keys():
            self._seeds[deal] = plan.deal_seed(deal).hex()
        return to_columns(batch, plan.bots, plan.seatings, self._seeds)


def describe_match(plan: MatchPlan, command: str) -> dict[str, Any]:
    """Return the metadata of a match: enough to play it again and to draw its board."""
    libraries = {name: str(need(name, "arena").__version__) for name in ("numpy", "numba", "pyarrow")}
    return {
        "format": FORMAT,
        "command": command,
        "libraries": libraries,
        "plan": plan.identity(),
        "deals": plan.deals,
        "board": describe_board(plan.edition),
    }


def read_match(path: Path) -> SavedMatch:
    """Read a match's file."""
    pq: Any = need("pyarrow.parquet", "arena")
    arrow: Any = need("pyarrow", "arena")
    if not path.is_file():
        raise MatchFileError(
            f"There is no match in {path}; keep one with 'goldenspike match ... --out {path.name}'."
        )
    try:
        table = pq.read_table(path)
    except arrow.ArrowInvalid as error:
        raise MatchFileError(f"{path} cannot be read as a Parquet file: {error}") from None
    about = _about(table.schema, path)
    seatings = tuple(tuple(seating) for seating in about["plan"]["seatings"])
    return SavedMatch(about, from_columns(table, seatings), _sample_of(about["clock"], len(seatings[0])))


def _about(schema: Any, path: Path) -> dict[str, Any]:
    metadata: dict[bytes, bytes] = schema.metadata or {}
    text = metadata.get(_KEY)
    if text is None:
        raise MatchFileError(f"{path} was not written by 'goldenspike match'.")
    about: dict[str, Any] = json.loads(text)
    if about["format"] != FORMAT:
        raise MatchFileError(f"{path} has format {about['format']}; only format {FORMAT} is known here.")
    return about


def _read_journal(path: Path) -> tuple[dict[str, Any] | None, GameRows]:
    """Return a journal's metadata, and its games as far as they were written."""
    pa: Any = need("pyarrow", "arena")
    parts: list[Any] = []
    about: dict[str, Any] | None = None
    with path.open("rb") as file:
        try:
            reader = pa.ipc.open_stream(file)
            about = _about(reader.schema, path)
            while True:
                parts.append(reader.read_next_batch())
        except (StopIteration, pa.ArrowInvalid, OSError, EOFError):
            pass  # the end of the journal, complete or torn off
    if about is None or not parts:
        return about, GameRows()
    seatings = tuple(tuple(seating) for seating in about["plan"]["seatings"])
    return about, from_columns(pa.Table.from_batches(parts), seatings)


def _clock_of(sample: GameRows, seats: int) -> list[list[float]]:
    """Return a sample as plain numbers: the game, then seconds per move by seat."""
    seconds = np.nan_to_num(sample.rows["seconds"][:, :seats], nan=-1.0)
    return [[int(g), *s] for g, s in zip(sample.games.tolist(), seconds.tolist(), strict=True)]


def _sample_of(clock: list[list[float]], seats: int) -> GameRows:
    sample = GameRows()
    sample.rows = np.zeros(len(clock), sample.rows.dtype)
    sample.rows["seconds"] = np.nan
    for row, (game, *seconds) in zip(sample.rows, clock, strict=True):
        row["game"] = int(game)
        row["seconds"][:seats] = [np.nan if s < 0 else s for s in seconds]
    return sample


def _brief(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
