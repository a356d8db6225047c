"""Filler words, which are no part of a name: "actually", "übrigens", "por cierto", "кстати"."""

FILLER = (
    r"(?:actually|really|just|uh|uhm|um|er|erm|hm|well|by the way|btw|in fact"
    r"|eigentlich|übrigens|ja|halt|eben|äh|ähm|auch"
    r"|nebenbei|tatsächlich|por cierto|en realidad|pues|eh|la verdad es que|en fait|d['\u2019]ailleurs|au fait|euh"
    r"|aslında|bu arada|yani|кстати|вообще-то|собственно|на самом деле|a proposito|in realtà|comunque|aliás"
    r"|na verdade)"
)
"""A pattern for texts in any script."""
