"""Render the SVG drawing of a board as PNG, with matplotlib."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET

from goldenspike.extras import need

Style = Mapping[str, str]
"""Attributes of an element, including inherited ones."""

_SCALE = 2
"""Pixels per unit of the drawing, so that the image is sharp on high-resolution screens."""
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_PIECE = re.compile(r"M([^Mz]*)(z?)")
_PLACE = re.compile(r"translate\((\S+) (\S+)\) rotate\((\S+)\)")
_ALIGNMENTS = {"start": "left", "middle": "center", "end": "right"}


def render_png(svg: str) -> bytes:
    """Return a drawing made by `draw_svg` as PNG; other SVG files are not supported."""
    root = ET.fromstring(svg)
    renderer = _Renderer(root)
    renderer.draw(root, {})
    return renderer.png()


class _Renderer:
    def __init__(self, root: ET.Element) -> None:
        self._mpl: Any = need("matplotlib", "arena")
        for module in ("figure", "patches", "path", "patheffects", "font_manager"):
            need(f"matplotlib.{module}", "arena")
        self._defined = {element.get("id"): element for element in root.iter() if element.get("id")}
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        # At 72 dpi a unit of the drawing is a dot, and so is a point, matplotlib's unit for strokes.
        self._figure = self._mpl.figure.Figure(figsize=(width / 72, height / 72))
        self._axes = self._figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        self._axes.axis("off")
        self._drawn = 0

    def png(self) -> bytes:
        out = io.BytesIO()
        self._figure.savefig(out, format="png", dpi=72 * _SCALE)
        return out.getvalue()

    def draw(self, element: ET.Element, inherited: Style) -> None:
        """Draw an element and its children."""
        style = {**inherited, **element.attrib}
        match element.tag.partition("}")[2]:
            case "svg" | "g":
                for child in element:
                    self.draw(child, {key: value for key, value in style.items() if key != "id"})
            case "use":
                self.draw(self._defined[style.pop("href").removeprefix("#")], style)
            case "rect":
                self._add(self._box(style), style)
            case "circle":
                middle = float(style["cx"]), float(style["cy"])
                self._add(self._mpl.patches.Circle(middle, float(style["r"])), style)
            case "path":
                self._add(self._mpl.patches.PathPatch(self._outline(style["d"])), style)
            case "text":
                self._write(element.text or "", style)
            case "title" | "defs":
                pass
            case other:
                raise ValueError(f"A picture with <{other}> cannot be written as PNG; write an .svg file.")

    def _add(self, patch: Any, style: Style) -> None:
        """Add a patch on top of the earlier ones; one with a position is drawn there."""
        fill, stroke = style.get("fill", "black"), style.get("stroke", "none")
        opacity = float(style.get("stroke-opacity", 1))
        is_dashed = "stroke-dasharray" in style
        patch.set(
            facecolor=fill,
            edgecolor=stroke if stroke == "none" else (stroke, opacity),
            linewidth=float(style.get("stroke-width", 1)) if stroke != "none" else 0,
            linestyle=(0, [float(dash) for dash in style["stroke-dasharray"].split()]) if is_dashed else "-",
            joinstyle="round",
            capstyle="round",
            zorder=self._next(),
        )
        if place := _PLACE.match(style.get("transform", "")):
            x, y, angle = map(float, place.groups())
            turned = self._mpl.transforms.Affine2D().rotate_deg(angle).translate(x, y)
            patch.set_transform(turned + self._axes.transData)
        self._axes.add_artist(patch)

    def _next(self) -> int:
        self._drawn += 1
        return self._drawn

    def _box(self, style: Style) -> Any:
        corner = float(style.get("x", 0)), float(style.get("y", 0))
        size = float(style["width"]), float(style["height"])
        rounding = f"round,pad=0,rounding_size={style['rx']}" if "rx" in style else "square,pad=0"
        return self._mpl.patches.FancyBboxPatch(corner, *size, boxstyle=rounding)

    def _outline(self, d: str) -> Any:
        path = self._mpl.path.Path
        return path.make_compound_path(
            *(path(points, closed=is_closed) for points, is_closed in _trace(d) if len(points) > 1)
        )

    def _write(self, text: str, style: Style) -> None:
        installed = set(self._mpl.font_manager.get_font_names())
        families = [family.strip() for family in style["font-family"].split(",")]
        halo = self._mpl.patheffects.withStroke(
            linewidth=float(style["stroke-width"]),
            foreground=(style["stroke"], float(style["stroke-opacity"])),
        )
        self._axes.text(
            float(style["x"]),
            float(style["y"]),
            text,
            family=next((family for family in families if family in installed), "sans-serif"),
            weight="bold" if int(style["font-weight"]) >= 600 else "normal",
            size=float(style["font-size"]),
            color=style["fill"],
            ha=_ALIGNMENTS[style["text-anchor"]],
            va="baseline",
            path_effects=[halo],
            zorder=self._next(),
            parse_math=False,
        )


def _trace(d: str) -> Iterator[tuple[list[tuple[float, float]], bool]]:
    """Parse the outlines of a path, which has only a start and relative steps: `M1 2l3 4 5-6z`."""
    for outline, close in _PIECE.findall(d):
        numbers = [float(number) for number in _NUMBER.findall(outline)]
        x, y = numbers[:2]
        points = [(x, y)]
        for dx, dy in zip(numbers[2::2], numbers[3::2], strict=True):
            x, y = x + dx, y + dy
            points.append((x, y))
        yield ([*points, points[0]] if close else points), bool(close)
