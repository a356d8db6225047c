"""Escaping of untrusted text: structure of prompts (tags, headings, record lines), control characters.

The characters are replaced and stay readable: `‹/message>` is no tag, `\\[12 · …]` begins no line
of the record. Escaping twice has no further effect.
"""

import re
import unicodedata

# names of tags that prompts use or used
TAGS = frozenset(
    (
        *("conversation", "conversations", "description", "documents", "draft", "elsewhere", "facts"),
        *("from_plugins", "lines", "matter", "memories", "message", "now", "on_record", "question"),
        *("questions", "remembered", "since_then", "source", "skills", "state", "task"),
    )
)

SILENCE = ("NO_REPLY", "HEARTBEAT_OK")  # what a model writes when it has nothing to say

# tags that code puts around foreign text, which `testimony.marked` has escaped
MARKS = frozenset({"foreign"})

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


# -- for a terminal: visible control characters, and texts that look empty --


# C0 and C1 controls except tab and line feed, line separators, and bidirectional controls
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Return the text with control characters escaped as in JSON (`\\u001b`); CR LF becomes LF.

    JSON text keeps its meaning.
    """
    if text.isprintable():
        return text
    return _STEERING.sub(_escape, text.replace("\r\n", "\n"))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


# invisible characters whose Unicode category is letter or symbol
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def is_blank(text: str) -> bool:
    """Return whether nothing is visible: spaces, controls, zero-width or combining characters."""
    return all(char.isspace() or char in _FILLERS or unicodedata.category(char)[0] in "CZM" for char in text)


def clean(text: str) -> str:
    """Replace lone surrogates and remove NUL, which SQLite or readers cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def quote_lines(text: str) -> str:
    """Return another person's text as a Markdown quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
