"""What was said: inbox, outbox, turns, sessions, accounts."""
