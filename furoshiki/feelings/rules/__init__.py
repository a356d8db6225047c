"""The laws of feelings, with plain values alone."""
