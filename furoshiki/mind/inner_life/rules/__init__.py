"""Pure rules of the inner life, on plain values."""
