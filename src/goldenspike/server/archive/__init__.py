"""Finished games read from their logs: records, replays, statistics."""
