"""The search bot: tree search over its own moves, with playouts from states that fit its view."""
