"""Servers on loopback that stand in for the outside world: Telegram's Bot API and the model providers."""
