"""Pure judgements: what a browser tells of where a request comes from, what Telegram signed, how fast is too fast."""
