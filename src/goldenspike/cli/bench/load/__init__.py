"""Load for a server: thousands of sockets in a process of their own, cheap enough not to be the limit."""
