"""What the built-in mind says, as tables of words."""
