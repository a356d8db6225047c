"""May a thought be written down? What it says about others must have been said by them; what it felt is its own.

A thought is judged sentence by sentence: one that is only about the companion itself is free, any other must be carried
by the user's own cited words. What the companion said is no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from furoshiki.language.grounding.insights import FRAME as INSIGHT_FRAME
from furoshiki.language.grounding.said_of import said_so
from furoshiki.language.grounding.words import Verdict, content_of, stems_of
from furoshiki.language.testimony import Own
from furoshiki.language.words import NAME_OR_NUMBER, RUN

LEAST_WITH_ECHO = 0.67
"""The share of a sentence's words the user must have said themselves when others of them come from the companion."""

SAME_COSINE = 0.85
"""Two thoughts this near are one thought."""

SAME_WORDS = 0.6
"""… and two that share this part of their words (Jaccard), when nobody embeds."""

Near = Callable[[str, Sequence[str]], float | None]
"""The best cosine of a text to any of others; None when nobody embeds."""

_FRAME_WORDS = """
today tonight tomorrow yesterday morning afternoon evening night day days moment while again still later soon ago
sound sounded sounds quiet silence silent warm warmly cold near close far happy glad sad sadness worried worry afraid
anxious proud pride tired calm angry anger frustrated appreciative withdrawn relieved relief excited curious lonely
loneliness joy tender restless content reflective playful irritated hope hopes hoped wish wonder wondered wondering
notice noticed noticing think thinking thought thoughts thinks remember remembered ask asked asks asking answer
answered tell told telling say said saying spoke speak speaking listen listened heard hear want wanted moved touched
stay stayed stays linger lingers lingered mood heart mind word words story little bit great good bad well better new
perhaps maybe sometimes somehow yet later here there now
first let leave left carry carries carried mention mentioned turn turned happen happened bring brought know knew known
"""
FRAME = INSIGHT_FRAME | stems_of(_FRAME_WORDS)
"""Words of feeling and telling in which thoughts are put; they prove nothing, and need no proof."""

_EXPECTING = stems_of(
    "may might could would need needs want help calm kind word company rest advice listening ear support reminder "
    "encouragement distraction plan plans ready prepare before after during"
)

_SELF = frozenset({"i", "me", "my", "mine", "myself"})
_OTHER_WORDS = """
they them their theirs themselves he him his himself she her hers herself we us our ours you your yours
"""
_OTHERS = frozenset(_OTHER_WORDS.split())
_HEARSAY_WORDS = "heard told learned learnt found knew know read saw said says happened"
_HEARSAY = frozenset(_HEARSAY_WORDS.split())

_SENTENCE = re.compile(r"[^.!?\u2026]+[.!?\u2026]*")
_CONTRACTED = re.compile(r"\bI['\u2019](?:m|ve|d|ll)\b")


def judge(
    text: str,
    cited: Sequence[Own],
    own: Sequence[Own],
    told: Sequence[str],
    names: Sequence[str] = (),
    near: Near | None = None,
) -> Verdict:
    """Whether a thought may be kept.

    `cited` are the user's messages it names, `own` all of theirs that were shown, `told` the companion's; `names` are
    how the two are called, which needs no proof.
    """
    sentences = [_plain(found, names) for found in _SENTENCE.findall(text) if RUN.search(found)]
    if not sentences:
        return Verdict(False, "it says nothing")
    for sentence in sentences:
        if _free(sentence):
            continue
        verdict = _carried(sentence, cited, own, told, near)
        if not verdict.ok:
            return verdict
    return Verdict(True)


def judge_claim(
    text: str,
    cited: Sequence[Own],
    own: Sequence[Own],
    told: Sequence[str],
    names: Sequence[str] = (),
    near: Near | None = None,
) -> Verdict:
    """Whether a guess or a question may be kept: every sentence must be carried by the user's cited words."""
    sentences = [_plain(found, names) for found in _SENTENCE.findall(text) if RUN.search(found)]
    if not any(content_of(sentence, FRAME | _EXPECTING) for sentence in sentences):
        return Verdict(False, "it says nothing")
    for sentence in sentences:
        verdict = _carried(sentence, cited, own, told, near, _EXPECTING)
        if not verdict.ok:
            return verdict
    return Verdict(True)


def of_oneself(text: str) -> bool:
    """Whether every sentence is only about the companion itself, so that it needs nobody's words."""
    return all(_free(_plain(found, ())) for found in _SENTENCE.findall(text) if RUN.search(found))


def same(first: str, second: str, cosine: float | None = None) -> bool:
    """Whether two thoughts are one: by their cosine, or by their words where there is none."""
    if cosine is not None:
        return cosine >= SAME_COSINE
    a, b = content_of(first), content_of(second)
    return a == b or len(a & b) / len(a | b) >= SAME_WORDS


def _carried(
    sentence: str,
    cited: Sequence[Own],
    own: Sequence[Own],
    told: Sequence[str],
    near: Near | None,
    frame: frozenset[str] = frozenset(),
) -> Verdict:
    if not cited:
        return Verdict(False, "it says something about them and cites none of their messages")
    names = stems_of(" ".join(NAME_OR_NUMBER.findall(sentence)))
    verdict = said_so(sentence, None, cited, None, FRAME | frame | names)
    if not verdict.ok and near is not None:  # asked only where words do not settle it
        verdict = said_so(sentence, None, cited, near(sentence, cited), FRAME | frame | names)
    if not verdict.ok:
        return verdict
    content = content_of(sentence, FRAME | frame)
    said = stems_of(" ".join(own))
    echo = (content & stems_of(" ".join(told))) - said
    if echo and len(content & said) / len(content) < LEAST_WITH_ECHO:
        return Verdict(False, f"{min(echo)!r} was said by the companion alone")
    return Verdict(True)


def _free(sentence: str) -> bool:
    """Whether a sentence is only about the companion itself: it names nobody, reports nothing, and says "I" or asks."""
    words = {word.casefold() for word in RUN.findall(sentence)}
    opening = next(iter(RUN.findall(sentence)), "")
    named = NAME_OR_NUMBER.search(sentence) or content_of(opening, FRAME | stems_of("my me"))
    if named or words & (_OTHERS | _HEARSAY):
        return False
    return bool(words & _SELF) or sentence.rstrip().endswith("?")


def _plain(sentence: str, names: Sequence[str]) -> str:
    """A sentence without contractions of "I", and with pronouns in place of the names of the two."""
    sentence = _CONTRACTED.sub("I", sentence.strip())
    for name in names:
        sentence = re.sub(rf"\b{re.escape(name)}(?:['\u2019]s)?\b", "they", sentence)
    return sentence
