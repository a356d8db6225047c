"""Import of conversations from other services, export of all data, and its restoring."""
