"""The rows of consolidation."""
