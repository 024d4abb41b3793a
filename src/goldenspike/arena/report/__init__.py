"""Match reports: self-contained HTML pages with charts."""

from goldenspike.arena.report.report import write_report

__all__ = ["write_report"]
