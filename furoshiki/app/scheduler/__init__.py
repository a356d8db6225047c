"""The brain: starts each script when its time has come, in a process of its own."""
