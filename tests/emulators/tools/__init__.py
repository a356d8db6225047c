"""Tool servers of the official library, well-behaved and not."""
