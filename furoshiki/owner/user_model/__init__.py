"""The user's profile, and how they like to be spoken to."""
