"""`tools/web` prints nothing if it succeeds, and the output of the bundler if it fails."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NPM = """#!/bin/sh
case "$*" in install*) mkdir -p node_modules ;; esac
echo "[PLUGIN_TIMINGS] the slowest callbacks of npm $1"
echo "a warning" >&2
exit {code}
"""


@pytest.mark.parametrize("code", [0, 3])
def test_bundler_output_is_shown_only_on_failure(code: int, tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "web").mkdir()
    shutil.copy(ROOT / "tools" / "web", tmp_path / "tools")
    shutil.copy(ROOT / "web" / "package-lock.json", tmp_path / "web")
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in {"npm": NPM.format(code=code), "node": "#!/bin/sh\n"}.items():
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{commands}:{os.environ['PATH']}"}
    done = subprocess.run(
        [tmp_path / "tools" / "web"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    if code:
        assert done.returncode == 1
        assert done.stderr == "[PLUGIN_TIMINGS] the slowest callbacks of npm install\na warning\n"
    else:
        assert (done.returncode, done.stderr) == (0, "")
