"""What frames a prompt, and words from anywhere made unable to pass for it: a tag, a heading, a line of its own.

The signs that would frame are changed and stay readable: `‹/message>` is no tag, `\\[12 · …]` begins no line of the
record. What was changed once is not changed again.
"""

import re
import unicodedata

TAGS = frozenset(
    (
        "conversation",
        "conversations",
        "description",
        "documents",
        "draft",
        "elsewhere",
        "facts",
        "from_plugins",
        "lines",
        "matter",
        "memories",
        "message",
        "now",
        "on_record",
        "question",
        "questions",
        "remembered",
        "since_then",
        "source",
        "skills",
        "state",
        "task",
    )
)
"""Names of tags that stand in prompts, or did."""

SILENCE = ("NO_REPLY", "HEARTBEAT_OK")
"""What a mind writes that has nothing to say."""

MARKS = frozenset({"foreign"})
"""Tags that code puts around words from outside, which sees to the words between them (`testimony.marked`)."""

_UNSEEN = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_TAG = re.compile(rf"[<\uff1c\ufe64](?=([\s/\uff0f{_UNSEEN}]*[\w-][\w{_UNSEEN}-]{{0,47}}))")
_SKIPPED = re.compile(rf"[\s/\uff0f{_UNSEEN}]+")
_BREAK = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ANY_LINE = re.compile(rf"^([ \t{_UNSEEN}]*)(?=#{{1,6}}(?:\s|$)|===|```|~~~)", re.MULTILINE)
_LATER_LINE = re.compile(r"(?<=\n)(?=[^\s])")
_MARK = re.compile(rf"(?<=\n)([ \t{_UNSEEN}]+)(?=[\[\uff3b\u3010>|]|[-+*\u2022\u2013\u2014]\s|\d{{1,3}}[.)]\s|\*\*)")


def strip_tags(text: str, tags: frozenset[str] = TAGS) -> str:
    """Words with no tag that frames a prompt in them (one of `tags`, in small letters), however it is spelled."""
    if "<" not in text and "\uff1c" not in text and "\ufe64" not in text:
        return text
    return _TAG.sub(lambda found: "\u2039" if _frames(found.group(1), tags) else found.group(), text)


def frame(text: str) -> str:
    """Words fit to stand in a line of a prompt: besides tags they begin no heading, no entry and no line of a record.

    Later lines are indented: flush left stand only the prompt's own. The first may begin with a bracket: the caller
    put the name of what it shows there.
    """
    text = _ANY_LINE.sub(r"\1\\", strip_tags(_BREAK.sub("\n", text)))
    return _MARK.sub(r"\1\\", _LATER_LINE.sub("  ", text)) if "\n" in text else text


def _frames(name: str, tags: frozenset[str]) -> bool:
    return _SKIPPED.sub("", unicodedata.normalize("NFKC", name)).casefold() in tags
