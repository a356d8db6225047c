"""A remote encoder: its server and its client."""
