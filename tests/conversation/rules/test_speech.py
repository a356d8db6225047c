"""From a draft to what is said: directives are followed, and never sent."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from furoshiki.conversation.rules.speech import Part, Speech, bubbles, cut_to_visible, parse

CHANNELS = ("telegram", "console")
DIRECTIVE = re.compile(
    r"(?i:\[\[\s*(?:send_to|reply_to|react(?!\w|\s+[a-z]))[^\[\]\n]*\]\])|NO_REPLY|HEARTBEAT_OK|"
    r"</?(?:now|remembered|message|source|since_then|elsewhere|state)>",
)


def said(written: str) -> list[str]:
    return [part.text for part in parse(written, CHANNELS).parts]


def test_plain_words_are_said_as_they_are() -> None:
    assert parse("Hello.\n\nHow was it?", CHANNELS) == Speech((Part("Hello.\n\nHow was it?"),))


@pytest.mark.parametrize(
    "written",
    [
        "NO_REPLY",
        "HEARTBEAT_OK",
        "  NO_REPLY. \n",
        "`NO_REPLY`",
        "**NO_REPLY**",
        "NO_REPLY (they said good night)",
        "NO_REPLY: nothing to add",
        "NO_REPLY\n\nHEARTBEAT_OK",
        "[[reply_to_current]]\nNO_REPLY",
    ],
)
def test_silence_is_silence_however_it_is_put(written: str) -> None:
    assert parse(written, CHANNELS).silent


def test_an_empty_draft_is_silence() -> None:
    assert parse(" \n ", CHANNELS) == Speech(())


@pytest.mark.parametrize("written", ["Good night!\nNO_REPLY", "NO_REPLY\nGood night!", "Good night! NO_REPLY"])
def test_words_beside_a_silence_are_said(written: str) -> None:
    assert said(written) == ["Good night!"]


def test_a_reaction_alone_is_no_silence_and_no_words() -> None:
    speech = parse("[[react:👍]]", CHANNELS)
    assert (speech.parts, speech.reaction, speech.silent) == ((), "👍", False)


def test_a_reaction_may_come_with_words() -> None:
    speech = parse("[[ React : ❤ ]] Sleep well.", CHANNELS)
    assert (speech.reaction, speech.parts) == ("❤", (Part("Sleep well."),))


def test_a_quote_is_for_the_place_the_message_came_from() -> None:
    speech = parse("[[reply_to_current]] That one.\n\n[[send_to:console]] And this there.", CHANNELS)
    assert speech.parts == (Part("That one.", quote=True), Part("And this there.", "console"))


def test_a_redirection_holds_for_its_paragraph() -> None:
    speech = parse("Here.\n\n[[send_to:Console]]\nThere,\nand still there.\n\nHere again.\n\nAnd here.", CHANNELS)
    assert speech.parts == (
        Part("Here."),
        Part("There,\nand still there.", "console"),
        Part("Here again.\n\nAnd here."),
    )


def test_a_redirection_that_stands_alone_is_meant_for_the_next_paragraph() -> None:
    assert parse("[[send_to:console]]\n\nThere.\n\nHere.", CHANNELS).parts == (Part("There.", "console"), Part("Here."))


def test_words_for_a_channel_nobody_is_on_stay_here() -> None:
    assert parse("[[send_to:pigeon]] Coo.", CHANNELS).parts == (Part("Coo."),)


def test_a_redirection_in_the_middle_of_a_paragraph_is_only_taken_out() -> None:
    assert parse("I wrote [[send_to:console]] it down.", CHANNELS).parts == (Part("I wrote it down."),)


def test_code_is_untouched() -> None:
    code = "```\n[[react:👍]]\n\n\n\nNO_REPLY <now>\n```"
    assert said(f"Look:\n\n{code}\n\n\n\nDone [[react:🎉]].") == [f"Look:\n\n{code}\n\nDone ."]


def test_an_unclosed_code_block_is_code_to_the_end() -> None:
    assert said("So:\n```\n[[send_to:console]]") == ["So:\n```\n[[send_to:console]]"]


def test_what_was_put_before_the_mind_is_not_recited() -> None:
    assert said("<now>\nIt is Monday.\n</now>\n<message>Good morning!</message>") == ["Good morning!"]


def test_comparisons_are_no_tags() -> None:
    assert said("2 < 3 and now > then") == ["2 < 3 and now > then"]


def test_directives_in_backticks_are_directives() -> None:
    speech = parse("`[[react:👍]]` Fine.", CHANNELS)
    assert (speech.reaction, speech.parts) == ("👍", (Part("Fine."),))


@pytest.mark.parametrize(
    "words",
    [
        "When there is nothing to say, I write `NO_REPLY` and nothing is sent.",
        "Then I write `NO_REPLY`.",
        "It stands for silence (`HEARTBEAT_OK`), nothing else.",
        'The word for it is "NO_REPLY".',
        '"NO_REPLY" means that I have nothing to say.',
        "`NO_REPLY` is the word for silence.",
        "NO_REPLY is the word for silence.",
        "NO_REPLY means that I am silent.",
        "The bill came from NO_REPLY@SHOP.EXAMPLE on Monday.",
        "NO_REPLY@SHOP.EXAMPLE wrote again.",
        "Set NO_REPLY_ADDRESS before you start it.",
        "A reaction is written as `[[react:👍]]`, in double brackets.",
        "For the terminal I put `[[send_to:console]]` before a paragraph.",
        "Your page [[React hooks]] links to [[Reactor 4]].",
        "Your notes on [[reactive programming]] are from May.",
        "Your words come between `<message>` and `</message>`.",
        "`<now>` holds the time.",
        "The element `<state>` is not closed in your XML.",
        "Reply to all, not to no_reply.",
        "2 < 3 and now > then; <b>bold</b> is HTML.",
    ],
)
def test_what_is_only_spoken_of_is_said(words: str) -> None:
    assert said(words) == [words]
    assert cut_to_visible(words) == words
    assert said(f"Sure.\n\n{words}\n\nNO_REPLY") == [f"Sure.\n\n{words}"]


pieces = st.lists(
    st.sampled_from(
        [
            "[[", "]]", "react", "send_to", "reply_to_current", ":", "👍", "console", "[[react:👍]]",
            "[[reply_to_current]]", "[[send_to:console]]", "NO_REPLY", "NO_", "REPLY", "HEARTBEAT_OK", "<now>", "</",
            "<", "message", ">", "\n", "\n\n", " ", "words", "\x00", "0", "1",
        ]
    ),
    max_size=25,
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.one_of(pieces.map("".join), st.text(st.characters(exclude_characters="`"), max_size=80)))
@example("[[rea[[reply_to_current]]ct:👍]]")
@example("NO_NO_REPLYREPLY")
@example("<no<now>w>")
def test_no_directive_survives(written: str) -> None:
    for text in said(written):
        assert not DIRECTIVE.search(text)
        assert text.strip()
        assert "\x00" not in text


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=60))
def test_what_is_said_is_said_the_same_when_read_again(written: str) -> None:
    for text in said(written):
        assert said(text) in ([text], [])


@pytest.mark.parametrize(
    "written",
    [
        "NO_REPLY (they sleep)",
        "[[react:👍]] Good night!",
        "Hello.\n\n[[send_to:console]] It is done.\n\n[[reply_to_current]] Yes.",
        "<message>Good morning!</message>",
        "`NO_REPLY`",
    ],
)
def test_words_that_grow_never_show_a_directive(written: str) -> None:
    whole = " ".join(said(written))
    for end in range(len(written) + 1):
        seen = cut_to_visible(written[:end])
        assert not re.search(r"[\[\]<>`_]|NO|REPLY", seen)
        assert " ".join(seen.split()) in " ".join(whole.split())
    assert cut_to_visible(written).split() == whole.split()


@pytest.mark.parametrize("written", ["Now I see", "See [the page](https://a.example)", "2 < 3", "```\nNO_REPLY <now\n"])
def test_words_that_grow_arrive_whole(written: str) -> None:
    assert cut_to_visible(written + " ") == written.strip() or cut_to_visible(written) == written


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("One thought.", ["One thought."]),
        ("One.\n\nTwo.", ["One.", "Two."]),
        ("One.\n\nTwo.\n\n\n\nThree.", ["One.", "Two.", "Three."]),
        ("A.\n\nB.\n\nA much longer one.\n\nAnd one more that is long.", None),
        ("Look:\n\n```\nx\n```", ["Look:\n\n```\nx\n```"]),
        ("Shopping:\n\n- milk\n- bread", ["Shopping:\n\n- milk\n- bread"]),
        ("First:\n\n1. this", ["First:\n\n1. this"]),
        ("1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7", ["1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7"]),
    ],
)
def test_thoughts_become_messages_and_what_belongs_together_stays(text: str, messages: list[str] | None) -> None:
    found = bubbles(text)
    assert found == (messages or ["A.\n\nB.", "A much longer one.", "And one more that is long."])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text("ab c.", min_size=1).map(str.strip).filter(bool), min_size=1, max_size=9))
def test_bubbles_lose_no_word_and_are_few(paragraphs: list[str]) -> None:
    found = bubbles("\n\n".join(paragraphs))
    assert "\n\n".join(found) == "\n\n".join(paragraphs)
    assert len(found) <= 3
