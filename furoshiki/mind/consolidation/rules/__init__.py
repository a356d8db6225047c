"""Pure rules of decay, duplicates and tuning, on plain values."""
