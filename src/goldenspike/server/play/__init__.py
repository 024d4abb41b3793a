"""Games in progress: the service that answers commands, games in memory, and the bots that play in them."""
