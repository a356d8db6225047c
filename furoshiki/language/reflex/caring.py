"""Answer distress before anything else, and stay with it in the following messages.

A user whose life may be in danger gets helplines at once. Other distress is acknowledged without a
question, along with requests. Nothing light is said meanwhile.
"""

import re
from dataclasses import replace

from furoshiki.language import not_danger
from furoshiki.language.facts import abroad, conflicts
from furoshiki.language.facts.extraction import USER, Fact
from furoshiki.language.facts.relatives import find_related
from furoshiki.language.facts.words import PETS
from furoshiki.language.phrases import Said
from furoshiki.language.reflex import telling
from furoshiki.language.reflex.care.noticing import Notice
from furoshiki.language.reflex.care.weighing import Weight
from furoshiki.language.reflex.corrections import answers
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import respond
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests import asked, helplines
from furoshiki.language.requests.helplines import Help
from furoshiki.language.signal_head import DARK
from furoshiki.language.tables.care_words import GRAVE, CareWords
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import ends_asking

_LONGEST_APOLOGY = 16  # most words of an apology; a longer message is about something else

# to how many messages after danger the number is repeated, if they are not understood
MOST_STAYS = 2

_DARK_FROM = 0.4  # least strength of a dark feeling with which soft distress goes on

_LONGEST_FOLLOW = 14
_FOLLOW_CHARACTERS = 400
_BESIDE = re.compile(r"\b(?:please )?remind me\b", re.IGNORECASE)
_WAYS = by_language("caring_beside")["en"]
_OF_SUICIDE = re.compile(_WAYS["of_suicide"], re.IGNORECASE)
_NOT_THEY = re.compile(r"miscarr|stillb|anniversary|funeral", re.IGNORECASE)
# matches behind a person when somebody of theirs died: "'s daughter was killed", "lost her husband"
_SOMEBODY_OF_THEIRS = re.compile(_WAYS["somebody_of_theirs"], re.IGNORECASE)
_LOST = re.compile(r"\b(?:lost|gone)\b", re.IGNORECASE)  # a lost dog may come back
_OF_PET = re.compile(rf"\b(?:{'|'.join(sorted(PETS))}|budgie|puppy|kitten|pet|bunny|pup)\b", re.IGNORECASE)


def answer(heard: Heard, wording: Wording) -> Reflex | None:
    """Answer distress. Requests and facts in the message come first, unless it only apologizes."""
    found = find_notice(heard)
    if found is None:
        return None
    request = respond.request(heard, wording) or _answer_side_request(found, heard, wording)
    if found.kind == "apology":
        short = len(heard.plain.split()) <= _LONGEST_APOLOGY
        return request or answers.answer(heard, wording) or (_answer_notice(heard, wording, found) if short else None)
    if request is not None and request.calls:
        return request
    if found.kind not in GRAVE and (new := [*telling.new_facts(heard), *_dead(heard, found)]):
        return Reflex(calls=tuple(map(telling.memorize, new)))
    return _answer_notice(heard, wording, found)


def _answer_side_request(found: Notice, heard: Heard, wording: Wording) -> Reflex | None:
    """Return the request next to distress: "my mum died, remind me to call the undertaker at 3"."""
    after = heard.text.partition(found.words)[2].lstrip()
    rest = after.lstrip(" ,.;!-")
    at = _BESIDE.search(rest)
    if not rest or (at is None and rest == after):  # "lonely tonight": still the same sentence
        return None
    beside = rest[at.start() :] if at is not None else rest
    return respond.request(Heard(replace(heard.situation, text=beside)), wording)


def stay_abroad(heard: Heard, wording: Wording) -> Reflex | None:
    """Stay with distress in the language it was told in; questions are searched first. Without
    danger this is said once, and later news is stored normally."""
    weight, language = heard.situation.weighs, heard.situation.language
    if language is None:
        return None
    if language.is_asked(heard.text) and (language.content(heard.text) or abroad.find_asked(heard.text, language)):
        return None
    lines: tuple[str, ...] = ()
    for words_of in heard.situation.care:
        if words_of.language == language.code:
            lines = words_of.said.get("stay_soft", ())
    stayed = any(map(wording.said_lately, lines))
    if weight is not None and not (weight.notice.language.language == "en" or (stayed and not weight.notice.grave)):
        return stay(heard, wording)
    before = ""
    for said in heard.situation.recent:
        if said.speaker == USER:
            before = said.own
    if weight is None and lines and not stayed and language.weighs(before):
        return Reflex(wording.one(lines), complete=True)
    return None


def be_glad(heard: Heard, wording: Wording) -> Reflex | None:
    """React to a user who was in danger and says that they are safe, or that it was not meant so.
    English distinguishes this from other good news, which is answered normally."""
    weight, language = heard.situation.eased, heard.situation.language
    if weight is None or not weight.notice.grave or heard.asks or (language and language.is_asked(heard.text)):
        return None
    words = weight.notice.language
    if not_danger.is_unmeant(heard.text):
        return _follow_up("unmeant", weight, heard, wording, words)
    if language is None:
        hit = words.follow.starts(Said(heard.text[:_FOLLOW_CHARACTERS]))
        if hit is None or hit.meaning != "safe":
            return None
    return _follow_up("safe", weight, heard, wording, words)


