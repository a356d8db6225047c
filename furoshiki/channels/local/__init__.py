"""Shared parts of this machine's channels: inbox and outbox, and growing answers."""
