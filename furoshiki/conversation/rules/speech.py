"""Read the model's text into speech: silence, redirection, quoting, reactions.

The model may write, on a line of its own or at the start of a paragraph: `NO_REPLY` or
`HEARTBEAT_OK` (silence; a reason on the same line is hidden), `[[send_to:CHANNEL]]` (redirect this
paragraph, or the next one if alone), `[[reply_to_current]]` (quote the answered message),
`[[react:EMOJI]]` (a reaction). Directives are never sent, except in a code block, when mentioned as
`code` or in quotation marks within a sentence, or within a name (an address, a page called [[React
hooks]]).
"""

import re
from dataclasses import dataclass

from furoshiki.core.framing import SILENCE, is_blank
from furoshiki.language.grounding.words import stems_of

_END = r"\s*\]\]`?[ \t]*\n?"
_SEND_TO = re.compile(rf"`?\[\[\s*send_to\s*:\s*([\w-]+){_END}", re.IGNORECASE)
_QUOTE = re.compile(rf"`?\[\[\s*reply_to_current{_END}", re.IGNORECASE)
_REACT = re.compile(rf"`?\[\[\s*react\s*:\s*([^\[\]\s`\x00]{{1,16}}){_END}", re.IGNORECASE)
_TOKEN = rf"(?:{'|'.join(SILENCE)})(?!@|_[A-Z]|[`\"”*]{{0,3}} (?:is|means|stands|tells) )"
_SILENT = re.compile(rf"^[ \t*_`\"“]*{_TOKEN}(?![a-z])[^\n]*\n?", re.MULTILINE)
_ECHOED = ("now", "remembered", "source", "since_then")
_NEVER_SAID = (
    re.compile(r"`?\[\[\s*(?:send_to|reply_to|react(?!\w|\s+[a-z]))[^\[\]\n]*\]\]`?[ \t]*\n?", re.IGNORECASE),
    re.compile(rf"`?{_TOKEN}`?"),
    re.compile(r"</?(?:now|remembered|message|source|since_then|elsewhere|state)(?:\s[^<>\n]{0,80})?>"),
)
# an unfinished directive in the last line, after the last closed bracket
_UNFINISHED = re.compile(r"`?\[[^\]]*\]?\Z|</?[a-z_]{0,10}\Z|^[ \t*_`]*(?:[HN][A-Z_]*)?\Z")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# directives mentioned in a sentence: "I write `NO_REPLY` then"
_SPOKEN_OF = re.compile(
    rf"(?:(?<=[\w,:;] )|(?<=[(]))(?:`[^`\n]*`|[\"“](?:{'|'.join(SILENCE)})[\"”])(?=[.,;:!?)]|[ \t]+\w)"
    r"|`[^`\n\[]{0,200}</?[a-z_]{1,40}[^`\n\[]{0,200}`(?=\W)"
)
_DEEPEST = 12  # maximum nesting of directives that are removed one by one


@dataclass(frozen=True)
class Part:
    """Text for a channel; None is the message's own. `quote` replies to the message."""

    text: str
    channel: str | None = None
    quote: bool = False


@dataclass(frozen=True)
class Speech:
    """What is sent. Without `parts` and `reaction` it is silence."""

    parts: tuple[Part, ...]
    reaction: str | None = None

    @property
    def silent(self) -> bool:
        """Return whether nothing is sent."""
        return not self.parts and self.reaction is None


def parse(written: str, channels: tuple[str, ...]) -> Speech:
    """Read the model's text. A redirection to a channel not in `channels` is ignored."""
    code: list[str] = []

    def put_by(match: re.Match[str]) -> str:
        code.append(match.group())
        return f"\x00{len(code) - 1}\x00"

    text = _SPOKEN_OF.sub(put_by, _FENCE.sub(put_by, written.replace("\x00", "")))
    text = _SILENT.sub("", _without_echoes(text))
    found = _REACT.search(text)
    reaction = found.group(1) if found else None
    text, quoted = _QUOTE.subn("", _REACT.sub("", text))
    parts = []
    for channel, words in _by_channel(text, channels):
        words = re.sub(r"\n{3,}", "\n\n", _sayable(words)).strip()
        words = re.sub(r"\x00(\d+)\x00", lambda match: code[int(match.group(1))], words)
        if not is_blank(words):
            parts.append(Part(words, channel, bool(quoted) and channel is None))
    return Speech(tuple(parts), reaction or None)


