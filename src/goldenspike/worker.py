"""What every worker process does first: leave Ctrl-C to its parent, and never outlive it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def follow_parent() -> None:
    """Make this process end with the one that started it, however that ends, and only so.

    A pool tells its processes to stop, unless it is killed: then they would go on with what they are at, and
    wait for more for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
