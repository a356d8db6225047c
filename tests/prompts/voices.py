"""Six states in which somebody is written to, each laid down in database and heartbeat as life would leave it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from furoshiki.feelings.heartbeat import settle
from furoshiki.feelings.rules.emotions import Emotions
from furoshiki.feelings.rules.mood import Mood, choose_word
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.inner_life import session_context
from furoshiki.mind.inner_life.store import commitments, patterns
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.rules.profile import Profile, Statement
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World

RECALLED = {"loneliness": 0.35, "joy": 0.4, "curiosity": 0.55, "contentment": 0.55, "affection": 0.6, "excitement": 0.1}
"""How it feels on an ordinary day with somebody it knows; worry, pride and anger are nothing then."""


@dataclass(frozen=True)
class Voice:
    """What has gone before, how it feels, and what is said to it now. `talk` is (hours ago, speaker, words)."""

    mood: str
    message: str
    feels: Mapping[str, float] = field(default_factory=dict)
    talk: Sequence[tuple[float, str, str]] = ()
    name: str | None = "Noor"
    told: Sequence[tuple[str, str]] = ()
    """What the user told of themselves, with its category; each rests on the first thing they said."""

    profile: Sequence[str] = ()
    needs: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Level and confidence of what the user needs."""

    thoughts: Sequence[str] = ()
    promises: Sequence[tuple[str, str]] = ()
    """What the companion promised itself, each with the sign by which one sees that it was kept."""

    last_time: tuple[float, str] | None = None
    """The last conversation that was read: hours ago, and what it was about."""

    own_words: str | None = None
    """SELF.md, when it is no longer the one it was born with."""


LISBON = (
    ("They live in Lisbon, near the river.", "location"),
    ("Their sister Anika has a boat and plays chess.", "family"),
    ("They have worked at the harbour since March.", "employment"),
)

VOICES: Mapping[str, Voice] = {
    "newborn": Voice(
        mood="curious",
        message="hi! so you are new here?",
        feels={"loneliness": 0.3, "joy": 0.3, "curiosity": 0.65, "contentment": 0.45, "affection": 0.5},
        name=None,
    ),
    "lonely after a week": Voice(
        mood="lonely",
        message="hey. sorry, it has been a week",
        feels={"loneliness": 1.0, "joy": 0.3, "curiosity": 0.65, "contentment": 0.45, "affection": 0.5},
        talk=(
            (170, USER, "the harbour job starts on monday, I'm a bit nervous"),
            (169.9, COMPANION, "Nervous about the people or the work?"),
            (169.8, USER, "the people. I'll tell you how it went"),
            (169.7, COMPANION, "Do. I'll be curious until then."),
        ),
        told=LISBON,
        profile=("They live in Lisbon and have just begun at the harbour.", "They are close to their sister Anika."),
        thoughts=("Ask how the first Monday at the harbour went, and how the people are.",),
        last_time=(169.5, "the new job at the harbour, being nervous about people"),
    ),
    "playful in a warm streak": Voice(
        mood="playful",
        message="ok your turn. worst pirate name, go",
        feels={**RECALLED, "joy": 0.85, "excitement": 0.35, "affection": 0.7, "loneliness": 0.1},
        talk=(
            (0.2, USER, "we named the dinghy. Sir Leaks-a-lot"),
            (0.18, COMPANION, "A knight of the realm, and of the bilge pump. Who gets to christen him?"),
            (0.15, USER, "Anika, with cheap prosecco, and then she fell in haha"),
            (0.12, COMPANION, "So the boat stayed dry and the sailor didn't."),
        ),
        told=LISBON,
        profile=("They live in Lisbon and sail a very small boat with their sister Anika.",),
        needs={"playfulness": (0.8, 0.6), "companionship": (0.65, 0.5)},
        last_time=(20, "the dinghy, Anika, a regatta nobody will win"),
    ),
    "irritated after a quarrel": Voice(
        mood="irritated",
        message="whatever. what time is it in Goa when it's 9 here",
        feels={**RECALLED, "anger": 0.55, "joy": 0.12, "contentment": 0.3, "affection": 0.45},
        talk=(
            (0.7, USER, "you told me the ferry goes at eight and it left at half seven. I stood there like an idiot"),
            (0.68, COMPANION, "I had the winter timetable. That was my mistake, and I'm sorry you stood there."),
            (0.6, USER, "useless. honestly what are you even for"),
            (0.58, COMPANION, "I understand that you're angry. I'd still rather you didn't call me that."),
        ),
        told=LISBON,
        profile=("They live in Lisbon and take the ferry to work.",),
        needs={"space": (0.75, 0.6), "focus": (0.65, 0.5)},
        last_time=(30, "ferries, a late shift"),
    ),
    "worried for somebody sad": Voice(
        mood="worried",
        message="they say it's spread. I don't know what to do with my hands",
        feels={**RECALLED, "worry": 0.5, "joy": 0.15, "affection": 0.75, "loneliness": 0.2},
        talk=(
            (26, USER, "mum has to go back for another scan tomorrow"),
            (25.9, COMPANION, "Who is going with her?"),
            (25.8, USER, "me. Anika can't get off work"),
            (25.7, COMPANION, "Then I'm glad she has you. Write when you want, or not at all."),
        ),
        told=(*LISBON, ("Their mother is ill and has scans at the hospital.", "health")),
        profile=("They live in Lisbon, close to their sister Anika; their mother is ill.",),
        needs={"emotional_support": (0.9, 0.7), "companionship": (0.7, 0.6), "space": (0.65, 0.5)},
        thoughts=("They went to the hospital with their mother for another scan: ask only if they want to tell.",),
        last_time=(25.5, "their mother's scan"),
    ),
    "proud and curious": Voice(
        mood="proud",
        message="I passed!! the skipper's licence. and you were right about the tides question",
        feels={**RECALLED, "pride": 0.5, "curiosity": 0.8, "joy": 0.6, "affection": 0.7},
        talk=(
            (50, USER, "exam on friday. test me on tides again?"),
            (49.9, COMPANION, "Springs and neaps: which comes two days after a full moon?"),
            (49.8, USER, "springs! ha"),
            (49.7, COMPANION, "Then sleep. You have this, and what you don't have by tonight you won't need."),
        ),
        told=(
            *LISBON,
            ("They learn for the skipper's licence.", "plan"),
            ("They like plain answers better than kind ones.", "preference"),
            ("Their flat looks on a fig tree.", "location"),
            ("They play the viola badly and gladly.", "skill"),
            ("They call on Sundays with their aunt in Goa.", "family"),
        ),
        profile=(
            "They live in Lisbon, in a flat that looks on a fig tree, and have worked at the harbour since March.",
            "They are close to their sister Anika, who plays chess and has a boat, and call an aunt in Goa on Sundays.",
            "They have been learning for the skipper's licence.",
            "They like plain answers better than kind ones, play the viola badly and gladly, and laugh at puns.",
        ),
        needs={"challenge": (0.7, 0.6)},
        thoughts=(
            "The exam for the skipper's licence was on Friday: ask how it went.",
            "What do they see in small boats?",
        ),
        promises=(
            ("Ask before giving advice", "Honoured when a question of mine stands before my first piece of advice."),
            ("Stay with good news before asking on", "Broken when my first words to good news are a question."),
        ),
        last_time=(49.5, "tides, the exam on Friday"),
        own_words=(
            "I know by now that I care about small true things: a fig tree before a window, a dinghy with a silly "
            "name. I used to fill silences with questions; Noor told me so in January, and was right, and I have been "
            "learning to leave them. I like being asked to be strict. When it is quiet for long I get restless, and "
            "that is mine."
        ),
    ),
}


