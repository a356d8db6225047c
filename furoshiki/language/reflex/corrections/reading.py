"""Corrections ("it's not Anna, it's Hannah", "I meant Sunday") and what they correct.

Such words have many other uses ("it's not you, it's me"). They count only if the wrong part is in a
stored fact or in a recent message of the user.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.core.catalogue import capital
from furoshiki.language.detection import Language
from furoshiki.language.facts import abroad, words
from furoshiki.language.facts.extraction import USER, facts_in
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.requests import same_kind
from furoshiki.language.requests.correction_words import (
    DATE,
    Correction,
    alike,
    denies,
    find_bare_answer,
    find_respelling,
    fits_pronoun,
    hesitates,
    instead,
    kind,
    place,
    read,
    read_denial,
    read_kind,
)
from furoshiki.language.requests.restatements import DENIALS, find_other_end
from furoshiki.language.testimony import Own, Utterance
from furoshiki.language.words import CODED, RUN, WORD, asks, bare, ends_asking

_TELLING = 5  # least letters of a word with content of its own
_OURS = re.compile("mein|unser|nuestr|nostr|noss|notre|benim|bizim")
_LONGEST_KIND = 60  # longest message, in characters, that corrects a relation
_LATELY = 4  # how many of the user's messages a correction may refer to
_REMINDING = re.compile(r"\u23f0|\bremind|\bon the \w{1,30} list\b|\bmoved to\b", re.IGNORECASE)
# a sentence that only offers something
_OFFERED = re.compile(r"^Shall I remind you|\b(?:what|things) you(?:'ve)? told me\b|\bI can\b")
# replies to stored notes (`reflex.noting`)
_KEPT = re.compile(r"\bword for word\b|\bput that down\b|^Got it\. That's one thing|^Kept, |^That's kept, ")
_SENTENCES = re.compile(r"(?<=[.!?])\s")
_QUOTED = re.compile(
    "[\u201c\u201e\u00ab]\\s?([^\u201c\u201d\u201e\u00ab\u00bb\u2026]{3,200}?)\\s?[\u201d\u201c\u00bb]"
)
# a question that cannot be answered with no
_OPEN_QUESTION = re.compile(r"\W{0,3}(?:and |so |but )?(?:what|who|whose|where|when|which|why|how)\b", re.IGNORECASE)
_PRONOUNS = frozenset(["he", "she", "it", "they", "that", "this"])


@dataclass(frozen=True, slots=True)
class ReadCorrection:
    """A correction of a fact, or of a message only. `object` is the fact's new object, None if
    not yet known, and `predicate` its new predicate, if that changes. `unsure` are facts of
    which one is meant, but not named."""

    wrong: str
    right: str | None
    fact: KnownFact | None = None
    object: str | None = None
    predicate: str | None = None
    message: Utterance | None = None
    unsure: tuple[KnownFact, ...] = ()


def find_correction(
    text: Own,
    facts: Sequence[KnownFact],
    recent: Sequence[Utterance],
    denied: KnownFact | None = None,
    language: Language | None = None,
    *,
    says_name: bool = False,
) -> ReadCorrection | None:
    """Return what a message corrects among the facts and in the conversation.

    `denied` is a fact retracted in the previous message without a correction. `language` is the
    message's, None for English. `says_name`: by its vector it says a name. Returns None for reminders
    (moved elsewhere), for other uses of the words, and for full restatements of a fact.
    """
    reply = next((one.text for one in reversed(recent) if one.speaker != USER), "")
    own = [one for one in reversed(recent) if one.speaker == USER and one.own][:_LATELY]
    facts = [
        fact for fact in facts if not fact.fixed and fact.predicate != "said" and fits_pronoun(text, fact.predicate)
    ]
    found = read(text)
    if (name := find_respelling(text)) is not None and not _of_reminders(reply, own):
        spelled = _find_respelled(name, facts, own, reply)
        if spelled is not None:
            return spelled
    if own and denies(own[0].own) and (words := _find_replacement(text, own, reply)):
        return words
    if (
        denied is not None
        and (found is None or found.wrong is None)
        and (right := _find_right_value(text, found, denied))
    ):
        return ReadCorrection(denied.object, right, denied, right)
    if _of_reminders(reply, own):
        return None
    if (another := _find_another_kind(text, found, facts, own, reply)) is not None:
        return another
    quoted = _find_quoted(reply, own)
    contrast = _find_contrast(text, facts, [*own[:2], *quoted], language)
    if contrast is not None:
        return contrast
    tells = any(fact.predicate != "name" for fact in facts_in(text))
    if found is not None and found.wrong is not None and found.right is not None and not tells:
        named = _find_named(found.wrong, found.right, facts, own, reply)
        if named is not None:
            return named
    if language is not None and (another := _find_kind_abroad(text, facts, own, reply, language)) is not None:
        return another
    last = own
    if own and _is_asked(own[0].own, language):
        last = quoted
    if (same := _find_same_kind(text, facts, last, reply, language, says_name=says_name)) is not None:
        return same
    if (found is None or found.wrong is None) and (
        retold := _find_retold(text, facts, [*own, *quoted], language)
    ) is not None:
        return retold
    if tells or (found is not None and found.wrong is not None):
        return None
    if found is not None and found.right is None:
        return _find_taken_back(facts, own, reply)
    if found is not None and (understood := _understood(found, facts, own, reply)) is not None:
        return understood
    return _find_alike(text, facts, own, language)


def _of_reminders(reply: str, own: Sequence[Utterance]) -> bool:
    """Return whether the talk is about a reminder or list: "no, Sunday" moves that."""
    spoken = any(_REMINDING.search(one) and not _OFFERED.search(one) for one in _SENTENCES.split(reply))
    return spoken or (bool(own) and _REMINDING.search(own[0].own) is not None)


def _find_named(
    wrong: str, right: str, facts: Sequence[KnownFact], own: Sequence[Utterance], reply: str
) -> ReadCorrection | None:
    """Find the wrong words: in a fact just mentioned, a recent message, or the only fact."""
    holding = [fact for fact in facts if place(wrong, fact.object)]
    lately = [fact for fact in holding if place(wrong, reply) or any(fact.said_text == one.own for one in own)]
    said = [one for number, one in enumerate(own) if place(wrong, one.own) and (kind(wrong) is not None or not number)]
    if lately or (len(holding) == 1 and not said):
        fact = max(lately or holding, key=lambda one: one.id)
        return ReadCorrection(wrong, right, fact, instead(fact.object, wrong, right))
    return ReadCorrection(wrong, right, message=said[0]) if said else None


def _understood(
    found: Correction, facts: Sequence[KnownFact], own: Sequence[Utterance], reply: str
) -> ReadCorrection | None:
    """Resolve "I meant Sunday": replace the only word of its kind in the last message. "No,
    Madrid" after a question is an answer, unless the two are similar."""
    assert found.right is not None
    sort = kind(found.right)
    if sort is None:
        return _one_word(found.right, facts, own) if found.surely else None
    asked = bool(own) and asks(own[0].own)
    answering = not found.surely and _asks_yes_or_no(reply)
    reply = " ".join(one for one in _SENTENCES.split(reply) if not ends_asking(one))  # a question states nothing
    places = [reply] if asked or not found.surely else [*(one.own for one in own[:1]), reply]
    for text in places:
        words = DATE.findall(text) if sort == "date" else CODED.findall(text)
        there = {word.casefold(): word for word in words if kind(word) == sort}
        if sort == "name":
            held = {word for fact in facts for word in CODED.findall(fact.object.casefold())}
            there = {word: shown for word, shown in there.items() if word in held}
        there.pop(found.right.casefold(), None)
        if len(there) == 1:
            wrong = next(iter(there.values()))
            if answering and not alike(wrong, found.right):
                return None
            return _find_named(wrong, found.right, facts, own, reply)
    return None


