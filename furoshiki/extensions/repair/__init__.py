"""Repair of recurring errors: detection, diagnosis, and a safe change or a proposal."""
