"""Detect an answer's claims of actions: reminder set, list changed, words deleted, quiet kept.

A claim is an affirmative sentence; questions, offers, conditions, refusals, denials are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from furoshiki.core.catalogue import later, say, speaking
from furoshiki.language.word_tables import by_language, pattern, texts

Kind = Literal["reminder", "list", "forget", "quiet"]


@dataclass(frozen=True)
class Claim:
    """A claim: its kind, its language, and the position of its sentence."""

    kind: Kind
    tongue: str
    start: int
    end: int


def claims(answer: str, said: str = "") -> tuple[Claim, ...]:
    """Return the claims of an answer in order, at most one per sentence.

    A mere "Forgotten." is one if the message, `said`, speaks of forgetting.
    """
    to_forget = _FORGET.search(said) is not None
    if not to_forget and _HINT.search(answer) is None:
        return ()
    text = _blank_out(_QUOTED, answer)
    found = (_find_claim(text[start:end], start, to_forget) for start, end in _sentences(text))
    return tuple(one for one in found if one is not None)


def sentences(answer: str) -> list[str]:
    """Return the sentences of an answer without quotations."""
    text = _blank_out(_QUOTED, answer)
    return [text[start:end] for start, end in _sentences(text)]


def unable(answer: str) -> tuple[tuple[int, int], ...]:
    """Return the positions of sentences that claim inability."""
    if _HINT.search(answer) is None:
        return ()
    return tuple(
        (start, end)
        for start, end in _sentences(answer)
        if _UNABLE.search(answer[start:end]) and _MATTER.search(answer[start:end])
    )


def is_unwilling(answer: str) -> bool:
    return _UNWILLING.search(answer) is not None


def asks_back(answer: str) -> bool:
    """Return whether an answer asks for clarification; "anything else?" does not count."""
    asked = (answer[start:end] for start, end in _sentences(answer))
    return any(one.rstrip().endswith(("?", "？")) and _ASKS_BACK.search(one) for one in asked)


def without(answer: str, places: Sequence[tuple[int, int]]) -> str:
    """Return the answer without these sentences."""
    kept, at = [], 0
    for start, end in sorted(places):
        kept.append(answer[at:start])
        at = max(at, end)
    return re.sub(r"[ \t]{2,}", " ", "".join([*kept, answer[at:]])).strip()


def before_claims(growing: str) -> str:
    """Cut a streamed answer before its first claim, which may be false."""
    found = claims(growing)
    return growing[: found[0].start].rstrip() if found else growing


_QUOTED = re.compile(r"\"[^\"\n]{0,300}\"|\u201c[^\u201c\u201d\n]{0,300}\u201d|„[^„“”\n]{0,300}[“”]|«[^«»\n]{0,300}»")
_SENTENCE = re.compile(r"(?:[^.!?\n。！？]|[.](?=\d|[a-z]\.|\w{1,3}\b))+[.!?。！？\u2026]*\s*|\n")
_HINT = re.compile(
    r"remind|alarm|timer|schedul|ping|nudg|wake|list|delet|eras|forgot|wip|messag|writ|text|bother|disturb|quiet|alone"
    r"|silent|erinner|wecke|gelöscht|schreib|melde|störe|ruhe|record|avis|despert|borr|elimin|escrib|molest|напомн|напомин"
    r"|будильник|таймер|разбуж|спис|удали|стёр|стер|писать|беспоко|hatırlat|uyandır|zamanlay|liste|sildim|yazmay|rahatsız"
    r"|rappel|réveil|alarme|effac|supprim|écrir|lembr|lembrete|apag|exclu|ricord|promemoria|sveglia|cancell|提醒|闹钟|清单|列表"
    r"|删",
    re.IGNORECASE,
)
"""Without one of these words, an answer contains no claim."""

_COURTESY = re.compile(
    r"\bno (?:problem|worries|sweat)|\bdon'?t worry|\bno te preocupes|\bno hay problema|\bkein problem|\bkeine sorge"
    r"|\bне (?:волнуйся|переживай|вопрос|беспокойся)|\bsorun değil|\bmerak etme|\bne t'inquiète pas|\bpas de (?:souci"
    r"|problème)|\bpas de soucis|\bnão se preocupe|\bsem problemas?|\bnessun problema|\bnon preoccuparti|没问题|别担心",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:not|cannot|never|could|would|should|shall|can|might|if|once|unless|yesterday|last (?:week|month|time|night)"
    r"|want me|let me know|tell me|just say|sag mir|dime|скажи|söyle|dis-moi|dimmi|me diga|no (?:reminder|alarm"
    r"|timer|list)|trying|supposed"
    r"|nicht|kein\w*|kann|könnte|soll|sollte|wenn|falls|sobald|gestern|würde"
    r"|no|puedo|podría|si|cuando|quieres|ayer|не|нет|могу|мог|могла|бы|если|когда|вчера|хочешь|değil|eğer|dün|istersen"
    r"|pas|peux|pourrais|hier|não|posso|poderia|quando|ontem|non|potrei|ieri|se vuoi|se você)\b|n['’]t\b"
    r"|\w[ae]m[ıi]yorum\b|\w[ae]m[ae]d[ıi]m\b|没有|不能|无法|如果|可以|要不要|昨天",
    re.IGNORECASE,
)
"""Words that, before or in a claim, invalidate it."""

_CONDITION_BEHIND = re.compile(
    r"\b(?:if|once|when|as soon as|whenever|unless) (?:you|that|i)\b|\b(?:wenn|falls|sobald) (?:du|ich)\b"
    r"|\b(?:si|cuando) (?:me|quieres)\b|\b(?:если|когда|как только) (?:ты|я)\b|\bquand tu\b|\bsi tu\b",
    re.IGNORECASE,
)
_COMPILED: tuple[tuple[str, Kind, re.Pattern[str]], ...] = tuple(
    (tongue, kind, re.compile(pattern(ways, table.get("parts", {})), re.IGNORECASE))
    for tongue, table in by_language("promises").items()
    for kind in get_args(Kind)
    for ways in table.get(kind, ())
)

_MATTER = re.compile(
    r"remind|alarm|timer|\blists?\b|erinner|wecker|liste\b|record|lista\b|напом|будильник|таймер|спис|hatırlat|liste|rappel"
    r"|lembr|ricord|promemoria|sveglia|提醒|闹钟|清单|列表",
    re.IGNORECASE,
)
_UNABLE = re.compile(
    r"\b(?:can['’]?t|cannot|can not|unable to|not able to|(?:don['’]?t|do not) have (?:the ability|access|a way"
    r"|any way)"
    r"|no way to|kann (?:dir |dich |leider |da |dafür )*(?:leider |nicht|kein)\w*|nicht in der lage"
    r"|no (?:te )?puedo"
    r"|no (?:soy capaz|tengo)|не могу|не умею|не в состоянии|je ne peux pas|não (?:posso|consigo)|non posso"
    r"|non (?:sono in grado|riesco))\b|\w[ae]m[ıi]yorum\b|\w[ae]m[ae]m\b|无法|不能|没办法",
    re.IGNORECASE,
)
_UNWILLING = re.compile(
    r"\b(?:i['’]d rather not|i would rather not|i won['’]t (?:set|add|put|do|help|remind)|i will not (?:set|add"
    r"|put|do|help"
    r"|remind)|i refuse|lieber nicht|möchte ich nicht|mache? ich nicht|prefiero no|no quiero|не хочу|не стану|лучше не"
    r"|istemiyorum|je préfère ne pas|prefiro não|preferisco non)\b|不想",
    re.IGNORECASE,
)
_ASKS_BACK = re.compile(
    r"\b(?:which|what time|when|who|whom|mean|sure|exactly|or|am|pm|welche\w*|wann|wer|wen|um wie viel|uhr"
    r"|meinst|sicher"
    r"|oder|cuál|cuándo|quién|qué hora|seguro|segura|o|какой|какую|какого|когда|кто|кого|во сколько|уверен\w*"
    r"|или|в виду"
    r"|hangi\w*|ne zaman|kaçta|kim\w*|emin|yoksa|quel\w*|quand|qui|quelle heure|ou|qual|quando|quem|que horas|quale|chi"
    r"|che ora)\b|哪|几点|什么时候|还是",
    re.IGNORECASE,
)


_FORGET = re.compile("|".join(texts("promises", "asked").values()), re.IGNORECASE)
_YES = "ok(?:ay)?|done|sure|gut|vale|bien|va bene|tá|хорошо|tamam|好的?"
_GONE = tuple(
    (tongue, re.compile(rf"^\W*(?:(?:{_YES})\W+)?(?:{pattern(ways, {})})(?:,? [\w’']+)?\W*$", re.IGNORECASE))
    for tongue, table in by_language("promises").items()
    for ways in table.get("gone", ())
)
"""Sentences that say nothing else than that it is forgotten, with a name at most."""


def _find_claim(sentence: str, at: int, to_forget: bool) -> Claim | None:
    if sentence.rstrip().endswith(("?", "？")):
        return None
    for tongue, said in _GONE:
        if to_forget and said.match(sentence):
            return Claim("forget", tongue, at, at + len(sentence))
    bare = _blank_out(_COURTESY, sentence)
    for tongue, kind, said in _COMPILED:
        match = said.search(bare)
        if match is None or _CONDITION_BEHIND.search(bare):
            continue
        led = bare[: match.start()] if kind == "quiet" else bare[: match.end()]
        if _HEDGED.search(led) is None:
            return Claim(kind, tongue, at, at + len(sentence))
    return None


def _sentences(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _SENTENCE.finditer(text)]


def _blank_out(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: "\0" * len(match.group()), text)


def render_correction(kind: str, tongue: str) -> str:
    with speaking(tongue):
        return say(_SAID[kind])


_SAID = later(
    {
        "reminder": "To be honest: no reminder is set yet. Write “remind me …” with what and when, and I'll set it.",
        "list": "To be honest: nothing has changed on your lists. Write “put … on the list”, and I'll do it.",
        "forget": "To be honest: nothing has been erased. `/forget` with what it is about shows what would go.",
        "quiet": "To be honest: no quiet time is set yet. Send `/quiet` and until when, and I won't write unasked.",
    }
)
