"""Escaping of prompt structure in untrusted text: tags, headings and record lines.

The characters are replaced and stay readable: `‹/message>` is no tag, `\\[12 · …]` begins no line
of the record. Escaping twice has no further effect.
"""

import re
import unicodedata

TAGS = frozenset(
    (
        *("conversation", "conversations", "description", "documents", "draft", "elsewhere", "facts"),
        *("from_plugins", "lines", "matter", "memories", "message", "now", "on_record", "question"),
        *("questions", "remembered", "since_then", "source", "skills", "state", "task"),
    )
)
"""Names of tags that prompts use or used."""

SILENCE = ("NO_REPLY", "HEARTBEAT_OK")
"""What a model writes when it has nothing to say."""

MARKS = frozenset({"foreign"})
"""Tags that code puts around foreign text, which `testimony.marked` has escaped."""

_UNSEEN = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_TAG = re.compile(rf"[<\uff1c\ufe64](?=([\s/\uff0f{_UNSEEN}]*[\w-][\w{_UNSEEN}-]{{0,47}}))")
_SKIPPED = re.compile(rf"[\s/\uff0f{_UNSEEN}]+")
_BREAK = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ANY_LINE = re.compile(rf"^([ \t{_UNSEEN}]*)(?=#{{1,6}}(?:\s|$)|===|```|~~~)", re.MULTILINE)
_LATER_LINE = re.compile(r"(?<=\n)(?=[^\s])")
_MARK = re.compile(rf"(?<=\n)([ \t{_UNSEEN}]+)(?=[\[\uff3b\u3010>|]|[-+*\u2022\u2013\u2014]\s|\d{{1,3}}[.)]\s|\*\*)")


def strip_tags(text: str, tags: frozenset[str] = TAGS) -> str:
    """Escape prompt tags (names in `tags`, lower case), in any spelling."""
    if "<" not in text and "\uff1c" not in text and "\ufe64" not in text:
        return text
    return _TAG.sub(lambda found: "\u2039" if _frames(found.group(1), tags) else found.group(), text)


def frame(text: str) -> str:
    """Escape a text for use in a line of a prompt: no tags, headings, entries or record lines.

    Lines after the first are indented, as only the prompt's own lines start at the margin. The
    first may begin with a bracket: the caller puts a label before it.
    """
    text = _ANY_LINE.sub(r"\1\\", strip_tags(_BREAK.sub("\n", text)))
    return _MARK.sub(r"\1\\", _LATER_LINE.sub("  ", text)) if "\n" in text else text


def _frames(name: str, tags: frozenset[str]) -> bool:
    return _SKIPPED.sub("", unicodedata.normalize("NFKC", name)).casefold() in tags
