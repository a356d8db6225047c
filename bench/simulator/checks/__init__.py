"""Invariants of every simulated life: plain functions, independent of the program's gates."""
