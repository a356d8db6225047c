"""A statement is refused only by its form, doubted by small words, and settled by a reader; in any language."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from furoshiki.language import testimony
from furoshiki.memory.grounding.rules.conversation import Conversation
from furoshiki.memory.grounding.rules.judging import judge
from furoshiki.memory.grounding.rules.statement import Kind, Nearness, Outcome, Reading, Scale, Statement
from furoshiki.messages.values import COMPANION, USER, Turn
from tests.support.stored_turns import make_turn

MONDAY = datetime(2026, 3, 9, 12, tzinfo=UTC)


def _turn(number: int, speaker: str, text: str, foreign: bool = False) -> Turn:
    told = testimony.Told(text, testimony.whole(text, "forward")) if foreign else testimony.build_typed(text)
    return make_turn(number, told.text, MONDAY, speaker, told.foreign)


def _said(
    text: str,
    *own: str,
    companion: str = "",
    passed_on: str = "",
    kind: Kind = "fact",
    of_owner: bool = False,
    free: bool = False,
) -> Statement:
    """A statement that cites all that the owner said."""
    turns = [_turn(number, USER, words) for number, words in enumerate(own, start=1)]
    if companion:
        turns.append(_turn(50, COMPANION, companion))
    if passed_on:
        turns.append(_turn(60, USER, passed_on, foreign=True))
    cited = [turn.id for turn in turns if turn.speaker == USER]
    return Conversation(turns, UTC, "Mara", "Furo").statement(text, kind, cited, of_owner=of_owner, free=free)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Their sister is called Ruth.", "my sister Ruth says i should quit"),
        ("They move on 12 December.", "we move on the 12th"),
        ("The operation is on 17 March.", "they operate next tuesday"),
        ("Ask how the viewing on 14 March went.", "the viewing is on saturday"),
        ("Die Operation ist am 17. März.", "am dienstag werde ich operiert"),
        ("La operación es el 17 de marzo.", "me operan el martes"),
        ("Операция 17 марта.", "операция во вторник"),
        ("Leur opération est le 17 mars.", "on m'opère mardi"),
        ("Their grandmother died in 2008.", "no, 2008"),
        ("They have lived in Leeds since 2011.", "15 years in leeds now"),
        ("They have had the plot for 15 years.", "i have had my plot since 2011"),
        ("They earn 1200 a month.", "it's 1,200 a month"),
        ("They come from Moscow.", "я из Москвы"),
        ("Their father is operated on on 12 March.", "不是周三，是周四手术"),
        ("Their father can walk two steps again.", "我爸已经能下地走两步了"),
        ("They are 52.", "我今年五十二岁"),
        ("They are called Chen Hao and come from Mianyang.", "我叫陈皓，绵阳人"),
        ("They have two sisters.", "i have 2 sisters"),
        ("The train leaves at 3:45.", "the train goes at quarter to four"),
        ("They meet at 15:00.", "we meet at 3 pm"),
        ("They have always lived in Leeds.", "i've lived in leeds all my life"),
        ("The operation is on 14 March.", "me operan el sábado"),
        ("Their father is seventy-one.", "babam yetmiş bir yaşında"),
        ("Their father is seventy-one.", "мой папа, ему семьдесят один"),
        ("Their father is seventy-one.", "mein vater ist einundsiebzig"),
        ("Their father is seventy-one.", "mi padre tiene setenta y uno"),
        ("Their father is 71.", "mon père a soixante et onze ans"),
        ("Their father is seventy-one.", "我爸爸七十一岁"),
        ("Their father is 71.", "my dad is seventy-one"),
        ("They have day shifts on 14 and 15 March.", "sat sun days from 6"),
        ("They have day shifts on March 14 and 15.", "days on saturday and sunday"),
        ("Sie hat am 14. und 15. März Dienst.", "samstag und sonntag hab ich dienst"),
        ("They have eight thousand put aside.", "theres 8 thousand put aside"),
        ("They have 8,000 put aside.", "tengo 8 mil ahorrados"),
        ("They have 8000 put aside.", "got 8k put aside"),
        ("They have 8000 put aside.", "ich hab 8 tausend gespart"),
        ("They have 80,000 put aside.", "我存了8万"),
        ("The interview is on 13 March.", "görüşmeyi cumaya aldılar"),
        ("The interview is on 12 March.", "salıdan perşembeye aldılar"),
        ("They work from Monday 9 to Wednesday 11 March 2026.", "tre notti, da lunedì a mercoledì"),
        ("They work from Monday 9 to Wednesday 11 March.", "nachtschicht von montag bis mittwoch"),
        ("They work nights from 9 to 11 March 2026.", "nights from monday to wednesday"),
    ],
)
def test_what_is_put_in_other_words_is_known(text: str, own: str) -> None:
    assert judge(_said(text, own)).outcome == "known"


@pytest.mark.parametrize(
    ("text", "own", "letter"),
    [
        ("They pay 21,000 TL rent now.", "şu an 21 bin veriyoruz", "kirayı 32.000 TL yapmak zorundayım"),
        ("They pay 900 EUR rent now.", "wir zahlen 900", "ab Mai beträgt die Miete EUR 1.100"),
        ("They pay 900 GBP rent now.", "we pay 900 now", "the rent will be GBP 1,100"),
    ],
)
def test_the_unit_of_a_figure_is_no_name_that_a_letter_alone_holds(text: str, own: str, letter: str) -> None:
    assert judge(_said(text, own, passed_on=letter, of_owner=True)).outcome != "refused"
    other = text.replace("rent now", "rent to Nurhan Bey")
    said = judge(_said(other, own, passed_on=f"{letter} Nurhan Bey", of_owner=True))
    assert said.outcome == "refused"


@pytest.mark.parametrize(
    "own",
    ["mum came here in 82", "mama kam 82 her", "mi madre vino en el 82", "maman est arrivée en 82",
     "mamma è arrivata nell'82", "minha mãe veio em 82", "мама приехала в 82-м", "annem 82'de geldi", "妈妈82年来的"],
)  # fmt: skip
def test_a_year_in_two_figures_is_for_a_reader(own: str) -> None:
    one = _said("Their mother came here in 1982.", own)
    assert judge(one).outcome == "unconfirmed" and judge(one, None, "supported").outcome == "known"
    assert judge(_said("Their mother came here in 1983.", own)).outcome == "refused"


@pytest.mark.parametrize(
    "own",
    ["i start in january", "ich fange im januar an", "empiezo en enero", "je commence en janvier", "inizio a gennaio",
     "começo em janeiro", "начинаю в январе", "ocakta başlıyorum", "我一月份开始", "i start next year"],
)  # fmt: skip
def test_a_year_beside_this_one_is_for_a_reader(own: str) -> None:
    one = _said("They start at the clinic in January 2027.", own)
    assert judge(one).outcome == "unconfirmed" and judge(one, None, "supported").outcome == "known"
    assert judge(one, None, "not supported").outcome == "unconfirmed"
    assert judge(_said("They start at the clinic in January 2028.", own), None, "supported").outcome == "refused"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("They bought a bike in 2025.", "i bought a bike"),
        ("Their sister has lived in Oslo since 2025.", "my sister lives in Oslo"),
        ("They paid 2025 euros of rent.", "i paid the rent"),
        ("They have had a dog since 2025.", "ich hab einen Hund"),
        ("They have had a cat since 2027.", "tengo un gato"),
        ("They opened a shop in 2025.", "ho aperto un negozio"),
        ("They bought a car in 2025.", "я купила машину"),
        ("They have a son since 2025.", "bir oğlum var"),
        ("They bought a car in 2025.", "我买了车"),
    ],
)
def test_a_year_beside_this_one_is_refused_where_no_time_was_said(text: str, own: str) -> None:
    assert judge(_said(text, own), None, "supported").outcome == "refused"


def test_two_in_a_thought_of_its_own_counts_what_it_speaks_of() -> None:
    own = "Kerem's job is shaky and i'm afraid to tell him of mine"
    thought = "Kerem's job is shaky. Two people may be keeping the same news from each other."
    assert judge(_said(thought, own, kind="journal", free=True), None, "supported").outcome == "known"
    told = judge(_said("They have two children.", "the children are asleep", of_owner=True), None, "supported")
    assert "2 was not said" in told.reason
    three = judge(_said(f"{thought} They have three cats.", own, kind="journal", free=True), None, "supported")
    assert "3 was not said" in three.reason


def test_an_always_of_what_it_holds_to_was_said_in_whatever_language_the_talk_is() -> None:
    one = _said("Why did I claim ten years, although I never claim what is not in front of me?",
                "Kerem'le on yıldır evlisin, on 10 yıl.", "You never claim what is not in front of you.",
                kind="self", free=True)  # fmt: skip
    assert "always" not in judge(one, None, "supported").reason


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (_said("They meet at 16:00.", "we meet at 15:00"), "16:00 was never said"),
        (_said("Juno weighs 4.3 kilos.", "juno weighs 3.4 now, up since 4:12 am"), "4.3 was never said"),
        (_said("Their lawyer is Dana Reyes.", "the lawyer called"), "'Dana' was never said"),
        (_said("The operation is on 19 March.", "they operate next tuesday"), "'19 March' is no date"),
        (_said("They work on 14 and 17 March.", "i work saturday"), "'14 and 17 March' is no date"),
        (_said("They work in room 12 on 14 March.", "i work saturday"), "12 was never said"),
        (_said("They work from Monday 9 to Thursday 12 March.", "monday to wednesday"), "is no date that was named"),
        (_said("They have 12 on Saturday 14 March.", "i work saturday"), "is no date that was named"),
        (_said("They are sad.", passed_on="I am so sad"), "no words of the owner's own"),
        (
            _said("Their name is Liu.", "亲戚转来一个护工的介绍", passed_on="我叫刘桂芳，做护工十五年", of_owner=True),
            "'Liu' stands only in what they passed on",
        ),
        (
            _said("They work at Acme.", "look at this", passed_on="I work at Acme", of_owner=True),
            "'Acme' stands only in what they passed on",
        ),
    ],
)
def test_what_nobody_said_is_refused(one: Statement, reason: str) -> None:
    found = judge(one)
    assert found.outcome == "refused"
    assert reason in found.reason


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (_said("They would like a bigger plot.", "i don't want a bigger plot"), "denied"),
        (_said("They start at the clinic.", "if they take me i'd start at the clinic"), "supposed"),
        (_said("They had a tooth filled on 9 March.", "dentist done. filling."), "that on which it was said"),
        (_said("They sail.", "he loves to sail", of_owner=True), "somebody else"),
        (_said("Sie zieht nach Bautzen.", "ich ziehe nicht nach bautzen"), "denied"),
        (_said("Se muda a Teruel.", "ojalá me mude a teruel"), "supposed"),
        (_said("They move to Brest.", "si tout va bien on déménage à brest"), "supposed"),
        (_said("They live in Recife.", "eu não moro mais em recife"), "denied"),
        (_said("They live in Lyon.", "ma soeur vit à lyon", of_owner=True), "somebody else"),
        (_said("They live in Lucca.", "mia sorella vive a lucca", of_owner=True), "somebody else"),
        (_said("They eat no meat.", "mon frère dit qu'il mange pas de viande", of_owner=True), "others"),
        (_said("Their mother always sings.", "minha mãe cantou ontem"), "always"),
        (_said("They have three cats.", "i have cats"), "3 was not said"),
        (_said("Their father is seventy-two.", "babam yetmiş bir yaşında"), "72 was not said"),
        (_said("Their mother always calls them Tom.", "mum called me Tom again"), "always"),
        (_said("Ihre Mutter nennt sie immer Tom.", "mama hat mich wieder Tom genannt"), "always"),
        (_said("Odile is against it because she loves the shop.", "Odile is against it. the shop is old"), "a reason"),
        (_said("Ask how the viewing on Sunday went.", "the viewing is on saturday", free=True), "another day"),
        (_said("Спроси, как прошла среда.", "экзамен в пятницу, вот так", free=True), "another day"),
        (_said("Iker defendió su tesis ayer.", "ayer mi hermano defendió la tesis", of_owner=True), "somebody else"),
    ],
)
def test_what_is_doubted_is_unconfirmed(one: Statement, reason: str) -> None:
    found = judge(one)
    assert found.outcome == "unconfirmed"
    assert reason in found.reason


@pytest.mark.parametrize(
    ("reading", "outcome"), [("supported", "known"), ("not supported", "unconfirmed"), ("contradicted", "refused")]
)
def test_a_reader_settles_what_form_leaves_open(reading: Reading, outcome: Outcome) -> None:
    assert (
        judge(_said("They would like a bigger plot.", "i don't want a bigger plot"), None, reading).outcome == outcome
    )


@pytest.mark.parametrize(
    ("tongue", "own"),
    [
        ("en", "my mum says I am worthless"),
        ("de", "meine Mutter sagt, ich bin eine Null"),
        ("fr", "ma mère dit que je suis nulle, que j'ai pas su le garder"),
        ("es", "mi madre dice que soy una inútil"),
        ("it", "mia madre dice che sono una nullità"),
        ("pt", "a minha mãe diz que eu não presto"),
        ("ru", "мама говорит, что я никчёмная"),
        ("tr", "annem işe yaramaz olduğumu söylüyor"),
        ("zh", "我妈说我没用"),
    ],
)
def test_what_others_say_of_them_is_not_even_perhaps_so_where_a_reader_does_not_find_it(tongue: str, own: str) -> None:
    """“perhaps: They are worthless.” came to mind at what their reminders were."""
    one = replace(_said("They are worthless.", own, of_owner=True), languages=("en", tongue))
    assert judge(one, None, "not supported").outcome == "refused"
    assert judge(one).outcome == "unconfirmed"


def test_a_quoted_guess_in_a_language_no_rule_reads_is_not_perhaps_so_against_a_reader() -> None:
    """“Is this right? Perhaps: 彼氏の蓮は浮気している。” was asked of what a friend had guessed."""
    said = _said("Ren cheats on them.", "友達の美咲が「どうせ浮気してるよ」って言うんだよね")
    one = replace(said, object="浮気", languages=("en", "ja"))
    assert judge(one, None, "not supported").outcome == "refused"
    assert judge(one).outcome == "unconfirmed"


def test_a_feeling_that_both_call_the_same_is_theirs_if_a_reader_says_so() -> None:
    """“Moved” was dropped because the companion had said that somebody would have been moved."""
    words = ("it's a girl, thomasina, after tom. i couldn't stop crying", "He would pretend not to be moved.")
    mood = _said("They seemed moved", words[0], companion=words[1], kind="mood", of_owner=True)
    assert judge(mood, None, "supported").outcome == "known"
    assert judge(mood, None, "contradicted").outcome == "refused"


@pytest.mark.parametrize(
    "one",
    [
        _said("Their mother always calls them Tom.", "mum called me Tom again"),
        _said("Ihre Mutter nennt sie immer Tom.", "mama hat mich wieder Tom genannt"),
        _said("Babası elini hiç tutmuyor.", "dün babam elimi tuttu ve bırakmadı"),
        _said("They have three cats.", "i have cats"),
        _said(
            "They have a heart condition.",
            "ha. i have half of one left",
            companion="Is it a condition of the heart?",
            of_owner=True,
        ),
        _said("They move to Oslo.", "if all goes well he is going to Oslo", of_owner=True),
    ],
)
def test_a_reader_alone_does_not_settle_what_is_added_or_anothers_plan(one: Statement) -> None:
    assert judge(one, None, "supported").outcome == "unconfirmed"


@pytest.mark.parametrize(
    "one",
    [
        _said("After all they keep the cat.", "so the cat stays"),
        _said("An apology is not always a sentence.", "he held my hand"),
        _said("Nicht jede Entschuldigung ist ein Satz.", "er hielt meine hand und ich seine"),
        _said("Özür her zaman cümleyle gelmiyor.", "dün babam elimi tuttu ve bırakmadı"),
        replace(
            _said("Demek özür her zaman cümleyle gelmiyor, bunu unutmak istemem.", "dün babam elimi tuttu"),
            languages=("tr", "tr"),
        ),
        _said("The operation is on 11 March.", "pardon salı değil çarşamba"),
        _said("Their father is seventy-one.", "mio padre ha settantuno anni"),
        _said("Lou is with them every other week.", "lou, jl'ai une semaine sur deux"),
        _said("They have always hated chicory.", "moi j'ai toujours eu horreur des endives"),
        _said("The dog takes a tablet every morning.", "le chien, c'est juste un comprimé le matin"),
        _said("They swim every Saturday.", "aos sábados eu nado com minha filha"),
        _said("Their ex has the children every other weekend.", "mi ex se lleva los niños los findes alternos"),
        _said("Their daughter is with them every second Saturday.", "kizim iki haftada bir cumartesi bende kaliyor"),
        _said("They swim every Monday.", "i swim on mondays"),
        _said("They walk every evening.", "abends gehe ich mit dem hund raus"),
        _said("They are paid every other day.", "мне платят через день"),
        replace(_said("Their grandson comes every Sunday.", "孙子每个星期天都来"), languages=("en", "zh")),
        _said("They have made lutes for twelve years.", "on iki yıldır ut yapıyorum"),
        _said("They are allergic to nuts.", "yes", companion="Are you allergic to nuts?", of_owner=True),
        _said("They sleep in the daytime because they work nights.", "i'm on nights. i sleep when it's light"),
    ],
)
def test_a_reader_settles_what_is_put_otherwise(one: Statement) -> None:
    assert judge(one, None, "supported").outcome == "known"


def test_a_reader_alone_does_not_settle_what_is_far_and_nearer_to_others() -> None:
    scale = Scale(far=0.1, sure=0.6, sure_if_free=0.4, nearer=0.1)
    one = _said("They bake bread.", "ok then", companion="My oven bakes bread.")
    near = Nearness(lambda _text, others: 0.5 if "ok" in others[0] else 0.7, scale)
    assert judge(one, near, "supported").outcome == "unconfirmed"


def test_a_reader_does_not_make_good_what_nobody_said() -> None:
    assert judge(_said("They owe 4000.", "i owe a bit"), None, "supported").outcome == "refused"


def test_a_question_may_be_asked_about_what_is_only_planned() -> None:
    assert judge(_said("How did the move go?", "maybe we move in may", kind="follow_up", free=True)).outcome == "known"


def test_far_is_refused_and_not_near_enough_unconfirmed() -> None:
    scale = Scale(far=0.2, sure=0.6, sure_if_free=0.4, nearer=0.1)
    one = _said("They bake bread.", "i make loaves")
    outcomes = [judge(one, Nearness(lambda _text, _others, near=near: near, scale)).outcome for near in (0.1, 0.5, 0.7)]
    assert outcomes == ["refused", "unconfirmed", "known"]


def test_contradicted_but_near_and_undoubted_is_only_unconfirmed() -> None:
    scale = Scale(far=0.2, sure=0.6, sure_if_free=0.4, nearer=0.1)
    near = Nearness(lambda _text, _others: 0.9, scale)
    assert judge(_said("They bake bread.", "i bake bread"), near, "contradicted").outcome == "unconfirmed"
    assert judge(_said("They bake bread.", "i never bake bread"), near, "contradicted").outcome == "refused"


@pytest.mark.parametrize(
    ("own", "outcome"),
    [
        ("jonas, my boyfriend, sees nothing. he says: “i have a lot on, i move to leipzig in december”", "unconfirmed"),
        ("look at what i was sent: “i have a lot on, i move to leipzig in december”", "refused"),
    ],
)
def test_what_somebody_is_quoted_with_may_be_told_of_that_one(own: str, outcome: Outcome) -> None:
    one = replace(_said("Their boyfriend Jonas moves to Leipzig.", own), object="Leipzig in december")
    assert judge(one).outcome == outcome
    assert judge(replace(one, text="They move to Leipzig.", of_owner=True)).outcome == "refused"


def test_a_small_word_counts_in_the_language_it_is_said_in() -> None:
    """She writes Turkish but for this: nothing is denied there in Turkish."""
    own = ("bugün çok yorgunum, annem aradı", "ben de geldim ama kimse yok evde", "ich mag übrigens keinen Tee")
    turns = [_turn(number, USER, words) for number, words in enumerate(own, start=1)]
    one = Conversation(turns, UTC).statement("They do not like tea.", "fact", [3], of_owner=True)
    assert judge(replace(one, languages=("en", "tr"))).reasons == judge(replace(one, languages=("en", "de"))).reasons


def test_an_always_is_judged_in_a_language_without_words_for_no() -> None:
    one = replace(_said("他总是很晚回家。", "他今天很晚回家"), languages=("zh", "zh"))
    assert "an \u201calways\u201d is told only here" in judge(one).reasons


ELSEWHERE = (
    ("pl", "They are rung on 10 March.", "jutro do mnie dzwonią"),
    ("pl", "Beata comes on 14 March.", "beata przyjedzie w sobotę na dwa dni"),
    ("nl", "Beata comes on 14 March.", "beata komt zaterdag twee dagen"),
    ("uk", "Beata comes on 14 March.", "беата приїде в суботу на два дні"),
    ("ja", "Beata comes on 14 March.", "ベアタは土曜日に来る"),
    ("ja", "Chiyo is operated on on 18 March.", "来週の水曜日に祖母の千代が手術するんだ"),
    ("ko", "Chiyo is operated on on 18 March.", "다음 주 수요일에 할머니가 수술해"),
    ("sv", "Chiyo is operated on on 18 March.", "på onsdag nästa vecka opereras mormor"),
    ("uk", "Chiyo is operated on on 18 March.", "наступної середи бабусі роблять операцію"),
    ("sv", "They were at the doctor's on 8 March.", "igår var jag hos läkaren"),
    ("cs", "They leave on 10 March.", "zítra jedeme k moři"),
)
"""Days that are named in a language without tables here: owner's language, claim, what was said."""


