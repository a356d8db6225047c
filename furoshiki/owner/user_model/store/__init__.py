"""The rows of profile, style and what is anticipated."""
