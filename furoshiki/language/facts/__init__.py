"""Facts in a sentence: who, what, and how it was said."""
