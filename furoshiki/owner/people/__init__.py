"""Everybody but the owner: who speaks, and the place where what they say is kept."""
