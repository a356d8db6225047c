"""Pure rules of answers and the window, on plain values."""
