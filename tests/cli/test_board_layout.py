"""The command that makes layouts and pictures of boards."""

from __future__ import annotations

import importlib
import io
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from goldenspike.boards import load_board
from goldenspike.boards.layout import format_layout, load_layout, shipped_layout
from goldenspike.cli import board_layout, main
from goldenspike.cli.rasterise import render_png
from goldenspike.exit_codes import FAILED, OK
from goldenspike.mapmaking import draw_svg, layout_of, make_layout
from goldenspike.mapmaking.picture import PAINTS, PAPER, WATER
from goldenspike.server.play.catalogue import Catalogue, EditionInfo
from tests.boards.conftest import BOARD, EDITION


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_layout, "STEPS", 60)
    monkeypatch.setattr(board_layout, "TRIES", 1)


def test_the_command_writes_a_layout_beside_the_board(
    in_haste: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "my-board.toml"
    file.write_text(BOARD, encoding="utf-8")
    assert main(["board", "layout", str(file), "--seed", "2", "--picture", str(tmp_path / "look.svg")]) == OK
    assert "lakes.layout.json" in capsys.readouterr().out
    assert layout_of(load_board(file), tmp_path) == make_layout(load_board(file), 2, steps=60, tries=1)
    assert (tmp_path / "look.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_command_draws_only_the_land_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "usa.layout.json"
    command = ["board", "layout", "usa", "--land", "--out", str(path)]
    assert main(command) == FAILED
    assert "make it without --land first" in capsys.readouterr().err
    usa = load_board("usa")
    shipped = shipped_layout(usa)
    assert shipped is not None
    path.write_text(format_layout(msgspec.structs.replace(shipped, land=[])), encoding="utf-8")
    assert main(command) == OK
    made = load_layout(path, usa)
    assert (made.cities, made.routes) == (shipped.cities, shipped.routes)
    assert [piece.kind for piece in made.land] == [piece.kind for piece in shipped.land]


def test_the_command_draws_a_png(in_haste: None, tmp_path: Path) -> None:
    board, picture = tmp_path / "lakes.toml", tmp_path / "look.PNG"
    board.write_text(BOARD, encoding="utf-8")
    assert main(["board", "layout", str(board), "--picture", str(picture)]) == OK
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def pixels(svg: str) -> NDArray[np.float64]:
    image: Any = importlib.import_module("matplotlib.image")
    return image.imread(io.BytesIO(render_png(svg)))


def test_a_png_has_the_elements_of_the_svg() -> None:
    """Spaces, cities and water have their colours where the layout says, and names are on top of them."""
    usa = load_board("usa")
    layout = shipped_layout(usa)
    assert layout is not None
    picture = pixels(draw_svg(usa, layout))
    width, height = layout.size
    assert picture.shape[:2] == (2 * height, 2 * width)

    def colour_at(x: float, y: float) -> str:
        return "#" + "".join(f"{round(255 * part):02x}" for part in picture[round(2 * y), round(2 * x)][:3])

    for route in usa.routes:
        for x, y, _ in layout.routes[route.name]:
            assert colour_at(x, y) == PAINTS[route.colour]
    for place in layout.cities.values():
        assert colour_at(place.x, place.y) == PAPER
    assert colour_at(2, height / 2) == WATER
    without_names = pixels(re.sub("<text.*</text>", "", draw_svg(usa, layout)))
    boston = layout.cities["BOS"].label
    named = np.s_[round(2 * (boston.y - layout.text)) : round(2 * boston.y), :]
    assert (picture[named] != without_names[named]).any()


def test_a_png_of_an_unknown_element_is_refused() -> None:
    with pytest.raises(ValueError, match="A picture with <image> cannot be written as PNG"):
        render_png('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image/></svg>')


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--picture", "look.jpg"], "look.jpg should end in .svg or .png."),
        (["--picture", "look"], "look should end in .svg or .png."),
        (
            ["--picture", "nowhere/look.svg"],
            "there is no folder nowhere; make it first.",
        ),
        (
            ["--out", "nowhere/out.json"],
            "there is no folder nowhere; make it first.",
        ),
    ],
)
def test_the_command_refuses_files_before_the_work(
    options: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "lakes.toml"
    board.write_text(BOARD, encoding="utf-8")
    assert main(["board", "layout", str(board), *options]) == FAILED
    assert sentence in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["lakes.toml"]


def test_without_matplotlib_a_png_is_refused_with_advice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["board", "layout", "usa", "--picture", "look.png"]) == FAILED
    assert "This needs matplotlib. Install it with: " in capsys.readouterr().err


def test_the_command_takes_an_edition_for_its_board(
    in_haste: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "lakes.toml").write_text(BOARD, encoding="utf-8")
    edition = tmp_path / "quick.toml"
    edition.write_text(EDITION.replace('"lakes.toml"', '"maps/lakes.toml"'), encoding="utf-8")
    assert main(["board", "layout", str(edition)]) == OK
    assert (tmp_path / "maps" / "lakes.layout.json").exists()
    monkeypatch.chdir(tmp_path)
    assert main(["board", "layout", "usa-classic"]) == OK
    assert (tmp_path / "usa.layout.json").exists()


def test_a_server_takes_the_layout_beside_a_board_in_another_folder(in_haste: None, tmp_path: Path) -> None:
    board = tmp_path / "maps" / "lakes.toml"
    board.parent.mkdir()
    board.write_text(BOARD, encoding="utf-8")
    edition = EDITION.replace('"lakes.toml"', '"maps/lakes.toml"')
    (tmp_path / "lakes-quick.toml").write_text(edition, encoding="utf-8")
    assert main(["board", "layout", str(board), "--seed", "9"]) == OK
    made = make_layout(load_board(board), 9, steps=60, tries=1)
    assert (
        msgspec.json.decode(Catalogue(tmp_path).info("lakes-quick").variants[""], type=EditionInfo).layout
        == made
    )


def test_the_command_reports_remaining_overlaps(
    in_haste: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five cities that are all joined to each other cannot be drawn in a plane without crossings."""
    codes = ["AAA", "BBB", "CCC", "DDD", "EEE"]
    pairs = [(a, b) for a in codes for b in codes if a < b]
    rows = "".join(f'{{ a = "{a}", b = "{b}", length = 2, colour = "red" }},\n' for a, b in pairs)
    cities = "".join(f'{code} = {{ name = "{code}" }}\n' for code in codes)
    file = tmp_path / "five.toml"
    head = 'format = 1\nid = "five"\nname = "Five"\ncolours = ["red"]\n'
    file.write_text(f"{head}routes = [\n{rows}]\n[cities]\n{cities}", encoding="utf-8")
    assert main(["board", "layout", str(file), "--out", str(tmp_path / "out.json")]) == OK
    assert "could not be kept apart" in capsys.readouterr().out
    assert (tmp_path / "out.json").exists()


def test_the_command_refuses_invalid_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "layout", "nowhere.toml"]) == FAILED
    assert "there is no such file" in capsys.readouterr().err
    assert main(["board", "layout", "usa", "--seed", "-1"]) == FAILED
    assert "Give a seed of 0 or more." in capsys.readouterr().err
