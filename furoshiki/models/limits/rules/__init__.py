"""Rules for limits, on plain values."""
