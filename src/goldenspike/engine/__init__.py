"""The rules of the game: compiled functions over one flat state struct."""
