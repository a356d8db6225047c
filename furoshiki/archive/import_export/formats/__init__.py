"""One module for each format that is taken in."""
