"""The encoder on another machine: what serves it there, and the way to it."""
