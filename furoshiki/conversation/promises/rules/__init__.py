"""Pure rules of promises, on plain values."""
