"""Keys, and the certificates of servers."""
