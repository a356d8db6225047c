"""What people can ask for in how to be spoken to, by name, and which of these wishes rule each other out."""

LANGUAGES = ("english", "german", "spanish", "turkish", "russian", "french", "italian", "portuguese")
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
"""Of each of these only the one asked for last can hold."""

WISHES = tuple(sorted({name for group in OPPOSED for name in group} | {"examples", "slower"}))
