"""The machine that many companions live on, and each of them in turn."""