def _asks_yes_or_no(reply: str) -> bool:
    """Return whether a reply has a question that a no answers."""
    questions = [one for one in _SENTENCES.split(reply.replace("\uff1f", "?")) if ends_asking(one)]
    return any(_OPEN_QUESTION.match(one) is None for one in questions)


def _find_another_kind(
    text: Own, found: Correction | None, facts: Sequence[KnownFact], own: Sequence[Utterance], reply: str
) -> ReadCorrection | None:
    """Resolve "That's wrong, Pixel is a dog", "Ana is my cousin, not my sister": same name."""
    if (said := read_kind(text)) is not None:
        (who, right), wrong = said, ""
    elif found is not None and found.wrong is not None and found.right is not None:
        who, *both = "it", found.right, found.wrong
        right, wrong = (re.sub(r"^(?:an?|my|our) ", "", one.lower()) for one in both)
    else:
        return None
    right, wrong = (words.RELATION_FORMS.get(one, one) for one in (right, wrong))
    held = [one for one in facts if one.subject == USER and one.predicate in RELATIONS - {right}]
    if who in _PRONOUNS:
        held = [fact for fact in held if (own and fact.said_text == own[0].own) or place(fact.object, reply)]
    else:
        held = [one for one in held if one.object.casefold() == who]
    fitting = [one for one in held if wrong in ("", one.predicate)]
    if right not in RELATIONS or len(fitting) != 1:
        return None
    return ReadCorrection(f"your {fitting[0].predicate}", right, fitting[0], fitting[0].object, right)


