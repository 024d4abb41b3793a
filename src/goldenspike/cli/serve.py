"""``goldenspike serve``."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.cli import ending_on_ctrl_c


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options: one for each setting."""
    from goldenspike.server.settings import describe_settings  # noqa: PLC0415  # only this command needs it

    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file of settings")
    parser.add_argument(
        "--migrate", action="store_true", help="bring the database up to date, and do nothing else"
    )
    for name, default, about in describe_settings():
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(
            flag, dest=name, metavar="X", help=f"{about} ({default or 'none'})".replace("%", "%%")
        )
    parser.epilog = "example: goldenspike serve --port 8000"


def run(options: argparse.Namespace) -> int:
    """Serve games until stopped."""
    with ending_on_ctrl_c():
        from goldenspike.server.run import migrate, serve  # noqa: PLC0415
        from goldenspike.server.settings import Settings, load_settings  # noqa: PLC0415

    flags = {name: getattr(options, name) for name in Settings.__struct_fields__}
    settings = load_settings(flags, options.config)
    return migrate(settings) if options.migrate else serve(settings)
