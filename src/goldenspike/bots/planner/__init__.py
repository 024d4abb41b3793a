"""The planner bot: one network for all tickets, the cards it needs, and estimates of rivals' plans."""
