"""Leases in PostgreSQL: which of several nodes has a home. The listener takes and renews them."""
