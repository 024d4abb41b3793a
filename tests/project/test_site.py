"""The documentation site is complete, highlights code, and loads nothing from other hosts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


@pytest.mark.slow
def test_the_site_is_complete_and_needs_no_other_host(site: Path) -> None:
    first = (site / "index.html").read_text(encoding="utf-8")
    assert 'src="images/table.png"' in first
    assert (site / "images" / "table.png").is_file()
    assert re.search(r'<span class="gp">\$ ?</span>./play', first)  # the prompt, as Pygments marks it
    assert '<span class="kn">from</span>' in first
    assert ".codehilite .kn" in (site / "code.css").read_text(encoding="utf-8")
    assert "Keep a Changelog" in (site / "changelog.html").read_text(encoding="utf-8")
    for page in site.rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"', page.read_text(encoding="utf-8")
        )
        assert loaded == [], page
