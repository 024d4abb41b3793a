"""The protocol: messages, refusals, names, links, and a client for it."""
