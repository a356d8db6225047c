"""Plugins the companion writes itself: a wish, a draft, a review, and a proposal that only its owner can apply."""
