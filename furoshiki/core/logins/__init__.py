"""Sign-in to the dashboard: links, sessions, API tokens, passwords. Only hashes are stored."""
