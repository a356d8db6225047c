"""Hosting of many companions on one machine, each in its own data directory that can also run
alone."""
