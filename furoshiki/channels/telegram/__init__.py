"""Telegram: the poll loop, the outbox's sender, and what a person sees while an answer is being made.

Importing this package costs nothing; aiogram is loaded (lazily built) when the first `Client` is made.
"""
