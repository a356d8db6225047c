"""Tables of consolidation."""
