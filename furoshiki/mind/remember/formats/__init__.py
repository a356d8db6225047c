"""The forms in which conversations come from elsewhere, one module each. Each reads one record at a time."""
