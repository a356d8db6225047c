"""Whether a claim rests on what was said."""