def _find_kind_abroad(
    text: Own, facts: Sequence[KnownFact], own: Sequence[Utterance], reply: str, language: Language
) -> ReadCorrection | None:
    """Resolve "Nein, Pixel ist ein Hund", "no es mi prima, es mi hermana" in other languages."""
    named, rest = language.related(text), read_denial(text)
    if not named or len(text) > _LONGEST_KIND or language.is_asked(text):
        return None
    held = [fact for fact in facts if fact.subject == USER and fact.predicate in RELATIONS]
    spoken = [fact for fact in held if place(fact.object, text)]
    if not spoken and rest is not None and all(map(_says_little, set(RUN.findall(bare(rest))) - set(language.people))):
        spoken = [fact for fact in held if (own and fact.said_text == own[0].own) or place(fact.object, reply)]
    if not spoken and rest is not None and len(named) == 2:
        return _find_kind_of_words(named, own, language)
    if len(spoken) != 1:
        return None
    [fact] = spoken
    right = [one for one in named if one != fact.predicate]
    others = any(one.object.casefold() != fact.object.casefold() for one in abroad.facts_in(text, language))
    if len(right) != 1 or others:
        return None
    pets = {fact.predicate, *right} <= words.PETS
    if rest is None and not pets:
        return None
    wrong = language.related(fact.said_text).get(fact.predicate, fact.object)
    return ReadCorrection(wrong, named[right[0]], fact, fact.object, right[0])


def _find_kind_of_words(
    named: Mapping[str, str], own: Sequence[Utterance], language: Language
) -> ReadCorrection | None:
    """Resolve "No, no es mi novio, es mi marido" for a message without a fact."""
    for message in own:
        told = language.related(message.own)
        wrong = [relation for relation in named if relation in told]
        if len(wrong) == 1 and not language.is_asked(message.own):
            [right] = [word for relation, word in named.items() if relation not in wrong]
            return ReadCorrection(told[wrong[0]], right, message=message)
    return None


def _find_contrast(
    text: Own, facts: Sequence[KnownFact], own: Sequence[Utterance], language: Language | None
) -> ReadCorrection | None:
    """Resolve "Not milk, butter" in these messages."""
    for message in own:
        pair = same_kind.find_contrast(text, message.own, message.at, language)
        if pair is not None:
            return _put_into(*pair, message, facts, language)
    return None


def _find_same_kind(
    text: Own,
    facts: Sequence[KnownFact],
    own: Sequence[Utterance],
    reply: str,
    language: Language | None,
    *,
    says_name: bool,
) -> ReadCorrection | None:
    """Resolve "En fait c'est vendredi", "quatsch, in Kiel" by kind in the last message."""
    rest = read_denial(text)
    if rest is None or not own or _is_asked(text, language) or _is_asked(own[0].own, language):
        return None
    pair = same_kind.find_value(rest, own[0].own, own[0].at, language)
    if pair is not None:
        return _put_into(*pair, own[0], facts, language)
    name = same_kind.find_name(rest, language, named=says_name)
    told = [fact for fact in facts if fact.said_text == own[0].own and _is_named(fact)]
    if name is None or len(told) != 1 or _asks_yes_or_no(reply):
        return None  # "no, Hannah" to a question is its answer
    if hesitates(text, rest) and not (says_name and " " in rest):
        return None  # "oh, Tom" denies nothing, "actually it's Tom" does
    return _put_into(told[0].object, name, own[0], facts, language)


def _find_alike(
    text: Own, facts: Sequence[KnownFact], own: Sequence[Utterance], language: Language | None
) -> ReadCorrection | None:
    """Resolve "actually it's mrs hartley" by words of the last message that are like it."""
    rest = read_denial(text)
    if rest is None or facts_in(text) or not own or _is_asked(text, language) or _is_asked(own[0].own, language):
        return None
    pair = same_kind.find_alike(rest, own[0].own, language)
    if pair is None:
        return None
    return _put_into(*pair, own[0], facts, language)


def _is_asked(text: Own, language: Language | None) -> bool:
    return asks(text) or (language is not None and language.is_asked(text))


def _is_named(fact: KnownFact) -> bool:
    return fact.predicate in RELATIONS or kind(fact.object) == "name"


def _put_into(
    wrong: str, right: str, message: Utterance, facts: Sequence[KnownFact], language: Language | None
) -> ReadCorrection:
    """Build a correction of the fact that a message gave, or else of its words."""
    relation, _, name = right.lower().rpartition(" ")
    if relation and wrong.lower().endswith(f" {name}") and _relation(relation, language):  # "cousin tom", "brother tom"
        wrong, right = wrong[: -len(name) - 1], relation
    old, new = _relation(wrong, language), _relation(right, language)
    for fact in facts:
        if fact.said_text != message.own:
            continue
        if fact.predicate in RELATIONS and new is None:
            right = " ".join(map(capital, right.split()))
        if new is not None and fact.predicate == old:
            shown = wrong if language is not None else f"your {wrong}"
            return ReadCorrection(shown, right, fact, fact.object, new)
        if (there := place(wrong, fact.object)) is not None:
            return ReadCorrection(there.group(), right, fact, instead(fact.object, wrong, right))
    return ReadCorrection(wrong, right, message=message)


