"""Options that several commands have."""

from __future__ import annotations

import argparse

from goldenspike.device import DEVICES


def add_device_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the device that games are played on."""
    parser.add_argument(
        "--device",
        choices=DEVICES,
        default="cpu",
        help="play on the processor (cpu), on an NVIDIA GPU (cuda), or on a GPU if there is one (auto)",
    )
