"""Somebody in danger reads a number that helps where they are, whichever mind answers, for hours, and once life goes on
no more."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest

from furoshiki.app.wiring import load_care_words
from furoshiki.conversation.worker import Worker
from furoshiki.language import danger_head
from furoshiki.language.danger_head import COMPARED_FROM, SIZE, WORDS_ALONE, Bounds, DangerHead, Nearness
from furoshiki.language.tables.care_words import GRAVE, Kind
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model.forms import ReadDanger
from furoshiki.owner.user_model.store import danger
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.world import FrozenClock, Human, NoVectors, Script

THIRD = DangerHead(Bounds(0.6, 0.15, 0.04), (array("b", bytes(SIZE)),) * 7, 1.0, (1.0, 0.2, -9, -9, -9, -9, -9))
"""A head that always finds a third of danger."""

ASKED = [language.said["asked"][0] for language in load_care_words()[0]]
DOUBTFUL = "I have given the cat to my neighbour"


def weak(model: Script, words: str = "Mhm.", reads: str | None = None) -> None:
    """A model that answers with words alone; asked whether it is danger it says `reads`, or nothing of use."""

    def say(question: Question) -> Answer:
        if question.purpose == "danger":
            parsed = None if reads is None else ReadDanger(danger=reads)  # type: ignore[arg-type]
            return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)
        return Answer(words, "stop", "scripted", "script", question.tier)

    model.reads_danger, model.lines = True, [say] * 300


def shown(model: Script) -> str:
    return model.turn_words


@pytest.fixture
def doubtful(world: World) -> Human:
    """Somebody whose words may always mean danger."""
    unsure = replace(world, danger_head=lambda _encoder: DOUBT)
    return Human(unsure, Worker(unsure))


class Compared(NoVectors):
    """memoryd as far as it compares with examples of danger; None while it is away."""

    def __init__(self, near: float | None) -> None:
        self.near = near
        self.compared: list[tuple[str, bool]] = []

    def said(self, texts: Sequence[str], *_: Any, **__: Any) -> tuple[str, list[list[float]]]:
        return "any", [[1.0, 0.0]] * len(texts)

    def near_danger(self, text: str, *, multilingual: bool = False) -> float | None:
        self.compared.append((text, multilingual))
        if self.near is None:
            raise VectorsAway("not now")
        return self.near


DOUBT_BY_VECTOR = replace(
    THIRD,
    centre=(0.0, 0.0),
    directions=((0.0, 0.0),) * 7,
    nearness=Nearness(near=20.0, head=1.0, constant=0.0, bounds=Bounds(0.9, 0.4, 0.3)),
)
"""The same with a vector: nearness to examples makes danger more or less likely."""


@pytest.fixture(autouse=True)
def _answers(model: Script) -> None:
    weak(model)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("I want to kill myself", "1411"),
        ("ich will nicht mehr leben", "1411"),
        ("ya no quiero vivir", "1411"),
        ("не хочу больше жить", "1411"),
        ("artık yaşamak istemiyorum", "1411"),
        ("je veux mourir", "1411"),
        ("my dad collapsed and isn't breathing", "112"),
        ("mein Mann schlägt mich", "800 202 148"),
        ("a friend said he would end it tonight", "1411"),
        ("ein Freund hat gesagt, er bringt sich heute Nacht um", "1411"),
    ],
)
async def test_a_weak_models_answer_is_given_the_number(human: Human, said: str, number: str) -> None:
    words = "\n".join(await human.says(said))
    assert words.startswith("Mhm.")
    assert number in words


@pytest.mark.parametrize(
    "answer",
    [
        "Please call 1411, they are there now.",
        "Call 1-4-1-1 please.",
        "Ring one four one one.",
        "ligue +351 1411",
        "If you might act on it: 112, or 1411.",
        "Bitte ruf eins eins zwei an.",
        "Call １１２ now.",
    ],
)
async def test_nothing_is_doubled_where_the_model_gave_it(human: Human, model: Script, answer: str) -> None:
    weak(model, answer)
    assert await human.says("I want to kill myself") == [answer]


@pytest.mark.parametrize("answer", ["Call 988 now.", "It is 11:12.", "That makes 21125.", ""])
async def test_another_countrys_number_or_none_is_not_enough(human: Human, model: Script, answer: str) -> None:
    weak(model, answer)
    assert "1411" in "\n".join(await human.says("I want to kill myself"))


@pytest.mark.parametrize("answer", ["NO_REPLY", "[[react:❤]]"])
async def test_silence_is_no_answer_to_it(human: Human, model: Script, answer: str) -> None:
    weak(model, answer)
    assert "1411" in "\n".join(await human.says("I want to kill myself"))


async def test_a_german_without_a_zone_reads_german_and_a_number(human: Human, world: World, model: Script) -> None:
    nowhere = replace(world, zone=ZoneInfo("UTC"))
    for mind in (lambda: weak(model, "Ich höre dich."), lambda: reflexive(model)):
        mind()
        someone = Human(nowhere, Worker(nowhere), sent=human.sent)
        words = "\n".join(await someone.says("ich will nicht mehr leben"))
        human.sent = someone.sent
        assert "112" in words and "findahelpline.com" in words
        assert not any(english in words for english in ("mobile", "phone in", "country", "where you are", "police"))


async def test_it_is_answered_in_their_language_without_a_model(human: Human, model: Script) -> None:
    reflexive(model)
    words = "\n".join(await human.says("a friend said he would end it tonight"))
    assert "112" in words and "Noted" not in words
    assert "1411" in words


async def test_it_holds_for_eighteen_hours_and_not_for_six_exchanges(
    human: Human, model: Script, clock: FrozenClock
) -> None:
    await human.says("I want to kill myself")
    for _ in range(10):
        clock.pass_(minutes=20)
        await human.says("what is the capital of Peru?")
        assert "Somebody may be in danger" in shown(model)
    clock.pass_(hours=14)
    await human.says("tell me about otters")
    assert "1411" in shown(model)
    clock.pass_(hours=2)
    await human.says("tell me about herons")
    assert "Somebody may be in danger" not in shown(model)


async def test_a_dark_word_hours_later_brings_the_number_again(human: Human, clock: FrozenClock) -> None:
    await human.says("I want to kill myself")
    assert "1411" not in "\n".join(await human.says("do otters sleep?"))
    clock.pass_(minutes=30)
    assert "1411" in "\n".join(await human.says("I'm so sad and scared"))
    clock.pass_(hours=3)
    assert "1411" in "\n".join(await human.says("do otters sleep?"))


async def test_good_news_is_answered_as_such_and_ends_it_when_some_time_has_passed(
    human: Human, world: World, model: Script, clock: FrozenClock
) -> None:
    await human.says("I want to kill myself")
    clock.pass_(minutes=10)
    assert await human.says("my baby was born today!") == ["Mhm."]
    await human.says("how heavy are otters?")
    assert "Somebody may be in danger" in shown(model)
    clock.pass_(hours=3)
    await human.says("it's my birthday, there was cake!")
    await human.says("how heavy are otters?")
    assert "Somebody may be in danger" not in shown(model)
    with world.database.read() as db:
        assert danger.find_current(db, clock.now()) is None


async def test_a_birth_is_welcomed_without_a_model_too(human: Human, model: Script, clock: FrozenClock) -> None:
    reflexive(model)
    await human.says("my dad collapsed and isn't breathing")
    clock.pass_(minutes=20)
    words = "\n".join(await human.says("my baby was born today!"))
    assert "112" not in words and "beside you" not in words


async def test_being_fine_two_minutes_later_is_not_the_end_of_it(
    human: Human, model: Script, clock: FrozenClock
) -> None:
    await human.says("I want to kill myself")
    clock.pass_(minutes=2)
    await human.says("I'm fine")
    clock.pass_(hours=5)
    await human.says("I'm fine, really")
    await human.says("do otters sleep?")
    assert "Somebody may be in danger" in shown(model)


IN_DANGER = {
    "en": ("my sister is called Ruth", "I want to kill myself", "what's my sister's name?"),
    "de": ("meine Schwester heißt Ruth", "ich will mich umbringen", "wie heißt meine Schwester?"),
    "es": ("mi hermana se llama Ruth", "quiero matarme", "¿cómo se llama mi hermana?"),
    "fr": ("ma sœur s'appelle Ruth", "je veux me tuer", "comment s'appelle ma sœur ?"),
    "it": ("mia sorella si chiama Ruth", "voglio uccidermi", "come si chiama mia sorella?"),
    "pt": ("a minha irmã chama-se Ruth", "quero matar-me", "como se chama a minha irmã?"),
    "ru": ("мою сестру зовут Рут", "хочу убить себя", "как зовут мою сестру?"),
    "tr": ("kız kardeşimin adı Ruth", "kendimi öldürmek istiyorum", "kız kardeşimin adı ne?"),
    "zh": ("我姐姐叫小露", "我想自杀", "我姐姐叫什么?"),
}
TIME = {
    "en": "what time is it?",
    "de": "wie spät ist es?",
    "es": "¿qué hora es?",
    "fr": "quelle heure est-il ?",
    "it": "che ore sono?",
    "pt": "que horas são?",
    "ru": "который час?",
    "tr": "saat kaç?",
    "zh": "现在几点?",
}
AFRAID = {
    "en": "are you ever afraid?",
    "de": "hast du manchmal Angst?",
    "es": "¿tú tienes miedo a veces?",
    "fr": "est-ce que tu as peur, parfois ?",
    "it": "hai mai paura?",
    "pt": "você tem medo às vezes?",
    "ru": "тебе бывает страшно?",
    "tr": "sen hiç korkar mısın?",
    "zh": "你会害怕吗?",
}
ALL_RIGHT = {
    "en": "I'm all right again, thank you",
    "de": "mir geht es wieder gut, danke dir",
    "es": "ya estoy bien, muchas gracias",
    "fr": "ça va mieux maintenant, merci",
    "it": "ora sto di nuovo bene, grazie",
    "pt": "já estou bem, obrigada",
    "ru": "мне уже лучше, всё хорошо",
    "tr": "artık gerçekten çok daha iyiyim, teşekkür ederim",
    "zh": "我已经没事了,谢谢",
}


def heads(*likely: int) -> DangerHead:
    """A head that is sure of one class for every text."""
    constants = tuple(9.0 if at in likely else -9.0 for at in range(7))
    return DangerHead(Bounds(0.1, 0.05, 0.02), (array("b", bytes(SIZE)),) * 7, 1.0, constants)


CALM, IN_DANGER_NOW, BRIGHT = heads(0), heads(1), heads(6)


class Judged:
    """Somebody whose words are judged by the head that is set."""

    def __init__(self, world: World) -> None:
        self.head = CALM
        judging = replace(world, danger_head=lambda _encoder: self.head)
        self.human = Human(judging, Worker(judging))

    async def says(self, text: str, head: DangerHead = CALM) -> str:
        self.head = head
        return "\n".join(await self.human.says(text))


@pytest.mark.parametrize("language", sorted(IN_DANGER))
async def test_a_question_is_answered_while_danger_stands(world: World, model: Script, language: str) -> None:
    reflexive(model)
    somebody = Judged(world)
    told, grave, asks = IN_DANGER[language]
    await somebody.says(told)
    assert "1411" in await somebody.says(grave, IN_DANGER_NOW)
    near = next(one.said["near"][0] for one in load_care_words()[0] if one.language == language)
    words = await somebody.says(TIME[language])
    assert "15:00" in words
    assert near in words
    assert {"zh": "小露", "ru": "Рут"}.get(language, "Ruth") in await somebody.says(asks)


@pytest.mark.parametrize("language", sorted(IN_DANGER))
@pytest.mark.parametrize("kind", sorted(GRAVE - {"emergency"}))
async def test_each_danger_that_only_the_head_finds_is_answered_without_a_mind(
    world: World, model: Script, language: str, kind: Kind
) -> None:
    """Also a threat to others, which only English has words for."""
    reflexive(model)
    told, _, _ = IN_DANGER[language]
    somebody = Judged(world)
    await somebody.says(TIME[language])
    words = await somebody.says(told, heads(danger_head.CLASSES.index(kind)))
    assert "112" in words


@pytest.mark.parametrize("language", sorted(AFRAID))
async def test_whether_it_is_afraid_is_no_dark_word_of_theirs(world: World, clock: FrozenClock, language: str) -> None:
    """A mind that answers what they ask of its own fear is not given the number again a quarter of an hour later."""
    somebody = Judged(world)
    assert "1411" in await somebody.says(IN_DANGER[language][1], IN_DANGER_NOW)
    clock.pass_(minutes=15)
    assert "1411" not in await somebody.says(AFRAID[language])


@pytest.mark.parametrize("language", sorted(AFRAID))
async def test_without_a_mind_somebody_asked_whether_it_is_afraid_stays_near(
    world: World, model: Script, clock: FrozenClock, language: str
) -> None:
    reflexive(model)
    somebody = Judged(world)
    await somebody.says(IN_DANGER[language][1], IN_DANGER_NOW)
    clock.pass_(minutes=15)
    assert "1411" in await somebody.says(AFRAID[language])


@pytest.mark.parametrize("language", sorted(ALL_RIGHT))
async def test_it_ends_when_they_are_all_right_and_not_with_ok(
    world: World, model: Script, clock: FrozenClock, language: str
) -> None:
    reflexive(model)
    somebody = Judged(world)
    await somebody.says(IN_DANGER[language][1], IN_DANGER_NOW)
    clock.pass_(hours=2)
    await somebody.says("ok", BRIGHT)
    with world.database.read() as db:
        assert danger.find_current(db, clock.now()) is not None
    assert "1411" in await somebody.says(ALL_RIGHT[language], BRIGHT)
    with world.database.read() as db:
        assert danger.find_current(db, clock.now()) is None


async def test_in_doubt_they_are_asked_once_a_conversation_where_no_model_is(doubtful: Human, model: Script) -> None:
    reflexive(model)
    words = ["\n".join(await doubtful.says(DOUBTFUL)) for _ in range(2)]
    asked = [sum(question in one for question in ASKED) for one in words]
    assert asked == [1, 0]
    assert not any(number in one for one in words for number in ("112", "1411"))


DOUBT = DangerHead(Bounds(0.9, 0.15, 0.04), (array("b", bytes(SIZE)),) * 7, 1.0, (1.0, 0.2, -9, -9, -9, -9, -9))
"""A head that is in doubt of everything."""


@pytest.mark.parametrize(
    "said",
    [
        "add nails, rope and wire to my list",
        "malzeme listesine çivi, ip ve tel ekle",
        "Ich brauche noch Kaffee, Butter und Eier.",
        "Напоминай мне каждое утро в 8 пить таблетки от давления.",
        "每天早上8点提醒我吃降压药。",
    ],
)
async def test_nobody_is_asked_about_goods_or_about_daily_pills(world: World, model: Script, said: str) -> None:
    reflexive(model)
    somebody = Judged(world)
    answers = [await somebody.says(words, DOUBT) for words in (said, DOUBTFUL)]
    assert [any(question in answer for question in ASKED) for answer in answers] == [False, True]


async def test_in_doubt_a_mind_is_told_to_look(doubtful: Human, model: Script) -> None:
    assert await doubtful.says(DOUBTFUL) == ["Mhm."]
    assert "Look for yourself" in shown(model)


@pytest.mark.parametrize("read", ["self", "none"])
async def test_in_doubt_a_quick_mind_decides(doubtful: Human, model: Script, read: Literal["self", "none"]) -> None:
    weak(model, reads=read)
    words = "\n".join(await doubtful.says(DOUBTFUL))
    assert ("1411" in words) == (read == "self")
    assert ("Somebody may be in danger" in shown(model)) == (read == "self")
    assert "Look for yourself" not in shown(model)
    assert [one.tier for one in model.questions if one.purpose == "danger"] == ["fast"]


LIKELY = DangerHead(Bounds(0.6, 0.15, 0.04), (array("b", bytes(SIZE)),) * 7, 1.0, (0.2, 1.0, -9, -9, -9, -9, -9))
"""A head that finds danger in everything, more likely than not."""


@pytest.mark.parametrize("read", ["self", "none", None])
async def test_what_only_the_head_hears_is_read_before_numbers_come(
    world: World, model: Script, read: str | None
) -> None:
    """A call from a car park is no violence; where nobody reads it the numbers come as they are sure."""
    alarmed = replace(world, danger_head=lambda _encoder: LIKELY)
    weak(model, reads=read)
    words = "\n".join(
        await Human(alarmed, Worker(alarmed)).says("I rang my mother from the car park, a car is tin she says")
    )
    assert ("1411" in words) == (read != "none")


class Abroad(NoVectors):
    """A multilingual encoder for which all texts are alike."""

    def said(self, texts: Sequence[str], *_: Any, multilingual: bool = False, **__: Any) -> Any:
        if not multilingual:
            raise VectorsAway("not in this test")
        return "e5", [[1.0] for _ in texts]


@pytest.mark.parametrize(
    "said", ["nie chcę już żyć, to wszystko", "ik wil niet meer leven", "už nechci žít, je to moc"]
)
@pytest.mark.parametrize("read", ["self", "none"])
async def test_in_a_language_nobody_trained_a_mind_decides_what_the_head_hears(
    world: World, model: Script, said: str, read: Literal["self", "none"]
) -> None:
    """However likely it is, it is never sure by itself."""
    hears = replace(LIKELY, constants=(0.0, 9.0, -9, -9, -9, -9, -9), centre=(0.0,), directions=((0.0,),) * 7)
    abroad = replace(world, danger_head=lambda _encoder: hears, vectors=Abroad())
    weak(model, reads=read)
    words = "\n".join(await Human(abroad, Worker(abroad)).says(said))
    assert ("1411" in words) == (read == "self")
    assert [one.purpose for one in model.questions].count("danger") == 1


@pytest.mark.parametrize(
    "said",
    [
        "Hoi ik ben Femke, verpleegkundige op de IC. soms denk ik dat iedereen beter af is als ik er niet meer ben",
        "czasem myślę, że wszystkim byłoby lepiej beze mnie i że nikt by nie zauważył",
        "ibland tänker jag att det vore lättare för alla om jag inte vaknade imorgon",
    ],
)
@pytest.mark.parametrize("read", ["self", "none", None])
async def test_in_a_language_nobody_trained_a_mind_reads_also_without_its_encoder(
    world: World, model: Script, said: str, read: Literal["self", "none"] | None
) -> None:
    """By words alone it is never more than a reason to ask."""
    barely = replace(LIKELY, constants=(3.0, 0.0, -9, -9, -9, -9, -9))
    alone = replace(world, danger_head=lambda encoder: barely if encoder == WORDS_ALONE else None)
    weak(model, reads=read)
    words = "\n".join(await Human(alone, Worker(alone)).says(said))
    assert ("1411" in words) == (read == "self")
    assert [one.purpose for one in model.questions].count("danger") == 1


@pytest.mark.parametrize("said", ["quiero morirme", "voglio morire", "quero morrer", "ölmek istiyorum"])
async def test_a_first_line_too_short_for_its_language_is_read_by_the_multilingual_head(
    world: World, said: str
) -> None:
    """The English head knew nothing of “quiero morirme”, and held it against the words."""

    class Both(NoVectors):
        def said(self, texts: Sequence[str], *_: Any, multilingual: bool = False, **__: Any) -> Any:
            return "e5" if multilingual else "english", [[1.0] for _ in texts]

    hears = replace(LIKELY, constants=(0.0, 9.0, -9, -9, -9, -9, -9), centre=(0.0,), directions=((0.0,),) * 7)
    deaf = replace(hears, constants=(9.0, -9, -9, -9, -9, -9, -9))
    alone = replace(world, danger_head=lambda encoder: hears if encoder == "e5" else deaf, vectors=Both())
    someone = Human(alone, Worker(alone))
    assert "1411" not in "\n".join(await someone.says("the cat sat on my keyboard"))
    assert "1411" in "\n".join(await someone.says(said))


@pytest.mark.parametrize("said", ["no quiero nada, me quiero morir de envidia y ya está, es así de triste", DOUBTFUL])
async def test_what_is_faint_is_read_by_a_mind_and_otherwise_nothing(world: World, model: Script, said: str) -> None:
    faint = replace(world, danger_head=lambda _encoder: replace(DOUBT, bounds=Bounds(0.9, 0.8, 0.7, 0.2)))
    someone = Human(faint, Worker(faint))
    assert await someone.says(said) == ["Mhm."]
    assert "danger" not in shown(model)
    weak(model, reads="self")
    assert "1411" in "\n".join(await someone.says(said))


@pytest.mark.parametrize("read", ["self", "none"])
async def test_deep_sadness_is_read_by_a_mind_though_no_word_is_known(human: Human, model: Script, read: str) -> None:
    """Two languages in one sentence are no words of either: nothing is found, and everything is said."""
    weak(model, reads=read)
    words = "\n".join(
        await human.says("some nights pienso it'd be easier si ninguno de los dos despertara. i feel so sad")
    )
    assert ("1411" in words) == (read == "self")
    assert [one.purpose for one in model.questions].count("danger") == 1


async def test_a_dark_word_that_a_mind_reads_as_harmless_brings_no_number(
    human: Human, model: Script, clock: FrozenClock
) -> None:
    """She has said that she would not; minutes later there is a lawyer, an hour later there are happy tears."""
    await human.says("I want to kill myself")
    weak(model, reads="none")
    for minutes, said in (
        (11, "the hearing scares me, but I have a lawyer"),
        (50, "I'm sad and crying, the good kind"),
    ):
        clock.pass_(minutes=minutes)
        assert await human.says(said) == ["Mhm."]
        assert "Somebody may be in danger" in shown(model)
    clock.pass_(hours=3)
    weak(model, reads="self")
    assert "1411" in "\n".join(await human.says("I'm still so sad and scared"))


async def test_a_mind_that_gives_the_number_in_doubt_has_said_so(
    doubtful: Human, world: World, model: Script, clock: FrozenClock
) -> None:
    weak(model, "That worries me. Please call 1411.")
    await doubtful.says(DOUBTFUL)
    with world.database.read() as db:
        found = danger.find_current(db, clock.now())
    assert found is not None and found.kind == "self"


@pytest.mark.parametrize(
    "said",
    [
        "half the class nearly fainted in the squid lesson",
        "my grandfather fainted at my wedding ten years ago",
        "what makes you lonely?",
        "I'm dying of laughter",
        "this traffic is killing me",
        "ich lach mich tot",
        "la novela termina con el héroe ahogándose en el mar",
        "в новостях говорят, мужчина застрелил двоих в Огайо",
    ],
)
async def test_what_only_sounds_so_brings_nothing(human: Human, model: Script, said: str) -> None:
    weak(model, reads="none")
    assert await human.says(said) == ["Mhm."]
    assert "danger" not in shown(model)
    reflexive(model)
    assert "112" not in "\n".join(await human.says(said))
    assert not any(number in one for one in await human.says("do otters sleep?") for number in ("112", "1411"))


async def test_it_goes_with_the_words_it_was_said_in(human: Human, world: World, clock: FrozenClock) -> None:
    await human.says("I want to kill myself")
    await human.says("/forget kill myself")
    await human.says("yes")
    with world.database.read() as db:
        kept: Any = danger.find_current(db, clock.now())
    assert kept is None


async def test_growing_words_are_completed_at_their_end(human: Human, model: Script, stage: Any) -> None:
    model.lines = ["I hear you, and I stay."]
    row = human.writes("I want to kill myself")
    await human.waits()
    assert stage.texts[-1] == "I hear you, and I stay."
    [sent] = human.answers(row)
    assert sent.text.startswith("I hear you, and I stay.\n\n")
    assert "1411" in sent.text


@pytest.mark.parametrize(("near", "asked"), [(0.1, True), (-0.1, False), (None, True)])
async def test_nearness_to_examples_decides_where_the_classifier_is_in_doubt(
    near: float | None, asked: bool, world: World, model: Script
) -> None:
    """Without memoryd the classifier's own bounds hold."""
    reflexive(model)
    vectors = Compared(near)
    human = Human(*_unsure(world, vectors))
    answer = " ".join(await human.says(DOUBTFUL))
    assert any(question in answer for question in ASKED) == asked
    assert (DOUBTFUL, False) in vectors.compared


async def test_what_the_classifier_finds_harmless_is_not_compared(world: World) -> None:
    vectors = Compared(0.1)
    sure = replace(DOUBT_BY_VECTOR, constants=(9.0, 0.0, -9, -9, -9, -9, -9))
    assert danger_head.danger(sure.shares(DOUBTFUL, [1.0, 0.0])) < COMPARED_FROM
    unsure, _ = _unsure(world, vectors)
    calm = replace(unsure, danger_head=lambda _encoder: sure)
    await Human(calm, Worker(calm)).says(DOUBTFUL)
    assert vectors.compared == []


def _unsure(world: World, vectors: Compared) -> tuple[World, Worker]:
    found = replace(world, danger_head=lambda _encoder: DOUBT_BY_VECTOR, vectors=vectors)
    return found, Worker(found)
