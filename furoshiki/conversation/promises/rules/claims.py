"""Whether an answer says that something was done: a reminder set, a list changed, words forgotten, quiet kept.

A claim is a sentence that affirms the act. Questions, offers, conditions, refusals and what is denied claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["reminder", "list", "forget", "quiet"]


@dataclass(frozen=True)
class Claim:
    """A claim: what was done, in which language it is said, and where its sentence stands."""

    kind: Kind
    tongue: str
    start: int
    end: int


def claims(answer: str) -> tuple[Claim, ...]:
    """What an answer claims, in the order it stands there; one claim for a sentence."""
    if _HINT.search(answer) is None:
        return ()
    text = _blank_out(_QUOTED, answer)
    found = (_find_claim(text[start:end], start) for start, end in _sentences(text))
    return tuple(one for one in found if one is not None)


def sentences(answer: str) -> list[str]:
    """The sentences of an answer, without what stands in quotation marks."""
    text = _blank_out(_QUOTED, answer)
    return [text[start:end] for start, end in _sentences(text)]


def unable(answer: str) -> tuple[tuple[int, int], ...]:
    """Where an answer says that it cannot do such a thing: the places of those sentences."""
    if _HINT.search(answer) is None:
        return ()
    return tuple(
        (start, end)
        for start, end in _sentences(answer)
        if _UNABLE.search(answer[start:end]) and _MATTER.search(answer[start:end])
    )


def is_unwilling(answer: str) -> bool:
    """Whether an answer says that it would rather not."""
    return _UNWILLING.search(answer) is not None


def asks_back(answer: str) -> bool:
    """Whether it asks what is meant before anything is done; "anything else?" asks nothing of the kind."""
    asked = (answer[start:end] for start, end in _sentences(answer))
    return any(one.rstrip().endswith(("?", "？")) and _ASKS_BACK.search(one) for one in asked)


def without(answer: str, places: Sequence[tuple[int, int]]) -> str:
    """The answer without these sentences."""
    kept, at = [], 0
    for start, end in sorted(places):
        kept.append(answer[at:start])
        at = max(at, end)
    return re.sub(r"[ \t]{2,}", " ", "".join([*kept, answer[at:]])).strip()


def before_claims(growing: str) -> str:
    """Of words that are still being written those before the first claim: nobody is to read what may not be so."""
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
"""Without one of these words nothing of the kind is claimed."""

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
"""Before a claim, or in it: then it is none."""

_CONDITION_BEHIND = re.compile(
    r"\b(?:if|once|when|as soon as|whenever|unless) (?:you|that|i)\b|\b(?:wenn|falls|sobald) (?:du|ich)\b"
    r"|\b(?:si|cuando) (?:me|quieres)\b|\b(?:если|когда|как только) (?:ты|я)\b|\bquand tu\b|\bsi tu\b",
    re.IGNORECASE,
)
_TO = r"[^.!?\n]"
_EN_I = (
    r"\bi(?:['’](?:ve|ll|m)| have| will| am going to| did)?"
    r"(?: (?:just|now|also|already|gladly|gone ahead and|going to))*"
)

_PATTERNS: tuple[tuple[str, Kind, str], ...] = (
    ("en", "reminder", rf"{_EN_I} (?:set|created?|made|make|scheduled?|added?|put|saved?|booked)\b{_TO}{{0,50}}?"
     r"\b(?:reminder|alarm|timer|wake-up call)"),
    ("en", "reminder", r"\b(?:reminder|alarm|timer)s?(?:['’]s| is| are| has been| have been|:)? (?:now |all |been )*"
     r"(?:set|created|scheduled|saved|added|in place|active)\b"),
    ("en", "reminder", r"\bi(?:['’]ll| will|['’]m going to| am going to)\b[^.!?\n,]{0,25}\b(?:remind|nudge|ping"
     r"|wake|alert"
     r"|notify) you\b(?! (?:that|how|why|what|of what))"),
    ("en", "reminder", r"\bi(?:['’]ve| have) scheduled (?:that|it|this)\b|\byou['’]ll (?:get|receive|have) (?:a|your"
     r"|the) reminder\b|\bremoved (?:the|that|your) reminder|\bcancell?ed (?:the|that|your) (?:reminder|alarm)"),
    ("en", "list", rf"{_EN_I} (?:added?|put|placed|written|noted|removed?|taken|took|crossed|checked|ticked|moved"
     rf"|cleared)\b{_TO}{{0,80}}?\blists?\b(?! of\b)"),
    ("en", "list", rf"^\W*(?:(?:done|okay|ok|sure|got it|al+ ?right|great|perfect)\W+)*(?:added|removed|put|took)\b"
     rf"{_TO}{{0,80}}?\blists?\b(?! of\b)"),
    ("en", "list", r"(?:\bis|\bare|['’]s)(?: now| all| already)* (?:on|off) (?:your|the|our) [\w -]{0,30}?lists?\b"
     r"(?! of\b)"),
    ("en", "forget", rf"{_EN_I} (?:deleted?|erased?|wiped?)\b{_TO}{{0,20}}?\b(?:that|it|this|everything|all"
     rf"|what you|your"
     r"|from my memory|any)\b|\bi(?:['’]ve| have) forgotten (?:that|it|everything)\b"
     r"|\b(?:deleted|erased|wiped) from my memory\b"),
    ("en", "quiet", r"\bi(?: won['’]t| will not|['’]ll not) (?:message|write|text|ping|bother|disturb|contact|check in)"
     r"(?: on)?(?: to)?(?: you)?(?: again)?(?= (?:until|till|before|for|unless|today|tonight|any ?more)\b|\W*$)"
     r"|\bi(?:['’]ll| will) (?:leave you (?:alone|in peace|be)|(?:be|stay|keep) (?:quiet|silent)|stop (?:messaging"
     r"|writing|texting))\b"),
    ("de", "reminder", rf"(?:erinnerung|wecker|timer|alarm){_TO}{{0,55}}?\b(?:gesetzt|gestellt|erstellt"
     rf"|eingerichtet"
     r"|angelegt|eingetragen|gespeichert)\b"),
    ("de", "reminder", rf"\bich (?:werde )?(?:dich|dir)\b{_TO}{{0,60}}?\b(?:erinnern|wecken|bescheid geben)\b"
     r"|\bich (?:erinnere?|wecke?) dich\b(?!.{0,12}daran, dass du)|\b(?:erinnere?|wecke?) ich dich\b"
     r"|\bwerde ich dich\b[^.!?\n]{0,40}\berinnern\b"),
    ("de", "list", rf"\bich habe?\b{_TO}{{0,80}}?liste\b{_TO}{{0,20}}?\b(?:gesetzt|geschrieben|gepackt|hinzugefügt"
     r"|notiert|gestrichen|genommen|entfernt|ergänzt)\b|liste (?:gesetzt|hinzugefügt|ergänzt|geschrieben)\b"),
    ("de", "list", r"\b(?:steht|stehen|ist|sind) (?:jetzt |nun |bereits |schon )*auf (?:deiner|der"
     r"|unserer) [\w-]*liste\b"
     r"(?! der\b)"),
    ("de", "forget", rf"\bich habe?\b{_TO}{{0,60}}?\bgelöscht\b|\baus meinem gedächtnis (?:gelöscht|gestrichen)"),
    ("de", "quiet", rf"\bich (?:schreibe? dir|melde mich|störe? dich)\b{_TO}{{0,40}}?\bnicht\b|\bich lasse? dich\b"
     rf"{_TO}{{0,30}}?\bin ruhe\b"),
    ("es", "reminder", r"\b(?:te|os) (?:l[oa] )?(?:recordaré|avisaré|despertaré)\b|\bvoy a (?:recordarte|avisarte"
     r"|despertarte)\w*|\bte voy a (?:recordar|avisar|despertar)\b"),
    ("es", "reminder", rf"\b(?:he (?:puesto|creado|programado|configurado|guardado|añadido)|puse|creé|programé"
     rf"|configuré)\b{_TO}{{0,40}}?\b(?:recordatorio|alarma|temporizador)"
     rf"|\b(?:recordatorio|alarma|temporizador)\b{_TO}{{0,20}}?\b(?:puest|cread|programad|configurad|list|activad)[oa]\b"),
    ("es", "list", rf"\b(?:he (?:añadido|agregado|puesto|apuntado|anotado|quitado|borrado|eliminado|sacado)"
     rf"|añadí|agregué"
     rf"|puse|apunté|anoté|quité)\b{_TO}{{0,80}}?\blista\b|\best[áa]n?(?: ya| ahora)? en (?:la"
     rf"|tu) lista\b(?! de espera)"),
    ("es", "forget", r"\b(?:he (?:borrado|eliminado)|borré|eliminé)\b"),
    ("es", "quiet", r"\bno te (?:escribiré|molestaré|enviaré|mandaré)\b"),
    ("ru", "reminder", rf"\b(?:напомню|разбужу)\b|(?:напоминани|будильник|таймер){_TO}{{0,35}}?(?:установлен"
     rf"|поставлен"
     rf"|создан|заведён|включён)|(?:поставил|установил|создал|завёл|завел){_TO}{{0,35}}?(?:напоминани|будильник"
     r"|таймер)"),
    ("ru", "list", rf"(?:добавил|записал|внесл|внёс|убрал|вычеркнул|удалил){_TO}{{0,85}}?спис(?:ок|ка|ке)\b"
     rf"|\b(?:теперь|уже) (?:есть )?в {_TO}{{0,20}}?списке\b|\bдобавлен\w* в {_TO}{{0,20}}?список"),
    ("ru", "forget", r"(?:удалил|ст[её]р)\w{0,4} (?:вс[её]|это|то\b|из памяти)"),
    ("ru", "quiet", r"\bне буду (?:тебе |тебя |вам )?(?:писать|беспокоить|тревожить)"),
    ("tr", "reminder", r"\b(?:hatırlat|uyandır)(?:acağım|ırım)\b|(?:hatırlatıcı|hatırlatma|alarm|zamanlayıcı)"
     rf"{_TO}{{0,40}}?\b(?:kuruldu|ayarlandı|kurdum|ayarladım|oluşturdum|oluşturuldu)\b"),
    ("tr", "list", rf"liste{_TO}{{0,36}}?\b(?:ekledim|eklendi|yazdım|koydum|çıkardım|sildim)\b"),
    ("tr", "forget", rf"\b(?:her şeyi|bunu|onu|hepsini|verilerini){_TO}{{0,30}}?\bsildim\b"),
    ("tr", "quiet", r"\byazmayacağım\b|\brahatsız etmeyeceğim\b"),
    ("fr", "reminder", rf"\bje (?:te|vous) (?:l[ea] )?(?:rappellerai|réveillerai|préviendrai)\b|\bj['’]ai (?:mis|créé"
     rf"|programmé|réglé)\b{_TO}{{0,30}}?(?:rappel|alarme|minuteur|réveil)|\b(?:rappel|alarme)\b{_TO}{{0,20}}?\b(?:créé"
     r"|programmé|réglé|enregistré)e?\b"),
    ("fr", "list", rf"\bj['’]ai (?:ajouté|mis|noté|retiré|enlevé)\b{_TO}{{0,80}}?\bliste\b|\b(?:est|sont) (?:maintenant"
     r" )?sur (?:ta|la|votre) liste\b(?! d['’]attente)"),
    ("fr", "forget", r"\bj['’]ai (?:effacé|supprimé)\b"),
    ("fr", "quiet", r"\bje ne t['’](?:écrirai|enverrai) (?:pas|plus)\b"),
    ("pt", "reminder", rf"\bvou (?:te|lhe) (?:lembrar|avisar|acordar)\b|\bvou (?:lembrá|avisá|acordá)-l[oa]\b"
     rf"|\bte lembrarei\b|\blembrete\b{_TO}{{0,20}}?\b(?:criado|definido|agendado)\b|\b(?:criei|defini|agendei"
     rf"|configurei"
     rf"|coloquei)\b{_TO}{{0,30}}?\b(?:lembrete|alarme)"),
    ("pt", "list", rf"\b(?:adicionei|coloquei|pus|anotei|acrescentei|removi|tirei)\b{_TO}{{0,80}}?\blista\b"),
    ("pt", "forget", r"\b(?:apaguei|excluí|eliminei)\b"),
    ("pt", "quiet", r"\bnão (?:te|vou te) (?:escreverei|escrever|incomodar|incomodarei)\b"),
    ("it", "reminder", rf"\b(?:te l[oa]|ti) (?:ricorderò|avviserò|sveglierò)\b|\bho (?:impostato|creato|programmato"
     rf"|messo)\b{_TO}{{0,30}}?\b(?:promemoria|sveglia|timer)\b|\bpromemoria\b{_TO}{{0,20}}?\b(?:impostato|creato)\b"),
    ("it", "list", rf"\bho (?:aggiunto|messo|segnato|tolto|rimosso)\b{_TO}{{0,80}}?\blista\b"),
    ("it", "forget", r"\bho (?:cancellato|eliminato)\b"),
    ("it", "quiet", r"\bnon ti (?:scriverò|disturberò)\b"),
    ("zh", "reminder", r"我[^。！？?\n]{0,16}提醒你|已经?[^。！？\n]{0,10}(?:设置|设好|设定)[^。！？\n]{0,15}(?:提醒"
     r"|闹钟)"
     r"|(?:提醒|闹钟)[^。！？\n]{0,6}(?:设好了|已设置|设置好了)"),
    ("zh", "list", r"(?:把|将)[^。！？\n]{1,20}(?:加到|加入|加进|添加到|放到|写到)[^。！？\n]{0,15}(?:清单"
     r"|列表)[^。！？\n]{0,3}了"
     r"|已[^。！？\n]{0,20}添加到"),
    ("zh", "forget", r"已经?[^。！？\n]{0,12}删(?:除|掉)"),
    ("zh", "quiet", r"我?不会(?:再)?(?:打扰|给)你"),
)  # fmt: skip
_COMPILED = tuple((tongue, kind, re.compile(pattern, re.IGNORECASE)) for tongue, kind, pattern in _PATTERNS)

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


def _find_claim(sentence: str, at: int) -> Claim | None:
    if sentence.rstrip().endswith(("?", "？")):
        return None
    bare = _blank_out(_COURTESY, sentence)
    for tongue, kind, pattern in _COMPILED:
        match = pattern.search(bare)
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
