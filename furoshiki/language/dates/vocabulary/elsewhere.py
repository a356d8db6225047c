"""The few words that end a quiet, of languages whose dates are not read otherwise: put into English"
" and read so."""

from __future__ import annotations

import re
from collections.abc import Mapping

from furoshiki.language.tables.calendar_names import WEEKDAYS

_WORDS = """
fr: lundi=monday mardi=tuesday mercredi=wednesday jeudi=thursday vendredi=friday samedi=saturday dimanche=sunday
fr: demain=tomorrow aujourd'hui=today soir=evening matin=morning midi=noon nuit=night semaine=week semaines=weeks
fr: jour=day jours=days heure=hour heures=hours mois=month un=1 une=1 deux=2 trois=3 quatre=4 cinq=5 quelques=3
fr: prochain=next prochaine=next cette=this ce=this week-end=weekend weekend=weekend
pt: segunda-feira=monday segunda=monday terça-feira=tuesday terça=tuesday quarta-feira=wednesday quarta=wednesday
pt: quinta-feira=thursday quinta=thursday sexta-feira=friday sexta=friday sábado=saturday domingo=sunday
pt: amanhã=tomorrow hoje=today noite=night manhã=morning semana=week semanas=weeks dia=day dias=days hora=hour
pt: horas=hours mês=month um=1 uma=1 dois=2 duas=2 três=3 alguns=3 algumas=3 próxima=next próximo=next esta=this
pt: este=this
it: lunedì=monday martedì=tuesday mercoledì=wednesday giovedì=thursday venerdì=friday sabato=saturday
it: domenica=sunday domani=tomorrow oggi=today stasera=tonight stanotte=tonight sera=evening mattina=morning
it: settimana=week settimane=weeks giorno=day giorni=days ora=hour ore=hours mese=month un=1 una=1 due=2 tre=3
fr: janvier=january février=february mars=march avril=april mai=may
fr: juin=june juillet=july août=august septembre=september
fr: octobre=october novembre=november décembre=december
pt: janeiro=january fevereiro=february março=march abril=april maio=may
pt: junho=june julho=july agosto=august setembro=september
pt: outubro=october novembro=november dezembro=december
it: gennaio=january febbraio=february marzo=march aprile=april maggio=may
it: giugno=june luglio=july agosto=august settembre=september
it: ottobre=october novembre=november dicembre=december
it: qualche=3 alcuni=3 prossima=next prossimo=next questa=this questo=this
"""
_BESIDE = frozenset({"de", "da", "do", "à", "a", "la", "le", "il", "o", "que", "vem", "di", "al", "della", "del"})
"""What may stand between them and says nothing."""


def _tables() -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in _WORDS.strip().splitlines():
        tongue, _, pairs = line.partition(": ")
        for pair in pairs.split():
            word, _, english = pair.partition("=")
            found.setdefault(tongue, {})[word] = english
    return found


_TABLES = _tables()


def in_english(name: str, tongue: str) -> tuple[str, str]:
    """The name of a time, and the language it is in now; one whose dates are read stays as it is."""
    table = _TABLES.get(tongue)
    if table is None:
        return name, tongue
    words = [table.get(word, word) for word in name.split() if word not in _BESIDE]
    if "next" in words[1:]:  # "semaine prochaine"
        words = ["next", *(one for one in words if one != "next")]
    return " ".join(words), "en"


def english_of(word: str) -> frozenset[str]:
    """What a word of time is called in English, by every such language that has it."""
    return frozenset(table[word] for table in _TABLES.values() if word in table)


_ZH_DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_ZH_COUNTS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "几": 3, "半": 1}
_ZH = re.compile(
    r"(?:在|到|直到)?(?P<next>下)?个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])(?P<part>早上|晚上)?(?P<till>之前|以前|前|为止)?"
    r"|(?:在|到|直到)?(?P<word>明天早上|明天|后天|今晚|今天晚上|今天|这周末|周末|这周|下周|明早|中午|一会儿|这几天)(?P<till2>之前|以前|前|为止)?"
    r"|(?:在|这|接下来(?:的)?)?(?P<count>\d{1,2}|[一两二三四五六七几])(?:个)?(?P<unit>小时|天|星期|周|月)(?:内|之内|里)?"
)
_ZH_WORDS = {
    "明天早上": "until tomorrow morning", "明早": "until tomorrow morning", "明天": "until tomorrow",
    "后天": "until day after tomorrow", "今晚": "tonight", "今天晚上": "tonight", "今天": "today",
    "这周末": "this weekend", "周末": "this weekend", "这周": "this week", "下周": "until next week",
    "中午": "until noon", "一会儿": "for a while", "这几天": "for 3 days",
}  # fmt: skip
_ZH_UNITS = {"小时": "hours", "天": "days", "星期": "weeks", "周": "weeks", "月": "months"}


def of_chinese(clause: str) -> tuple[str, str] | None:
    """The end that a Chinese clause names, in English, and the clause without it; None when it names none."""
    found = _ZH.search(clause)
    if found is None:
        return None
    rest = clause[: found.start()] + clause[found.end() :]
    if found["day"]:
        name = f"until {'next ' if found['next'] else ''}{WEEKDAYS[_ZH_DAYS[found['day']]]}"
        return (f"{name} evening" if found["part"] == "晚上" else name), rest
    if found["word"]:
        name = _ZH_WORDS[found["word"]]
        return (name if found["till2"] is None or name.startswith("until") else f"until {name}"), rest
    count = found["count"]
    return f"for {count if count.isdigit() else _ZH_COUNTS[count]} {_ZH_UNITS[found['unit']]}", rest
