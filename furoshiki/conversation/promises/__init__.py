"""Carry out explicit orders and verify an answer's claims of actions, with any model."""
