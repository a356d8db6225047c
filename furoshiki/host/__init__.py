"""Hosting of many companions on one machine, each in a data directory that can also run alone."""
