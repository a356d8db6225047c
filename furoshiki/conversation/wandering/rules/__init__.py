"""Pure rules of seeds, energy and actions, on plain values."""
