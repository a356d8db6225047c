"""Pure rules of steps, plans and attention, on plain values."""
