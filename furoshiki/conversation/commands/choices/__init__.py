"""Commands for the owner's choices: the introduction, and the model."""
