"""Turn recorded feelings into the parts of a chart: coloured lines, references, and words."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from furoshiki.core.pictures.values import Band, Colour, Group, Level, Panel, Series, Span, Tone
from furoshiki.feelings.rules import needs as need_rules
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.feelings.rules.mood import Moment
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.language.humanize import join_in_english

# feelings are recorded every 15 minutes; a longer gap than this is not bridged
GAP = timedelta(hours=2)

WHOLE = timedelta(days=8)  # up to this length, a course is drawn with all its recorded moments

_MOST = 190  # maximum number of moments in a small plot

_STRETCHES = tuple(timedelta(hours=hours) for hours in (1, 2, 4, 6, 12, 24, 48, 7 * 24))

_NEEDS: dict[str, Colour] = {
    "communication": "blue",
    "connection": "pink",
    "curiosity_need": "teal",
    "helpfulness": "green",
    "self_knowledge": "purple",
}

_MOODS: dict[str, Tone] = {
    "playful": "ochre",
    "reflective": "ink",
    "tender": "pink",
    "lonely": "blue",
    "restless": "orange",
    "content": "green",
    "worried": "slate",
    "irritated": "red",
    "proud": "purple",
    "curious": "teal",
    "excited": "amber",
}

_TOLD = 3  # number of emotions described in words: those that changed most
_MOVED = 0.05  # a smaller range does not count as a change


def smooth(moments: Sequence[Moment], start: datetime, end: datetime) -> tuple[list[Moment], timedelta | None]:
    """Reduce a long course to means of equal periods, each with its most frequent mood; the last
    moment is unchanged. Also return the period's length, None if nothing was reduced."""
    if end - start <= WHOLE:
        return list(moments), None
    stretch = next(one for one in (*_STRETCHES, end - start) if (end - start) / one <= _MOST)
    held: dict[int, list[Moment]] = {}
    for moment in moments[:-1]:
        held.setdefault((moment.at - start) // stretch, []).append(moment)
    means = [_mean(held[place], start + (place + 0.5) * stretch) for place in sorted(held)]
    return [*(moment for moment in means if moment.at < moments[-1].at), moments[-1]], stretch


def _mean(moments: Sequence[Moment], at: datetime) -> Moment:
    each = {name: sum(getattr(moment.emotions, name) for moment in moments) / len(moments) for name in NAMES}
    words = [moment.mood for moment in moments]
    return Moment(at, Emotions(**each), max(words, key=words.count))


def groups(moments: Sequence[Moment], laws: InnerLife, gap: timedelta) -> list[Group]:
    """Return the emotions with their resting levels, and five needs with amber and rose marks.

    Moments further apart than `gap` are not joined.
    """
    felt = [(moment.at, moment.emotions.as_mapping()) for moment in moments]
    emotions = [
        Panel(
            [Series(name, [(at, values[name]) for at, values in felt], look.colour, "area", gap)],
            *(name, 0.0, 1.0, "{:.0%}".format),
            levels=[Level(laws.emotions.natural[name])],
        )
        for name, look in laws.emotions.looks.items()
    ]
    wanted = [(moment.at, need_rules.derive(moment.emotions, laws.needs)) for moment in moments]
    needs = [
        Panel(
            [Series(name_need(name), [(at, values[name]) for at, values in wanted], hue, gap=gap)],
            *(name_need(name), 0.0, 1.0, "{:.0%}".format),
            bands=[Band(law.amber, law.rose, "amber"), Band(law.rose, 1.0, "rose")],
        )
        for (name, hue), law in ((item, laws.needs.each[item[0]]) for item in _NEEDS.items())
    ]
    return [
        Group("Emotions", emotions, "dashed: where it rests"),
        Group("Needs", needs, "amber: on my mind, rose: pressing"),
    ]


def moods(moments: Sequence[Moment], end: datetime, gap: timedelta) -> list[Span]:
    """Return the spans of the moods: each lasts until the next, except across a gap."""
    spans: list[Span] = []
    for moment, then in pairwise((*moments, None)):
        if moment is None:
            break
        until = min(end, moment.at + gap)
        if then is not None:
            until = then.at if then.at - moment.at <= gap else moment.at
        if spans and spans[-1].label == moment.mood and spans[-1].end == moment.at:
            spans[-1] = Span(spans[-1].start, until, moment.mood, spans[-1].tone)
        else:
            spans.append(Span(moment.at, until, moment.mood, _MOODS.get(moment.mood, "quiet")))
    return [span for span in spans if span.end > span.start]


def name_need(need: str) -> str:
    """Return a need's display name: "self-knowledge"."""
    return {"curiosity_need": "curiosity", "self_knowledge": "self-knowledge"}.get(need, need)


def in_words(moments: Sequence[Moment], laws: InnerLife) -> str:
    """Describe the chart in words: longest moods, largest changes, pressing needs. Requires at
    least one moment."""
    lasted: dict[str, timedelta] = {}
    for span in moods(moments, moments[-1].at, GAP):
        lasted[span.label] = lasted.get(span.label, timedelta()) + (span.end - span.start)
    mostly = sorted(lasted, key=lambda word: -lasted[word])[:2] or [moments[-1].mood]
    sentences = [f"Mostly {', then '.join(mostly)}."]
    ranges = {name: [getattr(moment.emotions, name) for moment in moments] for name in NAMES}
    moved = sorted(NAMES, key=lambda name: min(ranges[name]) - max(ranges[name]))[:_TOLD]
    told = [_range(name, ranges[name]) for name in moved if max(ranges[name]) - min(ranges[name]) >= _MOVED]
    sentences.append(f"What moved most: {join_in_english(told)}." if told else "Hardly anything moved.")
    pressing = _find_pressing([need_rules.derive(moment.emotions, laws.needs) for moment in moments], laws)
    if pressing:
        sentences.append(f"I needed {join_in_english(pressing)}.")
    return " ".join(sentences)


def _range(name: str, values: Sequence[float]) -> str:
    return f"{name} ({min(values) * 100:.0f} to {max(values):.0%}, now {values[-1]:.0%})"


def _find_pressing(each: Sequence[Mapping[str, float]], laws: InnerLife) -> list[str]:
    return [name_need(name) for name in NEEDS if max(one[name] for one in each) >= laws.needs.each[name].rose]
