"""Tables of words: numbers, months and weekdays, words that deny, words that are not looked up, names of wishes."""
