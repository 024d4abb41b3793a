"""Self-contained HTML pages, for light and dark mode, for large and small screens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_CSS = """
:root { color-scheme: light dark; --page: #ffffff; --panel: #f6f7f9; --text: #1b1f24; --soft: #5a6370;
  --faint: #c3c9d1; --accent: #1f5fa8; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --panel: #1c2026; --text: #e6e9ee;
  --soft: #9aa4b1; --faint: #454c57; --accent: #7db4f0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 3.5rem 0 .25rem; }
main > h1:first-child { margin-top: 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .25rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { max-width: 44rem; margin: .4rem 0; }
p.soft, caption { color: var(--soft); font-size: .92rem; }
figure { margin: .8rem 0; padding: .8rem; background: var(--panel); border-radius: .6rem; }
figure:not(.wide) { max-width: 40rem; }
figure.wide { overflow-x: auto; }
figure.wide svg { min-width: 46rem; }
svg { display: block; width: 100%; height: auto; color: var(--text); fill: currentColor; }
svg text { font-family: inherit; }
svg [id^="route-"] path { cursor: help; }
svg [id^="city-"] text { paint-order: stroke; stroke: var(--panel);
  stroke-width: 3px; stroke-linejoin: round; }
.table { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: .3rem; }
th { text-align: right; color: var(--soft); font-weight: 600; border-bottom: 2px solid var(--faint);
  vertical-align: bottom; }
td { text-align: right; white-space: nowrap; border-bottom: 1px solid var(--faint); }
th, td { padding: .3rem .7rem; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
details { margin: .8rem 0; }
summary { cursor: pointer; color: var(--accent); }
ul { max-width: 46rem; padding-left: 1.2rem; }
li { margin: .4rem 0; }
code { font-size: .88em; overflow-wrap: anywhere; }
footer { margin-top: 3rem; border-top: 1px solid var(--faint); padding-top: .8rem; }
"""


def write_page(title: str, parts: Iterable[str]) -> str:
    """Return a whole page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def heading(text: str, level: int = 2) -> str:
    """Return a heading.

    >>> heading("Scores")
    '<h2>Scores</h2>'
    """
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str, soft: bool = False) -> str:
    """Return a paragraph of plain text."""
    return f"<p{' class=soft' if soft else ''}>{escape(text)}</p>"


def picture(svg: str, wide: bool = False) -> str:
    """Return a picture; a wide one scrolls on a small screen."""
    return f"<figure{' class=wide' if wide else ''}>{svg}</figure>"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table; it scrolls sideways on a small screen."""
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{escape(text)}</th>" for text in headings)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    inside = f"{above}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>"
    return f'<div class="table"><table>{inside}</table></div>'


def folded(summary: str, content: str) -> str:
    """Return content that is collapsed until opened."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}\n</details>"


def bullets(items: Iterable[str]) -> str:
    """Return a list of sentences."""
    return "<ul>\n" + "\n".join(f"<li>{escape(item)}</li>" for item in items) + "\n</ul>"
