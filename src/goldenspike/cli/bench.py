"""``goldenspike bench``: see :mod:`goldenspike.bench`."""

from goldenspike.bench import configure, run

__all__ = ["configure", "run"]
