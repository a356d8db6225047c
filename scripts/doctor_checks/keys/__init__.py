"""Keys, and the certificates by which servers are known."""
