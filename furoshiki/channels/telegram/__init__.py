"""Telegram: the poll loop, the outbox's sender, and the view of an answer in progress.

Importing this package is cheap; aiogram is loaded (and built lazily) with the first `Client`.
"""
