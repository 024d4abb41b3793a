"""Adds the changelog and the style sheet for code to the documentation site."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from pygments.formatters import HtmlFormatter

_STYLES = {"": "friendly", "[data-bs-theme=dark] ": "github-dark"}
"""Pygments styles by selector prefix: the light and the dark theme."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add files that are not in `docs`."""
    changelog = Path(config.config_file_path).with_name("CHANGELOG.md")
    files.append(File.generated(config, "changelog.md", abs_src_path=str(changelog)))
    files.append(File.generated(config, "code.css", content=_colours()))
    return files


def _colours() -> str:
    return "\n".join(
        HtmlFormatter(style=style).get_style_defs(f"{before}.codehilite") for before, style in _STYLES.items()
    )
