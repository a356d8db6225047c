"""How languages beside English speak of the writer's own people, and of the writer.

The words for a relation, as they stand when that person is whom a clause speaks of, and what shows that the writer is
in a clause, are `config/words`, "relations".
"""

import re
from collections.abc import Mapping

from furoshiki.language.word_tables import texts

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

FORMS: Mapping[str, Mapping[str, str]] = {
    language: {word: name for name, forms in relations.items() for word in forms.split()}
    for language, relations in texts("relations", "people").items()
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

OTHERS: Mapping[str, re.Pattern[str]] = {
    language: re.compile(frame.format("|".join(sorted(FORMS[language], key=len, reverse=True))), re.IGNORECASE)
    for language, frame in texts("relations", "frame").items()
}
"""By language: somebody of the writer's as the one a clause speaks of."""

FIRST: Mapping[str, re.Pattern[str]] = {
    name: re.compile(one, re.IGNORECASE) for name, one in texts("relations", "writer").items()
}
"""By language: what shows that the writer is in a clause."""
