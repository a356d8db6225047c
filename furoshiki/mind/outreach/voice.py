"""Word unprompted messages: drafted by the tier `deep`, revised by the tier `micro`.

A model's text is checked by rule for labels and data (`wording`) and against known facts
(`grounding`); unchecked text is never sent. Without any model the built-in mind uses prepared
words. If a configured model is away, only urgent and owed (`OWED`) messages do; all others wait.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.core.database.rows import dump, load
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.timestamps import local
from furoshiki.feelings.rules import user_needs
from furoshiki.language import testimony
from furoshiki.language.humanize import ago, day, describe_moment
from furoshiki.language.reflex.care import weighing
from furoshiki.language.reflex.care.dead import dead
from furoshiki.language.tokens import cut
from furoshiki.memory import said_corrections
from furoshiki.memory.grounding import believing
from furoshiki.memory.grounding.believing import Claim
from furoshiki.memory.grounding.rules.conversation import Conversation, make_record
from furoshiki.memory.rules.in_words import describe_end
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.inner_life import standing_prompt
from furoshiki.mind.outreach import addressee
from furoshiki.mind.outreach.rules import prepared_words, wording
from furoshiki.mind.outreach.rules.laws import URGENT
from furoshiki.mind.outreach.rules.prepared_words import OWED, Matter
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.plans import REFLEX
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.owner.agenda.rules.mind_queue import HELD_BACK_FOR, Waiting
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.user_model import languages, style, user
from furoshiki.owner.user_model.rules import style_choosing
from furoshiki.owner.user_model.store import danger
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.recall import recall
from furoshiki.recall.retrieval.values import UNCONFIRMED, Scope
from furoshiki.world import World

DRAFT, POLISH = "outreach.draft", "outreach.polish"

# how many of the last messages the drafting and the polishing model see
SHOWN_TURNS, POLISHED_TURNS = 10, 6

LOOKED_BACK = 40  # how many messages are searched for a heavy topic

TURN_TOKENS, DETAIL_TOKENS = 150, 1500
DRAFT_TOKENS, POLISHED_TOKENS = 500, 600

FOUND = 5  # memories returned by a search

# how often a draft is revised: once, once with search results, once with the fault found
ROUNDS = 3

LONGEST_REASON = 200

# how long after danger nothing goes out unasked that is about the companion
DARK_FOR = timedelta(days=3)

BESIDE_DANGER = "it is about itself, and what they wrote last may have meant danger"
BESIDE_WEIGHT = "it is about itself, and something weighs on them"

# a drafter's "not now" always wins: owed items wait, all others for another day
NOT_NOW = "it is not the moment for it"


@dataclass(frozen=True)
class Worded:
    """A finished text and the model that wrote it."""

    text: str
    provider: str
    model: str


def pack_words(words: Worded, *, finished: bool = False) -> str:
    """Serialise words for the queue; `finished` ones are already polished."""
    return dump([words.text, words.provider, words.model, *([True] if finished else [])])


def unpack_words(draft: str) -> tuple[Worded, bool]:
    """Return the stored words and whether they are finished."""
    text, provider, model, *finished = load(draft)
    return Worded(text, provider, model), bool(finished)


class NoWords(Exception):
    """No words for now: `reason` in plain words; `vetoed` when it should not be said, now or at all;
    `another_day`: it is only too early."""

    def __init__(self, reason: str, vetoed: bool = False, *, another_day: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.vetoed = vetoed
        self.another_day = another_day


async def draft(world: World, item: Waiting) -> Worded:
    """Draft an item's words. Raises NoWords."""
    scene = _scene(world, item)
    if (scene.matter.weighs or _is_held_back(world)) and prepared_words.is_about_itself(scene.matter):
        raise NoWords(BESIDE_DANGER if scene.in_danger else BESIDE_WEIGHT, vetoed=True, another_day=True)
    question = Question(
        tier="deep",
        purpose=DRAFT,
        system=(
            Block(f"{standing_prompt.identity(world, 'turn/who')}\n\n{world.prompts.render('outreach/draft')}", True),
            Block(scene.known, True),
        ),
        messages=(Message("user", _render_matter(world, item, scene)),),
        max_tokens=DRAFT_TOKENS,
        timeout_s=90.0,
        material=scene.matter,
        turn_key=refs.name("mind_queue", item.id),
    )
    try:
        answer = await patiently(world, question, world.now)
    except (AnswerUnusable, NoMindAnswered) as error:
        if isinstance(error, NoMindAnswered) and not error.away:
            raise NoWords("there is no model, and no prepared words fit") from error
        return _at_least(world, item, scene, f"nobody found words: {error}")
    text = _strip_quotes(answer.text)
    if wording.not_now(text):
        own = prepared_words.is_about_itself(scene.matter)
        raise NoWords(NOT_NOW, vetoed=item.kind not in OWED, another_day=not own)
    if answer.finish != "stop" or not text:
        why = {"refused": "the model would not write it", "length": "its words had no end", "broken": "it broke off"}
        return _at_least(world, item, scene, why.get(answer.finish, "the model said nothing"))
    return Worded(text, answer.provider, answer.model)


