"""What the companion says without being asked."""
