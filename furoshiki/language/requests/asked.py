"""Determine which fact a question asks for: about whom, and which predicate."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from furoshiki.language.facts import words
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.words import RUN

ANYTHING = ("",)
"""In place of predicates: any fact with the words of the question."""


OTHERS = "others"
"""In place of a subject: anybody but the user."""


@dataclass(frozen=True)
class Asked:
    """The subject of a question and its predicates, likeliest first; none asks for all facts.

    `shown` is how to name the subject ("your sister").
    """

    subject: str
    predicates: tuple[str, ...]
    shown: str


_RELATION = "|".join(sorted((re.escape(word) for word in RELATIONS | set(words.RELATION_FORMS)), key=len, reverse=True))

# {who} stands for "my sister" or "Anika".
_OF_OTHERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"where(?:'s| is| are) {who}(?: now| these days| right now| today)?$", ("is_in", "lives_in", "comes_from")),
    (r"where (?:does|do|is|are) {who} (?:live|living|based)", ("lives_in", "comes_from")),
    (r"where {who} (?:lives?|is living)", ("lives_in", "comes_from")),
    (r"what (?:does|do) {who} do|what {who} does|{who}'s job|{who}'s profession", ("works_as", "works_at")),
    (r"where (?:does|do) {who} work|where {who} works", ("works_at", "works_as")),
    (r"what (?:does|do) {who} study|what {who} studies", ("studies",)),
    (r"how old (?:is|are|will) {who}|how old {who} is|{who}'s age", ("age", "birthday")),
    (r"{who}'s birthday", ("birthday",)),
    (r"{who} (?:is |are )?allergic", ("allergic_to",)),
    (r"what (?:does|do) {who} (?:like|love|enjoy)|what {who} (?:likes|loves|enjoys)", ("likes",)),
    (r"what (?:breed|kind) ", ("is",)),
)
_OF_USER: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"where (?:do|did) i (?:used? to )?live|where i (?:used to )?live|where am i (?:living|based)", ("lives_in",)),
    (r"\bmy (?:home ?town|address|city)\b|do i live in", ("lives_in",)),
    (r"where (?:am|do) i (?:come )?from|where i(?:'m| am| come) from", ("comes_from", "born_in", "grew_up_in")),
    (r"where (?:was i|i was) born|where did i grow up", ("born_in", "grew_up_in", "comes_from")),
    (r"what (?:do|did) i do\b|what i do\b|what(?:'s| is) my work", ("works_as", "works_at", "works_in", "studies")),
    (r"\bmy (?:job|profession|occupation)\b|what do i work", ("works_as", "works_at", "works_in")),
    (r"where (?:do i|i) work", ("works_at", "works_as", "works_in")),
    (r"what (?:do|am) i study|what i(?:'m)? study", ("studies", "studies_at")),
    (r"how old (?:am i|i am)|\bmy age\b", ("age", "birthday")),
    (r"\bmy b(?:irth)?-?day|when (?:was i|i was) born", ("birthday",)),
    (r"\bmy pronouns\b", ("pronouns",)),
    (r"\ballerg", ("allergic_to",)),
    (
        r"am i (?:an? )?(?:vegan|vegetarian)|\bmy diet|what (?:do|don't|can't) i eat|do i eat",
        ("diet", "does_not", "allergic_to"),
    ),
    (r"what (?:do|things do) i (?:like|love|enjoy)|what i (?:like|love|enjoy)|what am i into", ("likes", "plays")),
    (r"\bmy (?:hobbies|likes)\b", ("likes", "plays", "learning")),
    (r"what (?:do|don't) i (?:hate|dislike|like)\b", ("dislikes",)),
    (r"what (?:instrument|sport|game)s? (?:do )?i play|what do i play", ("plays",)),
    (r"what languages?|do i speak|am i learning", ("speaks", "speaks_natively", "learning")),
    (r"who(?:m)? am i (?:married|engaged) to", ("partner", "husband", "wife")),
    (r"am i (?:married|single|divorced|engaged)|\bmy marital", ("marital_status", "partner")),
    (r"do i have (?:any )?(?:pets?|animals?|a (?:dog|cat))|\bmy pets?\b", ("has_pet", *sorted(words.PETS))),
    (r"do i have (?:any )?(?:siblings?|children|kids|brothers?|sisters?|family)", ("has_family", *sorted(words.KIN))),
    (r"\bmy (?:siblings|family)\b", ("has_family", *sorted(words.KIN))),
    (r"what (?:are|were) my plans|what am i (?:planning|doing)|what's coming up", ("plans", "intends")),
    (r"(?:do i have|what's|is there) (?:anything |something )?(?:planned|coming up|ahead)", ("plans", "intends")),
)

ABOUT_ME = "|".join(
    (
        r"\bwhat (?:do|can) you (?:know|remember) about me\b",
        r"\bwhat have i told you(?: so far| about (?:me|myself))?$",
        r"\btell me (?:what you know )?about (?:me|myself)\b",
        r"\bwhat do you (?:know|remember)(?: so far)?$",
        r"\bdo you know (?:anything|something) about me\b",
        r"\bdo you remember me\b",
    )
)
"""Questions for everything known."""

TOLD_YOU = "|".join(
    (
        r"\b(?:do|don't|did) you (?:still )?(?:remember|recall)\b(?! (?:things|stuff|everything|all)\b)",
        r"\b(?:can|could|will) you (?:still )?(?:remember|recall) (?:my|what|when|where|who|how|the|that|if|our)\b",
        r"\b(?:do|don't) you (?:still )?know\b.*\b(?:i|my|me|our)\b",
        r"\bwhat (?:do|can) you (?:still )?(?:know|remember) (?:about|of) (?!me\b|myself\b|you)",
        r"\bremember (?:when|what|that|how|my|the|who|where)\b",
        r"\bwhat (?:did|has) (?!you\b)[\w'-]{1,30} (?:say|said|tell|told|mention|write|written|send|sent)\b",
        r"\b(?:did i|have i) (?:ever )?(?:tell|told|mention|mentioned|say|said)\b",
        r"\bwhen did i (?:tell|say|mention)\b",
    )
)
"""Explicit questions about earlier statements."""

TO_KEEP = (
    r"^(?:(?:please|hey|ok|okay|so|and|also|can|could|will|would|you|just) ){0,4}(?:remember|keep in mind|don't forget)"
    r"(?: please)?(?: that)? (?!what|when|where|who|why|how|which|to |about )\w+(?: \w+){0,4}"
    r"(?:'s| is| are| has| runs| ends)\b"
)
"""Statements to be remembered: "can you remember that my wifi password is plum22"."""

MINE = r"\b(?:my|mine|i|i'm|me|we|our|us)\b"

NOT_TOLD = "|".join(
    (
        r"\bshould (?:i|we)\b",
        r"\b(?:can|could|may|shall|would|will|must) (?:i|we)\b",
        r"\b(?:how|what|where) (?:do|can|could|should|would|shall) (?:i|we) (?!live|work|do|play|study|eat"
        r"|like|love|enjoy|hate|dislike|come|speak)",
        r"\b(?:help|teach|show|give|send|write|recommend|advise|explain|sing|read|find|buy|order|translate|suggest)\b"
        r".*\b(?:me|us|my)\b",
        r"\btell me (?:a|an|something|more|how|why|about (?!me|my))\b",
        r"\b(?:am|was) i (?:right|wrong|crazy|stupid|boring|annoying|too|a bad)\b",
        r"\bdo i (?:need|have to|look|sound|seem)\b",
        r"\bif i\b",
        r"^(?:and |but |so )?what if\b",
        r"\bmy (?:data|messages|conversations?|secrets|privacy)\b",
        r"\bwhy (?:do|am|did|can't|is) (?:i|my)\b",
    )
)
"""Questions with "I" or "my" that no earlier statement can answer."""


def find_name(plain: str, names: Iterable[str]) -> str | None:
    """Return the known person or pet that the message names."""
    spoken = set(RUN.findall(plain))
    return next((name for name in names if name.lower() in spoken), None)


def question(plain: str, names: Iterable[str]) -> Asked | None:
    """Return what a plain text asks for. `names` are the known names of people and pets."""
    if re.search(r"\b(?:who|which|whose)\b.{0,200}\ballerg", plain):
        return Asked(OTHERS, ("allergic_to",), "that")
    other = re.search(rf"\b(?:my|our) (?:\w+ )?(?P<relation>{_RELATION})\b", plain)
    if other is not None:
        relation = words.RELATION_FORMS.get(other["relation"], other["relation"])
        return _of_other(relation, plain, re.escape(other.group()))
    name = find_name(plain, names)
    if name is not None:
        return _of_other(name, plain, re.escape(name.lower()))
    favourite = re.search(r"\bmy (?:all-time )?favou?rite (?P<what>[\w ]+?)(?: is| again| now| then)?$", plain)
    if favourite is not None:
        what = favourite["what"]
        return Asked("user", (f"favourite_{what.replace(' ', '_')}",), f"your favourite {what}")
    for pattern, predicates in _OF_USER:
        if re.search(pattern, plain):
            return Asked("user", predicates, "that")
    return None


def _of_other(who: str, plain: str, spoken: str) -> Asked:
    shown = f"your {who}" if who in RELATIONS else who
    theirs = re.search(rf"\b{spoken}'?s (?:\w+ )?(?P<relation>{_RELATION})\b", plain)
    if theirs is not None:
        relation = words.RELATION_FORMS.get(theirs["relation"], theirs["relation"])
        return Asked(who, (relation,), f"{shown}'s {relation}")
    for pattern, predicates in _OF_OTHERS:
        if re.search(pattern.replace("{who}", f"(?:{spoken})"), plain):
            return Asked(who, predicates, shown)
    about_name = rf"\b(?:name|called)\b|\bwho(?:'s| is) {spoken}|\bdo i have\b|\bwho {spoken} is"
    if who in RELATIONS and re.search(about_name, plain):
        return Asked("user", (who,), shown)
    if re.search(
        rf"\bwho(?:'s| is| was) {spoken}|know about {spoken}|tell me about {spoken}|remember {spoken}$", plain
    ):
        return Asked(who, (), shown)
    return Asked(who, ANYTHING, shown)