def cut_to_visible(written: str) -> str:
    """Return the displayable part of a growing text, without (possible) directives."""
    in_code = written.count("```") % 2 == 1
    return "\n\n".join(part.text for part in parse(written if in_code else _strip_unfinished(written), ()).parts)


def _strip_unfinished(written: str) -> str:
    """Cut a possible directive at the end, which can only follow the last closed bracket."""
    begin = max(written.rfind("\n"), written.rfind("]", 0, -1)) + 1
    if begin == written.rfind("\n") + 1:
        return written[:begin] + _UNFINISHED.sub("", written[begin:], count=1)
    # mid-line: patterns for a line's start do not apply
    return written[:begin] + _UNFINISHED.sub("", "\u2026" + written[begin:], count=1)[1:]


def _without_echoes(text: str) -> str:
    """Remove echoes of the prompt between two of its tags, up to the last closed one."""
    for name in _ECHOED:
        opening, closing = f"<{name}>", f"</{name}>"
        kept: list[str] = []
        at = 0
        while (begin := text.find(opening, at)) >= 0 and (end := text.find(closing, begin)) >= 0:
            kept.append(text[at:begin])
            at = end + len(closing)
        text = "".join([*kept, text[at:]])
    return text


REPEATED = 0.6  # the share of words from which one text repeats another


def join_said(before: str, after: str) -> str:
    """Join what was said beside calls and after them; only one where the other repeats it."""
    if is_blank(before) or is_blank(after):
        return after if is_blank(before) else before
    first, second = stems_of(before), stems_of(after)
    shared = len(first & second)
    if first and shared >= REPEATED * len(first):
        return after
    if second and shared >= REPEATED * len(second):
        return before
    return f"{before.rstrip()}\n\n{after.lstrip()}"


MOST_BUBBLES = 3  # messages into which one reply is split


def bubbles(text: str) -> list[str]:
    """Split a reply into two or three messages by paragraph; code and short replies stay whole."""
    paragraphs = [part.strip() for part in text.split("\n\n") if not is_blank(part)]
    if not 2 <= len(paragraphs) <= 6 or "```" in text or any(_is_structured(part) for part in paragraphs):
        return [text]
    while len(paragraphs) > MOST_BUBBLES:
        shortest = min(range(len(paragraphs) - 1), key=lambda i: len(paragraphs[i]) + len(paragraphs[i + 1]))
        paragraphs[shortest : shortest + 2] = ["\n\n".join(paragraphs[shortest : shortest + 2])]
    return paragraphs


def _by_channel(text: str, channels: tuple[str, ...]) -> list[tuple[str | None, str]]:
    """Return parts of the text with their channels; a redirection lasts for its paragraph."""
    pieces: list[tuple[str | None, str]] = []
    ahead: str | None = None
    for paragraph in re.split(r"\n\s*\n", text):
        channel, ahead = ahead, None
        if found := _SEND_TO.match(paragraph.lstrip()):
            name = found.group(1).lower()
            channel = name if name in channels else None
        words = _SEND_TO.sub("", paragraph)
        if found and not words.strip():
            ahead = channel
        elif pieces and pieces[-1][0] == channel:
            pieces[-1] = (channel, f"{pieces[-1][1]}\n\n{words}")
        else:
            pieces.append((channel, words))
    return pieces


def _sayable(words: str) -> str:
    """Remove remaining directives and tags, including those formed by removing others."""
    for _ in range(_DEEPEST):
        before = words
        for pattern in _NEVER_SAID:
            words = pattern.sub("", words)
        if before == words:
            return words
    return (
        words.replace("[[", "").replace("<", "").replace("_", "")
    )  # a text built to resist removal: its marks are stripped


def _is_structured(paragraph: str) -> bool:
    return bool(re.match(r"\s*(?:[-*+•]|\d+[.)]|#|>|\|)\s", paragraph))


def with_quiet(answer: str, quiet: str) -> str:
    """Append the confirmation of a requested quiet to an answer; it replaces silence."""
    if not quiet or quiet in answer:
        return answer
    return quiet if parse(answer, ()).silent else f"{answer}\n\n{quiet}"
