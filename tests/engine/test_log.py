"""The event log never writes out of bounds, whatever the number of events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldenspike.engine import events
from goldenspike.engine.events import LOG, LONG_LOG, NOBODY, emit


@pytest.mark.parametrize("kind", [LOG, LONG_LOG])
def test_a_full_log_keeps_counting_but_writes_nothing(kind: np.dtype[Any]) -> None:
    logs = np.zeros(1, kind)
    log: Any = logs[0]
    log.is_on = 1
    log.count = len(log.rows)
    emit(log, events.WIPED, NOBODY, 0, 0, 0, 0)
    assert log.count > len(log.rows)
    assert not log.rows.any()
