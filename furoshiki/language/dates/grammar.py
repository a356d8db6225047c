"""Group time words into components: a day, time of day, duration or repetition.

At each place the longest matching rule wins, then the first; other words stay unread.
"""

import functools
import re
from collections.abc import Sequence

from furoshiki.language.dates import days, periods, repeats, time_of_day
from furoshiki.language.dates.tokens import Token
from furoshiki.language.dates.values import Component, Doubt, Maker, ParseContext

MOST_COMPONENTS = 8
"""Most components read; a text with more names several times."""

_RULES = tuple(one for rules in (days, periods, time_of_day, repeats) for one in rules.rule.all)


@functools.cache
def _rules(kind: str) -> list[tuple[re.Pattern[str], Maker]]:
    """Return rules that may begin with a kind of token, compiled on demand (rarely needed)."""
    return [(re.compile(pattern), maker) for pattern, maker in _RULES if _may_begin(pattern, kind)]


def _may_begin(pattern: str, kind: str) -> bool:
    """Return whether a pattern can begin with a kind, judged by its first element."""
    fixed = _FIXED.match(pattern)
    return fixed is None or re.match(fixed[0], kind) is not None


_FIXED = re.compile(r"(?:[\w@>~]|\[[^\]]+\])(?![?*\w]*[?*])")


def components(tokens: Sequence[Token], scene: ParseContext) -> list[Component]:
    """Return the components, left to right; each token is in at most one."""
    kinds = "".join(token.kind for token in tokens)
    longest_first: list[Component] = []
    at = 0
    while at < len(kinds) and len(longest_first) < MOST_COMPONENTS:
        best = _longest(kinds, at, tokens, scene)
        if best is not None:
            longest_first.append(best)
        at = best.end if best is not None else at + 1
    return longest_first


def _longest(kinds: str, at: int, tokens: Sequence[Token], scene: ParseContext) -> Component | None:
    if kinds[at] == ".":
        return None
    rules = _rules(kinds[at])
    matches = [(match.end(), order, match) for order, (rule, _) in enumerate(rules) if (match := rule.match(kinds, at))]
    for end, order, match in sorted(matches, key=lambda one: (-one[0], one[1])):
        try:
            reading = rules[order][1](scene, match.group(), tokens[at:end])
        except (ValueError, OverflowError):
            reading = Doubt("there is no such time")
        if reading is not None:
            return Component(reading, at, end)
    return None
