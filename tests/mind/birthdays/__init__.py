"""Birthdays come to mind in time, once, and not for ever."""
