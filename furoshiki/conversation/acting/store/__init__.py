"""Tables of loops, attention and second thoughts."""
