"""Rules for the configuration of tool servers and for their answers."""