def _is_held_back(world: World) -> bool:
    """Return whether they need support or room, and no wish of the companion's own."""
    felt = user_needs.list_felt(world.state.heartbeat().user_needs, world.now, world.laws.user_needs)
    return not HELD_BACK_FOR.isdisjoint(felt)


async def polish(world: World, item: Waiting, drafted: Worded) -> Worded:
    """Revise the words for a chat; those of the built-in mind stay as they are. Raises NoWords."""
    if (drafted.provider, drafted.model) == (REFLEX.provider, REFLEX.model):
        return drafted
    scene = _scene(world, item)
    searched, refused = _Searched(), _Refused()
    for _ in range(ROUNDS):
        try:
            answer = await patiently(world, _once_more(world, item, scene, drafted, searched, refused), world.now)
        except (AnswerUnusable, NoMindAnswered) as error:
            return _at_least(world, item, scene, f"nobody looked at the words once more: {error}")
        read = answer.parsed
        if read.search and read.search.strip() and not searched.words and not refused.text:
            searched = _search(world, scene, read.search)
            continue
        if not read.send or wording.not_now(read.text):
            raise NoWords(read.why or NOT_NOW, vetoed=item.kind not in OWED, another_day=read.another_day)
        text = _strip_quotes(read.text)
        fault = await _fault(world, item, scene, text, searched)
        if fault is None:
            return Worded(text, answer.provider, answer.model)
        if refused.text:
            break
        refused = _Refused(text or "(nothing)", fault)
    return _at_least(world, item, scene, f"the words may not be sent: {refused.reason or 'it only searched'}")


def _at_least(world: World, item: Waiting, scene: "_Scene", reason: str) -> Worded:
    """Use prepared words for an urgent or owed item when no better are found. Raises NoWords."""
    if item.priority <= URGENT or item.kind in OWED:
        text = prepared_words.find(scene.matter, world.rng)
        if text is not None:
            return Worded(text, REFLEX.provider, REFLEX.model)
    raise NoWords(reason[:LONGEST_REASON])


# -- what is shown --


NEAR = Scope(floor="asked")  # the search scope for background facts: only closely related memories


@dataclass(frozen=True)
class _Scene:
    """The context of wording: recent messages, known facts, and the built-in mind's input."""

    zone: tzinfo
    now: datetime
    name: str | None
    companion: str
    said: tuple[Turn, ...]
    last_seen: str | None
    known: str
    style: style_choosing.Block
    matter: Matter
    quiet_over: bool
    in_danger: bool

    @property
    def names(self) -> dict[str, str]:
        """The names of both speakers, as shown in a line."""
        return {USER: self.name or "They", COMPANION: self.companion}

    def lines(self, most: int) -> list[str]:
        """Return the last messages, oldest first, each with its day and speaker."""
        return [
            f"[{local(turn.at, self.zone):%a %-d %b, %H:%M}] {self.names.get(turn.speaker, turn.speaker)}: "
            f"{testimony.render_marked(turn.text, turn.foreign, TURN_TOKENS, flat=True)}"
            for turn in self.said[-most:]
        ]


@dataclass(frozen=True)
class _Searched:
    """A memory search: its query, the lines shown, and their texts."""

    words: str = ""
    lines: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Refused:
    text: str = ""
    reason: str = ""


@speaking(ENGLISH)
def _scene(world: World, item: Waiting) -> _Scene:
    with world.database.read() as db:
        zone, name = user.zone(world, db), user.name(db)
        now = local(world.now, zone)
        said = _last_said(world, db)
        heard = turns.last_said(db, USER)
        facts = memories.read_known(db, standing_prompt.KNOWN_FACTS)
        session = turns.current_session(db, world.now)
        block = standing_prompt.session_block(world, db, session, facts, name, zone, world.now)
        manner = style.build_block(db, world.now)
        gone = dead(said_corrections.add_sources(db, facts))
        over = quiet.just_over(db, world.now)
        in_danger = danger.find_current(db, world.now, DARK_FOR) is not None
        after_quiet = over is not None and not (said and said[-1].at > over.until)
    matter = Matter(
        kind=item.kind,
        summary=item.summary,
        now=now,
        key=item.key,
        name=name,
        dead=gone,
        weighs=in_danger or weighing.find_gravest(said, world.care, world.now) is not None,
        care=world.care,
        said=tuple(turn.text for turn in said if turn.speaker == COMPANION),
    )
    return _Scene(
        zone=zone,
        now=now,
        name=name,
        companion=world.settings.furoshiki_companion_name,
        said=said,
        last_seen=None if heard is None else ago(heard.at, world.now),
        known=str(block["text"]),
        style=manner,
        matter=matter,
        quiet_over=after_quiet,
        in_danger=in_danger,
    )


def _last_said(world: World, db: sqlite3.Connection) -> tuple[Turn, ...]:
    """Return the last messages of the owner's chat, oldest first."""
    to = addressee.of_owner(world, db)
    return () if to is None else tuple(turns.recent(db, to.channel, to.chat_id, LOOKED_BACK))


