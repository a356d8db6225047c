"""How German, Spanish, Turkish and Russian speak of the writer's own people, and of the writer.

By language: the words for a relation, as they stand when that person is whom a clause speaks of, under the English
word for it; and what shows that the writer is in a clause.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

GROUPS: Mapping[str, str] = {
    "sister": "sibling",
    "brother": "sibling",
    "son": "child",
    "daughter": "child",
    "wife": "partner",
    "husband": "partner",
    "girlfriend": "partner",
    "boyfriend": "partner",
    "spouse": "partner",
    "manager": "boss",
    "parents": "parent",
}
"""What is one relation where two languages do not divide alike."""

_WORDS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "sibling": "schwester bruder schwestern brüder geschwister",
        "mother": "mutter mama",
        "father": "vater papa",
        "parent": "eltern",
        "child": "sohn tochter kind kinder",
        "partner": "frau mann freundin partner partnerin ehemann ehefrau",
        "friend": "freund freunde kumpel",
        "grandmother": "oma großmutter",
        "grandfather": "opa großvater",
        "aunt": "tante",
        "uncle": "onkel",
        "cousin": "cousin cousine",
        "boss": "chef chefin",
        "colleague": "kollege kollegin kollegen",
        "neighbour": "nachbar nachbarin nachbarn",
        "dog": "hund",
        "cat": "katze kater",
    },
    "es": {
        "sibling": "hermana hermano hermanas hermanos",
        "mother": "madre mamá",
        "father": "padre papá",
        "parent": "padres",
        "child": "hijo hija hijos hijas",
        "partner": "mujer esposa esposo marido novia novio pareja",
        "friend": "amigo amiga amigos amigas",
        "grandmother": "abuela",
        "grandfather": "abuelo",
        "aunt": "tía",
        "uncle": "tío",
        "cousin": "prima primo",
        "boss": "jefe jefa",
        "colleague": "compañero compañera",
        "neighbour": "vecino vecina vecinos",
        "dog": "perro perra",
        "cat": "gato gata",
    },
    "tr": {
        "sibling": "kardeşim ablam abim ağabeyim",
        "mother": "annem",
        "father": "babam",
        "child": "oğlum kızım çocuğum çocuklarım",
        "partner": "eşim karım kocam sevgilim",
        "friend": "arkadaşım",
        "grandmother": "anneannem babaannem",
        "grandfather": "dedem",
        "aunt": "teyzem halam",
        "uncle": "amcam dayım",
        "cousin": "kuzenim",
        "boss": "patronum müdürüm",
        "neighbour": "komşum",
        "dog": "köpeğim",
        "cat": "kedim",
    },
    "ru": {
        "sibling": "сестра брат сестры сестре брата брату",
        "mother": "мама мать мамы маме матери",
        "father": "папа отец папы папе отца отцу",
        "parent": "родители родителей",
        "child": "сын дочь дети сына сыну дочери детей",
        "partner": "жена муж жены жене мужа мужу девушка парень",
        "friend": "друг подруга друзья друга подруги",
        "grandmother": "бабушка бабушки",
        "grandfather": "дедушка дедушки",
        "aunt": "тётя тети",
        "uncle": "дядя дяди",
        "boss": "начальник начальница шеф начальника шефа",
        "colleague": "коллега коллеги",
        "neighbour": "сосед соседка соседа соседки",
        "dog": "собака собаки",
        "cat": "кошка кот кошки кота",
    },
}

FORMS: Mapping[str, Mapping[str, str]] = {
    language: {word: name for name, forms in relations.items() for word in forms.split()}
    for language, relations in _WORDS.items()
}
"""By language and word: the English word for the relation."""

THEIRS: Mapping[str, Mapping[str, str]] = {
    **FORMS,
    "tr": {
        f"{word[:-1]}{ending}": name
        for word, name in FORMS["tr"].items()
        for ending in ("", "sı", "si", "su", "sü", "ları", "leri")
    },
}
"""The same of somebody else's people: where Turkish says "kardeşim" of one's own, it says "kardeşi" of theirs."""

_FRAMES = {
    "de": r"(?<!mit )(?<!bei )(?<!für )(?<!von )(?<!wie )"
    r"\b(?:mein|meine|unser|unsere)\s+(?:[\w-]+\s+)?(?P<relation>{})\b",
    "es": r"(?<!con )(?<!por )(?<!para )(?<!como )(?<!de )\b(?:mis?|nuestr[oa]s?)\s+(?P<relation>{})\b",
    "tr": r"\b(?P<relation>{})(?:[ıiuü]n)?\b(?!\s+(?:ile|için|gibi)\b)",
    "ru": r"(?<!с )(?<!со )(?<!как )\b(?:мо(?:я|й|и|его|ей|их|ему)|наш[аиу]?|нашей|нашего)\s+(?P<relation>{})\b",
}
OTHERS: Mapping[str, re.Pattern[str]] = {
    language: re.compile(frame.format("|".join(sorted(FORMS[language], key=len, reverse=True))), re.IGNORECASE)
    for language, frame in _FRAMES.items()
}
"""By language: somebody of the writer's as the one a clause speaks of."""

_FIRST = {
    "de": r"\b(?:ich|wir|mir|mich|uns|habe|bin|wohne|lebe|arbeite)\b",
    "es": r"\b(?:yo|nosotr[oa]s|me|nos|mí|conmigo|vivo|soy|tengo|estoy|trabajo|voy|quiero|\w{2,}[aei]mos)\b",
    "tr": r"\b(?:ben|biz|bana|beni|benim|bize|bizim|benimle|bizimle)\b"
    r"|\w(?:yor|acağ|eceğ)[ıiuü][mz]\b|\wd[ıiuü][mk]\b|\wt[ıiuü]m\b",
    "ru": r"\b(?:я|мы|мне|меня|мной|нас|нам|нами|живу|работаю|люблю)\b",
}
FIRST: Mapping[str, re.Pattern[str]] = {name: re.compile(one, re.IGNORECASE) for name, one in _FIRST.items()}
"""By language: what shows that the writer is in a clause."""
