"""Pure rules of access: the origin of a request, Telegram's signature, rate limits."""
