"""Pictures drawn on request: painted in the background and sent once."""
