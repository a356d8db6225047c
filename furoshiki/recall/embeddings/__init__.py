"""Text to unit vectors, on this machine, with nothing downloaded at run time."""