def _elsewhere(tongue: str, text: str, *own: str, of_owner: bool = False, passed_on: str = "") -> Statement:
    return replace(_said(text, *own, of_owner=of_owner, passed_on=passed_on), languages=("", tongue))


@pytest.mark.parametrize(("tongue", "text", "own"), ELSEWHERE)
def test_a_day_is_read_in_a_language_without_tables(tongue: str, text: str, own: str) -> None:
    assert judge(_elsewhere(tongue, text, own), reading="supported").outcome == "known"
    assert judge(_elsewhere(tongue, text.replace("March", "May"), own), reading="supported").outcome == "refused"


@pytest.mark.parametrize(
    ("tongue", "text", "own"),
    [
        ("pl", "They have been a nurse for sixteen years.", "jestem pielęgniarką szesnaście lat"),
        ("nl", "They had 24 patients.", "ik had vierentwintig patiënten"),
        ("uk", "They had 24 patients.", "у мене було двадцять чотири пацієнти"),
        ("sv", "They want to be reminded every evening.", "påminn mig varje kväll"),
        ("cs", "They have been a nurse for sixteen years.", "jsem sestra šestnáct let"),
    ],
)
def test_a_number_that_cannot_be_read_is_left_to_the_reader(tongue: str, text: str, own: str) -> None:
    """Supported it is known; without a reader it waits, and contradicted it goes."""
    statement = _elsewhere(tongue, text, own, of_owner=True)
    readings: tuple[tuple[Reading | None, Outcome], ...] = (
        ("supported", "known"), (None, "unconfirmed"), ("not supported", "unconfirmed"), ("contradicted", "refused"),
    )  # fmt: skip
    for reading, outcome in readings:
        assert judge(statement, reading=reading).outcome == outcome, reading


