"""How a reminder is asked for in the languages whose words of time are read, and what is answered.

A line is a language, what is asked for, and ways to say it: ".." stands for the matter and the time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WAYS = """
de remind = erinnere mich .. | erinner mich .. | erinnre mich .. | bitte erinnere mich .. | erinnere mich bitte ..
de remind = kannst du mich .. erinnern | könntest du mich .. erinnern | würdest du mich .. erinnern
de remind = kannst du mich bitte .. erinnern | erinnerst du mich .. | ich möchte .. erinnert werden
de remind = ich will .. erinnert werden | du sollst mich .. erinnern | erinnerung: .. | lass mich nicht vergessen ..
de remind = gib mir .. bescheid | sag mir .. bescheid | lass mich .. nicht vergessen
de wake = weck mich .. | wecke mich .. | bitte weck mich .. | stell mir einen wecker .. | stell einen wecker ..
de wake = stelle einen wecker .. | wecker ..
de wake = kannst du mich .. wecken | könntest du mich .. wecken
de timer = stell einen timer .. | stelle einen timer .. | timer ..
es remind = recuérdame .. | recuerdame .. | por favor recuérdame .. | me recuerdas .. | avísame .. | avisame ..
es remind = puedes recordarme .. | podrías recordarme .. | recuérdame por favor .. | ponme un recordatorio ..
es remind = pon un recordatorio .. | recordatorio: .. | no dejes que olvide ..
es remind = que no se me olvide .. | hazme acordar .. | recuérdamelo .. | recuérdalo ..
es wake = puedes despertarme .. | podrías despertarme ..
es wake = despiértame .. | despiertame .. | pon una alarma .. | ponme una alarma ..
es timer = pon un temporizador .. | ponme un temporizador ..
fr remind = rappelle-moi .. | rappelle moi .. | rappelez-moi .. | peux-tu me rappeler .. | tu peux me rappeler ..
fr remind = s'il te plaît rappelle-moi .. | rappelle-moi s'il te plaît .. | pense à me rappeler .. | rappel : ..
fr remind = rappel: .. | ne me laisse pas oublier .. | mets-moi un rappel .. | mets un rappel .. | préviens-moi ..
fr wake = réveille-moi .. | reveille-moi .. | peux-tu me réveiller .. | mets un réveil .. | mets-moi un réveil ..
fr timer = mets un minuteur .. | mets-moi un minuteur .. | minuteur .. | lance un minuteur ..
it remind = ricordami .. | ricordami per favore .. | per favore ricordami .. | puoi ricordarmi .. | mi ricordi ..
it remind = potresti ricordarmi .. | promemoria: .. | metti un promemoria .. | mettimi un promemoria ..
it remind = non farmi dimenticare .. | avvisami .. | fammi ricordare ..
it wake = svegliami .. | puoi svegliarmi .. | metti una sveglia .. | mettimi una sveglia .. | imposta una sveglia ..
it timer = metti un timer .. | imposta un timer .. | mettimi un timer .. | timer ..
pt remind = lembra-me .. | lembre-me .. | me lembra .. | me lembre .. | pode me lembrar .. | podes lembrar-me ..
pt remind = você pode me lembrar .. | por favor me lembre .. | por favor lembra-me .. | lembrete: .. | me avisa ..
pt remind = não me deixe esquecer .. | não me deixa esquecer .. | coloca um lembrete .. | põe um lembrete ..
pt remind = recorda-me .. | recorde-me .. | avisa-me .. | me avise ..
pt wake = me acorda .. | me acorde .. | acorda-me .. | acorde-me .. | põe um alarme .. | coloca um alarme ..
pt timer = põe um temporizador .. | coloca um temporizador .. | põe um timer .. | coloca um timer ..
tr remind = .. hatırlat | .. hatırlatır mısın | .. hatırlatırmısın | .. hatırlatabilir misin | .. hatırlatsana
tr remind = .. hatırlat bana | .. bana hatırlat | .. hatırlatın | .. hatırlatıver | .. unutturma | bana .. hatırlat
tr remind = .. hatırlat lütfen | lütfen .. hatırlat | bana .. hatırlatır mısın | hatırlatma: .. | hatırlat: ..
tr wake = .. uyandır | beni .. uyandır | .. alarm kur | .. için alarm kur | .. beni uyandır
ru remind = напомни мне .. | напомни .. | напомните мне .. | пожалуйста напомни мне .. | напомни пожалуйста ..
ru remind = можешь напомнить мне .. | можешь мне напомнить .. | не дай мне забыть .. | напоминание: .. | мне напомни ..
ru remind = напоминай мне .. | напоминай .. | напоминайте мне ..
ru wake = можешь разбудить меня .. | можешь меня разбудить .. | разбуди меня .. | поставь будильник .. | разбуди ..
ru timer = поставь таймер .. | таймер ..
"""


@dataclass(frozen=True)
class AskingPattern:
    """A way to ask: what stands before and after the matter, in small letters."""

    tongue: str
    kind: str
    before: str
    after: str


@dataclass(frozen=True)
class Asked:
    """A request in another language: the rest are the words of the matter and the time."""

    tongue: str
    kind: str
    rest: str


_CHINESE = re.compile(
    r"(?:请|麻烦|记得|能不能|可以|你能)?(?:帮我)?(?:(?P<remind>提醒一?下?我(?:一下)?|提醒(?=.*我)|别让我忘[了记])"
    r"|(?P<wake>叫醒我|叫我起床|(?:设|定|设置)(?:一?个)?.{0,12}的?闹钟)|(?P<timer>(?:设|定|设置)(?:一?个)?"
    r"(?P<span>.{1,8}?)的?(?:计时器|倒计时)))(?:吗|要|去)?"
)
"""The matter and the time stand before it, behind it, or on both sides."""


def parse_request(plain: str) -> Asked | None:
    """What a message in one of the languages asks for, if it asks to be reminded. `plain` has single blanks."""
    text = plain.strip(" .!?¿¡,\u2026。？！，")
    if (chinese := _CHINESE.search(text)) is not None:
        around = f"{text[: chinese.start()]} {text[chinese.end() :]}"
        if chinese["timer"]:
            return Asked("zh", "timer", f"{chinese['span']}后")
        return Asked("zh", "wake" if chinese["wake"] else "remind", around.strip(" ，,。吗？?"))
    small = _small(text)
    best: Asked | None = None
    for way in _WAYS:
        found = _around(way, small)
        if found is None:
            continue
        end, behind = found
        rest = text[len(way.before) : end] + text[behind:]
        if (_ends(way.before, rest[:1]) and _ends(way.after, text[:end][-1:])) and (
            best is None or len(rest) < len(best.rest)
        ):
            best = Asked(way.tongue, way.kind, rest.strip(" ,:"))
    return best


def _around(way: AskingPattern, small: str) -> tuple[int, int] | None:
    """Where the matter ends within a way to ask, and where it goes on behind it ("… erinnern, Mama anzurufen")."""
    if not small.startswith(way.before):
        return None
    if small.endswith(way.after):
        return len(small) - len(way.after), len(small)
    at = small.find(f" {way.after},", len(way.before)) if way.before and way.after else -1
    return None if at < 0 else (at + 1, at + len(way.after) + 1)


def _ends(part: str, letter: str) -> bool:
    """Whether a part is not followed (or led up to) by more of the same word."""
    return not part or part.endswith(":") or not letter.isalnum()


def _small(text: str) -> str:
    """The text in small letters, of the same length."""
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _read() -> tuple[AskingPattern, ...]:
    found = []
    for line in WAYS.strip().splitlines():
        spec, _, ways = line.partition(" = ")
        tongue, kind = spec.split()
        for way in ways.split(" | "):
            before, _, after = way.strip().partition("..")
            found.append(AskingPattern(tongue, kind, before.strip(), after.strip()))
    return tuple(found)


_WAYS = _read()
