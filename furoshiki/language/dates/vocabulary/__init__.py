"""The words of time of each language, as tables: what kind of word it is, and which words are of that kind."""
