"""Whether somebody asks not to be written to, until when, or asks for the contrary."""
