"""The load generator: a process with thousands of sockets, cheap enough not to be the bottleneck."""
