"""Voice in and out, on this machine: what hears and speaks, what of an answer is said aloud, and the sound of it."""
