"""The turn: one message in, one answer out, and everything that is written with it."""
