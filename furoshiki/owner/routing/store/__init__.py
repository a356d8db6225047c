"""Database access for topics and routing decisions."""
