"""The brain: starts each script at its time, in a process of its own."""
