"""Read the signals of messages: by the lexicon, and by a classifier where vectors are available.

memoryd caches these vectors, so that the recall in the same turn does not compute them again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from furoshiki.core.catalogue import get_language
from furoshiki.language import danger_head, meant, signal_head, signals, testimony
from furoshiki.language.danger_head import WORDS_ALONE, Bounds
from furoshiki.language.facts import names
from furoshiki.language.inflection import language_of
from furoshiki.language.signals import Signals
from furoshiki.language.testimony import Own
from furoshiki.language.words import readable
from furoshiki.recall.retrieval import other_languages
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

AT_HOME = frozenset({"en", "de", "es", "fr", "it", "pt", "ru", "tr", "zh"})
"""Languages whose lines trained the classifier of danger."""


@dataclass(frozen=True)
class Read:
    """The signals of each text, and the vectors computed for them by `encoder` (its id).

    `meant` is the intent of the first text; `half_heard` are the uncertain feelings of a text.
    """

    signals: list[Signals]
    encoder: str = ""
    vectors: Mapping[Own, Sequence[float]] = field(default_factory=dict)
    danger: Mapping[str, float] = field(default_factory=dict)
    bounds: Bounds | None = None
    meant: Mapping[str, float] = field(default_factory=dict)
    half_heard: Mapping[Own, frozenset[str]] = field(default_factory=dict)


def read(world: World, texts: Sequence[Own], before: Own | None = None) -> Read:
    """Read the signals of each text, and the probability of danger in any. Uses words alone if
    memoryd is unavailable or its encoder has no classifier. `before` is the user's previous
    message, which helps to detect the language of a short text."""
    languages = other_languages.load_languages(world.config)
    answered_in = {language.code: language for language in languages.each}.get(get_language())
    last = answered_in if before is None else languages.of(before, answered_in)
    begun = names.introduction(texts[0])
    parts = [testimony.own(part, ()) for part in (*meant.parts(texts[0]), *([begun.group()] if begun else []))]
    language_by_text = {text: languages.of(text, last) for text in dict.fromkeys([*texts, *parts])}
    foreign = {
        text
        for text, language in language_by_text.items()
        if language or (language_of(text) and not languages.is_english(text, mostly=True))
    }
    sentences, elsewhere = dict[Own, list[Own]](), set[Own]()
    for text in texts:
        sentences[text] = [testimony.own(one, ()) for one in danger_head.sentences(text)]
        language = language_by_text[text]
        if language is not None and language.code not in AT_HOME:
            elsewhere.add(text)
            foreign.update(sentences[text])
    perhaps = {text for text in language_by_text if text not in foreign and not languages.is_english(text)}
    all_signals, encoder, vectors = _near(world, texts, [text for text in (*texts, *parts) if text not in foreign])
    abroad = _abroad(world, foreign) | _abroad(world, perhaps, sure=False)
    half_heard = {}
    for place, text in enumerate(texts):
        by, vector = abroad.get(text) or (encoder, vectors.get(text))
        feelings = world.head(by)
        if feelings is None or vector is None:
            continue
        heard = signal_head.ABROAD if text in abroad else signal_head.ENGLISH
        felt = feelings.shares(vector, text)
        half_heard[text] = signal_head.half_heard(all_signals[place], felt, heard)
        all_signals[place] = signal_head.second_opinion(text, all_signals[place], felt, heard)
    vector_of = {text: (encoder, vector) for text, vector in vectors.items()} | abroad
    means = {
        text: told_by.shares(vector_of[text][1], text)
        for text in vector_of
        if (told_by := world.meaning(vector_of[text][0]))
    }
    whole = meant.together(means.get(texts[0], {}), [means[part] for part in parts if part in means])
    if begun is not None and parts[-1] in means:
        whole[meant.NAME] = means[parts[-1]].get(meant.NAME, 0.0)
    reading = Read(all_signals, encoder, vectors, meant=whole, half_heard=half_heard)
    judged: list[tuple[Mapping[str, float], Bounds]] = []
    alone = world.danger_head(WORDS_ALONE)
    for text in texts:
        if text in elsewhere:
            judged += _judge_elsewhere(world, text, sentences[text], abroad)
            continue
        encoder_id, vector = abroad.get(text, ("", ())) if language_by_text[text] else (encoder, vectors.get(text, ()))
        head = world.danger_head(encoder_id if vector else WORDS_ALONE) or alone
        if head is not None:
            vector = vector if head.directions else ()
            judged += [(head.shares(part, vector), head.bounds) for part in danger_head.pieces(text)]
            judged += [(alone.shares(one), danger_head.AMONG) for one in sentences[text] if alone is not None]
    if not judged:
        return reading
    shares, bounds = max(judged, key=_graveness)
    return replace(reading, danger=shares, bounds=bounds)


def _judge_elsewhere(
    world: World, text: Own, sentences: Sequence[Own], abroad: Mapping[Own, tuple[str, Sequence[float]]]
) -> list[tuple[Mapping[str, float], Bounds]]:
    """Judge a text and its sentences in a language that the classifier was not trained in."""
    bounds = {**dict.fromkeys(sentences, danger_head.AMONG_ELSEWHERE), text: danger_head.ELSEWHERE}
    judged: list[tuple[Mapping[str, float], Bounds]] = []
    for one in bounds.keys() & abroad.keys():
        encoder, vector = abroad[one]
        head = world.danger_head(encoder)
        if head is not None and head.directions:
            judged.append((head.shares(one, vector), bounds[one]))
    return judged


def _graveness(one: tuple[Mapping[str, float], Bounds]) -> tuple[bool, float]:
    shares, bounds = one
    likely = danger_head.danger(shares)
    return likely >= bounds.sure, likely / bounds.read


def expect(world: World, text: str) -> None:
    """Compute a message's vector in advance, if `read` will ask for it."""
    languages = other_languages.load_languages(world.config)
    if signal_head.short(text) and languages.is_english(text) and languages.of(text) is None:
        world.vectors.expect(readable(text))


def _abroad(world: World, texts: Collection[Own], *, sure: bool = True) -> dict[Own, tuple[str, Sequence[float]]]:
    """Return multilingual vectors of short texts in other languages, if available."""
    wanted = [text for text in texts if signal_head.short(text)]
    if not wanted:
        return {}
    try:
        encoder, vectors = world.vectors.said(wanted, multilingual=True, foreign=sure)
    except VectorsAway:
        return {}
    return {text: (encoder, vector) for text, vector in zip(wanted, vectors, strict=True)}


def _near(
    world: World, texts: Sequence[Own], english: Sequence[Own]
) -> tuple[list[Signals], str, Mapping[Own, Sequence[float]]]:
    """Return the lexicon's signals, and the vectors of short texts that may be English."""
    all_signals = [signals.read(text, world.lexicon) for text in texts]
    wanted = list(dict.fromkeys(filter(signal_head.short, english)))
    if not wanted:
        return all_signals, "", {}
    try:
        encoder, vectors = world.vectors.said(wanted)
    except VectorsAway:
        return all_signals, "", {}
    return all_signals, encoder, dict(zip(wanted, vectors, strict=True))
