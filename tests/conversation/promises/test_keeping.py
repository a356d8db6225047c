"""What was asked for is done and what is said was done has happened, through the whole turn, with a scripted model."""

from __future__ import annotations

import pytest

from furoshiki.models.llm.values import Answer, ToolCall
from furoshiki.world import World
from tests.support.said import kept
from tests.support.world import Human, Script, Watched

CALL_MUM = "remind me tomorrow at 8 to call mum"
AT_EIGHT = "call mum @ 2026-03-25T08:00"
CLAIMS = "Sure, I've set a reminder for tomorrow at 8."


def made(what: str = "call mum", when: str = "2026-03-25T08:00") -> ToolCall:
    """The call of a model that knows tools."""
    return ToolCall("c", "schedule", {"action": "create", "what": what, "when": when})


async def test_a_reminder_that_was_only_claimed_is_set_and_said(world: World, human: Human, model: Script) -> None:
    model.lines = [CLAIMS, CLAIMS]
    [answer] = await human.says(CALL_MUM)
    assert kept(world) == AT_EIGHT
    assert "call mum" in answer and CLAIMS not in answer
    assert len(model.questions) == 2, "the model was asked once more"
    assert "no tool has done it" in model.questions[1].messages[-1].text


@pytest.mark.parametrize(
    ("asked", "claims"),
    [
        ("przypomnij mi jutro o 18 żeby wydrukować wyciągi", "Jasne, przypomnę jutro o 18."),
        ("kun je me morgen om 18 uur helpen herinneren aan de was", "Ik herinner je morgen om 18 uur."),
    ],
)
async def test_a_reminder_that_was_only_claimed_is_asked_for_again_where_no_rule_reads_the_order(
    world: World, human: Human, model: Script, asked: str, claims: str
) -> None:
    model.lines = [claims, made("print", "2026-03-25T18:00"), claims]
    assert await human.says(asked) == [claims]
    assert kept(world) == "print @ 2026-03-25T18:00"
    model.lines = [claims, claims]
    [answer] = await human.says(asked.replace("18", "19"))
    assert "no reminder is set" in answer


async def test_a_model_that_calls_when_asked_again_has_done_it(world: World, human: Human, model: Script) -> None:
    model.lines = [CLAIMS, made(), "Set for tomorrow at 8."]
    assert await human.says(CALL_MUM) == ["Set for tomorrow at 8."]
    assert kept(world) == AT_EIGHT


@pytest.mark.parametrize(
    ("call", "there"),
    [
        (made(), AT_EIGHT),
        (made("Ring your mother", "2026-03-25T08:10"), "Ring your mother @ 2026-03-25T08:10"),
    ],
)
async def test_a_model_that_did_it_its_own_way_has_done_it(
    world: World, human: Human, model: Script, call: ToolCall, there: str
) -> None:
    model.lines = [call, "I've set a reminder for tomorrow morning."]
    assert await human.says(CALL_MUM) == ["I've set a reminder for tomorrow morning."]
    assert kept(world) == there
    assert len(model.questions) == 2


@pytest.mark.parametrize(
    "answers",
    [("ok", "ok"), ("Done!", "Done."), ("Added milk to your shopping list!",) * 2, ("I can't keep lists, sorry.",) * 2],
)
async def test_what_belongs_on_a_list_is_put_there(
    world: World, human: Human, model: Script, answers: tuple[str, ...]
) -> None:
    model.lines = list(answers)
    [answer] = await human.says("put milk on the list")
    assert kept(world) == "shopping: milk"
    assert "milk" in answer.lower() and "list" in answer
    assert "can't" not in answer


ELSEWHERE = [
    (
        "erinnere mich morgen um 8 an die Steuer",
        "Klar, ich erinnere dich.",
        "die Steuer @ 2026-03-25T08:00",
        "Notiert: die Steuer, morgen",
    ),
    ("pon leche en la lista", "Listo.", "shopping: leche", "leche"),
    ("добавь молоко в список", "Хорошо!", "shopping: молоко", "молоко"),
    ("listeye süt ekle", "Tamam.", "shopping: süt", "süt"),
    ("ajoute du lait à la liste", "D'accord.", "shopping: lait", "lait"),
    ("把牛奶加到购物清单", "好的。", "shopping: 牛奶", "牛奶"),
    ("напомни завтра в 8 позвонить маме", "Я напомню.", "позвонить маме @ 2026-03-25T08:00", "Записано"),
    ("me lembra de buscar ela amanhã 12h15", "Amanhã, 12:15.", "buscar ela @ 2026-03-25T12:15", "12:15"),
    ("rappelle-moi demain à 8h d'appeler maman", "D'accord.", "appeler maman @ 2026-03-25T08:00", "appeler maman"),
    ("ricordami domani alle 8 di chiamare mamma", "Va bene.", "chiamare mamma @ 2026-03-25T08:00", "chiamare"),
    ("提醒我明天8点给妈妈打电话", "好的。", "给妈妈打电话 @ 2026-03-25T08:00", "给妈妈打电话"),
]


