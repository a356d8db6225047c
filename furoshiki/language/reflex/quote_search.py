"""Questions without a fact: quote the message with most of their words, with its day.

"Where is the spare key?" or "what's the wifi password?" may be about any earlier message, so a
search comes before admitting ignorance; a question about the world is admitted afterwards.
"""

from furoshiki.core.catalogue import say
from furoshiki.language import testimony
from furoshiki.language.reflex import answering, caring, smalltalk
from furoshiki.language.reflex.hearing import Heard, content
from furoshiki.language.reflex.values import Reflex, ToolResult
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests import asked
from furoshiki.language.requests.pasted_lines import find_line
from furoshiki.language.testimony import Utterance
from furoshiki.language.words import asks

ANSWERS = 0.6  # least share of the question's words in a message quoted as the answer
PERHAPS = 0.5  # least share of the question's words in a message quoted as the nearest one

_LATELY = 6  # messages within which a pasted text can still be asked about

_MOST_WORDS = 14
_SHORT = 6  # most words of a question that needs none of the words that open one
_OPENS = (
    r"^(?:(?:and|so|ok|okay|hey|hm+|well|by the way|remind me|tell me)[, ]+){0,3}"
    r"(?:(?:where|who|when|what)(?:'s)?|whose|which|how (?:old|much|many|long|far|big|tall|often)|did|does"
    r"|has|had|was|were|is there)\b"
)
# questions for a place, person or day, which only earlier messages can answer
_OF_OURS = r"\b(?:where(?:'s| is| are| was| were| did)|who(?:'s| is| was| are)|when(?:'s| is| was)|whose)\b"

_US = r"\b(?:you|your|yours|yourself)\b"


def look_up(heard: Heard, wording: Wording) -> Reflex | None:
    """Return the message with the question's words, or a search; None for other questions."""
    if not heard.asks or not heard.words or len(heard.plain.split()) > _MOST_WORDS:
        return None
    weight = heard.situation.weighs
    if weight is not None and weight.notice.grave:
        return None
    in_short = asks(heard.text) and len(heard.plain.split()) <= _SHORT  # "door size for cole?"
    if not (in_short or heard.says(_OPENS)) or heard.says(_US) or heard.says(asked.NOT_TOLD):
        return None
    facts = answering.by_words(heard)
    if facts:
        return Reflex(answering.from_facts(facts, heard))
    best = answering.best_of(heard, (*heard.situation.recalled, *_lately(heard)))
    if best is not None and best[1] >= ANSWERS:
        return Reflex(answering.from_memory(*best, heard, wording))
    return answering.search(heard)


def quote_pasted(heard: Heard, _wording: Wording) -> Reflex | None:
    """Quote the line of a recently pasted text that answers a question, as another's words."""
    language = heard.situation.language
    asking = heard.asks if language is None else language.is_asked(heard.text)
    of_me = heard.says(asked.MINE) if language is None else language.is_mine(heard.text)
    if not asking or of_me:
        return None
    words = content if language is None else language.content
    lately = reversed(_lately(heard)[-_LATELY:])
    for text in (heard.situation.pasted, *(testimony.pasted(one.text, one.foreign) for one in lately)):
        line = find_line(heard.text, text, words)
        if line is not None and not answering.is_grave(line, heard):
            return Reflex(say("In what you pasted: “{line}”", line=line), complete=True)
    return None


def answer_search(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """Answer after the search: a quotation, or that it is unknown."""
    memories = (*answering.memories_in(result), *heard.situation.recalled, *_lately(heard))
    best = answering.best_of(heard, memories)
    if best is not None and best[1] >= PERHAPS:
        return answering.from_memory(*best, heard, wording)
    if heard.says(_OF_OURS):
        return answering.unknown(heard, wording)
    beyond = caring.stay(heard, wording) or smalltalk.admit(heard, wording)
    return beyond.text if beyond is not None else answering.unknown(heard, wording)


def _lately(heard: Heard) -> list[Utterance]:
    return [said for said in heard.situation.recent if said.speaker == "user"]
