"""Messages that ask not to be stored ("my PIN is 4711, don't remember it"): they are answered, but
neither message nor answer is stored, so no prompt, index or export can contain them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.requests.forget_asked import request_in
from furoshiki.language.tables.care_words import CareWords
from furoshiki.language.testimony import Passage
from furoshiki.language.word_tables import texts
from furoshiki.memory.perception.values import Percept, SaidNow
from furoshiki.messages.values import UNKEPT, NewOutgoing

WORDS = "[something they asked me not to keep]"
ANSWERED = "[what I answered to that is not kept either]"


def find_unkept(percept: Percept, care: Sequence[CareWords], year: int) -> Mapping[int, str]:
    """Return the envelope ids of messages that ask not to be stored, with their languages. Messages
    of a person who may be in danger are left out: they are remembered for a while."""
    found = {}
    for said in percept.said:
        request = request_in(said.own)
        heavy = None if request is None or request.kind != "this" else notice(said.own, care, year)
        if request is not None and request.kind == "this" and not (heavy is not None and heavy.grave):
            found[said.envelope_id] = request.tongue
    return found


def without(percept: Percept, hidden: Mapping[int, str]) -> Percept:
    """Return the percept for storage, without the hidden messages' text."""
    said = tuple(_hidden(one) if one.envelope_id in hidden else one for one in percept.said)
    return replace(percept, said=said, name_given=None, vector=(), look_later=False)


def build_unkept(items: Sequence[NewOutgoing], percept: Percept, hidden: Mapping[int, str]) -> list[NewOutgoing]:
    """Return the outgoing messages: their text will not be stored, and a notice says so."""
    tongue = next(iter(hidden.values()))
    notice_of_it = NewOutgoing(percept.channel, percept.chat_id, SAID.get(tongue, SAID["en"]), part=len(items))
    return [*(replace(one, extra={**one.extra, UNKEPT: True}) for one in items), notice_of_it]


def _hidden(said: SaidNow) -> SaidNow:
    note = Passage("note", 0, len(WORDS))
    return replace(said, text=WORDS, foreign=(note,), attachments=None, answers=None)


SAID = texts("unkept", "said")