@pytest.mark.parametrize(("said", "answer", "there", "says"), ELSEWHERE)
async def test_it_is_done_in_other_languages(
    world: World, human: Human, model: Script, said: str, answer: str, there: str, says: str
) -> None:
    model.lines = [answer, answer]
    [given] = await human.says(said)
    assert kept(world) == there
    assert says in given


async def test_what_is_missing_is_asked_and_the_answer_is_used(world: World, human: Human, model: Script) -> None:
    model.lines = ["Sure, I'll remind you!", "I'll remind you."]
    [asked] = await human.says("remind me to call mum")
    assert asked.endswith("When should I remind you to call mum?")
    assert kept(world) == "-"
    model.lines = ["Great.", "Great."]
    await human.says("tomorrow at 8")
    assert kept(world) == AT_EIGHT


@pytest.mark.parametrize(
    "answer", ["Which Anna do you mean, the one from work or your cousin?", "I'd rather not remind you of that."]
)
async def test_a_question_and_a_refusal_of_the_model_stand(
    world: World, human: Human, model: Script, answer: str
) -> None:
    model.lines = [answer, answer]
    assert await human.says("remind me tomorrow at 8 to call Anna") == [answer]
    assert kept(world) == "-"


async def test_a_claim_that_nobody_asked_for_is_put_right(world: World, human: Human, model: Script) -> None:
    model.lines = ["That sounds lovely. I've set a reminder for Friday.", "I've set a reminder for Friday. Sleep well!"]
    [answer] = await human.says("Ines and I want to see the boats on Friday")
    assert answer.startswith("Sleep well!") and "no reminder is set" in answer
    assert kept(world) == "-"


async def test_a_claim_that_is_taken_back_when_asked_is_not_corrected(human: Human, model: Script) -> None:
    model.lines = ["I've set a reminder for Friday.", "That sounds lovely. Shall I remind you?"]
    assert await human.says("Ines and I want to see the boats on Friday") == ["That sounds lovely. Shall I remind you?"]


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Done, I've deleted everything you said about Ruth.", "nothing has been erased"),
        ("Gut, ich schreibe dir nicht mehr.", "Ruhe ist noch nicht eingestellt"),
        ("Я добавил молоко в список покупок.", "ничего не изменилось"),
    ],
)
async def test_other_claims_are_put_right_in_their_language(
    human: Human, model: Script, claim: str, truth: str
) -> None:
    model.lines = [claim, claim]
    [answer] = await human.says("so, what do you say to that")
    assert claim not in answer and truth in answer


@pytest.mark.parametrize(
    ("said", "claim", "truth"),
    [
        ("actually olvida lo de la lata. my wife would forget it too", "Forgotten, Chuy.", "nothing has been erased"),
        ("das mit der dose, vergessen wir mal, ja? ach", "Schon vergessen.", "Gelöscht ist nichts"),
        ("eso de la lata lo olvidamos, mejor", "Olvidado.", "borr"),
        ("delete anna's number please, she left", "Deleted, don't worry.", "nothing has been erased"),
        ("lösch annas nummer, sie ist gegangen", "Erledigt, ist gelöscht.", "Gelöscht ist nichts"),
        ("удали номер ани, она уволилась", "Удалено, не переживай.", "удален"),
        ("ayşenin numarasını sil, işten ayrıldı", "Sildim, merak etme.", "silinmedi"),
        ("efface le numéro d'anna, elle est partie", "Voilà, supprimé.", "effacé"),
        ("把张姐的电话删了吧，她离职了", "删掉了，放心。", "没有"),
        ("ich hab's vergessen", "Vergessen, keine Sorge, passiert jedem.", ""),
        ("she snapped at me and said sorry", "Forgotten, Chuy.", ""),
        ("i forgot the milk", "Forgotten, as you say, and found again at the corner shop.", ""),
    ],
)
async def test_a_mere_forgotten_is_put_right_where_forgetting_was_spoken_of(
    human: Human, model: Script, said: str, claim: str, truth: str
) -> None:
    model.lines = [claim, claim]
    [answer] = await human.says(said)
    assert (claim in answer) == (not truth) and truth in answer


