"""Encoders of texts to unit vectors, on this machine, without downloads at run time."""
