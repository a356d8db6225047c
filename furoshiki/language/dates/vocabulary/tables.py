"""The words of time of each language, as tables: what kind of word it is, and which words are of that kind.

A line is `kind value = word word two_words`. An underscore stands for a space; several kinds with commas make one form
several words of time ("tonight" is today and night). `!` before a form: only where a word of time leads up to it
("sun", "sat" and "mon" are other words too). `?` is a word of time that nothing here can read: it is asked about.

Kinds: r day counted from today · w weekday · P weekday in the plural · M month (its number) · u unit · U hour · j "дня"
(day or afternoon) · n number · o ordinal · s "second" · L last · N next (1) or the one after (2) · T this · e every
· O other · p part of the day · t time of day · @ at · i in · f from now · X from · h half · q quarter · H half to
· Q three quarters of the way to · > past · < to · & and · b and a half · c o'clock · W weekend · D working days
· F how often · E end · B beginning · Y feast (month-day) · ~ matters only beside a time · _ leads up to a time and adds
nothing
"""

from __future__ import annotations

from furoshiki.language.dates.vocabulary import de, en, es, fr, it, pt, ru, tr

TABLES = {
    "en": en.WORDS, "de": de.WORDS, "es": es.WORDS, "fr": fr.WORDS, "it": it.WORDS, "pt": pt.WORDS, "tr": tr.WORDS,
    "ru": ru.WORDS,
}  # fmt: skip

ROMANCE = frozenset({"es", "fr", "it", "pt"})
"""Languages that say the hour before its half and quarters, and call the coming Monday the next one."""

AHEAD = {
    "en": "in {}", "de": "in {}", "es": "en {}", "fr": "dans {}", "it": "tra {}", "pt": "em {}", "ru": "через {}",
    "tr": "{} sonra",
}  # fmt: skip
"""So long from now."""

AT = {"en": "at", "de": "um", "es": "a las", "fr": "à", "it": "alle", "pt": "às", "tr": "saat", "ru": "в"}
"""What leads up to an hour."""

ELSEWHERE = """
overmorgen maandag
dinsdag woensdag donderdag vrijdag zaterdag zondag jutro pojutrze poniedziałek wtorek środa czwartek piątek niedziela
"""
"""Words of time of languages without a table: they are asked about, not passed over."""
