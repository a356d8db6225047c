"""Pure rules of steps and plans, on plain values."""
