"""The entry gate of memory: select messages for the scratch buffer, without a model.

The gate is deliberately leaky: rejected kinds still pass occasionally, as losses could not be
noticed otherwise. The exit gate judges the rest (`furoshiki.memory.rules.exit_gate`).
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from furoshiki.language.testimony import Own
from furoshiki.language.words import SPELLED, count_letters

SHORT = 10  # letters below which a message is short (see `count_letters`)

SHORT_SKIPPED = 0.95
MECHANICAL_SKIPPED = 0.90  # the probabilities with which short and mechanical messages are rejected
MECHANICAL_SHARE = 0.5  # the share of mechanical lines that makes the whole message mechanical

Kind = Literal["short", "mechanical", "said"]


@dataclass(frozen=True)
class Entry:
    """Whether a message enters the scratch buffer, its kind, and the reason."""

    enters: bool
    kind: Kind
    reason: str


_COMMAND = re.compile(r"^/[a-z_]\w*(?:@\w+)?(?:\s|$)", re.IGNORECASE)
_SHELL = re.compile(
    r"^\s*(?:[$#%>]\s+|[\w.-]+@[\w.-]+[:~]\S*[$#]\s+|>>>\s|In \[\d*\]:|"
    r"(?:sudo|git|pip3?|npm|npx|docker|kubectl|curl|wget|ssh|chmod|systemctl|apt-get)\s+[\w./~@-]+(?:\s+\S+){0,8}\s*$|"
    r"(?:cd|ls|cat|grep|make|python3?|export|brew|apt|yarn)\s+(?:\S+\s+)?\S*[/=~-]\S*(?:\s+\S+)?\s*$)"
)
_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d{1,2}:\d\d:\d\d[.,\]]?|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d|"
    r"\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b[\]:\s]|"
    r"\d{1,3}(?:\.\d{1,3}){3}\s)",
)
_TRACE = re.compile(
    r"^\s*(?:Traceback \(most recent|File \"[^\"]+\", line \d+|at [\w.$<>]+\(|Caused by:|Exception in thread|"
    r"(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt)(?::|$)|goroutine \d+|panic:|"
    r"\.\.\. \d+ more|thread '.*' panicked)"
)
_CODE = re.compile(
    r"^\s*(?:(?:async\s+)?def \w+\(|class \w+[(:{]|import [\w.{*]|from [\w.]+ import\b|#include\b|(?:public|private|"
    r"static|protected)\s+\w|(?:const|let|var)\s+\w+\s*=|function\s*\w*\(|return\b.*;\s*$|(?:if|for|while)\s*\(.*\)\s*\{|"
    r"</?[a-z][\w-]*(?:\s[^>]*)?>|SELECT\s.+\sFROM\s|INSERT\s+INTO\s|@\w+(?:\(.*\))?$|[\w.\]\[]+\s*[-+*/]?=\s*\S|"
    r"[}\])]+[;,]?\s*$)|[{;]\s*$|=>|(?<!\w)\w+\([^()]*\);"
)
_JSON = re.compile(r"^\s*(?:[{\[]\s*(?:[\"'{\[\]}\d]|$)|[\"'][\w $.-]+[\"']\s*:|[}\]],?\s*$)")
_TABLE = re.compile(r"^(?:\s*(?:\|.*\||[-=+|]{4,}|(?:[^,\s]+,){4,}[^,\s]*)|(?:[^\t,;]*[\t;]){3,}[^\t;]*)\s*$")
_LINK = re.compile(r"(?:https?://|www\.|magnet:\?|(?<![a-z])[a-z]+://)\S+", re.IGNORECASE)
_DIGEST = re.compile(r"\b(?:[0-9a-f]{24,}|[A-Za-z0-9+/]{60,}={0,2})\b")
_QUOTED = re.compile(
    r"^\s*(?:>|\|\s|-{3,}\s*(?:Forwarded|Original)|Begin forwarded message|Forwarded from\b|"
    r"On .{4,80} wrote:\s*$|(?:From|To|Subject|Date|Sent|Cc):\s)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_OPENING, _CLOSING = '"\u201c\u201e\u00ab', '"\u201d\u201c\u00bb'
_SIGNS = re.compile(r"\W*")
_QUOTE_LETTERS = 10  # the least characters of a quotation

_MACHINE = (_SHELL, _LOG, _TRACE, _CODE, _JSON, _TABLE)


def enters(text: Own, rng: random.Random) -> Entry:
    """Decide whether the user's own text enters the scratch buffer."""
    bare = text.strip()
    if not bare:
        return Entry(False, "short", "there are no words")
    why = mechanical(bare)
    if why is not None:
        return _perhaps("mechanical", why, MECHANICAL_SKIPPED, rng)
    if count_letters(bare) < SHORT:
        return _perhaps("short", f"under {SHORT} characters", SHORT_SKIPPED, rng)
    return Entry(True, "said", "said")


def mechanical(text: str) -> str | None:
    """Return why a message is machine output or quoted rather than speech, or None."""
    if _COMMAND.match(text.strip()):
        return "a command"
    without = _FENCE.sub("", text)
    if _FENCE.search(text) and not _speech(without):
        return "code"
    if not SPELLED.search(_LINK.sub("", without)):
        return "links, numbers or signs only"
    if _is_one_quote(text):
        return "a quotation"
    lines = [line for line in without.split("\n") if line.strip()]
    quoted = sum(bool(_QUOTED.match(line)) for line in lines)
    if quoted and quoted >= MECHANICAL_SHARE * len(lines):
        return "quoted or forwarded"
    machine = sum(map(_by_machine, lines))
    if machine and machine + quoted >= MECHANICAL_SHARE * len(lines):
        return "a log, a trace, code or data"
    return None


def _signs(text: str) -> str:
    """Return the characters before the first letter or digit."""
    match = _SIGNS.match(text)
    return match.group() if match else ""


def _is_one_quote(text: str) -> bool:
    """Whether the whole text is in quotation marks."""
    before, after = _signs(text), _signs(text[::-1])
    begin = min((at for mark in _OPENING if (at := before.find(mark)) >= 0), default=None)
    end = min((at for mark in _CLOSING if (at := after.find(mark)) >= 0), default=None)
    return begin is not None and end is not None and len(text) - end - 1 - (begin + 1) >= _QUOTE_LETTERS


def own_words(text: str) -> str:
    """Return a message without code, quoted lines, links and machine output."""
    lines = _FENCE.sub(" ", text).split("\n")
    own_lines = [line for line in lines if not _QUOTED.match(line) and not _by_machine(line)]
    return _LINK.sub(" ", "\n".join(own_lines)).strip()


def charge(signals: Mapping[str, float]) -> float:
    """Return the emotional charge in [0, 1]: the strongest feeling except curiosity and boredom."""
    return max((strength for name, strength in signals.items() if name not in _COOL), default=0.0)


_COOL = frozenset({"curiosity", "disengagement"})


def _perhaps(kind: Kind, reason: str, skipped: float, rng: random.Random) -> Entry:
    return Entry(rng.random() >= skipped, kind, reason)


def _by_machine(line: str) -> bool:
    return any(pattern.search(line) for pattern in _MACHINE) or _DIGEST.search(line) is not None


def _speech(text: str) -> bool:
    return len(SPELLED.findall(text)) > 3
