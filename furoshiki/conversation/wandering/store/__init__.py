"""Tables of idle wandering."""
