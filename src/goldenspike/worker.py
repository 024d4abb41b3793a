"""Helpers for worker processes, which ignore Ctrl-C and end with their parent."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing import resource_tracker


def exit_with_parent() -> None:
    """Make this process ignore Ctrl-C and exit when its parent ends, even if the parent is killed.

    A pool that is killed does not stop its processes. Without this they would finish their work and then wait
    for more for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def block_ctrl_c() -> Generator[None]:
    """Block Ctrl-C (SIGINT) during the block; processes that are started in it never receive it.

    Without this, a worker that is still importing prints a traceback when Ctrl-C is pressed.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # starting it later, with the first process, would unblock Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
