"""The server: games between people, over a WebSocket or plain HTTP, on one process or many machines.

What happens in a game is a log of numbered entries (:mod:`goldenspike.server.entry`). An entry is written to
the database first, under a number that only one writer can have, and only then acknowledged and told.
"""
