"""Words of time that look back, of the languages beside English, as tables like those of what lies ahead.

Kinds: a ago, after what is counted ("önce") · g ago, before it ("vor") · l last · S season (its first
month) · r day counted from today · k since · v until · z so long by now (its unit, "yıldır") · C became so ("gezogen").
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TABLES: Mapping[str, str] = MappingProxyType(
    {
        "de": """
g = vor
l = letzten letztes letzter letzte letztem vergangenen vergangenes vergangene vorigen voriges vorige vorigem
S 3 = frühling frühjahr
S 6 = sommer
S 9 = herbst
S 12 = winter
r -2 = vorgestern
k = seit
v = bis
C = gezogen umgezogen angefangen begonnen geheiratet gekauft geworden gewechselt gekündigt
""",
        "es": """
g = hace
l = pasado pasada
S 3 = primavera
S 6 = verano
S 9 = otoño
S 12 = invierno
r -2 = anteayer antier
r -1 = anoche
k = desde
v = hasta
C = mudé mudado empecé empezado comencé comenzado casé casado compré comprado
""",
        "tr": """
a = önce
l = geçen
S 3 = ilkbahar ilkbaharda
S 6 = yaz yazın
S 9 = sonbahar sonbaharda
S 12 = kış kışın
k = beri
v = kadar
z day = gündür
z week = haftadır
z month = aydır
z year = yıldır
C = taşındım taşındık başladım başladık evlendim evlendik aldım aldık
""",
        "ru": """
a = назад
l = прошлый прошлом прошлого прошлую прошлой прошлое прошлым
S 3 = весна весной весну весны
S 6 = лето летом лета
S 9 = осень осенью осени
S 12 = зима зимой зиму зимы
r -2 = позавчера
k = с со
v = до
C = переехал переехала начал начала женился купил купила стал стала
""",
    }
)
