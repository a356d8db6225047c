"""Pure judgements about plugins: what a manifest says, how pins differ."""
