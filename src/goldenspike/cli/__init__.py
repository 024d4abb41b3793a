"""The command line."""

from __future__ import annotations


def main() -> int:
    """Run the command line."""
    return 0
