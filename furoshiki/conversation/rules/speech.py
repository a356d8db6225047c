"""From what the mind wrote to what is said, where: silence, redirection, quoting, reactions.

The mind may write, each on a line of its own or at the start of a paragraph:
`NO_REPLY` or `HEARTBEAT_OK` (nothing is said; a reason on the same line is not for the user), `[[send_to:CHANNEL]]`
(this paragraph goes there, or the next one when it stands alone), `[[reply_to_current]]` (quote the message that is
being answered), `[[react:EMOJI]]` (a reaction). Nothing of that kind is ever sent, however it is written, unless it
stands in a code block, or is only spoken of: as `code` or in quotation marks inside a sentence, or as part of a name
(an address, a page called [[React hooks]]).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from furoshiki.core.framing import SILENCE
from furoshiki.core.visible import is_blank

_END = r"\s*\]\]`?[ \t]*\n?"
_SEND_TO = re.compile(rf"`?\[\[\s*send_to\s*:\s*([\w-]+){_END}", re.IGNORECASE)
_QUOTE = re.compile(rf"`?\[\[\s*reply_to_current{_END}", re.IGNORECASE)
_REACT = re.compile(rf"`?\[\[\s*react\s*:\s*([^\[\]\s`\x00]{{1,16}}){_END}", re.IGNORECASE)
_TOKEN = rf"(?:{'|'.join(SILENCE)})(?!@|_[A-Z]|[`\"”*]{{0,3}} (?:is|means|stands|tells) )"
_SILENT = re.compile(rf"^[ \t*_`\"“]*{_TOKEN}(?![a-z])[^\n]*\n?", re.MULTILINE)
_ECHOED = ("now", "remembered", "source", "since_then")
_NEVER_SAID = (
    re.compile(
        r"`?\[\[\s*(?:send_to|reply_to|react(?!\w|\s+[a-z]))[^\[\]\n]*\]\]`?[ \t]*\n?",
        re.IGNORECASE,
    ),
    re.compile(rf"`?{_TOKEN}`?"),
    re.compile(r"</?(?:now|remembered|message|source|since_then|elsewhere|state)(?:\s[^<>\n]{0,80})?>"),
)
_UNFINISHED = re.compile(r"`?\[[^\]]*\]?\Z|</?[a-z_]{0,10}\Z|^[ \t*_`]*(?:[HN][A-Z_]*)?\Z")
"""In the last line, from the last bracket on that was closed."""
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SPOKEN_OF = re.compile(
    rf"(?:(?<=[\w,:;] )|(?<=[(]))(?:`[^`\n]*`|[\"“](?:{'|'.join(SILENCE)})[\"”])(?=[.,;:!?)]|[ \t]+\w)"
    r"|`[^`\n\[]{0,200}</?[a-z_]{1,40}[^`\n\[]{0,200}`(?=\W)"
)
"""Marks inside a sentence that tells of them: "I write `NO_REPLY` then"."""
_DEEPEST = 12
"""So many directives within one another are taken out one by one."""


@dataclass(frozen=True)
class Part:
    """Words for one channel; `channel` None is where the message came from. `quote` answers the message itself."""

    text: str
    channel: str | None = None
    quote: bool = False


@dataclass(frozen=True)
class Speech:
    """What is to be said. Nothing in `parts` and no `reaction` is silence, for `reason`."""

    parts: tuple[Part, ...]
    reaction: str | None = None
    reason: str | None = None

    @property
    def silent(self) -> bool:
        """Whether nothing at all goes out."""
        return not self.parts and self.reaction is None


def parse(written: str, channels: tuple[str, ...]) -> Speech:
    """Read the mind's words. A redirection to a channel that is not in `channels` is ignored, the words are kept."""
    code: list[str] = []

    def put_by(match: re.Match[str]) -> str:
        code.append(match.group())
        return f"\x00{len(code) - 1}\x00"

    text = _SPOKEN_OF.sub(put_by, _FENCE.sub(put_by, written.replace("\x00", "")))
    text, silenced = _SILENT.subn("", _without_echoes(text))
    found = _REACT.search(text)
    reaction = found.group(1) if found else None
    text, quoted = _QUOTE.subn("", _REACT.sub("", text))
    parts = []
    for channel, words in _by_channel(text, channels):
        words = re.sub(r"\n{3,}", "\n\n", _sayable(words)).strip()
        words = re.sub(r"\x00(\d+)\x00", lambda match: code[int(match.group(1))], words)
        if not is_blank(words):
            parts.append(Part(words, channel, bool(quoted) and channel is None))
    if parts or reaction:
        return Speech(tuple(parts), reaction)
    return Speech((), reason="chose silence" if silenced else "had nothing to say")


def cut_to_visible(written: str) -> str:
    """What may be seen of words that are still being written: no directive, and nothing that may become one."""
    in_code = written.count("```") % 2 == 1
    return "\n\n".join(part.text for part in parse(written if in_code else _strip_unfinished(written), ()).parts)


def _strip_unfinished(written: str) -> str:
    """Cut an end that may become a directive. It stands in the last line, after every bracket that
    was closed."""
    begin = max(written.rfind("\n"), written.rfind("]", 0, -1)) + 1
    if begin == written.rfind("\n") + 1:
        return written[:begin] + _UNFINISHED.sub("", written[begin:], count=1)
    # the line has begun before: what may only stand at its beginning is not looked for
    return written[:begin] + _UNFINISHED.sub("", "\u2026" + written[begin:], count=1)[1:]


def _without_echoes(text: str) -> str:
    """Drop echoes of the prompt between two of its tags, up to the last closed one."""
    for name in _ECHOED:
        opening, closing = f"<{name}>", f"</{name}>"
        kept: list[str] = []
        at = 0
        while (begin := text.find(opening, at)) >= 0 and (end := text.find(closing, begin)) >= 0:
            kept.append(text[at:begin])
            at = end + len(closing)
        text = "".join([*kept, text[at:]])
    return text


def bubbles(text: str, most: int = 3) -> list[str]:
    """A reply of several thoughts as two or three messages; code and short replies stay whole."""
    paragraphs = [part.strip() for part in text.split("\n\n") if not is_blank(part)]
    if not 2 <= len(paragraphs) <= 6 or "```" in text or any(_is_structured(part) for part in paragraphs):
        return [text]
    while len(paragraphs) > most:
        shortest = min(range(len(paragraphs) - 1), key=lambda i: len(paragraphs[i]) + len(paragraphs[i + 1]))
        paragraphs[shortest : shortest + 2] = ["\n\n".join(paragraphs[shortest : shortest + 2])]
    return paragraphs


def _by_channel(text: str, channels: tuple[str, ...]) -> list[tuple[str | None, str]]:
    """Pieces of the text with the channel each is meant for; a redirection holds until its paragraph ends."""
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
    """Drop remains of directives and tags, including those that appear when others are removed."""
    for _ in range(_DEEPEST):
        before = words
        for pattern in _NEVER_SAID:
            words = pattern.sub("", words)
        if before == words:
            return words
    return (
        words.replace("[[", "").replace("<", "").replace("_", "")
    )  # made to be taken out again and again: nothing comes of it


def _is_structured(paragraph: str) -> bool:
    return bool(re.match(r"\s*(?:[-*+•]|\d+[.)]|#|>|\|)\s", paragraph))


def with_quiet(answer: str, quiet: str) -> str:
    """An answer that says how quiet it will be as they asked, whichever mind answered; silence does not say it."""
    if not quiet or quiet in answer:
        return answer
    return quiet if parse(answer, ()).silent else f"{answer}\n\n{quiet}"
