"""Words for the writer and the writer's relatives in languages other than English.

Relation words as subject of a clause, and signs of the writer in it, are `config/words`,
"relations".
"""

import re
from collections.abc import Mapping

from furoshiki.language.word_tables import by_language, texts
from furoshiki.language.words import word_set

# relations that languages divide differently, mapped to one group
GROUPS: Mapping[str, str] = by_language("relation_groups")["en"]

# the English relation for each word, by language
FORMS: Mapping[str, Mapping[str, str]] = {
    language: {word: name for name, forms in relations.items() for word in forms.split()}
    for language, relations in texts("relations", "people").items()
}

# the same for another person's relatives: Turkish "kardeşim" is one's own, "kardeşi" another's
THEIRS: Mapping[str, Mapping[str, str]] = {
    **FORMS,
    "tr": {
        f"{word[:-1]}{ending}": name
        for word, name in FORMS["tr"].items()
        for ending in ("", "sı", "si", "su", "sü", "ları", "leri")
    },
}

# by language: a relative of the writer as subject of a clause
OTHERS: Mapping[str, re.Pattern[str]] = {
    language: re.compile(frame.format("|".join(sorted(FORMS[language], key=len, reverse=True))), re.IGNORECASE)
    for language, frame in texts("relations", "frame").items()
}

# by language: signs of the writer in a clause
FIRST: Mapping[str, re.Pattern[str]] = {
    name: re.compile(one, re.IGNORECASE) for name, one in texts("relations", "writer").items()
}

# relations that "he" and "she" do not mean
NOT_OF: Mapping[str, frozenset[str]] = {
    "he": word_set("mother sister daughter wife girlfriend grandmother aunt niece granddaughter"),
    "she": word_set("father brother son husband boyfriend grandfather uncle nephew grandson"),
}
