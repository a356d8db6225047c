"""Messages: inbox, outbox, turns, sessions, accounts."""
