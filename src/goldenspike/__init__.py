"""The Ticket to Ride family of board games: rules, records, views."""