def _relation(word: str, language: Language | None) -> str | None:
    if language is not None:
        return next(iter(language.related(word)), None)
    return words.RELATION_FORMS.get(word, word if word in RELATIONS else None)


def _says_little(word: str) -> bool:
    return len(word) < _TELLING or word in DENIALS or _OURS.match(word) is not None


def _find_quoted(reply: str, own: Sequence[Utterance]) -> list[Utterance]:
    """Return the message of the user that was just quoted (an older one without its id), if any."""
    quoted = _QUOTED.findall(reply)
    if not quoted or not own:
        return []
    lately = [one for one in own if quoted[-1] in one.own]
    return lately[:1] or [Utterance(USER, quoted[-1], own[0].at)]


def _find_retold(
    text: Own, facts: Sequence[KnownFact], own: Sequence[Utterance], language: Language | None
) -> ReadCorrection | None:
    """Resolve "Wrong, the party is on Sunday": an earlier statement with another end."""
    rest = read_denial(text)
    if rest is None or "我" in rest[1:] or any(fact.subject == USER for fact in facts_in(text)):
        return None
    for message in own:
        if _is_asked(message.own, language):
            continue
        ends = find_other_end(rest, message.own)
        about = WORD.findall(message.own.lower()) if language is None else language.related(message.own)
        if ends is not None and all(fits_pronoun(text, one) for one in about):
            wrong, right = ends
            for fact in facts:
                if fact.said_text == message.own and place(wrong, fact.object):
                    return ReadCorrection(wrong, right, fact, instead(fact.object, wrong, right))
            return ReadCorrection(wrong, right, message=message)
    return None


def _one_word(right: str, facts: Sequence[KnownFact], own: Sequence[Utterance]) -> ReadCorrection | None:
    """Resolve "I said pescatarian": replace the only similar object of what they told last."""
    messages = {message.own for message in own}
    similar = [fact for fact in facts if fact.said_text in messages and alike(fact.object, right)]
    if len(similar) != 1:
        return None
    return ReadCorrection(similar[0].object, right, similar[0], right)


def _find_respelled(
    name: str, facts: Sequence[KnownFact], own: Sequence[Utterance], reply: str
) -> ReadCorrection | None:
    """Resolve "It's Anna with two n": replace the only similar name in the last messages."""
    spoken = " ".join((*(one.own for one in own[:1]), reply))
    near = {fact.object: fact for fact in facts if alike(name, fact.object) and place(fact.object, spoken)}
    return _find_named(near.popitem()[0], name, facts, own, reply) if len(near) == 1 else None


def _find_taken_back(facts: Sequence[KnownFact], own: Sequence[Utterance], reply: str) -> ReadCorrection | None:
    """Resolve "No, that's wrong": retract the one fact just quoted, or else just told."""
    spoken = [fact for fact in facts if fact.said_text and any(fact.said_text == one.own for one in own[:1])]
    spoken = spoken or [fact for fact in facts if place(fact.object, reply)]
    if len(spoken) > 1:
        exact = [fact for fact in spoken if fact.said_text and fact.said_text in reply]
        spoken = exact or spoken
    if len(spoken) == 1:
        return ReadCorrection(spoken[0].object, None, spoken[0])
    if spoken:
        return ReadCorrection("", None, unsure=tuple(spoken))
    kept = own[:1] if _KEPT.search(reply) else ()
    message = next((one for one in (*own, *kept) if _quotes(reply, one) or one in kept), None)
    return None if message is None else ReadCorrection(str(message.own), None, message=message)


def _quotes(reply: str, message: Utterance) -> bool:
    return f"\u201c{' '.join(message.own.split())}\u201d" in reply


def _find_replacement(text: Own, own: Sequence[Utterance], reply: str) -> ReadCorrection | None:
    """Return the right value for a retracted message: it replaces the only word of its kind."""
    right = find_bare_answer(text)
    message = next((one for one in own[1:] if _quotes(reply, one)), None)
    if right is None or message is None or (sort := kind(right)) is None:
        return None
    there = {word for word in CODED.findall(message.own)[1:] if kind(word) == sort}
    return ReadCorrection(there.pop(), right, message=message) if len(there) == 1 else None


def _find_right_value(text: Own, found: Correction | None, denied: KnownFact) -> str | None:
    """Return the right value, given after it was asked for: of the same kind."""
    if found is not None and found.right is not None:
        return found.right
    right, sort = find_bare_answer(text), kind(denied.object)
    return right if right is not None and sort is not None and kind(right) == sort else None
