"""Read a text's times in one language: which are meant, and what remains unread."""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from furoshiki.core.timestamps import later
from furoshiki.language.dates import days, periods, repeats, time_of_day
from furoshiki.language.dates.booked import (
    Spans,
    Unclear,
    When,
    ask_half,
    book_repeat,
    moment,
    that_day,
    today_or_tomorrow,
)
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.half_of_day import Person
from furoshiki.language.dates.tokens import Token, tokens
from furoshiki.language.dates.values import Component, Day, Doubt, Duration, Hour, Maker, ParseContext, Part, Rule

# least letters of a word that identifies its language: "mi" and "on" exist in many
_WORDS_OF_ITS_OWN = 4


class Reading:
    """A text read in one language."""

    def __init__(self, text: str, now: datetime, tongue: str, habits: Habits, deed: str = "") -> None:
        """`deed` is the task, if the text does not name it."""
        self.text, self.now, self.tongue = text, now, tongue
        self.tokens = tokens(text, tongue)
        self.habits, self.deed = habits, deed

    @cached_property
    def components(self) -> Sequence[Component]:
        order = self.habits.order or ("" if self.tongue == "en" else "DMY")
        scene = ParseContext(self.text, self.now, self.tongue, order, self.habits.clock_of(self.tongue))
        return components(self.tokens, scene)

    @property
    def weight(self) -> int:
        """The number of characters read; if none, of known but unread time words."""
        if self.components:
            return sum(self._to(component) - self._from(component) for component in self.components)
        unread = 0
        for token in self.tokens:
            if token.kind == "?":
                unread += token.end - token.start
        return unread

    @property
    def own_words(self) -> bool:
        """Whether it reads a word that is unlikely to be another language's."""
        if not any(_is_own(token) and token.kind != "." for token in self.tokens):
            return False
        taken = [token for component in self.components for token in self.tokens[component.first : component.end]]
        return any(_is_own(token) for token in taken)

    @property
    def unread_alone(self) -> bool:
        """Whether there are time words, though none is part of a component."""
        return any(token.strong for token in self.tokens)

    def strictly(self) -> When | Unclear | None:
        """Return the moment, or the question to ask."""
        groups = self._groups()
        if not groups:
            return self._unread(range(len(self.tokens)), [])
        chosen, title = self._choose_groups(groups)
        if chosen is None:
            return self._unclear(
                "That names more than one time", [component for group in groups for component in group]
            )
        doubts = [component for component in chosen if isinstance(component.said, Doubt)]
        if doubts:
            assert isinstance(doubts[0].said, Doubt)
            return self._unclear(_sentence(doubts[0].said.asks, self._said(doubts[0])), chosen)
        loose = next((component for component in chosen if self._loose(component)), None)
        if loose is not None:
            return self._unclear(f"Is “{self._said(loose)}” the day", chosen)
        rest = self._unread([n for n in range(len(self.tokens)) if n not in title], chosen)
        reading = rest or self._when(chosen)
        return ask_half(reading) if isinstance(reading, When) and reading.other is not None else reading

    def loosely(self) -> When | None:
        """Return the first clear time."""
        groups = self._groups()
        everything = [component for group in groups for component in group if not isinstance(component.said, Doubt)]
        for chosen in (
            everything,
            [component for component in (groups[0] if groups else []) if not isinstance(component.said, Doubt)],
        ):
            if chosen and not _clash(chosen):
                when = self._when(chosen)
                return when if isinstance(when, When) else None
        first = self._when(everything[:1]) if everything else None
        return first if isinstance(first, When) else None

    def _person(self) -> Person:
        """Return the context that decides the half of the day."""
        return Person(self.habits, f"{self.deed} {self.text}".lower(), (self.deed.lower(), *self._runs()))

    def _runs(self) -> Iterator[str]:
        """Yield the runs of words that are not about time, in lower case."""
        run: list[str] = []
        for token in (*self.tokens, None):
            if token is not None and token.kind in ".?":
                run.append(self._word(token))
            elif run:
                yield " ".join(run)
                run = []

    # -------------------------------------------------------- which times are meant

    def _groups(self) -> list[list[Component]]:
        """Group components with only commas and function words between them."""
        groups: list[list[Component]] = []
        for component in self.components:
            between = self.tokens[groups[-1][-1].end : component.first] if groups else []
            if groups and all(token.kind in ",&@~X" for token in between):
                groups[-1].append(component)
            else:
                groups.append([component])
        return groups

    def _choose_groups(self, groups: list[list[Component]]) -> tuple[list[Component] | None, frozenset[int]]:
        """Return the components that give the time, and the tokens of the task.

        The first group is the time, and text after "to" the task ("tomorrow to book the flight for
        Friday"), but a time of day may come late ("tomorrow to call Anika at six").
        """
        everything = [component for group in groups for component in group]
        lead = groups[0]
        leads = all(token.kind in ",@&" or self._word(token) in _LEADING for token in self.tokens[: lead[0].first])
        marked = leads and (_MATTER.match(self.text, self._to(lead[-1])) is not None or self._plain_matter(groups))
        if not marked:
            return (None if _clash(everything) else everything), frozenset()
        chosen = list(lead)
        for group in groups[1:]:
            repeats = group[-1].end == len(self.tokens) and any(isinstance(component.said, Rule) for component in group)
            if repeats or (not _clash([*chosen, *group]) and self._joins(group) and not _settles(chosen)):
                chosen += group
        used = {n for component in chosen for n in range(component.first, component.end)}
        last = len(self.tokens) - (self.tokens[-1].kind == "?")
        title = frozenset(n for n in range(lead[-1].end, last) if n not in used)
        return (None if _clash(chosen) else chosen), title

    def _plain_matter(self, groups: list[list[Component]]) -> bool:
        """Return whether day and time come first, then the task, and no time last."""
        lead, end = groups[0], len(self.tokens)
        follows = self.tokens[lead[-1].end].kind if lead[-1].end < end else ""
        return follows == "." and _settles(lead) and (len(groups) == 1 or groups[-1][-1].end < end)

    def _joins(self, group: list[Component]) -> bool:
        """Return whether a later group may be the time: at the end, or after "at"."""
        return group[-1].end == len(self.tokens) or self.tokens[group[0].first].kind == "@"

    def _unread(self, among: Sequence[int], chosen: list[Component]) -> Unclear | None:
        """Return the question about unread time words, if any."""
        used = {n for component in chosen for n in range(component.first, component.end)}
        unread = [n for n in among if n not in used and self._matters(n, used)]
        if not unread:
            return None
        words = " … ".join(f"“{self.text[self.tokens[n].start : self.tokens[n].end]}”" for n in unread[:3])
        quoted = " … ".join(f"“{self._said(one)}”" for one in chosen)
        asks = f"I read {quoted}, but not {words}" if quoted else f"I do not understand {words}"
        spans = self._spans(chosen) + tuple((self.tokens[n].start, self.tokens[n].end) for n in unread)
        return Unclear(asks, spans, unread=any(self.tokens[n].kind == "?" for n in unread))

    def _matters(self, number: int, used: set[int]) -> bool:
        """Return whether an unread token may change the time: if strong, or adjacent."""
        token = self.tokens[number]
        if token.strong:
            return True
        beside = number + 1 in used or number - 1 in used
        if token.kind in "eNTL":
            ahead = self.tokens[number + 1].kind if number + 1 < len(self.tokens) else "."
            return ahead in "wunUPMWp" and (beside or token.kind in "eN")
        if token.kind == "<":  # "vor Freitag"; English "to" leads to what is to be done
            return beside and self.tongue in ("de", "ru")
        return beside and token.kind in "~XnouUMyEBbhjs"

    # -------------------------------------------------------- combining the components

    def _when(self, chosen: list[Component]) -> When | Unclear:
        spans = self._spans(chosen)
        shape = When(self.now, spans[0][0], spans[-1][1], spans=spans)
        readings = [component.said for component in chosen]
        now = self.now
        day = next((one for one in readings if isinstance(one, Day)), None)
        hour = next((one for one in readings if isinstance(one, Hour)), None)
        rule = next((one for one in readings if isinstance(one, Rule)), None)
        span = next((one for one in readings if isinstance(one, Duration)), None)
        parts = [one.name for one in readings if isinstance(one, Part)]
        parts += [one.part for one in readings if isinstance(one, Day | Hour | Rule) and one.part]
        part = next((one for one in parts if one != "now"), None)
        if span is not None:
            return replace(shape, at=later(now, span.span).astimezone(now.tzinfo))
        if rule is not None:
            return book_repeat(rule, day, hour, part, now, shape, self._person()) or self._unclear(
                "I find no day for that", chosen
            )
        if day is not None and day.part == "now" and hour is None and part is None:
            at = moment(day.on, now.time().replace(second=0, microsecond=0), now)
            return replace(shape, at=at, timed=False)
        if day is not None:
            return that_day(day, hour, part, now, shape, self._person())
        return today_or_tomorrow(hour, part, now, replace(shape, dated=False), self._person())

    def _loose(self, one: Component) -> bool:
        """Return whether "the 3rd" is not first and precedes a word that it may count."""
        only = self.tokens[one.first : one.end]
        if [token.kind for token in only] != ["o"] or one.first == 0 or one.end == len(self.tokens):
            return False
        return self.tokens[one.end].kind == "." and _MATTER.match(self.text, self._to(one)) is None

    def _unclear(self, asks: str, chosen: list[Component]) -> Unclear:
        return Unclear(asks, self._spans(chosen))

    def _spans(self, chosen: list[Component]) -> Spans:
        """Return the components' spans, with introducing words; close ones are merged."""
        spans: list[tuple[int, int]] = []
        for component in sorted(chosen, key=lambda one: one.first):
            start, end = self._from(component), self._to(component)
            if spans and not re.search(r"[^\W_]{4}", self.text[spans[-1][1] : start]) and self._close(component):
                spans[-1] = spans[-1][0], end
            else:
                spans.append((start, end))
        return tuple(spans)

    def _close(self, one: Component) -> bool:
        return one.first > 0 and any(
            component.end == one.first or component.end + 1 == one.first and self.tokens[component.end].kind in ",&@"
            for component in self.components
        )

    def _from(self, one: Component) -> int:
        token = self.tokens[one.first]
        lead = re.search(rf"{re.escape(token.lead)}\W*$", self.text[: token.start].lower()) if token.lead else None
        return token.start if lead is None else lead.start()

    def _to(self, one: Component) -> int:
        return self.tokens[one.end - 1].end

    def _said(self, one: Component) -> str:
        return self.text[self._from(one) : self._to(one)]

    def _word(self, token: Token) -> str:
        return self.text[token.start : token.end].lower()


