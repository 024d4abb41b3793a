"""Matplotlib figures as SVG that follows the page's text colour and its light or dark mode."""

from __future__ import annotations

import io
import re
from collections.abc import Generator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

from goldenspike.extras import need

INK = "#010203"
"""Placeholder colour, replaced by the page's text colour."""
FAINT = "#040506"
"""The same for secondary lines."""
PALETTE = ("#2f7ed8", "#e07a1f", "#2a9d6f", "#b5489c", "#c9a227", "#6a6fd1", "#d1495b", "#5f9ea0", "#8a8f98")
"""Colours that are distinct on white and on black, also for most colour-blind readers."""

PRINT = ("#222222", "#b0b5bc")
"""The colours used for INK and FAINT in a standalone image."""


def _style(ink: str, faint: str) -> dict[str, Any]:
    return {
        "axes.edgecolor": faint,
        "axes.labelcolor": ink,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "figure.constrained_layout.use": True,
        "font.family": "sans-serif",
        "font.size": 10,
        "legend.frameon": False,
        "lines.solid_capstyle": "butt",  # so that an interval drawn as a line has its exact length
        "svg.fonttype": "none",
        "svg.hashsalt": "goldenspike",
        "text.color": ink,
        "xtick.color": ink,
        "ytick.color": ink,
        "ytick.left": False,
    }


def colour_of(number: int) -> str:
    """Return the colour of the n-th series."""
    return PALETTE[number % len(PALETTE)]


@contextmanager
def figure(
    width: float, height: float, inks: tuple[str, str] = (INK, FAINT), **grid: Any
) -> Generator[tuple[Any, Any]]:
    """Yield a figure (in inches) and its axes, in this project's style, without a window."""
    need("matplotlib", "arena").use("Agg")
    plt: Any = need("matplotlib.pyplot", "arena")
    with plt.rc_context(_style(*inks)):
        drawing, axes = plt.subplots(figsize=(width, height), **grid)
        try:
            yield drawing, axes
        finally:
            plt.close(drawing)


def to_svg(drawing: Any, about: str, titles: dict[str, str] | None = None) -> str:
    """Return a figure as SVG for embedding; `titles` has the tooltips of parts by id."""
    out = io.StringIO()
    drawing.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    svg = text[text.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(about)}"', 1)
    svg = svg.replace(INK, "currentColor").replace(FAINT, "var(--faint)")
    svg = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", svg)
    for name, title in (titles or {}).items():
        svg = svg.replace(f'<g id="{name}">', f'<g id="{name}"><title>{escape(title)}</title>', 1)
    return svg.strip()


def save_picture(drawing: Any, path: Path) -> None:
    """Save a figure as an image file on white, PNG or SVG by its suffix."""
    if path.suffix not in {".png", ".svg"}:
        raise ValueError(f"{path} should end in .png or .svg.")
    drawing.savefig(path, dpi=160, facecolor="white")
