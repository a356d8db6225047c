"""Simulated months in minutes: real turns and jobs; virtual clock, persona, scripted model."""
