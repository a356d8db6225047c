"""One module for each import format."""