@speaking(ENGLISH)
def _render_matter(world: World, item: Waiting, scene: _Scene) -> str:
    beat = world.state.heartbeat()
    return world.prompts.render(
        "outreach/matter",
        clock=describe_moment(scene.now, scene.zone),
        zone=str(scene.zone),
        name=scene.name,
        last_seen=scene.last_seen,
        language=languages.find_language((turn.own for turn in scene.said if turn.speaker == USER), world.config),
        mood=beat.mood.word,
        directives=user_needs.directives(beat.user_needs, world.now, world.laws.user_needs),
        style=scene.style or None,
        lines=scene.lines(SHOWN_TURNS),
        quiet_over=scene.quiet_over,
        in_danger=scene.in_danger,
        kind=item.kind,
        summary=item.summary,
        detail=cut(item.detail, DETAIL_TOKENS),
    )


@speaking(ENGLISH)
def _once_more(
    world: World, item: Waiting, scene: _Scene, drafted: Worded, searched: _Searched, refused: _Refused
) -> Question:
    from furoshiki.mind.outreach.forms import Polished

    most = wording.LONGEST if item.kind in wording.ROOMY else wording.SHORT
    shown = world.prompts.render(
        "outreach/polishing",
        clock=describe_moment(scene.now, scene.zone),
        most=most,
        summary=item.summary,
        lines=scene.lines(POLISHED_TURNS),
        found=searched if searched.words else None,
        draft=drafted.text,
        refused=refused if refused.text else None,
    )
    instructions = world.prompts.render("outreach/polish", companion=scene.companion, most=wording.SHORT)
    key = refs.name("mind_queue", item.id)
    return Question.of(
        "micro", POLISH, instructions, shown, Polished, max_tokens=POLISHED_TOKENS, timeout_s=30.0, turn_key=key
    )


def _search(world: World, scene: _Scene, query: str) -> _Searched:
    """Search the memory; each line has its day, and says if it is over or was corrected."""
    items = [item for item in recall(world, query, k=FOUND, now=scene.now, scope=NEAR) if item.status != UNCONFIRMED]
    with world.database.read() as db:
        righted = said_corrections.find_corrected(db, [item.id for item in items])
    lines = []
    for item in items:
        label = [day(item.at, scene.zone)]
        if item.speaker is not None:
            label.append(testimony.label_speaker(scene.names.get(item.speaker, item.speaker), item.text, item.foreign))
        if item.past:
            label.append(describe_end(item.text, item.valid_to, scene.zone))
        if item.id in righted:
            label.append(f"put right since: {righted[item.id].text}")
        lines.append(f"({'; '.join(label)}) {testimony.render_marked(item.text, item.foreign, TURN_TOKENS, flat=True)}")
    return _Searched(" ".join(query.split()), tuple(lines), tuple(item.text for item in items))


# -- what is written --


async def _fault(world: World, item: Waiting, scene: _Scene, text: str, searched: _Searched) -> str | None:
    """Return why a text may not be sent; None when it may."""
    fault = wording.fault(text, item.kind, item.summary, item.detail) or _foreign_to_them(world, scene, text)
    if fault is not None:
        return fault
    known = [item.summary, item.detail, *searched.texts, *scene.known.splitlines()]
    stated = filter(_states_something, known)
    record = [make_record(-number, line, scene.now) for number, line in enumerate(stated, start=1)]
    talk = Conversation([*record, *scene.said[-SHOWN_TURNS:]], scene.zone, scene.name or "", scene.companion)
    claim = Claim(text, "journal", tuple(turn.id for turn in talk.said), free=True)
    instructions = world.prompts.render("outreach/reader", companion=scene.companion, name=scene.name)
    (verdict,) = await believing.read(world, talk, [claim], instructions)
    if verdict is None:
        return "nobody has read whether it is so"
    return None if verdict.outcome == "known" else f"it claims what nobody told: {verdict.reason}"


def _foreign_to_them(world: World, scene: _Scene, text: str) -> str | None:
    """Return that a text is English where they write in another language; None where it may be theirs."""
    theirs = languages.find_language((turn.own for turn in scene.said if turn.speaker == USER), world.config)
    known = load_languages(world.config)
    english = theirs is not None and known.of(text) is None and known.is_english(text, share=0.5)
    return f"it is in English, and they write in {theirs}" if english else None


def _states_something(line: str) -> bool:
    """Return whether a line of what is known is none of its headings."""
    return bool(line.strip()) and not line.startswith("#") and not line.endswith(":")


def _strip_quotes(text: str) -> str:
    plain = text.strip()
    for opening, closing in (('"', '"'), ("\u201c", "\u201d"), ("\u201e", "\u201c"), ("\u00ab", "\u00bb")):
        inner = plain[1:-1]
        if len(plain) > 1 and plain[0] == opening and plain[-1] == closing and opening not in inner:
            return inner.strip()
    return plain
