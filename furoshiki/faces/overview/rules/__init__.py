"""Pure judgements: what is drawn, what is put together."""
