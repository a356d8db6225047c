"""The scheduler's rows: runs of scripts."""
