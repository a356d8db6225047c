"""Function words of the other languages read for facts, by language: `config/words`, "small"."""

from furoshiki.language.word_tables import texts

TELLING = texts("small", "telling")
FRAME = texts("small", "frame")
NO = texts("small", "no")
OPEN = texts("small", "open")
EVER = texts("small", "ever")
REASON = texts("small", "reason")
HEARSAY = texts("small", "hearsay")
GRAVE = texts("small", "grave")
THIRD = texts("small", "third")
"""Words for a third person: neither the writer nor the reader."""
