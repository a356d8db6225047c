"""Backups, restore, upgrades, services, settings, and checks of the set-up."""
