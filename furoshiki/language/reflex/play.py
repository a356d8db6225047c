"""Play: jokes, dice and coins, sums, and conversation topics."""

import re

from furoshiki.core import numbers
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests import lines, sums
from furoshiki.language.requests.lines import CURIOSITIES, JOKES
from furoshiki.language.tables.numbers import COUNTS

_WAYS = lines.TABLES["heard_play"]
_MOST_COUNTED = 100

_REPEATED = re.compile(r"^\W*(?:please )?(?:repeat|say) after me\W{1,3}(?P<words>.{1,200})$", re.IGNORECASE | re.DOTALL)
_SOFT = "Gladly. One may laugh on such a day, too.", "Of course. It takes nothing away from the rest."
# openings of a requested joke after distress, and while the user may be in danger
_GRAVE = ("If it helps for a moment, gladly. What you told me stays as serious, and the number I named still answers.",)


def asks_joke(heard: Heard) -> bool:
    return heard.says(_WAYS["joke"])


def play(heard: Heard, wording: Wording) -> Reflex | None:
    """Play along, if requested."""
    joked = any(joke in reply for joke in JOKES for reply in wording.replies[-3:])
    if asks_joke(heard) or (heard.says(_WAYS["another"]) and joked):
        joke = wording.unused(JOKES) or "I'm out of jokes. There were only so many, and you've had them all."
        weight = heard.situation.weighs
        if weight is None or joked:
            return Reflex(joke)
        return Reflex(join_sentences(wording.one(_GRAVE if weight.notice.grave else _SOFT), joke))
    if heard.says(_WAYS["bored"]) or heard.says(_WAYS["talk"]):
        return Reflex(wording.one(CURIOSITIES))
    if heard.is_only(_WAYS["game"]):
        return Reflex(wording.one(lines.REPLIES["games"]))
    if (again := _REPEATED.match(heard.text)) is not None:
        return Reflex(again["words"])
    chance = _chance(heard, wording)
    return Reflex(chance) if chance else compute(heard, wording)


def compute(heard: Heard, _wording: Wording) -> Reflex | None:
    """Answer a small sum, asked in any language."""
    language = heard.situation.language
    result = sums.compute(heard.plain, asked=language is not None and language.is_asked(heard.text))
    return Reflex(result, complete=language is not None) if result else None


def _chance(heard: Heard, wording: Wording) -> str | None:
    if heard.says(r"\b(?:flip|toss|throw) (?:a |the )?coin|\bheads or tails"):
        return wording.rng.choice(("Heads.", "Tails."))
    if (counting := re.fullmatch(_WAYS["count"], heard.plain)) is not None:
        last = COUNTS.get(counting["last"]) or numbers.row(counting["last"]) or 0
        if 1 < last <= _MOST_COUNTED:
            return ", ".join(map(str, range(1, last + 1))) + "."
    dice = re.search(r"\broll (?:a |the |me a )?(?:(?P<n>\d|two|three) )?(?:dice|die|d(?P<sides>\d+))\b", heard.plain)
    if dice is not None:
        sides = min(1000, max(2, int(dice["sides"] or 6)))
        count = {"two": 2, "three": 3}.get(dice["n"] or "", numbers.row(dice["n"]) or 1)
        return " and ".join(str(wording.rng.randint(1, sides)) for _ in range(max(1, count))) + "."
    between = re.search(r"\b(?:number|pick|choose)\b.*\bbetween (?P<low>\d{1,9}) and (?P<high>\d{1,9})", heard.plain)
    if between is not None:
        low, high = sorted((int(between["low"]), int(between["high"])))
        return f"{wording.rng.randint(low, high)}."
    choice = re.match(
        r"(?:please )?(?:choose|decide|pick)(?: for me)?:? (?:between )?(?P<a>.{2,40}?) (?:or|and) (?P<b>.{2,40})$",
        heard.plain,
    )
    if choice is None:
        return None
    picked = wording.rng.choice((choice["a"], choice["b"]))
    return wording.one(("{picked}. The dice said so.", "I'd say {picked}, for no good reason."), picked=picked)
