"""Backup, restore, upgrade, and what is wrong with how things are set up."""
