"""Plugins that the owner approved: installation, sandbox, runs, and use of their output."""