async def test_what_was_taken_off_a_list_may_be_called_deleted(world: World, human: Human, model: Script) -> None:
    model.lines = ["ok", "ok"]
    await human.says("put milk and eggs on the list")
    model.lines = [ToolCall("c", "list", {"action": "remove", "items": ["milk"]}), "Deleted."]
    assert await human.says("delete milk from the list") == ["Deleted."]
    assert kept(world) == "shopping: eggs"


async def test_what_was_done_is_told_though_another_call_of_the_same_sentence_failed(
    human: Human, model: Script
) -> None:
    claim = "Milk is on the list, and I've set a reminder for it."
    model.lines = [
        Answer(
            "",
            "tools",
            "scripted",
            "script",
            "chat",
            calls=(
                ToolCall("1", "list", {"action": "add", "items": ["milk"], "list": None}),
                ToolCall("2", "schedule", {"action": "create", "what": "milk", "when": "whenever"}),
            ),
        ),
        claim,
        claim,
    ]
    [answer] = await human.says("milk please, and tell me about it some time")
    assert "no reminder is set" in answer and "milk" in answer.partition("“remind me")[0].lower()


async def test_what_is_there_from_before_may_be_spoken_of(world: World, human: Human, model: Script) -> None:
    model.lines = [made(), "Set."]
    await human.says(CALL_MUM)
    model.lines = ["Yes, I've set a reminder to call your mum."]
    assert await human.says("is it arranged?") == ["Yes, I've set a reminder to call your mum."]


async def test_words_in_another_voice_claim_nothing(human: Human, model: Script) -> None:
    model.lines = ["Dear diary, I set an alarm for six and slept through it."]
    assert await human.says("write a diary entry about a lazy day") == [
        "Dear diary, I set an alarm for six and slept through it."
    ]
    assert len(model.questions) == 1


async def test_no_claim_is_shown_before_it_is_known_to_be_so(human: Human, model: Script, stage: Watched) -> None:
    model.lines = ["Lovely. I've set a reminder for Friday.", "Lovely."]
    await human.says("Ines and I want to see the boats on Friday")
    assert stage.texts == ["Lovely.", "Lovely."]
    stage.texts.clear()
    model.lines = [CLAIMS, CLAIMS]
    await human.says(CALL_MUM)
    assert stage.texts == [], "what was ordered and is not done holds the answer back"


async def test_others_words_order_nothing(world: World, human: Human, model: Script) -> None:
    model.lines = ["She sounds busy."]
    await human.says(CALL_MUM, forwarded={"from": "Ana", "at": None})
    assert (kept(world), len(model.questions)) == ("-", 1)


async def test_a_turn_that_is_begun_again_does_nothing_twice(world: World, human: Human, model: Script) -> None:
    model.lines = [made(), RuntimeError("the model's reader broke"), CLAIMS, CLAIMS]
    await human.says(CALL_MUM)
    assert kept(world) == AT_EIGHT
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM tasks").fetchone()[0] == 1


async def test_two_orders_of_which_a_model_did_one(world: World, human: Human, model: Script) -> None:
    add = ToolCall("c", "list", {"action": "add", "list": "shopping", "items": ["milk"]})
    model.lines = [add, "Milk is on the list, and I'll remind you.", "I'll remind you."]
    await human.says("add milk to the shopping list and remind me tomorrow at 8 to call mum")
    assert kept(world) == f"shopping: milk; {AT_EIGHT}"


async def test_what_is_noted_is_kept_without_a_word(world: World, human: Human, model: Script) -> None:
    model.lines = ["Noted!"]
    assert await human.says("remember that my locker number is 114") == ["Noted!"]
    assert len(model.questions) == 1
    with world.database.read() as db:
        rows = [row[0] for row in db.execute("SELECT content FROM memories")]
    assert any("locker number is 114" in one for one in rows), rows


@pytest.mark.parametrize(
    "said",
    ["my boss asked me to remind him tomorrow at 8", "I should put milk on the list someday", "did you remind me?"],
)
async def test_what_is_only_talked_about_is_not_done(world: World, human: Human, model: Script, said: str) -> None:
    model.lines = ["I see."]
    assert await human.says(said) == ["I see."]
    assert (kept(world), len(model.questions)) == ("-", 1)
