"""Outgoing network access: proxies, certificates, providers, and keys."""
