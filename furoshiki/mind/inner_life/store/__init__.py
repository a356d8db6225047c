"""Tables of the inner life."""
