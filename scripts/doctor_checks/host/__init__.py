"""The doctor of a host with many companions, and of each of them in turn."""
