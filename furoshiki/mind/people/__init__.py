"""Everybody but the owner: who they are, the place where what they say is kept, and the way there and back."""
