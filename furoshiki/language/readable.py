"""What of somebody's words the rules read: as they were said, but for blanks that say nothing, and not without end.

The one place where words enter the readers (feelings, facts, names, dates, requests, manner). What was said is kept as
it was said; only what is read is made readable. So no reader meets a run of ten thousand blanks, and none has to know
how much is too much.
"""

import re

MOST_READ = 12_000
"""Characters of one turn that are read by rule: three of Telegram's longest messages. What follows is kept, shown to
the model and found again, but moves no feeling and states no fact by itself."""

MOST_ANSWERED = 1_000
"""Characters that the built-in mind looks at for something to answer: nobody asks for a reminder in more."""

_BLANKS = re.compile(r" [^\S\n]+|[^\S\n ][^\S\n]*")
"""Several blanks, or one that is no space. Each way begins with one character: found twice as fast as a run of
two."""
_EMPTY_LINES = re.compile(r" ?\n(?: ?\n){2,}")
_LOOKED_AT = 8
"""So many times as much is looked at before blanks are taken out, and no more of it."""


def readable(text: str, most: int = MOST_READ) -> str:
    """The words as readers get them: single blanks, at most one empty line, at most so many characters."""
    if len(text) > most * _LOOKED_AT:
        text = text[: most * _LOOKED_AT]
    return _EMPTY_LINES.sub("\n\n", _BLANKS.sub(" ", text))[:most]
