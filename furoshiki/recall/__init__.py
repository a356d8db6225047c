"""Search in memories: full text, vectors, encoders."""
