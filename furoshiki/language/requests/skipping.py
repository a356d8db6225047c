"""Find what is to be left out once, of what recurs: "skip this week's bins", in nine languages."""

from __future__ import annotations

import re

_PLEASE = r"^\W{0,3}(?:(?:please|can you|could you|oh|and|so) ){0,3}"
_THIS_TIME = r"(?:this (?:week|time|month|once)|just this once|once|today|tonight|tomorrow)"
_SKIP = tuple(
    re.compile(rf"{pattern}\W{{0,5}}$", re.IGNORECASE)
    for pattern in (
        _PLEASE + r"(?:skip|cancel|leave out|drop) (?:this (?:week|month)|today|tonight|tomorrow)'?s "
        r"(?P<what>[\w' -]{2,60})",
        _PLEASE + rf"(?:skip|cancel|leave out) (?:the |my )?(?P<what>[\w' -]{{2,60}}?) (?:for )?{_THIS_TIME}",
        rf"^\W{{0,3}}(?:there's |there is )?no (?P<what>[\w' -]{{2,40}}?) {_THIS_TIME}",
        r"^(?:diese woche|heute|morgen) (?:mal )?(?:keine?n?|ohne) (?P<what>[\w -]{2,40})",
        r"^(?:lass|streich) (?:die |den |das )?(?P<what>[\w -]{2,40}?) (?:diese woche|heute|morgen|diesmal)"
        r"(?: aus| weg)?",
        r"^(?:esta semana|hoy|mañana) no (?:hay|hace falta|toca) (?:el |la |los |las )?(?P<what>[\w -]{2,40})",
        r"^(?:sáltate|salta) (?:el |la |los |las )?(?P<what>[\w -]{2,40}?) (?:de )?(?:esta semana|hoy|mañana)",
        r"^pas (?:de |d')(?P<what>[\w -]{2,40}?) (?:cette semaine|aujourd'hui|demain)",
        r"^(?:questa settimana|oggi|domani) (?:niente|salta(?: il| la| lo| i| le)?) (?P<what>[\w -]{2,40})",
        r"^(?:essa semana|esta semana|hoje|amanhã) (?:não tem|sem) (?:o |a |os |as )?(?P<what>[\w -]{2,40})",
        r"^(?:на этой неделе|сегодня|завтра) (?:без|не будет) (?P<what>[\w -]{2,40})",
        r"^(?:bu hafta|bugün|yarın) (?P<what>[\w -]{2,40}?) (?:yok|olmasın)",
        r"^(?:这周|今天|明天)(?:不用|没有|不)(?P<what>[^\s，。]{1,20}?)了?",
    )
)
"""Ways to leave out one time of what recurs."""


def find_skipped(plain: str) -> str | None:
    """Return what a message leaves out once, or None. `plain` has single spaces."""
    for pattern in _SKIP:
        match = pattern.match(plain)
        if match is not None:
            return match["what"].strip()
    return None
