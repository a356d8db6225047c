"""The introduction in Telegram: a few questions with buttons, each of which can be skipped."""
