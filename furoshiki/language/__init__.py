"""Language by rule (mostly English): lexicon, phrases, signals, who said which words, facts."""