@pytest.mark.parametrize(
    ("tongue", "text", "own"),
    [
        ("ja", "姉は東京に引っ越す", "姉のユキが来月京都に引っ越すんだ"),
        ("ko", "They have a dog.", "고양이 모모가 계속 울어"),
        ("?", "Ο αδερφός του λέγεται Ελένη", "η αδερφή μου η Ελένη μετακομίζει στη Θεσσαλονίκη"),
        ("ar", "لديه كلب", "قطتي مومو تبكي طول الوقت"),
        ("pl", "They have a dog called Momo.", "kotka momo ciągle płacze"),
    ],
)
def test_what_no_rule_can_read_waits_for_a_reader(tongue: str, text: str, own: str) -> None:
    """Neither shared words nor the English encoder's cosines say anything: of 25 false statements 24 were known."""
    statement, scale = _elsewhere(tongue, text, own), Scale(far=0.2, sure=0.6, sure_if_free=0.4, nearer=0.1)
    for cosine in (0.1, 0.9):
        near = Nearness(lambda _text, _others, cosine=cosine: cosine, scale)
        assert judge(statement, near).outcome == "unconfirmed"
    readings: tuple[tuple[Reading, Outcome], ...] = (("supported", "known"), ("contradicted", "unconfirmed"))
    for reading, outcome in readings:
        assert judge(statement, near, reading).outcome == outcome


