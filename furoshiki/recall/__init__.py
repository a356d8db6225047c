"""How a memory is found: full text, vectors, encoders."""
