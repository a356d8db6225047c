"""Word lists that judge a fact's object: jobs, pets, places (`config/words`, "facts")."""

from furoshiki.language.tables import calendar_names
from furoshiki.language.word_tables import by_language

_LISTS = by_language("facts")["en"]


def _set(name: str) -> frozenset[str]:
    """Return the comma-separated entries of a list."""
    return frozenset(entry.strip() for entry in _LISTS[name].replace("\n", " ").split(",") if entry.strip())


def either(entries: frozenset[str]) -> str:
    """Build a regular expression that matches any of the entries, longest first."""
    return "|".join(r"\s+".join(entry.split()) for entry in sorted(sorted(entries), key=len, reverse=True))


KIN, PARTNERS, FRIENDS, PETS = map(_set, ("kin", "partners", "friends", "pets"))
KIN_WORD = either(KIN | {"children", "grandchildren", "grandkids"})
PARTNER_WORD, FRIEND_WORD, PET_WORD = either(PARTNERS), either(FRIENDS), either(PETS)

# Normalized relations, so that "my mom" and "my mum" are the same person.
RELATION_FORMS: dict[str, str] = {
    form: relation
    for relation, _, forms in (line.partition(": ") for line in _LISTS["one_relation"].strip().splitlines())
    for form in forms.split()
}

JOBS, NO_JOBS = _set("jobs"), _set("no_jobs")
JOB_ENDINGS = ("ologist", "grapher", "therapist", "keeper", "maker", "smith", "ician", "wright")
JOB_WORD = either(JOBS)
NATIONALITIES = _set("nationalities")
LANGUAGES = NATIONALITIES | _set("languages")
FAITHS = _set("faiths")
DIET_WORD = either(_set("diets"))
CONDITIONS, STATES = _set("conditions"), _set("states")
POSSESSIONS, PLAYED = _set("possessions"), _set("played")
OCCASION_WORD = either(_set("occasions"))
NO_PLACE, NO_PLACE_START, NO_PLACE_END = _set("no_place"), _set("no_place_start"), _set("no_place_end")
NO_THING = _set("no_thing")
NO_THING_START = _set("no_thing_start") - {"the", "to", "my"}
PERIODS = _set("periods")
NO_WORKPLACE, NO_FIELD, NO_SUBJECT = _set("no_workplace"), _set("no_field"), _set("no_subject")
NO_FOOD, NO_BELIEF = _set("no_food"), _set("no_belief")

PAIRS = _set("pairs")  # pairs of words for one thing: "fish and chips"

BREED_WORD = either(_set("breeds"))
_NO_NAMES = _set("no_names") | (calendar_names.NAMES - {"may"})


def is_name(text: str) -> bool:
    """Return whether a word can be a name rather than the next word of the sentence."""
    return text.lower().removesuffix("'s").removesuffix("\u2019s") not in _NO_NAMES and len(text) > 1


# first verbs of a plan stated with its day
LEAVING = ("start", "leave", "fly", "meet", "move", "visit")
