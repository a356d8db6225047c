"""Checks whether a model's statements about a person are supported by the conversation."""
