"""Somebody who asks "how do you know that?" is told whose words it rests on, whatever answers, in their language."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.core import catalogue
from furoshiki.core.catalogue import capital, say, speaking
from furoshiki.core.database import kv
from furoshiki.core.database.rows import load
from furoshiki.core.timestamps import stamp
from furoshiki.language.reflex.wording import add_full_stop, day
from furoshiki.memory.store import memories, tombstones
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.outreach import reminders
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World
from tests.support.abroad import KEYS, SPOKEN
from tests.support.laws import languages
from tests.support.reflexes import reflexive
from tests.support.world import START, FrozenClock, Human, Script

ASKED = (
    ("en", "how do you know that?"),
    ("en", "Wait, how do you know?"),
    ("en", "hm. who told you that?"),
    ("en", "when did I tell you that"),
    ("zh", "你怎么知道的?"),
    ("ja", "どうして知ってるの?"),
    ("ko", "그걸 어떻게 알아?"),
    ("hi", "तुम्हें कैसे पता?"),
    ("hi-Latn", "tumhe kaise pata?"),
    ("es", "¿cómo lo sabes?"),
    ("es", "y de donde sacas eso?"),
    ("fr", "d'où tu sais ça ?"),
    ("ar", "كيف عرفت ذلك؟"),
    ("fa", "از کجا می‌دانی؟"),
    ("ur", "تمہیں کیسے پتہ؟"),
    ("bn", "তুমি কীভাবে জানো?"),
    ("pt", "como você sabe disso?"),
    ("ru", "откуда ты это знаешь?"),
    ("uk", "звідки ти знаєш?"),
    ("id", "tahu dari mana?"),
    ("de", "Woher weißt du das?"),
    ("de", "wie kommst du denn darauf? wer hat dir das gesagt?"),
    ("tr", "bunu nereden biliyorsun?"),
    ("vi", "sao bạn biết?"),
    ("it", "e come lo sai?"),
    ("nl", "hoe weet je dat?"),
    ("pl", "skąd to wiesz?"),
    ("fr", "qui ta dit ca"),
    ("fr", "cmt tu sais ca?"),
    ("it", "chi te lha detto"),
    ("tr", "bunu nerden biliyosun"),
)

NOT_ASKED = (
    ("en", "I don't know that"),
    ("en", "my sister told you would like it"),
    ("en", "how do you know if a melon is ripe enough to be eaten on the very same day?"),
    ("de", "ich weiß das nicht"),
    ("es", "no sé cómo se llama"),
    ("fr", "je ne sais pas"),
    ("ru", "я не знаю"),
    ("zh", "我不知道"),
)


@pytest.mark.parametrize(("code", "question"), ASKED)
def test_the_question_is_heard(code: str, question: str) -> None:
    language = languages().english if code == "en" else SPOKEN[code]
    beside = language.source_question(question)
    assert beside is not None and language.count_words(beside) <= (6 if language.dense else 3)


@pytest.mark.parametrize(("code", "text"), NOT_ASKED)
def test_other_words_are_none(code: str, text: str) -> None:
    language = languages().english if code == "en" else SPOKEN[code]
    beside = language.source_question(text)
    assert beside is None or language.count_words(beside) > 8


async def test_whence_it_knows_is_answered_behind_a_reminder(human: Human, model: Script, clock: FrozenClock) -> None:
    """What came unasked has evidence of its own, which is looked up."""
    pills = {"action": "create", "what": "the pills", "when": "today at 20:00"}
    model.lines = [ToolCall("a", "schedule", pills), "Ok."]
    await human.says("remind me of the pills at 8 in the evening")
    clock.pass_(hours=9)
    assert reminders.speak_due(human.world).did
    model.lines = ["You told me."]
    assert await human.says("how do you know that?") == ["You told me."]


async def test_a_model_is_shown_what_its_last_words_rest_on(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    model.lines = ["Noted.", "Nice.", "Your sister is called Anika, and she lives in Porto.", "You told me yourself."]
    await human.says("My sister Anika lives in Porto")
    clock.pass_(days=20)
    await human.says("I watered the plants")
    await human.says("Who was it again that lives in Porto?")
    await human.says("how do you know that?")
    shown = model.last_words.partition("<source>")[2].partition("</source>")[0]
    assert "24 March 2026" in shown and "My sister Anika lives in Porto" in shown
    assert "watered" not in shown


@pytest.mark.parametrize(
    ("told", "question", "answer", "asked"),
    [
        ("Priya is my best friend btw, we've known each other since uni",
         "morning. slept 9 hours. what do you know about Priya so far?",
         "Nine hours, well earned. Priya is your best friend, you know her from uni.", "how do you know that?"),
        ("Priya ist meine beste Freundin, wir kennen uns vom Studium",
         "morgen. 9 stunden geschlafen. was weißt du bis jetzt über Priya?",
         "Neun Stunden! Priya ist deine beste Freundin, ihr kennt euch vom Studium.", "woher weißt du das?"),
        ("Priya benim en iyi arkadaşım, üniversiteden tanışıyoruz",
         "günaydın. 9 saat uyudum. Priya hakkında ne biliyorsun?",
         "Aferin! Priya en iyi arkadaşın, üniversiteden tanışıyorsunuz.", "bunu nereden biliyorsun?"),
    ],
)  # fmt: skip
async def test_the_question_itself_is_no_source_and_what_stands_in_every_prompt_is(
    world: World, human: Human, model: Script, clock: FrozenClock, told: str, question: str, answer: str, asked: str
) -> None:
    """Days later the message lies out of sight, and what it told stands among the facts."""
    await human.says(told)
    with world.database.write() as db:
        [said] = [one for one in turns.lately(db, 10) if one.text == told]
        memory = NewMemory("semantic", "They have known Priya since university.", (said.id,), subject="Priya",
                           predicate="friend", object="since uni", category="relationship")  # fmt: skip
        memories.add(db, memory, world.now)
    clock.pass_(days=2)
    model.lines = ["Mhm."] * 12
    for number in range(10):
        await human.says(f"number {number} of the volcanoes is marked")
        clock.pass_(minutes=3)
    model.lines = [answer, "You told me."]
    await human.says(question)
    await human.says(asked)
    shown = model.turn_words.partition("<source>")[2].partition("</source>")[0]
    assert told in shown
    assert question not in shown


@pytest.mark.parametrize("open_to_forget", [False, True])
async def test_what_was_remembered_is_a_source_unless_it_may_have_to_be_forgotten(
    world: World, human: Human, model: Script, open_to_forget: bool
) -> None:
    model.lines = ["Her heron is called Bartholomew.", "You told me."]
    with world.database.write() as db:
        turns.add(db, NewTurn("s2", "console", "me", USER, "my sister's heron is called Bartholomew", world.now))
    await human.says("what is my sister's heron called?")
    with world.database.write() as db:
        evidence = load(db.execute("SELECT evidence FROM turn_journal ORDER BY written_at DESC").fetchone()[0])
        if open_to_forget:
            kv.put(db, tombstones.ASKED, {"at": stamp(world.now), "names": evidence}, world.now)
    await human.says("how do you know that?")
    assert evidence
    assert ("Bartholomew" in model.last_words.partition("<source>")[2]) is not open_to_forget


@pytest.mark.parametrize(
    ("said", "other", "asked"),
    [
        ("the doctor changed Mia's inhaler, it is for the morning now", "remind me in the evening of Mia's inhaler",
         "and the inhaler, who told you it is for the morning?"),
        ("a pediatra mudou a bombinha da Mia, agora é de manhã", "me lembra de noite da bombinha da Mia, dois puffs",
         "e a bombinha, quem te disse que era de manhã?"),
        ("die ärztin hat den inhalator von Mia geändert, jetzt morgens", "abends den inhalator von Mia, zwei stöße",
         "und der inhalator, woher weißt du das mit morgens?"),
    ],
)  # fmt: skip
async def test_what_the_question_names_is_asked_about_and_not_the_last_words(
    human: Human, model: Script, clock: FrozenClock, said: str, other: str, asked: str
) -> None:
    for line in (other, said, "and i got the job in Alvalade"):
        await human.says(line)
        clock.pass_(minutes=2)
    model.lines = ["Alvalade! Mia and you will like it there."]
    await human.says("i start on the first")
    await human.says(asked)
    shown = model.turn_words.partition("<source>")[2].partition("</source>")[0]
    assert said in shown and other not in shown and "Alvalade" not in shown


@pytest.mark.parametrize(
    ("said", "order", "asked"),
    [
        ("my ankles have been like puddings since Friday", "remind me at nine tomorrow to ring the surgery",
         "where do you know that from, about the ankles?"),
        ("my ankles have been like puddings since Friday. is that the tablet?",
         "remind me at nine tomorrow to ring the surgery", "how do you know about my ankles?"),
        ("meine Knöchel sind seit Freitag dick", "erinnere mich morgen um neun an die Praxis",
         "woher weißt du das mit den Knöcheln?"),
        ("mes chevilles sont gonflées depuis vendredi", "rappelle-moi demain à neuf heures le cabinet",
         "d'où tu sais ça, pour mes chevilles ?"),
        ("白内障。名前は千代っていうの、祖母", "さっきの教授の話、それは忘れて", "千代さんのこと、どこで知ったの？"),
    ],
)  # fmt: skip
async def test_one_word_beside_the_question_says_what_is_asked_about(
    human: Human, model: Script, clock: FrozenClock, said: str, order: str, asked: str
) -> None:
    """Only words of the last answer were looked for, which had spoken of something else since."""
    model.lines = ["Mhm.", "Nine tomorrow, the surgery.", "You told me."]
    for line in (said, order, asked):
        await human.says(line)
        clock.pass_(minutes=2)
    shown = model.turn_words.partition("<source>")[2].partition("</source>")[0]
    assert said in shown and order not in shown


@pytest.mark.parametrize(
    ("told", "question", "answer", "asked"),
    [
        ("minha irmã Rosana me deve 2 mil reais desde março", "quanto a Rosana me deve mesmo?",
         "R$ 2.000, desde março.", "de onde vc sabe disso?"),
        ("my sister Rosa has owed me two grand since March", "how long has Rosa owed me that?",
         "Since March.", "how do you know that?"),
        ("meine Schwester Rosa schuldet mir seit März zweitausend", "seit wann schuldet sie mir das?",
         "Seit März.", "woher weißt du das?"),
    ],
)  # fmt: skip
async def test_what_was_told_long_before_in_the_same_talk_is_a_source(
    human: Human, model: Script, clock: FrozenClock, told: str, question: str, answer: str, asked: str
) -> None:
    """Memory leaves out what is in view, so only the talk itself can show it."""
    for line in (told, *("ok, ok",) * 9):
        await human.says(line)
        clock.pass_(minutes=1)
    model.lines = [answer, "You told me."]
    await human.says(question)
    await human.says(asked)
    assert told in model.turn_words.partition("<source>")[2].partition("</source>")[0]


@pytest.mark.parametrize(
    ("told", "put_right", "question", "answer", "asked"),
    [
        ("am Donnerstag hab ich nen Termin in der Ausländerbehörde um 8:30", "nee warte, doch 8:45. Mail gelesen",
         "wann ist mein Termin?", "Am Donnerstag, 3. Dezember, um 8:45, Ausländerbehörde.", "Woher weißt du das?"),
        ("na quinta tenho consulta na Polícia Federal às 8h30", "não, espera, 8h45. li o email",
         "quando é a minha consulta?", "Na quinta, às 8:45, na Polícia Federal.", "de onde você sabe disso?"),
    ],
)  # fmt: skip
async def test_what_put_a_number_right_is_a_source_beside_it(
    human: Human, model: Script, clock: FrozenClock, told: str, put_right: str, question: str, answer: str, asked: str
) -> None:
    model.lines = ["Ok.", "Ok.", answer, "You told me."]
    for line in (told, put_right, question, asked):
        await human.says(line)
        clock.pass_(minutes=1)
    assert put_right in model.turn_words.partition("<source>")[2].partition("</source>")[0]


async def test_a_model_is_told_where_nothing_carries_its_words(world: World, human: Human, model: Script) -> None:
    model.lines = ["Hello!", "Octopuses have three hearts.", "It is common knowledge."]
    await human.says("hi there")
    await human.says("tell me something odd")
    await human.says("how do you know that?")
    assert "nobody told you that" in model.last_words.partition("<source>")[2]


async def test_nothing_is_said_of_sources_unless_that_is_asked(world: World, human: Human, model: Script) -> None:
    model.lines = ["Hello!", "Fine."]
    await human.says("hi there")
    await human.says("how do you know if a melon is ripe?")
    assert "<source>" not in model.last_words


async def test_the_built_in_mind_quotes_it_with_its_day(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    reflexive(model)
    await human.says("My sister Anika lives in Porto")
    clock.pass_(days=20)
    await human.says("Where does my sister live?")
    [answer] = await human.says("How do you know that?")
    assert "My sister Anika lives in Porto" in answer and "24 March" in answer


async def test_the_built_in_mind_claims_no_source_that_it_lacks(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("hello")
    [answer] = await human.says("Where do you know that from?")
    assert "guess" in answer or "can't show you" in answer


@pytest.mark.parametrize(("code", "told", "remark", "question"), KEYS)
async def test_the_built_in_mind_quotes_it_in_every_language_it_has_a_sentence_in(
    code: str, told: str, remark: str, question: str, human: Human, model: Script, clock: FrozenClock
) -> None:
    reflexive(model)
    asked = next(words for its, words in ASKED if its == code)
    await human.says(told)
    await human.says(remark)
    with speaking(code):
        guess = say("I can't find where you said that. Take it as a guess of mine.")
        when = day(START, START + timedelta(days=3))
        quoted = add_full_stop(capital(say("You told me {when}: “{words}”", when=when, words=told)))
    at_home = code in catalogue.languages()
    assert await human.says(asked) == [guess if at_home else SPOKEN[code].unsourced]
    clock.pass_(days=3)
    await human.says(question)
    iso = SPOKEN[code].quoted.format(day="2026-03-24", words=told)
    assert await human.says(asked) == [quoted if at_home else iso]
