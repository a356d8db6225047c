"""Language, mostly English: lexicon, phrases, signals, whose words are whose, facts in a sentence."""
