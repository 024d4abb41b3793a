"""The server: games between people over WebSocket or HTTP, in one process or on many machines.

A game is a log of numbered entries (:mod:`goldenspike.server.play.entry`). An entry is written to the
database first, under a number that only one writer can use, and only then acknowledged and published.
"""
