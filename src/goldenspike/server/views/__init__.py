"""View messages: what each client of a game may see, and its JSON."""
