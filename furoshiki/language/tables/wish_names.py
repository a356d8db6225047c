"""Names of wishes about the companion's style, and which exclude each other."""

LANGUAGES = ("english", "german", "spanish", "turkish", "russian", "french", "italian", "portuguese")
# in each group only the wish made last holds
OPPOSED = (
    frozenset({"brief", "long"}),
    frozenset({"bullets", "prose"}),
    frozenset({"no_emoji", "emoji"}),
    frozenset({"no_questions", "questions"}),
    frozenset({"plain_words", "technical"}),
    frozenset({"blunt", "gentle"}),
    frozenset({"formal", "casual"}),
    frozenset({"no_jokes", "jokes"}),
    frozenset(LANGUAGES),
)

WISHES = tuple(sorted({name for group in OPPOSED for name in group} | {"examples", "slower"}))
