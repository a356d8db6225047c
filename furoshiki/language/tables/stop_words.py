"""English stop words, and the words of a query worth looking up."""

from furoshiki.language.words import RUN

MOST_WORDS = 32
"""Most words of a query that are looked up: a long message states its subject first."""


_STOP_TEXT = """
a about above after again all also am an and any are aren as at be because been before being below
between both but by can cannot could couldn d did didn do does doesn doing don down during each
else ever few for from further get got had hadn has hasn have haven having he her here hers herself
him himself his how i if in into is isn it its itself just ll m me more most my myself no nor not
of off on once only or other our ours ourselves out over own re s same she should shouldn so some
such t than that the their theirs them themselves then there these they this those through to too
under until up ve very was wasn we were weren what when where which while who whom whose why will
with won would wouldn you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
"""Words never looked up, letters of contractions included: queries split at apostrophes."""

_COMMON_WORDS = """
a about again all also am an and any anything are as at be because been before but by can could did
do does doing don't for from get go got had has have he her here him his how i i'd i'll i'm i've if
in into is it it's its just know last let like lot made make many may maybe me mean might mine more
most much my myself never no not now of off often ok okay old on one only or other our out over
please really recall remember said same say see she should so some something still such sure tell
than that that's the their them then there these they thing things think this those time to today
told too up us very want was we well were what what's when when's where where's which who who's
whose why will with would yes yet you your you've ever called call name named going
"""
COMMON = frozenset(_COMMON_WORDS.split())
"""Words without content: contractions, and verbs of asking and remembering."""


def query_words(query: str) -> tuple[str, ...]:
    """Return the distinct words worth looking up, in order; all if only stop words were given."""
    words = tuple(dict.fromkeys(RUN.findall(query.lower())))
    return (tuple(word for word in words if word not in STOP_WORDS) or words)[:MOST_WORDS]
