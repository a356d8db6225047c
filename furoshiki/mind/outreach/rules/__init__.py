"""Rules of unprompted messages: pure functions, tested with plain values."""
