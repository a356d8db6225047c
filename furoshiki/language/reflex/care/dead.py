"""Find out who is known to be dead: nobody asks after them."""

from collections.abc import Iterable

from furoshiki.language.facts import conflicts
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.reflex.values import KnownFact


def dead(facts: Iterable[KnownFact]) -> frozenset[str]:
    """Return the dead, lower case, by name and by relation if unique ("mother", "rex")."""
    known = list(facts)
    gone = {fact.subject.lower() for fact in known if conflicts.is_death(fact.predicate, fact.object)}
    for fact in known:
        if fact.subject != "user" or fact.predicate not in RELATIONS:
            continue
        only = sum(other.predicate == fact.predicate and other.subject == "user" for other in known) == 1
        if fact.object.lower() in gone and only:
            gone.add(fact.predicate)
        if fact.predicate in gone and only:
            gone.add(fact.object.lower())
    return frozenset(gone)
