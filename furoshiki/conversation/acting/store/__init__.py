"""What the database knows of loops, attention and second thoughts."""
