"""Words of time, and what they mean."""