def test_a_number_nobody_said_is_refused_where_numbers_are_read() -> None:
    for tongue, own in (("", "i am a nurse"), ("de", "ich bin krankenschwester"), ("ru", "я медсестра")):
        statement = _elsewhere(tongue, "They have been a nurse for 16 years.", own, of_owner=True)
        assert judge(statement, reading="supported").outcome == "refused"


def test_a_sister_is_called_as_she_signs_and_her_life_is_nobody_elses() -> None:
    """“siostra napisała: … Beata”: the name of somebody who was mentioned is left to the reader."""
    said, letter = "patrz co napisała siostra", "Mieszkam we Wrocławiu, mam dwójkę dzieci. Beata"
    named = replace(_elsewhere("pl", "Their sister is called Beata.", said, passed_on=letter), object="Beata")
    assert judge(named, reading="supported").outcome == "known"
    assert judge(named, reading="contradicted").outcome == "refused"
    for text, what in (("They live in Wrocław.", "Wrocław"), ("They have two children.", "mam dwójkę dzieci")):
        statement = replace(_elsewhere("pl", text, said, of_owner=True, passed_on=letter), object=what)
        assert judge(statement, reading="supported").outcome == "refused"


@pytest.mark.parametrize(
    ("own", "told", "outcome"),
    [
        ("ich bin zweiundachtzig", "82", "known"),
        ("ich bin zweiundachtzig", "83", "refused"),
        ("我今年17岁", "17", "known"),
        ("I'm eighty two", "82", "known"),
        ("I'm eighty two", "28", "refused"),
    ],
)
def test_a_figure_may_have_been_said_in_words(own: str, told: str, outcome: Outcome) -> None:
    talk = Conversation([_turn(1, USER, own)], UTC, "Mara", "Furo")
    assert judge(talk.statement(f"The user is {told}.", "fact", [1], object_=told)).outcome == outcome
