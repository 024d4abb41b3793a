"""Views and events written out: what :mod:`goldenspike.server.face` shows, in compiled code."""
