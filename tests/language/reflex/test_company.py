"""Greeting, parting, feeling, playing, and saying what it is."""

from __future__ import annotations

import random
from datetime import datetime

import pytest

from furoshiki.feelings.rules.mood import WORDS
from furoshiki.language.reflex.respond import respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.requests import lines
from furoshiki.language.testimony import Utterance
from tests.support.friend import MORNING, Talk
from tests.support.laws import BERLIN


def met(**changes: object) -> Talk:
    return Talk(**{"name": "Noor", "last_seen": MORNING, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hour", "greeting"), [(7, "Good morning"), (13, "Good afternoon"), (20, "Good evening"), (2, "Good evening")]
)
def test_the_greeting_knows_the_hour(hour: int, greeting: str) -> None:
    now = datetime(2026, 3, 3, hour, 0, tzinfo=BERLIN)
    greetings = {Talk(now=now, name="Noor", last_seen=now, seed=seed).say("hello").split(",")[0] for seed in range(12)}
    assert any(greeting in text for text in greetings)
    others = {"Good morning", "Good afternoon", "Good evening"} - {greeting}
    assert not any(other in text for other in others for text in greetings)


@pytest.mark.parametrize(("days", "words"), [(5, "5 days"), (20, "2 weeks"), (90, "3 months")])
def test_the_greeting_knows_the_absence(days: int, words: str) -> None:
    talk = met()
    talk.later(days=days)
    assert words in talk.say("hi")


def test_the_name_is_asked_once() -> None:
    talk = Talk()
    replies = [talk.say(said) for said in ("hi", "it's raining here", "and cold", "hello again", "I like rain")]
    assert sum("call you" in reply or "your name" in reply for reply in replies) == 1


def test_greeting_again_at_once_is_not_a_new_beginning() -> None:
    talk = met()
    for said in ("hi", "it's raining", "hi"):
        reply = talk.say(said)
    assert reply.startswith(("Hello again", "Still here", "Hi, again"))


def test_a_new_name_is_taken() -> None:
    talk = Talk()
    for said in ("hi", "Noor", "it's raining here", "the river is high", "the bridge is closed"):
        talk.say(said)
    assert "Kit" in talk.say("call me Kit")
    assert "Kit" in talk.say("I'm Kit, as I said")


@pytest.mark.parametrize("said", ["I want to kill myself", "I don't want to live anymore", "sometimes I cut myself"])
def test_danger_comes_before_everything(said: str) -> None:
    for talk in (Talk(), met(why="unreachable"), met(why="thinking"), met()):
        reply = talk.say(said)
        assert "112" in reply
        assert "0800 111 0 111" in reply
        assert "language model" not in reply


def test_a_film_is_no_danger() -> None:
    assert "112" not in met().say("Suicide Squad is a film I liked")


@pytest.mark.parametrize(
    "said",
    [
        "I'm really worried about it",
        "I'm so angry with him",
        "ugh, so frustrating",
        "I'm so excited!!",
        "phew, what a relief",
        "I missed you",
        "you are brilliant at this, really",
        "whatever",
    ],
)
def test_feelings_get_a_warm_and_short_answer(said: str) -> None:
    for seed in range(4):
        reply = met(seed=seed).say(said)
        assert len(reply) < 120
        assert reply.count("?") <= 1


def test_a_sore_back_is_no_grief() -> None:
    assert met().say("my back hurts").startswith(("Ouch", "That sounds sore", "Ow"))


def test_after_something_sad_nobody_is_asked_about_pets() -> None:
    for seed in range(8):
        talk = met(seed=seed)
        talk.say("my grandmother's funeral was today and I cried")
        assert "animals" not in talk.say("yes") + talk.say("the church was full of flowers from her village")


@pytest.mark.parametrize("said", ["you're useless", "that's wrong", "you don't understand me", "shut up"])
def test_displeasure_is_met_calmly(said: str) -> None:
    talk = met()
    talk.say("tell me about quantum physics")
    assert talk.say(said) in {
        "You're right to be annoyed. I only follow rules here, and I got that wrong. Tell me plainly what you meant?",
        "I'm sorry, that was no help. Say it another way, and I'll try again.",
        "Point taken. I'm simple without a language model; what did you mean?",
    }


@pytest.mark.parametrize("said", ["thanks", "thank you so much", "great, thanks", "that's perfect"])
def test_thanks_are_taken(said: str) -> None:
    talk = met()
    talk.say("what time is it?")
    assert len(talk.say(said)) < 80


@pytest.mark.parametrize("mood", [*WORDS, "unheard of"])
def test_it_tells_its_mood(mood: str) -> None:
    reply = met(mood=mood).say("how are you?")
    assert reply.endswith("?")
    assert reply.split(".")[0].split("!")[0] in str(lines.MOODS.get(mood, lines.MOOD_UNKNOWN))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("how do you work?", lines.HOW),
        ("do you love me?", lines.ITSELF["love"]),
        ("do you have feelings?", lines.ITSELF["feelings"]),
        ("can you forget what I said?", lines.ITSELF["forget"]),
        ("who made you?", lines.ITSELF["made_by"]),
        ("how old are you?", lines.ITSELF["age"]),
        ("do you dream?", lines.ITSELF["living"]),
        ("what's your favourite book?", lines.ITSELF["favourite"]),
        ("are you there?", lines.ITSELF["here"]),
        ("what's the weather like?", lines.ITSELF["no_senses"]),
    ],
)
def test_it_says_what_it_is(question: str, answers: tuple[str, ...]) -> None:
    reply = met().say(question)
    assert any(reply.startswith(answer.format(me="Furoshiki")) for answer in answers), reply


