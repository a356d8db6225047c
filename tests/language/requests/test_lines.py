"""What people ask about the companion itself finds its heading in every phrasing, and what only sounds like it none."""

from __future__ import annotations

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.language.reflex.hearing import plain
from furoshiki.language.requests.lines import find_heading

MICROPHONE = "Am I listening to your microphone?"
SENDS = "Do I send what you tell me anywhere?"
READS = "Who can read what you tell me?"
BACKUP = "What do I back up?"
KEPT = "Where are your words kept?"
COST = "What do I cost?"
CANNOT = "What can I not do?"
CAN = "What can I do?"
PERSON = "What am I, and am I a person?"

ASKED = {
    MICROPHONE: """are you listening to my microphone? | do you have access to my camera? | are you spying on me? |
        can you hear everything through my mic | do you listen to me all the time? | are you always listening?
        | are you recording our conversations?""",
    SENDS: """do you send my data anywhere? | does my data leave this machine? | do you share my messages with anyone? |
        are you in the cloud? | who do you tell this? | do you sell my data? | is this private? | can I trust you? |
        are my messages sent to google? | will you share this with my wife? | do you collect telemetry?""",
    READS: """who can read this? | who else can see my messages? | can my wife read this? | is it encrypted? |
        is this safe? | is anyone else reading this? | who has access to it""",
    BACKUP: """what do you back up? | are there backups? | is this backed up? | what if the disk dies? |
        when do you make backups? | is my backup encrypted? | are the backups encrypted? |
        where is the newest backup? | how old is your last backup?""",
    KEPT: """where are my words kept? | where is my data stored? | where do you keep what I tell you? |
        where do you save our chats? | do you store my messages? | how long do you keep it? | where are my messages?""",
    COST: """what does it cost? | how much do you cost? | are you free? | do I have to pay for this? |
        what do you cost? |        is it free? | how much is this?""",
    CANNOT: """what can't you do? | what can you not do? | what are your limits? | what are you bad at? |
        what don't you do?""",
    CAN: """what can you do? | what are you good for? | how can you help me? | help | what are your skills? |
        what can I ask you? |        how do I use you? | what do you do?""",
    PERSON: """are you a person? | are you human? | who are you? | what are you exactly? | are you a real person? |
        are you an AI? | am I talking to a human? | is there a person behind this? | what's your name? |
        are you alive?""",
}

OTHER = """are you listening? | are you listening to me? | can you hear me? | who can help me? | where are my keys? |
    what does the train cost? | how much is the fish? | are you free tonight? | what do you do at night? |
    who is Bram? | where did I put the spare key? | what can I do about it? | what are you doing? |
    is he a real friend? | send my love to mum | my microwave is in the room | my back is up against the wall |
    the camera is broken, what now? It's a Nikon | share the cake with Leo | who reads the news? |
    I listened to the radio | where do you come from? | what can I do if it rains? | keep it safe |
    what do you do when I'm away? | can she read? | is it safe to eat raw eggs? | where should I keep the eggs? |
    how do you remember things?"""


def each(texts: str) -> list[str]:
    return [text.strip() for text in texts.split("|")]


@pytest.mark.parametrize(("wanted", "question"), [(one, text) for one, texts in ASKED.items() for text in each(texts)])
def test_a_question_about_itself_finds_its_heading(wanted: str, question: str) -> None:
    assert find_heading(plain(question)) == wanted


@pytest.mark.parametrize("said", each(OTHER))
def test_what_only_sounds_like_it_finds_none(said: str) -> None:
    assert find_heading(plain(said)) is None


def test_every_heading_stands_in_the_page() -> None:
    page = (ROOT / "prompts" / "self_knowledge" / "plain.md.j2").read_text(encoding="utf-8")
    assert {line.removeprefix("### ") for line in page.splitlines() if line.startswith("### ")} == set(ASKED)
