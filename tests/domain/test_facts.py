"""What counts as a fact about the user, and, more important, what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.language.facts.extraction import CATEGORIES, facts_in
from furoshiki.language.facts.retelling import to_user

# message → every fact in it, as "subject predicate object"
STATED = {
    "my sister Anika lives in Lisbon": ["user sister Anika", "Anika lives_in Lisbon"],
    "My little brother, Tom, is a carpenter": ["user brother Tom"],
    "my sister anika works as a vet": ["user sister Anika", "Anika works_as vet"],
    "Anika is my sister": ["user sister Anika"],
    "My mum's name is Ruth": ["user mother Ruth"],
    "my boyfriend is called jonas and he works as a chef": ["user boyfriend Jonas", "Jonas works_as chef"],
    "My sister Anika lives in Lisbon. She's a doctor and she loves jazz.": [
        "user sister Anika",
        "Anika lives_in Lisbon",
        "Anika works_as doctor",
        "Anika likes jazz",
    ],
    "my mum lives in Porto with my dad": ["mother lives_in Porto"],
    "My grandmother died": ["grandmother is died"],
    "Momo died this morning, in the paper drawer.": ["Momo is died"],
    "I moved to Lyon on Saturday.": ["user lives_in Lyon"],
    "We moved to Rome yesterday": ["user lives_in Rome"],
    "I live in Marseille, and I think I will stay.": ["user lives_in Marseille"],
    "my daughter Mia is 4 years old": ["user daughter Mia", "Mia age 4"],
    "my wife is pregnant": ["wife is pregnant"],
    "My husband is allergic to cats": ["husband allergic_to cats"],
    "I have two older sisters and a brother": ["user has_family two older sisters and a brother"],
    "I've got three kids": ["user has_family three kids"],
    "I have a dog called Momo": ["user dog Momo"],
    "My dog Momo is a dachshund": ["user dog Momo", "Momo is dachshund"],
    "we have a cat": ["user has_pet a cat"],
    "our cat is called Luna": ["user cat Luna"],
    "my cat is 12 years old": ["cat age 12"],
    "My best friend Tom is coming to visit on Saturday": ["user friend Tom", "Tom plans coming to visit on Saturday"],
    "I live in Lyon": ["user lives_in Lyon"],
    "i live in new york": ["user lives_in new york"],
    "I'm living in the south of France these days": ["user lives_in the south of France"],
    "I've lived in Lyon for three years": ["user lives_in Lyon"],
    "I moved to Lyon last year": ["user lives_in Lyon"],
    "I recently moved back to Lyon because of work": ["user lives_in Lyon"],
    "I'm based in Berlin": ["user lives_in Berlin"],
    "I live in Lyon, what about you?": ["user lives_in Lyon"],
    "I told you I live in Lyon": ["user lives_in Lyon"],
    "I'm originally from Izmir": ["user comes_from Izmir"],
    "I was born in Cairo and grew up in Ghent": ["user born_in Cairo", "user grew_up_in Ghent"],
    "I'm a nurse": ["user works_as nurse"],
    "I'm a primary school teacher at St Mary's": [
        "user works_as primary school teacher",
        "user works_at St Mary's",
    ],
    "I work as a software engineer at Siemens and I live in Munich": [
        "user works_as software engineer",
        "user works_at Siemens",
        "user lives_in Munich",
    ],
    "I work for the city council": ["user works_at the city council"],
    "I work in marketing": ["user works_in marketing"],
    "I'm retired": ["user works_as retired"],
    "I got a new job at Bosch": ["user works_at Bosch"],
    "I study physics at ETH": ["user studies physics", "user studies_at ETH"],
    "my birthday is on 3 March": ["user birthday 3 March"],
    "my birthday's March 3rd": ["user birthday March 3rd"],
    "I was born on 12 May 1990": ["user birthday 12 May 1990"],
    "I'm 34": ["user age 34"],
    "I just turned 40!": ["user age 40"],
    "I'm married to Tom": ["user marital_status married", "user partner Tom"],
    "I'm single": ["user marital_status single"],
    "I'm allergic to peanuts and shellfish": ["user allergic_to peanuts", "user allergic_to shellfish"],
    "I have a nut allergy": ["user allergic_to nut"],
    "I have asthma": ["user has_condition asthma"],
    "I was diagnosed with type 1 diabetes": ["user has_condition diabetes"],
    "I'm left-handed": ["user has_condition left-handed"],
    "I'm vegetarian": ["user diet vegetarian"],
    "I don't eat meat": ["user does_not eat meat"],
    "I don't smoke": ["user does_not smoke"],
    "I quit smoking": ["user quit smoking"],
    "I love hiking": ["user likes hiking"],
    "I really like Thai food": ["user likes Thai food"],
    "I'm a big fan of Nina Simone": ["user likes Nina Simone"],
    "I prefer tea over coffee": ["user likes tea"],
    "I don't like olives": ["user dislikes olives"],
    "I can't stand the cold": ["user dislikes the cold"],
    "My favourite colour is green": ["user favourite_colour green"],
    "my favorite ice cream flavour is pistachio": ["user favourite_ice_cream_flavour pistachio"],
    "I drive an old Volvo": ["user owns an old Volvo"],
    "I bought a new telescope": ["user owns a new telescope"],
    "I play the piano": ["user plays piano"],
    "I speak German and Turkish": ["user speaks German", "user speaks Turkish"],
    "I'm learning Japanese": ["user learning Japanese"],
    "my native language is Urdu": ["user speaks_natively Urdu"],
    "I'm Turkish": ["user nationality Turkish"],
    "I'm a Buddhist": ["user believes Buddhist"],
    "I believe in second chances": ["user believes second chances"],
    "I have a dentist appointment on Friday": ["user plans dentist appointment on Friday"],
    "I've got a job interview with Bosch tomorrow at 10": ["user plans job interview with Bosch tomorrow at 10"],
    "My exam is on Tuesday": ["user plans exam on Tuesday"],
    "I have an exam on Friday 15 May": ["user plans exam on Friday 15 May"],
    "I have an exam on Friday the 15th": ["user plans exam on Friday the 15th"],
    "tomorrow I have an interview": ["user plans interview tomorrow"],
    "I'm flying to Rome on Monday": ["user plans flying to Rome on Monday"],
    "I'm getting married in June": ["user plans getting married in June"],
    "I'm starting my new job next week": ["user plans starting my new job next week"],
    "I'm planning to run a marathon": ["user intends run a marathon"],
    "my name is Noor and I live in Lyon": ["user name Noor", "user lives_in Lyon"],
    "Dr. Meyer called. I live in St. Gallen.": ["user lives_in St. Gallen"],
}

NOT_STATED = [
    "I found a pressed seahorse and a love letter to a cook",
    "I live in Rome, and Eva said so",
    "Do I live in Lyon?",
    "Where do I live?",
    "I live in Lyon?",
    "Is my sister Anika a doctor?",
    "Does my sister live in Lisbon?",
    "What if I lived in Lyon?",
    "If I lived in Lyon I would be happy",
    "If my sister lives in Lisbon, I could visit her",
    "I would love living in Lisbon",
    "I wish I lived in Lisbon",
    "I might move to Lisbon",
    "Maybe I'm allergic to peanuts",
    "I could be allergic to nuts",
    "Imagine I live in a castle",
    "Pretend I'm a doctor and I live in Paris",
    "Let's say I work for NASA",
    "Suppose I have two sisters",
    "I used to live in Paris",
    "I don't live in Paris",
    "I no longer live in Paris",
    "I never lived in Paris",
    "I'm not a nurse",
    "I'm not allergic to anything",
    'He said "I live in Lyon"',
    "\u201cI live in Lyon\u201d is what she wrote",
    "She said she lives in Lisbon",
    "Tom told me I live in a bubble",
    "My mother says I'm a doctor at heart",
    "My sister Anika says she lives in Rome",
    "According to him I live in Lyon",
    "In the film my sister Anna lives in Arendelle",
    "In my dream I lived in Tokyo",
    "The character I play: I live in Gotham",
    "Write a story: my sister Anna lives in Rome",
    "Translate: I live in Berlin",
    "say I am a teacher",
    "How do you say 'I live in Lyon' in French?",
    "> I live in Lyon",
    "```\nI live in Lyon\n```",
    "2026-03-03 12:00:01 INFO user=7 I live in Lyon\n2026-03-03 12:00:02 INFO ok\n2026-03-03 12:00:03 done",
    "Tom: I live in Lyon\nAnna: I live in Rome\nTom: nice",
    "[12:01] Tom: I'm a nurse",
    "From: Tom\nSubject: hello\nI live in Lyon",
    "Lyrics: I live in a yellow submarine",
    "I'm tired",
    "I'm a bit tired",
    "I'm a mess today",
    "I'm 10 minutes late",
    "I'm 100% sure",
    "I'm at home",
    "I'm on my way to Lyon",
    "I live in fear of spiders",
    "I live in hope",
    "I work hard",
    "I work at night",
    "I work from home",
    "I love you",
    "I love it",
    "I like that",
    "I like your idea",
    "I hate it when it rains",
    "I don't like this",
    "I have a headache",
    "I have a question",
    "I have an idea",
    "I play the fool",
    "I'm allergic to nonsense, just kidding",
    "I thought I was allergic to nuts",
    "Someone told me my sister Anika lives in Lisbon",
    "I'd like to live in Lisbon",
    "I want to live in Lisbon",
    "You live in Lisbon",
    "They live in Lisbon",
    "My sister might move to Lisbon",
    "I was reading that I live in the wrong century",
    "",
]


@pytest.mark.parametrize("message", STATED)
def test_what_is_stated_becomes_a_fact(message: str) -> None:
    found = [f"{fact.subject} {fact.predicate} {fact.object}" for fact in facts_in(message)]
    assert sorted(found) == sorted(STATED[message])


@pytest.mark.parametrize("message", NOT_STATED)
def test_what_is_not_stated_does_not(message: str) -> None:
    assert [fact.text for fact in facts_in(message)] == []


@pytest.mark.parametrize("message", STATED)
def test_every_fact_points_at_its_own_words(message: str) -> None:
    for fact in facts_in(message):
        start, end = fact.span
        assert message[start:end] == fact.words
        assert fact.object.lower().replace("'s", "")[:4] in fact.words.lower()
        assert fact.category in CATEGORIES
        assert fact.text
        assert to_user(fact.subject, fact.predicate, fact.object)


@pytest.mark.parametrize(
    ("message", "corrects"),
    [
        ("actually I live in Lyon now", True),
        ("No, my sister is called Anita", True),
        ("I moved to Lyon", True),
        ("Sorry, I meant I live in Lyon", True),
        ("I live in Lyon", False),
        ("my sister Anika lives in Lisbon", False),
    ],
)
def test_a_change_is_recognised_as_one(message: str, corrects: bool) -> None:
    assert {fact.corrects for fact in facts_in(message)} == {corrects}


@pytest.mark.parametrize(
    ("message", "text", "told"),
    [
        ("my sister Anika lives in Lisbon", "The user's sister is called Anika", "your sister is called Anika"),
        ("I live in Lyon", "The user lives in Lyon", "you live in Lyon"),
        ("I'm an engineer", "The user is an engineer", "you are an engineer"),
        ("I'm allergic to nuts", "The user is allergic to nuts", "you are allergic to nuts"),
        ("my mum lives in Porto", "The user's mother lives in Porto", "your mother lives in Porto"),
        ("my favourite colour is green", "The user's favourite colour is green", "your favourite colour is green"),
        ("I have asthma", "The user has asthma", "you have asthma"),
        ("I'm left-handed", "The user is left-handed", "you are left-handed"),
        ("my birthday is on 3 March", "The user's birthday is 3 March", "your birthday is 3 March"),
        ("I'm married to Tom", "The user is married", "you are married"),
        ("I'm retired", "The user is retired", "you are retired"),
        ("My grandmother died", "The user's grandmother died", "your grandmother died"),
        ("My dog Momo is a beagle", "The user's dog is called Momo", "your dog is called Momo"),
        ("I quit smoking", "The user quit smoking", "you quit smoking"),
    ],
)
def test_a_fact_can_be_said_back(message: str, text: str, told: str) -> None:
    first = facts_in(message)[0]
    assert first.text == text
    assert to_user(first.subject, first.predicate, first.object) == told


def test_an_unknown_predicate_is_said_plainly() -> None:
    assert to_user("user", "collects", "stamps") == "you collects stamps"
    assert to_user("Momo", "is", "beagle") == "Momo is a beagle"
    assert to_user("user", "partner", "Tom") == "your partner is called Tom"
    assert to_user("Mia", "birthday", "3 May") == "Mia's birthday is 3 May"


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    for fact in facts_in(text):
        assert text[fact.span[0] : fact.span[1]] == fact.words


@pytest.mark.parametrize(
    ("predicate", "object_", "told"),
    [
        ("plans", "dentist appointment on Friday", "you have a dentist appointment on Friday"),
        ("plans", "exams in June", "you have exams in June"),
        ("plans", "diving lesson on Saturday", "you have a diving lesson on Saturday"),
        ("plans", "running the half marathon in Annecy", "you are running the half marathon in Annecy"),
        ("plans", "interview tomorrow", "you have an interview tomorrow"),
        ("plans", "flying to Rome on Monday", "you are flying to Rome on Monday"),
        ("plans", "visit Tom next week", "you have a visit Tom next week"),
        ("intends", "run faster", "you mean to run faster"),
        ("speaks_natively", "Urdu", "your native language is Urdu"),
    ],
)
def test_plans_are_said_back_in_a_sentence(predicate: str, object_: str, told: str) -> None:
    assert to_user("user", predicate, object_) == told


def test_whom_the_talk_was_about_can_be_given() -> None:
    (fact,) = facts_in("she's a doctor", spoken_of="Anika")
    assert (fact.subject, fact.object) == ("Anika", "doctor")
    assert facts_in("she's a doctor") == ()
    assert facts_in("she's very tall", spoken_of="Anika") == ()


def test_a_name_that_is_the_next_word_is_none() -> None:
    assert facts_in("my sister Monday") == ()
    assert facts_in("my brother Is tall") == ()
