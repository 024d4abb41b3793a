"""The event log of each thread."""

from __future__ import annotations

import threading

import numpy as np

from goldenspike.engine.events import LOG


class _ThreadLog(threading.local):
    """Per-thread event log, with the working memory of scoring: 870 kB, too large to keep per position."""

    def __init__(self) -> None:
        self.logs = np.zeros(1, LOG)
        self.count, self.rows = self.logs["count"], self.logs["rows"][0]


THREAD_LOG = _ThreadLog()
