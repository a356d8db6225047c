"""Families of model servers as they speak, stumble and refuse, and what the program makes of each."""
