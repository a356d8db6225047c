"""Tables of loops and second thoughts."""
