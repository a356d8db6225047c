"""Engines for voice notes: offered when missing, downloaded at a tap."""
