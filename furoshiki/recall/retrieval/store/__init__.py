"""The rows of full text, vectors and tokens."""
