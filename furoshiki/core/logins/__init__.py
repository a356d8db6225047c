"""What lets somebody into the dashboard: one-time links, sessions, API tokens, passwords. Only hashes are kept."""