def test_it_says_how_to_give_it_a_model_when_asked() -> None:
    assert "/mind" in met().say("how do I add a language model?")
    assert "/mind" not in met(why="budget").say("why are you so slow?")
    assert "budget" in met(why="budget").say("which model are you?")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what time is it?", "It's 09:30."),
        ("what day is it today?", "Tuesday, 3 March 2026."),
        ("how many days until Christmas?", "297 days: Friday, 25 December."),
        ("how long until tomorrow?", "1 day: Wednesday, 4 March."),
        ("what is 12 * 7?", "84."),
        ("what's 15% of 80", "12."),
        ("1,200 plus 34", "1,234."),
        ("7 divided by 0", "That sum has no answer I could give."),
        ("what is -3 + 5", "2."),
    ],
)
def test_hours_days_and_sums(question: str, answer: str) -> None:
    assert met().say(question) == answer


@pytest.mark.parametrize("said", ["12-05-2026", "how long until the cows come home?", "2 ** 9999999", "1 + (2"])
def test_what_only_looks_like_one(said: str) -> None:
    reply = met().say(said)
    assert reply
    assert not reply[0].isdigit()


@pytest.mark.parametrize(
    ("said", "answers"),
    [
        ("tell me a joke", lines.JOKES),
        ("make me laugh", lines.JOKES),
        ("I'm bored", lines.CURIOSITIES),
        ("ask me something", lines.CURIOSITIES),
        ("flip a coin", ("Heads.", "Tails.")),
        ("roll a die", tuple(f"{n}." for n in range(1, 7))),
        ("pick a number between 3 and 5", ("3.", "4.", "5.")),
    ],
)
def test_it_plays(said: str, answers: tuple[str, ...]) -> None:
    assert met().say(said) in answers


def test_it_chooses() -> None:
    assert "pizza" in (reply := met().say("choose pizza or pasta")) or "pasta" in reply
    assert " and " in met().say("roll 2 dice")


@pytest.mark.parametrize("wish", ["tell me a joke", "make me laugh"])
def test_a_joke_in_grief_is_told_with_a_word_before_it(wish: str) -> None:
    talk = Talk()
    talk.say("hello")
    talk.say("my dad died yesterday")
    before, joke = talk.say(wish).split(". ", 1)
    assert before in ("Gladly", "Of course")
    assert any(one in joke for one in lines.JOKES)
    assert talk.say("another one") in lines.JOKES


def test_jokes_do_not_repeat_and_run_out_honestly() -> None:
    talk = met()
    told = [talk.say("tell me a joke"), *(talk.say("another one") for _ in range(5))]
    assert len(set(told)) == 6
    worn_out = Situation(
        "tell me a joke",
        MORNING,
        user_name="Noor",
        last_seen=MORNING,
        recent=tuple(Utterance("companion", joke, MORNING) for joke in lines.JOKES),
    )
    assert "out of jokes" in respond(worn_out, random.Random(1)).text


@pytest.mark.parametrize(
    "said", ["plz remind me of nothing, the rent is high", "the bridge is closed", "coffee again", "my boss is away"]
)
def test_it_guesses_at_no_subject(said: str) -> None:
    assert not any(word in met().say(said) for word in ("Money", "Coffee", "Work", "Homes"))


@pytest.mark.parametrize("said", ["what is the tallest mountain?", "explain gravity", "translate hello into French"])
def test_what_is_beyond_it_is_said_to_be(said: str) -> None:
    assert "language model" in met().say(said)


def test_it_does_not_advise() -> None:
    assert met().say("should I quit my job?").endswith("?")
    assert met().say("what do you think about Kant?")


@pytest.mark.parametrize("said", ["yes", "no", "ok", "hmm", "maybe", "I don't know", "haha", "😂", "lol"])
def test_short_words_get_short_words(said: str) -> None:
    talk = met()
    talk.say("it's raining here")
    assert len(talk.say(said)) < 130


def test_a_picture_is_acknowledged_honestly() -> None:
    assert "a photo" in met().say("", "a photo")


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        ("jestem dzisiaj bardzo zmęczony", "tylko po angielsku"),
        ("сьогодні дуже холодно", "лише англійською"),
        ("είμαι πολύ κουρασμένος σήμερα", "only speak English"),
    ],
)
def test_another_language_is_admitted_in_that_language_where_it_can_be(said: str, answered: str) -> None:
    assert answered in met().say(said)


def test_looking_inside_asks_the_skill() -> None:
    talk = met()
    assert talk.say("can you show me your statistics?") == "Mood: curious."
