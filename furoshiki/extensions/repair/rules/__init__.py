"""Rules for errors, changes, and the files that may be changed."""
