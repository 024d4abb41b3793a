"""The advised command installs an extra: in a clone without pip, and elsewhere with pip."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

from goldenspike import extras
from goldenspike.cli import main
from goldenspike.exit_codes import FAILED

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
ALONE = {"UV_OFFLINE": "1", "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
"""The test environment has all packages, so nothing is downloaded."""


def follow(advice: str, folder: Path) -> str:
    """Run the advised command in a shell; return its output."""
    command = advice.removeprefix("Install it with: ")
    assert command != advice
    done = subprocess.run(
        command, shell=True, cwd=folder, env=os.environ | ALONE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout + done.stderr


@pytest.mark.parametrize("extra", EXTRAS)
def test_advice_works_in_a_clone(extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    advice = extras.how_to_install(extra)
    assert advice.endswith(f".tools/bin/uv pip install --python .venv 'goldenspike[{extra}]'")
    follow(advice, ROOT)
    monkeypatch.chdir(tmp_path)
    follow(extras.how_to_install(extra), tmp_path)


def test_bench_page_says_how_to_install_playwright(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    assert main(["bench", "page", "--json"]) == FAILED
    said = " ".join(capsys.readouterr().err.split())
    advice = re.search(r"Install it with: \S+/uv pip install --python \S+ playwright", said)
    assert advice is not None, said
    follow(advice[0], ROOT)


@pytest.mark.slow
def test_advice_works_with_pip(tmp_path: Path) -> None:
    venv.create(tmp_path / "with pip", with_pip=True)
    python = tmp_path / "with pip" / "bin" / "python"
    ours = tmp_path / "with pip" / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    (ours / "all.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    code = "from goldenspike.extras import how_to_install; print(how_to_install('arena'))"
    advice = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert advice == f"Install it with: '{python}' -m pip install 'goldenspike[arena]'"
    assert "already satisfied: pyarrow" in follow(advice, tmp_path)


def test_advice_without_pip_and_clone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(extras, "_ROOT", tmp_path)
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/uv")
    python = sys.executable
    assert extras.how_to_install("env").endswith(f"uv pip install --python {python} 'goldenspike[env]'")
    follow(f"Install it with: {ROOT}/.tools/bin/" + extras.how_to_install("env").partition(": ")[2], tmp_path)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert f"{python} -m ensurepip && {python} -m pip install" in extras.how_to_install("env")
