"""Programs that the owner allowed: what they are, the sandbox they run in, and where what they give goes."""
