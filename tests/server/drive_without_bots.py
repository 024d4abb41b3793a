"""Runs the server on a machine where no bot process can start."""

from __future__ import annotations

import sys
from multiprocessing import resource_tracker, spawn

from goldenspike.cli import main

if __name__ == "__main__":
    resource_tracker.ensure_running()  # Python's own helper process, which is started in the same way
    spawn.set_executable("/bin/false")
    sys.exit(main(sys.argv[1:]))
