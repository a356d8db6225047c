"""Speech on this machine: recognition, preparation of texts, and synthesis."""
