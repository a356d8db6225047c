"""The rows of the scheduler: runs of scripts."""
