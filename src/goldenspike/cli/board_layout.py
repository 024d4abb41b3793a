"""``goldenspike board layout FILE``."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.boards import Board, load_board
from goldenspike.boards.layout import LAYOUT_SUFFIX, BoardLayout, format_layout, load_layout
from goldenspike.cli.files import require_writable, whole_file
from goldenspike.cli.rasterise import render_png
from goldenspike.editions import find_board
from goldenspike.exit_codes import OK
from goldenspike.extras import need
from goldenspike.game.words import count_of
from goldenspike.mapmaking import STEPS, TRIES, draw_svg, find_faults, make_layout, renew_land
from goldenspike.output import TASK, progress_bar

_SHOWN = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "board",
        metavar="file",
        help="a board file, the edition file that names it, or the id of a board of the program",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"the layout to write (ID{LAYOUT_SUFFIX} beside the board file, or here for the id of a board)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, another layout (0)")
    parser.add_argument(
        "--land", action="store_true", help="keep the layout that is there, and draw only its land again"
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw it into an .svg or .png file as well"
    )
    parser.epilog = "example: goldenspike board layout my-board.toml --picture my-board.svg"


def run(options: argparse.Namespace) -> int:
    """Make a layout of a board; nothing is written if it is stopped."""
    if options.seed < 0:
        raise ValueError("Give a seed of 0 or more.")
    _verify_picture(options)
    source = find_board(options.board)
    board = load_board(source)
    folder = source.parent if isinstance(source, Path) else Path()
    out: Path = options.out or folder / f"{board.id}{LAYOUT_SUFFIX}"
    require_writable(out)
    layout = renew_land(board, _existing(out, board)) if options.land else _place(board, options.seed)
    text = format_layout(layout)
    with whole_file(out) as file:
        file.write_text(text, encoding="utf-8")
    width, height = layout.size
    print(f"wrote {out}: {width} by {height} units, {len(text.encode()) // 1024 + 1} KiB")
    if options.picture:
        svg = draw_svg(board, layout)
        with whole_file(options.picture) as file:
            file.write_bytes(render_png(svg) if _is_png(options.picture) else svg.encode())
        print(f"drew {options.picture}")
    faults = find_faults(layout)
    if faults:
        print(
            f"{count_of(len(faults), 'thing')} could not be kept apart; another --seed, or other places, may:"
        )
        for fault in faults[:_SHOWN]:
            print(f"- {fault}")
    return OK


def _existing(path: Path, board: Board) -> BoardLayout:
    if not path.is_file():
        raise ValueError(f"There is no layout {path} yet; make it without --land first.")
    return load_layout(path, board)


def _place(board: Board, seed: int) -> BoardLayout:
    with progress_bar("placing", STEPS * TRIES) as progress:
        return make_layout(board, seed, steps=STEPS, tries=TRIES, tick=lambda: progress.advance(TASK))


def _verify_picture(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written, before the work and not after it."""
    if options.picture is not None:
        if options.picture.suffix.lower() not in {".png", ".svg"}:
            raise ValueError(f"{options.picture} should end in .svg or .png.")
        if _is_png(options.picture):
            need("matplotlib", "arena")
    require_writable(options.picture)


def _is_png(path: Path) -> bool:
    return path.suffix.lower() == ".png"
