"""What becomes of memories when nobody is talking: they fade, join, are confirmed, and are understood anew."""
