"""Every dependency is listed with its reason and has an acceptable licence."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
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
    names = {name_of(entry) for group in groups for entry in group if isinstance(entry, str)}
    yield from names - {OURS}
    yield from json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["devDependencies"]


def installed() -> set[str]:
    """Return the locked packages that are installed; some are for other systems."""
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
def test_every_licence_is_acceptable(package: str) -> None:
    licence = licence_of(package)
    assert FREE.search(licence), licence
    assert not re.search(r"(?<!L)GPL|Affero|proprietary", licence, re.IGNORECASE), licence


def test_the_licences_of_npm_packages_are_acceptable() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    licences = {about["license"] for name, about in lock["packages"].items() if name}
    assert licences <= {"MIT", "MPL-2.0", "Apache-2.0", "ISC", "BSD-3-Clause", "OFL-1.1"}


def test_lock_files_contain_no_address() -> None:
    for file in [*(ROOT / "requirements").glob("*.txt"), ROOT / "web" / "package-lock.json"]:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"https?://|--index-url|\"resolved\"|\"funding\"", text), file


NPM = """
import json, sys
from pathlib import Path

Path("called").write_text(sys.argv[1])
lock = json.loads(Path("package-lock.json").read_text())
for name, package in lock["packages"].items():
    if name:
        package["funding"] = {"url": "https://example.org/give"}
        package["resolved"] = f"https://example.org/{name}.tgz"
Path("package-lock.json").write_text(json.dumps(lock))
"""
"""Replaces npm: it finds nothing new, and adds the addresses that npm adds."""


@pytest.mark.parametrize(("option", "called"), [([], "install"), (["--upgrade"], "update")])
def test_the_npm_lock_is_made_without_addresses(option: list[str], called: str, tmp_path: Path) -> None:
    for folder in ("tools", "web", ".tools/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    for name in ("tools/lock", "web/package.json", "web/package-lock.json"):
        shutil.copy(ROOT / name, tmp_path / name)
    programs = {"uv": "#!/bin/sh\n", "npm": f"#!{sys.executable}\n{NPM}"}
    for name, code in programs.items():
        program = tmp_path / ".tools" / "bin" / name
        program.write_text(code, encoding="utf-8")
        program.chmod(0o755)
    (tmp_path / ".tools" / "bin" / "python").symlink_to(sys.executable)
    path = f"{tmp_path}/.tools/bin:{os.environ['PATH']}"
    subprocess.run([tmp_path / "tools" / "lock", *option], env=os.environ | {"PATH": path}, check=True)
    assert (tmp_path / "web" / "called").read_text() == called
    lock = "web/package-lock.json"
    assert (tmp_path / lock).read_text(encoding="utf-8") == (ROOT / lock).read_text(encoding="utf-8")
