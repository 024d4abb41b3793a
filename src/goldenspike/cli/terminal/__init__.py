"""The game in a terminal: a drawn board, menus, a typed notation, people and bots at one table."""
