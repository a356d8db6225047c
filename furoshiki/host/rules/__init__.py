"""Pure judgements of the host: staggering."""