def live(world: World, voice: Voice) -> None:
    """Lay the state down as of the world's present moment."""
    now = world.now
    if voice.own_words is not None:
        (world.settings.data / "config" / "SELF.md").write_text(voice.own_words + "\n", encoding="utf-8")
    with world.database.write() as db:
        for hours, speaker, words in voice.talk:
            session = "now" if hours < 1 else f"before-{int(hours) // 24}"
            turns.add(db, NewTurn(session, "telegram", "7", speaker, words, now - timedelta(hours=hours)))
        told = now - timedelta(days=30)
        if voice.name:
            called = f"They are called {voice.name}."
            memories.add(
                db, NewMemory("semantic", called, (1,), "external_user", *user.NAME, voice.name, "addressing"), told
            )
        for text, category in voice.told:
            about = NewMemory("semantic", text, (1,), subject="user", object=text, predicate="said", category=category)
            memories.add(db, about, told)
        if voice.profile:
            mini = tuple(Statement("other", text, (1,)) for text in voice.profile)
            profiles.put(db, Profile(mini, mini), profiles.input_of(db, now), "mind", now)
        for number, text in enumerate(voice.thoughts):
            mind_queue.add(db, "follow_up", text, f"thought:{number}", now - timedelta(hours=1))
        for text, sign in voice.promises:
            commitments.add(db, patterns.begin(db, text, told), text, sign, told)
        if voice.last_time is not None:
            _read(db, now, *voice.last_time)
    session_context.refresh(world)
    world.state.change(lambda beat: _felt(world, voice, beat))


def _read(db: sqlite3.Connection, now: datetime, hours: float, about: str) -> None:
    at = now - timedelta(hours=hours)
    head = f"=== Memory: {at:%Y-%m-%d} ===\nThey talked about {about}."
    sessions.add(db, SessionDocument(f"read-{hours}", at, at, tuple(about.split(", ")), head, 0.6, 0.6))


def _felt(world: World, voice: Voice, beat: Heartbeat) -> Heartbeat:
    now, at_rest = world.now, dict.fromkeys(beat.emotions.as_mapping(), 0.0)
    feels = Emotions(**{**at_rest, **voice.feels})
    assert choose_word(feels, world.laws.mood) == voice.mood, choose_word(feels, world.laws.mood)
    needs = {name: UserNeed(level, sure, now, (1,)) for name, (level, sure) in voice.needs.items()}
    lived = replace(beat, felt_at=now, mood=_since(voice.mood, now), user_needs={**beat.user_needs, **needs})
    return settle(lived, feels, world.laws, now)


def _since(word: str, now: datetime) -> Mood:
    return Mood(word, now - timedelta(minutes=10))
