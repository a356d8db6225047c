"""Commands for the owner's choices: the introduction, the model, their name and time zone."""
