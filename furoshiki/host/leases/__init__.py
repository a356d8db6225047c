"""Leases in PostgreSQL that decide which of several nodes has a home. The listener takes and renews
them; other processes read them."""
