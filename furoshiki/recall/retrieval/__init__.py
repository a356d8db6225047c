"""Retrieval: full text, vectors, late interaction, and the client of memoryd."""
