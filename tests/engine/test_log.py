"""The log of events stays in its bounds, however much happens."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldenspike.engine import events
from goldenspike.engine.events import LOG, LONG_LOG, NOBODY, emit


@pytest.mark.parametrize("kind", [LOG, LONG_LOG])
def test_a_log_that_is_more_than_full_counts_on_and_writes_nothing(kind: np.dtype[Any]) -> None:
    logs = np.zeros(1, kind)
    log: Any = logs[0]
    log.is_on = 1
    log.count = len(log.rows)
    emit(log, events.WIPED, NOBODY, 0, 0, 0, 0)
    assert log.count > len(log.rows)
    assert not log.rows.any()