def _is_own(token: Token) -> bool:
    return token.kind not in "ntdoy" and token.end - token.start >= _WORDS_OF_ITS_OWN


_LEADING = frozenset(
    ("me please pls mich bitte uns por favor bana beni lütfen мне меня пожалуйста that " + "reminder").split()
)
_MATTER = re.compile(
    r"[\s,;]{0,3}(?:[:–—-]|(?:to|that|about|of|dass|daran|an|zu|que|de|d[ao]s?|di|para|pour|per|che|ki|için|что|чтобы|о|об)(?!\w)|d['’])",
    re.IGNORECASE,
)


def _sentence(asks: str, quoted: str) -> str:
    """Phrase a doubt as a sentence: the words read, and what is unclear about them."""
    if asks.startswith(("I ", "there")):
        return f"{asks[0].upper()}{asks[1:]} (“{quoted}”)"
    return f"I read “{quoted}”: {asks}{'?' if _QUESTION.match(asks) else ''}"


_QUESTION = re.compile(r"(?:is|do|which|what|when|how|at which|of which|in which|of the|every second|today) ")


def _clash(chosen: list[Component]) -> bool:
    """Return whether components exclude each other: two days, or a duration and a day."""
    readings = [component.said for component in chosen]
    days = {one.on for one in readings if isinstance(one, Day)}
    counts = [sum(isinstance(one, kind) for one in readings) for kind in (Hour, Rule, Duration)]
    if len(days) > 1 or max(counts) > 1 or (counts[2] and (days or counts[0] or counts[1])):
        return True
    parts = {one.name for one in readings if isinstance(one, Part)} | {
        one.part for one in readings if isinstance(one, Day | Hour | Rule) and one.part and one.part != "now"
    }
    return len(parts) > 1


def _settles(chosen: list[Component]) -> bool:
    """Return whether the time is complete: a duration, or a time of day and a day."""
    readings = [component.said for component in chosen]
    hour = any(isinstance(one, Hour) for one in readings)
    return any(isinstance(one, Duration) for one in readings) or (
        hour and any(isinstance(one, Day | Rule) for one in readings)
    )


# -- components: a day, time of day, duration or repetition --
#
# At each place the longest matching rule wins, then the first; other words stay unread.


MOST_COMPONENTS = 8  # most components read; a text with more names several times

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
