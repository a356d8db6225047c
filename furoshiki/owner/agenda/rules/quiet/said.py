"""What is answered to a wish for quiet: until when it holds, in the language of the wish, by the"
" user's own clock."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo

from furoshiki.core import timestamps
from furoshiki.language.humanize import clock

_DAYS: Mapping[str, str] = {
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "tr": "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar",
    "ru": "понедельник вторник среда четверг пятница суббота воскресенье",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "pt": "segunda terça quarta quinta sexta sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "zh": "周一 周二 周三 周四 周五 周六 周日",
}

_KEPT: Mapping[str, str] = {
    "en": "I will not write first until {when}. I still answer you, and reminders still come. /quiet off ends it.",
    "de": "Bis {day}, {date}, {time} Uhr schreibe ich nicht von mir aus. Ich antworte dir weiterhin,"
    " und Erinnerungen "
    "kommen weiterhin. /quiet off beendet es.",
    "es": "No te escribiré por mi cuenta hasta el {day} {date} a las {time}. Te sigo respondiendo, y"
    " los recordatorios "
    "llegan igual. /quiet off lo termina.",
    "tr": "{day}, {date}, saat {time} olana kadar kendiliğimden yazmayacağım. Sen yazarsan cevap veririm, "
    "hatırlatmalar da gelir. /quiet off bunu bitirir.",
    "ru": "Первых сообщений от меня не будет до {time}, {day}, {date}. На твои сообщения я отвечаю,"
    " и напоминания "
    "приходят. /quiet off это отменяет.",
    "fr": "Je ne t'écrirai pas de moi-même avant {day} {date} à {time}. Je te réponds toujours, et"
    " les rappels arrivent. "
    "/quiet off y met fin.",
    "pt": "Não te escrevo por minha iniciativa até {day}, {date}, às {time}. Continuo a"
    " responder-te, e os lembretes "
    "chegam na mesma. /quiet off termina isto.",
    "it": "Non ti scrivo di mia iniziativa fino a {day} {date} alle {time}. Ti rispondo sempre, e i"
    " promemoria arrivano. "
    "/quiet off lo termina.",
    "zh": "{day}({date}){time}之前我不会主动给你发消息。你写给我我会回复,提醒照常。/quiet off 可以结束。",
}

_GUESSED: Mapping[str, str] = {
    "en": "You named no end, so I chose one; name another whenever you like.",
    "de": "Du hast kein Ende genannt, darum habe ich eines gewählt; nenn gern ein anderes.",
    "es": "No dijiste hasta cuándo, así que elegí yo; dime otro momento cuando quieras.",
    "tr": "Ne zamana kadar olduğunu söylemedin, ben seçtim; istersen başka bir zaman söyle.",
    "ru": "Срок ты не назвал(а), поэтому он выбран мной; назови другой, если хочешь.",
}

_OVER: Mapping[str, str] = {
    "en": "I may write first again.",
    "de": "Ich darf wieder von mir aus schreiben.",
    "es": "Puedo volver a escribirte por mi cuenta.",
    "tr": "Artık yine kendiliğimden yazabilirim.",
    "ru": "Теперь я снова могу писать без вопроса.",
}


def kept(until: datetime, zone: tzinfo, now: datetime, tongue: str = "en", guessed: bool = False) -> str:
    """That it is quiet until then; `guessed` when nobody named that end."""
    local = timestamps.local(until, zone)
    day = _DAYS[tongue].split()[local.weekday()] if tongue in _DAYS else ""
    date = f"{local.day}/{local.month}" if tongue in ("es", "fr", "pt", "it", "zh") else f"{local.day}.{local.month}."
    words = _KEPT.get(tongue, _KEPT["en"]).format(
        when=clock(until, zone, now), day=day, date=date, time=local.strftime("%H:%M")
    )
    return f"{words} {_GUESSED.get(tongue, _GUESSED['en'])}" if guessed else words


def over(tongue: str = "en") -> str:
    """That it is over."""
    return _OVER.get(tongue, _OVER["en"])
