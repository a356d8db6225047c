"""A typed "yes" or "no" answers the last question of its chat if nothing else was said since.

It presses the question's button, so words and buttons have the same effect and need the same role.
"""

import sqlite3
from datetime import timedelta

from furoshiki.conversation.commands import proposals, registry
from furoshiki.extensions.plugin_setup import offering
from furoshiki.language.requests.consent import consent
from furoshiki.language.words import ends_asking
from furoshiki.messages.store import outbox, turns
from furoshiki.messages.values import Envelope, Outgoing, Turn, Words
from furoshiki.world import World

# how long a question without its own time limit can be answered by words
HEARD_FOR = timedelta(days=1)

LOOKED_BACK = 5  # number of turns searched for a later unprompted message

_NOT_BY_A_WORD = "promise"  # a question with two alternatives: "yes" is ambiguous


async def handle_answer(world: World, yes: bool, envelope: Envelope) -> Words | None:
    """Handle the answer; None when no question is open here, or more was said since.

    Proposals below an answer are different: several may wait, and one word answers all.
    """
    with world.database.read() as db:
        question = _last(db, envelope)
        young = question is not None and world.now - question.created_at <= HEARD_FOR
        fresh = question is not None and young and not (_is_over(db, question) or _is_ambiguous(db, question))
    data = None if question is None else _data(question)
    if data is None or (question is not None and question.policy != "unprompted" and data[0].startswith("do.")):
        return await proposals.handle_yes_no(world, yes, envelope)
    return await registry.press(world, data[0 if yes else 1], envelope) if fresh else None


def _last(db: sqlite3.Connection, envelope: Envelope) -> Outgoing | None:
    """Return the newest message of this chat with a yes/no question."""
    offered = outbox.with_buttons(db, envelope.channel, envelope.chat_id)
    return next((message for message in offered if _subjects(message) & {*_questions(), _NOT_BY_A_WORD}), None)


def _is_over(db: sqlite3.Connection, question: Outgoing) -> bool:
    """Return whether it was answered, or another subject began since."""
    beside = turns.of_key(db, question.turn_key) if question.turn_key else []

    def later(turn: Turn) -> bool:
        return turn.id > beside[-1].id if beside else turn.at > question.created_at

    newest = turns.recent(db, question.channel, question.chat_id, LOOKED_BACK)
    if any(one.kind == "outreach" and later(one) for one in newest):
        return True
    for said in turns.newest_said(db, question.channel, question.chat_id):
        if said.kind == "command" and consent(said.own) is None:
            continue
        return later(said)
    return False


def _is_ambiguous(db: sqlite3.Connection, question: Outgoing) -> bool:
    """Return whether the answer above the offer of a plugin asks something itself."""
    if offering.BUTTON not in _subjects(question) or not question.turn_key:
        return False
    answers = turns.of_key(db, question.turn_key)
    return bool(answers) and ends_asking(answers[-1].text)


def _data(question: Outgoing) -> tuple[str, str] | None:
    """Return the data of its yes and no buttons; None for several pairs, which are ambiguous."""
    sent = _list_button_data(question)
    for pair in _questions().values():
        yes, no = ([data for data in sent if data.partition(":")[0] == one] for one in pair)
        if len(yes) == len(no) == 1:
            return yes[0], no[0]
    return None


def _questions() -> dict[str, list[str]]:
    """Map each kind of question to the data prefixes of its yes and no buttons."""
    by_word = [button for button in registry.buttons().values() if button.by_word]
    return {button.name: [f"{button.name}.{verb}" for verb in button.verbs[:2]] for button in by_word}


def _subjects(message: Outgoing) -> set[str]:
    return {data.partition(".")[0] for data in _list_button_data(message)}


def _list_button_data(message: Outgoing) -> list[str]:
    return [str(button["data"]) for row in message.extra.get("buttons", ()) for button in row if "data" in button]