def stay_near(reflex: Reflex, heard: Heard, wording: Wording) -> Reflex:
    """Add a warm word to a reply about something else while the user is in danger."""
    weight, language = heard.situation.weighs, heard.situation.language
    if weight is None or not weight.notice.grave or not reflex.text or find_notice(heard) is not None:
        return reflex
    asks = heard.asks or (language is not None and language.is_asked(heard.text))
    if not asks and not _has_stayed(weight, heard):
        return reflex
    code = "en" if language is None else language.code
    words = next((one for one in heard.situation.care if one.language == code), weight.notice.language)
    near = wording.one(words.said["near"])
    if near.rstrip(".\u3002") in reflex.text or wording.said_lately(near):
        return reflex
    return replace(reflex, text=join_sentences(reflex.text, near))


def find_notice(heard: Heard) -> Notice | None:
    """Return the distress in the message; of a mere question back only danger."""
    found = heard.situation.heavy
    if found is not None and not found.grave and heard.asks and heard.says(asked.TOLD_YOU):
        return None
    return found


def words(heard: Heard, wording: Wording) -> str | None:
    """Return the answer to distress in the message, or None."""
    found = find_notice(heard)
    return None if found is None or found.kind == "apology" else _answer_notice(heard, wording, found).text


def follow(heard: Heard, wording: Wording) -> Reflex | None:
    """Answer the next message after distress if it refers to it: thanks, "I don't know"."""
    weight = heard.situation.weighs
    if weight is None or not heard.text:
        return None
    said = Said(heard.text[:_FOLLOW_CHARACTERS])
    if len(said) > _LONGEST_FOLLOW:
        return None
    asked_last = ends_asking(heard.last_reply)  # then "ok" and "yes" are its answer
    for language in _languages(weight, heard):
        hit = language.follow.starts(said)
        if hit is None or (asked_last and hit.meaning == "ok"):
            continue
        if hit.last == len(said) or _whole(language, said):
            return _follow_up(hit.meaning, weight, heard, wording, language)
    return None


def stay(heard: Heard, wording: Wording) -> Reflex | None:
    """Answer any message without another answer while distress persists."""
    weight = heard.situation.weighs
    if weight is None or not heard.text or (weight.notice.grave and _has_stayed(weight, heard)):
        return None
    language = weight.notice.language
    dark = max(map(heard.situation.felt.get, DARK, (0.0,) * len(DARK)))
    if _has_stayed(weight, heard) and dark < _DARK_FROM:
        return None
    asks = heard.asks and not weight.notice.grave and "asked_soft" in language.said
    return _follow_up("asked" if asks else "stay", weight, heard, wording, language)


def _has_stayed(weight: Weight, heard: Heard) -> bool:
    """Return whether the user has gone on to other things since the distress, or denied it."""
    since = [said.own for said in heard.situation.recent if said.speaker == USER and said.at > weight.at]
    return len(since) >= MOST_STAYS or any(map(not_danger.is_unmeant, since))


def _dead(heard: Heard, found: Notice) -> tuple[Fact, ...]:
    """Return that one of the user's people died, in words no fact is read from."""
    if found.kind != "death" or any(conflicts.is_death(fact.predicate, fact.object) for fact in heard.facts):
        return ()
    who = find_related(heard.text)
    if who is None or _NOT_THEY.search(heard.text) or (who.relation in PETS and _LOST.search(heard.text)):
        return ()
    if _SOMEBODY_OF_THEIRS.match(heard.text, who.end):
        return ()
    handle, place = who.name or who.relation, (who.start, who.end)
    told = f"{who.name} died" if who.name else f"The user's {heard.text[slice(*place)].split()[-1]} died"
    return (Fact(handle, "is", "died", who.category, told, place, heard.text[slice(*place)]),)


def _answer_notice(heard: Heard, wording: Wording, found: Notice) -> Reflex:
    said = found.language.said
    name: str = found.kind
    if name == "friend" and "friend_died" in said and _OF_SUICIDE.search(found.words):
        name = "friend_died"
    if name in ("violence", "harm") and not_danger.is_of_others(heard.text, found.language.language):
        name = "violence_other"
    if name == "death" and "death_pet" in said and _OF_PET.search(heard.text):
        name = "death_pet"
    return Reflex(_fill_answer(said[name], heard.situation.help, found.language, wording))


def _follow_up(what: str, weight: Weight, heard: Heard, wording: Wording, language: CareWords) -> Reflex | None:
    kind = weight.notice.kind
    weighs = "grave" if weight.notice.grave else "soft"
    for name in (f"{what}_{kind}", f"{what}_{weighs}", f"stay_{kind}", f"stay_{weighs}"):
        if name in language.said:
            return Reflex(_fill_answer(language.said[name], heard.situation.help, language, wording))
    return None


def _fill_answer(options: tuple[str, ...], numbers: Help, language: CareWords, wording: Wording) -> str:
    """Choose an answer and fill in the numbers, in its own language."""
    own = replace(
        wording, situation=replace(wording.situation, concise=False)
    )  # these answers are never shortened for style
    return join_sentences(own.one(options, **helplines.fill_frames(numbers, language)))


def _languages(weight: Weight, heard: Heard) -> tuple[CareWords, ...]:
    first = weight.notice.language
    return (first, *(one for one in heard.situation.care if one is not first))


def _whole(language: CareWords, said: Said) -> bool:
    """Return whether a message consists only of such phrases: "ok, thanks, I will"."""
    at = 0
    while at < len(said):
        hit = language.follow.starts(said, at)
        if hit is None and (at == 0 or said.plain[at] not in language.fillers):
            return False
        at = at + 1 if hit is None else hit.last
    return True
