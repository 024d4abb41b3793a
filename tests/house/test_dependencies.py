"""What the project stands on: every dependency has its reason, and a licence that we can live with."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distributions, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "decisions" / "0005-dependencies.md").read_text(encoding="utf-8")
OURS = "goldenspike"
FREE = re.compile(r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|LGPL|CC0|Zlib")


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=;~ ]", requirement, maxsplit=1)[0]


def declared() -> Iterator[str]:
    """Yield every package that pyproject.toml and package.json name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [
        project["project"]["dependencies"],
        *project["project"]["optional-dependencies"].values(),
        *project["dependency-groups"].values(),
    ]
    yield from {name_of(requirement) for group in groups for requirement in group} - {OURS}
    yield from json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["devDependencies"]


def installed() -> set[str]:
    """Return the packages of the lock files that are here; some are for other systems."""
    locked = {
        name
        for file in (ROOT / "requirements").glob("*.txt")
        for name in re.findall(r"^([\w.-]+)==", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    return locked & {re.sub(r"[-_.]+", "-", package.name).lower() for package in distributions()}


def licence_of(package: str) -> str:
    about = metadata(package)
    if "License-Expression" in about:
        return about["License-Expression"]
    kinds = [kind for kind in about.get_all("Classifier") or [] if kind.startswith("License")]
    return " ".join(kinds) or about["License"].splitlines()[0]


def test_every_dependency_is_named_with_its_reason() -> None:
    named = {
        name.strip()
        for line in PAGE.splitlines()
        if line.startswith("| ") and line.rsplit("|", 2)[1].strip()
        for name in line.split("|")[1].split(",")
    }
    assert set(declared()) == named - {"package"}


@pytest.mark.parametrize("package", sorted(installed()))
def test_every_licence_is_one_we_can_live_with(package: str) -> None:
    licence = licence_of(package)
    assert FREE.search(licence), licence
    assert not re.search(r"(?<!L)GPL|Affero|proprietary", licence, re.IGNORECASE), licence


def test_the_page_stands_on_nothing_else() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    licences = {about["license"] for name, about in lock["packages"].items() if name}
    assert licences <= {"MIT", "MPL-2.0", "Apache-2.0", "ISC", "BSD-3-Clause"}


def test_no_lock_holds_an_address() -> None:
    for file in [*(ROOT / "requirements").glob("*.txt"), ROOT / "web" / "package-lock.json"]:
        assert not re.search(r"https?://|--index-url|\"resolved\"", file.read_text(encoding="utf-8")), file
