"""Pure functions on memories."""
