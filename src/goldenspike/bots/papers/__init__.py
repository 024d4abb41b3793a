"""The four agents of the playtesting papers."""
