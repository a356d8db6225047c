"""Birthdays that were told: when one comes near, it comes to mind."""
