"""Pure rules about a reading's claims, on plain values."""
