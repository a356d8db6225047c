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

SAID = """
en half = Is that {early} or {late}?
de half = Um {early} oder um {late} Uhr?
es half = ¿A las {early} o a las {late}?
tr half = Saat {early} mı, {late} mi?
ru half = В {early} или в {late}?
de kept = Notiert für {when}: {what}.
de moved = Verschoben: {what}, jetzt {when}.
es moved = Cambiado: {what}, ahora el {when}.
tr moved = Değişti: {what}, şimdi {when}.
ru moved = Перенесено: {what}, теперь {when}.
de often = Notiert, zuerst am {when} und dann immer wieder: {what}.
de ask = Wann soll ich dich daran erinnern: {what}?
de matter = Woran soll ich dich am {when} erinnern?
de day = %-d.%-m.%Y, %H:%M
de wake = aufstehen
de timer = die Zeit ist um
es kept = Anotado para el {when}: {what}.
es often = Anotado, primero el {when} y después una y otra vez: {what}.
es ask = ¿Cuándo te lo recuerdo: {what}?
es matter = ¿Qué te recuerdo el {when}?
es day = %-d/%-m/%Y a las %H:%M
es wake = despertarse
es timer = se acabó el tiempo
fr half = À {early} ou à {late} ?
fr kept = C'est noté pour le {when} : {what}.
fr moved = Déplacé : {what}, maintenant le {when}.
fr often = C'est noté, d'abord le {when}, puis à chaque fois : {what}.
fr ask = Quand dois-je te le rappeler : {what} ?
fr matter = Que dois-je te rappeler le {when} ?
fr day = %-d/%-m/%Y à %H:%M
fr wake = se lever
fr timer = c'est l'heure
it half = Alle {early} o alle {late}?
it kept = Segnato per il {when}: {what}.
it moved = Spostato: {what}, ora il {when}.
it often = Segnato, prima il {when} e poi ogni volta: {what}.
it ask = Quando te lo ricordo: {what}?
it matter = Che cosa ti ricordo il {when}?
it day = %-d/%-m/%Y alle %H:%M
it wake = svegliarsi
it timer = il tempo è scaduto
pt half = Às {early} ou às {late}?
pt kept = Anotado para {when}: {what}.
pt moved = Mudado: {what}, agora {when}.
pt often = Anotado, primeiro em {when} e depois sempre: {what}.
pt ask = Quando te lembro: {what}?
pt matter = De que te lembro em {when}?
pt day = %-d/%-m/%Y às %H:%M
pt wake = acordar
pt timer = acabou o tempo
zh half = 是{early}还是{late}？
zh kept = 记下了，{when}：{what}。
zh moved = 改好了：{what}，现在是{when}。
zh often = 记下了，第一次是{when}，以后按时提醒：{what}。
zh ask = 什么时候提醒你：{what}？
zh matter = {when}要提醒你什么？
zh day = %-Y年%-m月%-d日 %H:%M
zh wake = 起床
zh timer = 时间到了
tr kept = Not ettim, {when}: {what}.
tr often = Not ettim, ilk kez {when}, sonra hep yeniden: {what}.
tr ask = Ne zaman hatırlatayım: {what}?
tr matter = Neyi hatırlatayım, {when}?
tr day = %-d.%-m.%Y %H:%M
tr wake = uyanma zamanı
tr timer = süre doldu
ru kept = Записано на {when}: {what}.
ru often = Записано, в первый раз {when}, потом снова и снова: {what}.
ru ask = Когда напомнить: {what}?
ru matter = О чём напомнить {when}?
ru day = %d.%m.%Y, %H:%M
ru wake = пора вставать
ru timer = время вышло
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


def asked(plain: str) -> Asked | None:
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


def phrase(tongue: str, name: str) -> str:
    """What is said in a language; "" where there is nothing of the name."""
    return _SAID.get((tongue, name), "")


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
_SAID = {
    (spec.split()[0], spec.split()[1]): words
    for spec, _, words in (line.partition(" = ") for line in SAID.strip().splitlines())
}
