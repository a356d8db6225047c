"""What was asked for in plain words gets done, and what an answer says was done has happened, with any model."""
