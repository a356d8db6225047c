"""Limits of a home on a shared machine: money, calls, disk, CPU."""
