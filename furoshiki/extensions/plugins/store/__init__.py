"""What the database knows of plugins: which are installed, their runs, their words, and those it wants to write."""
