"""Database access for profile, style and anticipations."""
