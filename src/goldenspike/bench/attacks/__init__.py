"""Attacks on a server, and the honest players who measure what an attack does to them."""
