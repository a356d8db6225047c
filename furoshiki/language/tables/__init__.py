"""Word tables: numbers, months and weekdays, negations, stop words, names of wishes."""
