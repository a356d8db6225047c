"""Plugins written by the companion: wish, draft, review, and a proposal for the owner."""
