"""Voice out: what of an answer is said aloud, by which voice, and the sound of it, made on this machine."""
