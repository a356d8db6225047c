"""Grounding without a model: a broken rule of form refuses, a doubt leaves unconfirmed."""
