"""The game in a terminal: a drawn board, menus, typed moves, people and bots."""
