"""Small talk: accept short answers, and admit limits honestly."""

import re

from furoshiki.core.catalogue import say
from furoshiki.language.reflex import attachment_replies, feelings
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.other_languages import LEAST_TOLD, SMALL, answer_intent
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests import lines, news, short_notes
from furoshiki.language.requests.small_talk import MOST_GREETING
from furoshiki.language.signal_head import DARK
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.words import ends_asking, is_gibberish

_HEARD = lines.TABLES["heard_small"]
_YES, _NO, _OK, _UNSURE, _LAUGH = map(_HEARD.__getitem__, ("yes", "no", "ok", "unsure", "laugh"))
_ORDERS, _ROLES, _LETTERS = map(_HEARD.__getitem__, ("orders", "roles", "letters"))
_ABOUT_US, _ASKS_ABILITY = map(_HEARD.__getitem__, ("about_us", "asks_ability"))
_LAUGHING = re.compile(r"[\U0001f602\U0001f923\U0001f606\U0001f605\s]+")

_ANSWER = 7
_MINDS = 0.6  # strength of sadness, worry or anger beside which being tired is not what is answered


def answer_small(heard: Heard, wording: Wording) -> Reflex | None:
    """Reply to everyday remarks: hunger, a sleepless night, being tired, what to cook."""
    for name, pattern in lines.TABLES["heard_needs"].items():
        if heard.is_only(pattern):
            return Reflex(wording.one(SMALL[name]))
    felt, meant = heard.situation.felt, heard.situation.meant
    minds = max(map(felt.get, DARK[:3], (0.0,) * 3)) >= _MINDS or heard.facts or heard.asks or heard.asks_to_forget
    if minds or meant.get("tired", 0.0) < news.SURE:
        return None
    return Reflex(wording.one(SMALL["tired"]))


def answer_short(heard: Heard, wording: Wording) -> Reflex | None:
    """Accept yes, no, ok or a laugh as an answer, leaving room to continue."""
    if heard.is_only(_LAUGH) or (not heard.plain.isascii() and _LAUGHING.fullmatch(heard.plain)):
        return Reflex(wording.one(lines.LAUGHED))
    asked = ends_asking(heard.last_reply)
    for pattern, kind in ((_YES, "yes"), (_NO, "no"), (_OK, "ok")):
        if heard.is_only(f"(?:{pattern})(?:,? (?:{pattern}))*"):
            return Reflex(wording.one(lines.YES_NO["ok" if kind == "yes" and not asked else kind]))
    return Reflex(wording.one(lines.UNSURE)) if heard.is_only(_UNSURE) else None


def tell_news(heard: Heard, wording: Wording) -> Reflex | None:
    """Reply to everyday news by its kind; next to a dark feeling, or to a word or two after a question, if certain."""
    situation = heard.situation
    if situation.in_danger or heard.says(_ROLES) or heard.asks_to_forget:
        return None
    short = len(heard.plain.split()) < LEAST_TOLD and ends_asking(heard.last_reply)
    surely = short or max(map(situation.felt.get, DARK, (0.0,) * len(DARK))) >= _FEELS
    dark = situation.weighs is not None or feelings.heavy(wording)
    kind = news.find_kind(situation.meant, dark=dark, surely=surely)
    if kind is None or (kind not in _ASKED and (heard.asks or heard.says(_ORDERS))):
        return None
    return Reflex(wording.one(news.LINES[kind]))


# kinds of news that may be a question or a request: "can I tell you a secret?"
_ASKED = frozenset({"advice", "confides"})


def keep_measure(heard: Heard, wording: Wording) -> Reflex | None:
    """Keep an amount or a measure that is only written down: "bp 141/82", "window cleaner 12 quid, paid"."""
    felt, words = heard.situation.felt, heard.plain.split()
    feels = max(map(felt.__getitem__, felt.keys() - {"worry"}), default=0.0) >= _FEELS
    if _DIGIT.search(heard.plain) is None or len(words) > short_notes.LONGEST:
        return None
    if words[0] in COMMON or feels or heard.asks:
        return None
    told = heard.facts or heard.situation.weighs is not None or heard.says(_ORDERS) or heard.is_only(_HEARD["measures"])
    if told or news.find_kind(heard.situation.meant) not in _BESIDE_MEASURES:
        return None
    return Reflex(join_sentences(feelings.tone(heard, wording), wording.one(lines.KEPT)))


_DIGIT = re.compile(r"\d")
_FEELS = 0.5
# kinds of news whose answers are about something else when a figure is written down
_BESIDE_MEASURES = frozenset({None, "bought", "chores", "food", "weather"})


def answer_meaning(heard: Heard, wording: Wording) -> Reflex | None:
    """Reply to small talk in words of their own ("night night then"), if their vector is certain."""
    likely = heard.situation.meant
    meant = max(_BY_MEANING, key=lambda intent: likely.get(intent, 0.0))
    tells = heard.facts or news.is_sure(likely) or len(heard.plain.split()) > MOST_GREETING
    if tells or likely.get(meant, 0.0) < news.SURE or heard.says(_HEARD["of_me"]):
        return None  # "what do i teach"
    reply = answer_intent(meant, heard, wording)
    return None if reply is None else Reflex(reply)


_BY_MEANING = ("greets", "parts", "asks_how", "asks_who", "asks_can", "asks_time", "asks_day")


def admit(heard: Heard, wording: Wording) -> Reflex | None:
    """Admit that a question or order needs missing knowledge, and mention the way out once."""
    if heard.says(_ROLES):
        return Reflex(wording.one(lines.NO_KNOWLEDGE["role"]))
    if not (heard.asks or heard.says(_ORDERS) or heard.is_only(_HEARD["measures"])):
        return None
    if heard.says(_HEARD["asks_advice"]):
        return Reflex(wording.one(lines.NO_KNOWLEDGE["advice"]))
    if heard.says(_ABOUT_US) and not heard.says(f"{_ASKS_ABILITY}|{_ORDERS}"):
        return Reflex(wording.one(lines.NO_KNOWLEDGE["self"]))
    told = any("language model" in reply for reply in wording.replies)
    return Reflex(wording.one(lines.NO_KNOWLEDGE["short" if told else "world"]))


def converse(heard: Heard, wording: Wording) -> Reflex:
    """Reply to anything else: say that it is stored, and occasionally what the companion can do."""
    if not heard.text and heard.situation.attachments:
        return Reflex(attachment_replies.answer(heard.situation.attachments[0], wording))
    if is_gibberish(heard.text):
        return Reflex(say("That doesn't read like words to me. Did the keys slip?"))
    if heard.says(_LETTERS):
        return Reflex(wording.one(lines.REPLIES["only_writes"]))
    if ends_asking(heard.last_reply) and "Shall I" not in heard.last_reply and len(heard.plain.split()) <= _ANSWER:
        return Reflex(wording.one(lines.ANSWERED))
    told = wording.away or feelings.heavy(wording) or any(map(wording.said_lately, lines.WHAT_IT_CAN))
    return Reflex(join_sentences(wording.one(lines.KEPT), None if told else wording.one(lines.WHAT_IT_CAN)))
