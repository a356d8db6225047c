"""Detects in a message a request for quiet, its end, or its cancellation."""
