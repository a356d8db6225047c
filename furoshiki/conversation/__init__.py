"""The turn: one message in, one answer out, and all data written with it."""
