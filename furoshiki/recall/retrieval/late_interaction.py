"""Contextual late interaction: rank candidates for a question token by token.

Every token of the question takes its best match among a turn's token vectors or, at a discount,
among those of neighbouring turns; the weighted mean is the turn's score. So an answer counts even
if its question was asked one turn before ("In March." after "When are you moving?"), which no
vector of a single turn can represent. Evidence from words (`retrieval.rules.likely_answers`) is
added in standard deviations of that score among the candidates.

ColBERT's MaxSim: O. Khattab and M. Zaharia, "ColBERT", SIGIR 2020. Reads only; numpy is imported
when something is ranked.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Protocol

import numpy as np

from furoshiki.core import refs
from furoshiki.core.arrays import Floats, Ids
from furoshiki.language.dates.past import asked_dates
from furoshiki.language.dates.past.asked_dates import DateWindow
from furoshiki.language.tables.function_words import query_words
from furoshiki.recall.retrieval import called_names
from furoshiki.recall.retrieval.rules import likely_answers, nearness
from furoshiki.recall.retrieval.rules.likely_answers import TERMS, Cues, Terms
from furoshiki.recall.retrieval.rules.nearness import Strength
from furoshiki.recall.retrieval.store import candidates as candidate_store
from furoshiki.recall.retrieval.store import full_text, multilingual, token_vectors
from furoshiki.recall.retrieval.store.candidates import Beside, CandidateMemory, CandidateTurn
from furoshiki.recall.retrieval.store.token_vectors import Column
from furoshiki.recall.retrieval.values import KINDS, Floor, Kind

# The most candidates from vectors, and from words. With the design's 150 the development
# conversations give no better result (R@10 86.1 for both) at twice the time.
CANDIDATES = 80

DORMANT_COSINE = 0.9  # the least cosine at which a dormant memory is found

# how far a session's document is ranked below its best turn, as it has the same words
SESSION_BELOW = 2.5

# how far a memory is ranked below a turn whose words it repeats: the original comes first, and one
# of the two is enough among the first
REPEATED = 1.0

# the share of a memory's words that its source turns must contain for it to repeat them; "They live
# in Lyon" after "Yes, there" does not
SAME_WORDS = 0.6

MOST_SOURCES = 3  # source turns of a memory that become candidates with it
NOTHING_IN_IT = -6.0  # the score of a session's document none of whose turns is a candidate

NO_TOKENS: Mapping[str, bytes] = {}

# bytes of stored tokens unpacked at once; unpacked they take eight times as many: 4 MB
UNPACKED_AT_ONCE = 1 << 19

MOST_ASKED = 254  # tokens of a question that are used


class TokenEncoder(Protocol):
    """The part of an encoder that ranking needs (`furoshiki.recall.embeddings.encoder.Encoder`)."""

    @property
    def id(self) -> str: ...

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """Return the vector of a text and of each of its tokens."""

    def pieces(self, text: str) -> list[str]:
        """Return the tokens, one for each row of `encode_tokens`."""


@dataclass(frozen=True)
class Asked:
    """A question with its token vectors. `now` is aware, in the asker's zone.

    `shares` are the weights of tokens, if the encoder gives them; `whole` is the question's one
    vector, if whole texts are compared too; `near` are the cosines of texts without a stored one.
    `tell` extracts the content words of a text in the question's language (`code`), `asks` says whether
    a sentence without a question mark is a question in it.
    """

    text: str
    now: datetime
    pieces: tuple[str, ...]
    tokens: Floats
    kinds: tuple[Kind, ...] = KINDS
    shares: Floats | None = None
    whole: Floats | None = None
    near: Mapping[str, float] = field(default_factory=dict)
    tell: Callable[[str], frozenset[str]] = nearness.extract_stems
    asks: Callable[[str], bool] = nearness.begins_a_question
    code: str = "en"

    def is_asked_again(self, text: str) -> bool:
        """Whether a text repeats this question."""
        return likely_answers.asks_again(text, self._telling_words, self.tell, self.asks)

    @cached_property
    def _telling_words(self) -> frozenset[str]:
        return self.tell(self.text)

    @classmethod
    def by(
        cls, encoder: TokenEncoder, text: str, now: datetime, kinds: tuple[Kind, ...] = KINDS
    ) -> "tuple[Asked, Floats]":
        """Encode a question; also return its one vector for finding candidates."""
        vector, rows = encoder.encode_tokens(text)
        rows = rows[:MOST_ASKED]
        return cls(text, now, tuple(encoder.pieces(text))[: len(rows)], rows, kinds), vector


def rank(
    db: sqlite3.Connection,
    question_asked: Asked,
    near: Mapping[str, float],
    model: str,
    without: frozenset[str] = frozenset(),
    terms: Terms = TERMS,
    fresh: Mapping[str, bytes] = NO_TOKENS,
    floor: Floor | None = None,
    column: Column = "tokens",
) -> list[tuple[str, float]]:
    """Return all candidates with their scores, best first (ties: newest first).

    `near` are the nearest by vector ("turn:12" with its cosine), `model` is the id of the encoder
    whose tokens are compared, `column` where they are stored, `fresh` new token vectors of rows
    without stored ones. Deterministic for a given database. Scores order one answer and are not
    comparable between questions; candidates below a `floor` are left out.
    """
    words = query_words(question_asked.text)
    by_words = {kind: full_text.full_text(db, kind, words, CANDIDATES) for kind in question_asked.kinds}
    ids: dict[Kind, set[int]] = {kind: set(by_words[kind]) for kind in question_asked.kinds}
    for kind, close in refs.by_kind(near).items():
        if kind in ids:
            ids[kind].update(close)
    cues = likely_answers.read(question_asked.text, question_asked.code)
    windows = asked_dates.windows(question_asked.text, question_asked.now)
    question = _Question(question_asked, cues, windows, terms, model, fresh, column)

    sources = full_text.sources(db, sorted(ids.get("memory", ())))
    if "turn" in ids:
        # A memory's source turns may be better answers even if neither vector nor words found them.
        ids["turn"].update(turn for rests_on in sources.values() for turn in rests_on[:MOST_SOURCES])
    turns = _turns(db, ids.get("turn", set()), question, _ranks(by_words.get("turn", ())))
    scores = dict(zip(refs.names("turn", turns.scores), turns.scores.values(), strict=True))
    strengths = dict(zip(refs.names("turn", turns.strengths), turns.strengths.values(), strict=True))
    if ids.get("memory"):
        memory_scores, strong = _memories(db, ids["memory"], sources, near, question, turns)
        scores, strengths = scores | memory_scores, strengths | strong
    if ids.get("session"):
        scores |= _sessions(db, ids["session"], turns)
    if floor == "outstanding":
        scores = {name: score for name, score in scores.items() if score >= nearness.OUTSTANDING}
    elif floor is not None:
        enough = nearness.near_enough(strengths, near, model, floor)
        enough |= _sessions_of(db, enough, ids.get("session", set()))
        scores = {name: score for name, score in scores.items() if name in enough}
    wanted = [(name, score) for name, score in scores.items() if name not in without]
    return sorted(wanted, key=_newest_first)


def _newest_first(pair: tuple[str, float]) -> tuple[float, str, int]:
    kind, number = refs.split(pair[0])
    return (-pair[1], kind, -number)


@dataclass(frozen=True)
class _Question:
    asked: Asked
    cues: Cues
    windows: tuple[DateWindow, ...]
    terms: Terms
    model: str
    fresh: Mapping[str, bytes]
    column: Column

    def tokens(self, db: sqlite3.Connection, kind: Kind, ids: Sequence[int]) -> dict[int, bytes]:
        """Return the token vectors of these rows, if they have any."""
        blobs = token_vectors.of(db, kind, ids, self.model, self.column)
        if not self.fresh:
            return blobs
        return blobs | {id_: self.fresh[name] for id_ in ids if (name := refs.name(kind, id_)) in self.fresh}


@dataclass(frozen=True)
class _Turns:
    """The turns' final scores, and their scale: the MaxSim of score 0 and that of one deviation.

    `telling` are the weights of the question's content words, `strengths` each turn's own
    similarity.
    """

    scores: dict[int, float]
    middle: float
    spread: float
    weights: Floats
    sessions: dict[str, float]
    telling: Floats
    strengths: dict[int, Strength]


def _turns(db: sqlite3.Connection, candidates: set[int], question: _Question, by_words: Mapping[int, float]) -> _Turns:
    terms = question.terms
    # A turn next to a strong candidate may be the answer: neighbours are candidates too.
    around = candidate_store.beside(db, candidates)
    needed = sorted(set(around).union(*(set(before) | set(after) for before, after in around.values())))
    turn_of = candidate_store.read_turns(db, needed)
    order = [number for number in sorted(around) if number in turn_of]
    speakers = {turn.speaker.lower().split()[0] for turn in turn_of.values() if turn.speaker.strip()}
    shares = question.asked.shares
    weights = _piece_weights(question.asked.pieces, frozenset(speakers)) if shares is None else _shares(shares)
    telling = _shares(list(map(float, nearness.judge_words(question.asked.pieces))))
    if not order:
        return _Turns({}, 0.5, 0.06, weights, {}, telling, {})
    again = {number for number, one in turn_of.items() if question.asked.is_asked_again(one.text)}
    if not question.cues.asks_companion:
        again |= {number for number in order if _answers_again(number, turn_of, around, again)}
    place = {number: row for row, number in enumerate(needed)}
    best, long = _best_matches(question.tokens(db, "turn", needed), needed, question.asked.tokens)
    rows = np.array([place[number] for number in order])
    beside = [
        *_neighbours(order, around, place, 0, terms.before, turn_of, terms.answers, again),
        *_neighbours(order, around, place, 1, terms.after, turn_of, None, again),
    ]
    paying = np.array([likely_answers.pays_for_length(turn_of[number].speaker, question.cues) for number in order])
    length = terms.long_per_log * long[rows] * paying
    own = best[rows] @ weights - length
    matched = best[rows].copy()
    for other, discount in beside:
        there = other >= 0
        matched[there] = np.maximum(matched[there], discount[there, None] * best[other[there]])
    raw = matched @ weights - length
    middle, spread = float(raw.mean()), max(float(raw.std()), 1e-6)
    score = (raw - middle) / spread
    if terms.whole and question.asked.whole is not None:
        near = multilingual.cosines(db, "turn", needed, question.asked.whole)
        near |= {number: cosine for number in needed if (cosine := question.asked.near.get(refs.name("turn", number)))}
        usual = sum(near.values()) / max(len(near), 1)
        wholes = [_near_in_talk(number, near, usual, turn_of, around, terms.answered) for number in order]
        score = _standard((1 - terms.whole) * score + terms.whole * _standard(wholes))
    own = _standard(own)

    peaks = _peaks(order, turn_of, score)
    peak = np.array([peaks[turn_of[number].session_id] for number in order])
    score = score + terms.session * _standard(peak)
    if by_words:
        score = score + terms.full_text * _standard([by_words.get(number, 0.0) for number in order])
    own_of = dict(zip(order, own.tolist(), strict=True))
    talking = {turn_of[number].speaker for number in order}
    meant = {speaker for speaker in talking if likely_answers.is_about_speaker(speaker, question.cues)}
    meant |= called_names.find_speakers(db, question.asked.text, frozenset(speakers)) & talking
    by_speaker = {speaker: _by_speaker(speaker, question, meant) for speaker in talking}
    besides = [
        by_speaker[turn_of[number].speaker] + _score_turn_cues(number, turn_of, around, own_of, question, meant)
        for number in order
    ]
    if terms.mentioned:
        told = {number: turn_of[number].text for number in order}
        mentions = called_names.find_mentions(question.asked.text, question.asked.code, told)
        score = score + terms.mentioned * np.array([number in mentions for number in order])
    score = score + np.array(besides) - terms.asked_again * np.array([number in again for number in order])
    if not (question.cues.about_before or question.windows):
        # Its words match, but state a fact that is no longer true.
        over = candidate_store.find_outdated(db, order, question.asked.now)
        score = score - terms.past * np.array([number in over for number in order])
    return _Turns(
        {number: float(value) for number, value in zip(order, score, strict=True)},
        middle,
        spread,
        weights,
        _peaks(order, turn_of, score),
        telling,
        _strengths(order, matched, weights, telling),
    )


def _near_in_talk(
    number: int,
    near: Mapping[int, float],
    usual: float,
    turn_of: Mapping[int, CandidateTurn],
    around: Mapping[int, Beside],
    answered: float,
) -> float:
    """Return a turn's cosine; a person's short answer has a share of the message it answers."""
    turn, own = turn_of[number], near.get(number, usual)
    before = next((turn_of[earlier] for earlier in around[number][0][:1] if earlier in turn_of), turn)
    if before.speaker == turn.speaker or turn.speaker in likely_answers.COMPANIONS:
        return own
    share = answered * min(1.0, likely_answers.SHORT_ANSWER / max(len(turn.text), 1))
    return own + share * (near.get(around[number][0][0], own) - own)


def _by_speaker(speaker: str, question: _Question, meant: Set[str]) -> float:
    """Return the score added for a speaker; `meant` are the speakers whom the question names."""
    if speaker in meant:
        return question.terms.named
    if likely_answers.is_asker(speaker, question.cues):
        return question.terms.oneself
    aside = speaker in likely_answers.COMPANIONS and not question.cues.asks_companion
    return -question.terms.companion if aside else 0.0


def _score_turn_cues(
    number: int,
    turn_of: Mapping[int, CandidateTurn],
    around: Mapping[int, Beside],
    own: Mapping[int, float],
    question: _Question,
    meant: Set[str],
) -> float:
    """Return the score added for a turn's words and time, in standard deviations."""
    terms, cues, turn = question.terms, question.cues, turn_of[number]
    more = 0.0
    if turn.speaker in meant and likely_answers.tells_of_oneself(turn.text):
        more += terms.first_person
    if question.windows:
        more += terms.dated * asked_dates.closeness(question.windows, turn.at)
    if cues.asks_when and likely_answers.tells_when(turn.text):
        more += terms.tells_when
    before = around[number][0][:1]
    if before and before[0] in turn_of and _answers(turn, turn_of[before[0]]):
        more += terms.after_question * min(max(own.get(before[0], 0.0), -3.0), 9.0)
    return more


def _answers(turn: CandidateTurn, before: CandidateTurn) -> bool:
    """Whether a turn may answer the previous one, in which another speaker asks."""
    return turn.speaker != before.speaker and likely_answers.asks_foremost(before.text)


def _answers_again(
    number: int, turn_of: Mapping[int, CandidateTurn], around: Mapping[int, Beside], again: Set[int]
) -> bool:
    """Whether this is the companion's earlier answer to the same question."""
    before = around[number][0][:1]
    return turn_of[number].speaker in likely_answers.COMPANIONS and bool(before) and before[0] in again


def _memories(
    db: sqlite3.Connection,
    candidates: set[int],
    sources: Mapping[int, Sequence[int]],
    near: Mapping[str, float],
    question: _Question,
    turns: _Turns,
) -> tuple[dict[str, float], dict[str, Strength]]:
    """Score memories by tokens, subject, time, validity; also return each one's similarity."""
    memory_of = candidate_store.read_memories(db, sorted(candidates))
    order = [number for number, one in memory_of.items() if _may_come(one, near)]
    if not order:
        return {}, {}
    best, long = _best_matches(question.tokens(db, "memory", order), order, question.asked.tokens)
    raw = best @ turns.weights - question.terms.long_per_log * long
    if not turns.scores:
        middle, spread = float(raw.mean()), max(float(raw.std()), 0.02)
    else:
        middle, spread = turns.middle, turns.spread
    source_turns = candidate_store.read_turns(
        db, [source for number in order for source in sources.get(number, ())[:MOST_SOURCES]]
    )
    similarity: dict[str, float] = {}
    for number, value in zip(order, (raw - middle) / spread, strict=True):
        score = float(value) + _score_memory_cues(memory_of[number], question)
        rests_on = [source for source in sources.get(number, ()) if source in turns.scores]
        source_scores = [turns.scores[source] for source in rests_on]
        words = {
            word for source in rests_on if source in source_turns for word in query_words(source_turns[source].text)
        }
        if source_scores and _repeats(memory_of[number], words):
            score = min(score, max(source_scores)) - REPEATED
        similarity[refs.name("memory", number)] = score
    strong = _strengths(order, best, turns.weights, turns.telling)
    return similarity, {refs.name("memory", number): one for number, one in strong.items()}


def _repeats(memory: CandidateMemory, words: set[str]) -> bool:
    """Whether these words contain most of a memory."""
    own = query_words(memory.content)
    return sum(word in words for word in own) >= SAME_WORDS * len(own)


def _may_come(memory: CandidateMemory, near: Mapping[str, float]) -> bool:
    return memory.status != "dormant" or near.get(refs.name("memory", memory.id), 0.0) > DORMANT_COSINE


def _score_memory_cues(memory: CandidateMemory, question: _Question) -> float:
    terms, cues = question.terms, question.cues
    more = 0.0
    if memory.subject is not None:
        about = memory.subject.lower().split()
        if (about[:1] == ["user"] and cues.about_oneself) or (about and about[0] in cues.words):
            more += terms.named
    if question.windows:
        more += terms.dated * max((_overlap(memory, window) for window in question.windows), default=0.0)
    if question.asked.is_asked_again(memory.content):
        more -= terms.asked_again
    past = memory.status == "superseded" or (memory.valid_to is not None and memory.valid_to <= question.asked.now)
    if past and not (cues.about_before or question.windows):
        more -= terms.past
    return more


def _overlap(memory: CandidateMemory, window: DateWindow) -> float:
    """Return 1 if it was valid during the window, less with the distance of its times."""
    if (
        memory.valid_to is not None
        and memory.times
        and min(memory.times) <= window.end
        and memory.valid_to >= window.start
    ):
        return 1.0
    return max((window.closeness(time) for time in memory.times), default=0.0)


def _sessions(db: sqlite3.Connection, candidates: set[int], turns: _Turns) -> dict[str, float]:
    score_of = {}
    for number, name in full_text.session_names(db, sorted(candidates)).items():
        peak = turns.sessions.get(name)
        score_of[refs.name("session", number)] = NOTHING_IN_IT if peak is None else peak - SESSION_BELOW
    return score_of


def _sessions_of(db: sqlite3.Connection, names: Set[str], documents: set[int]) -> frozenset[str]:
    """Return the session documents of the sessions of these turns."""
    there = {turn.session_id for turn in candidate_store.read_turns(db, refs.rows(names, "turn")).values()}
    session_of = full_text.session_names(db, sorted(documents))
    return frozenset(refs.name("session", number) for number, name in session_of.items() if name in there)


def _peaks(order: Sequence[int], turn_of: Mapping[int, CandidateTurn], score: Floats) -> dict[str, float]:
    peaks: dict[str, float] = {}
    for number, value in zip(order, score, strict=True):
        name = turn_of[number].session_id
        peaks[name] = max(peaks.get(name, -np.inf), float(value))
    return peaks


def _neighbours(
    order: Sequence[int],
    around: Mapping[int, Beside],
    place: Mapping[int, int],
    side: int,
    discounts: Sequence[float],
    turn_of: Mapping[int, CandidateTurn],
    answers: float | None,
    again: Set[int],
) -> list[tuple[Ids, Floats]]:
    """For each step away return the neighbour's row (-1: none) and the discount of its matches. A
    neighbour that repeats the question (`again`) counts only for an answer to it."""
    neighbours = []
    for step, discount in enumerate(discounts):
        rows = np.full(len(order), -1, np.int64)
        shares = np.full(len(order), discount, np.float32)
        for i, number in enumerate(order):
            there = around[number][side]
            if step >= len(there) or there[step] not in turn_of:
                continue
            answering = answers and step == 0 and _answers(turn_of[number], turn_of[there[step]])
            if answering:
                shares[i] = answers
            if answering or there[step] not in again:
                rows[i] = place[there[step]]
        neighbours.append((rows, shares))
    return neighbours


def _best_matches(blobs: Mapping[int, bytes], order: Sequence[int], query: Floats) -> tuple[Floats, Floats]:
    """Return each row's best match per query token (rows x tokens), and its excess length (log).

    Rows without tokens (not embedded yet, or by another encoder) match like the average row.
    """
    best = np.zeros((len(order), len(query)), np.float32)
    long = np.zeros(len(order), np.float32)
    has_tokens = np.zeros(len(order), bool)
    there = [row for row, number in enumerate(order) if number in blobs] if len(query) else []
    for some in _together([len(blobs[order[row]]) for row in there]):
        part = np.array(there[some])
        vectors, lengths = token_vectors.unpack_tokens([blobs[order[row]] for row in part])
        part, lengths = part[lengths > 0], lengths[lengths > 0]
        if len(part):
            starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
            best[part] = np.maximum.reduceat(vectors @ query.T, starts, axis=0)
            long[part] = np.log(np.maximum(lengths / likely_answers.LONG_TOKENS, 1.0))
            has_tokens[part] = True
    if has_tokens.any():
        best[~has_tokens] = best[has_tokens].mean(axis=0)
    return best, long


def _together(sizes: Sequence[int]) -> Iterator[slice]:
    """Yield slices of rows that may be unpacked together, each of at least one row."""
    first, total = 0, 0
    for place, size in enumerate(sizes):
        if total + size > UNPACKED_AT_ONCE and place > first:
            yield slice(first, place)
            first, total = place, 0
        total += size
    if first < len(sizes):
        yield slice(first, len(sizes))


def _piece_weights(pieces: Sequence[str], speakers: frozenset[str]) -> Floats:
    """Return the weights of the query's tokens; they sum to 1."""
    if not pieces:
        return np.zeros(0, np.float32)
    return _shares(likely_answers.piece_weights(pieces, speakers))


def _shares(weights: Sequence[float] | Floats) -> Floats:
    """Scale weights to sum to 1; all 0 stay 0."""
    weight_of = np.array(weights, np.float32)
    shared: Floats = weight_of / max(float(weight_of.sum()), 1e-6)
    return shared


def _strengths(order: Sequence[int], matched: Floats, weights: Floats, telling: Floats) -> dict[int, Strength]:
    """Return each row's similarity, by all of the question's words and by its content words."""
    near = zip((matched @ weights).tolist(), (matched @ telling).tolist(), strict=True)
    return {number: Strength(*both) for number, both in zip(order, near, strict=True)}


def _standard(values: Sequence[float] | Floats) -> Floats:
    """Convert values to standard deviations from the mean."""
    array = np.asarray(values)
    standard: Floats = (array - array.mean()) / max(float(array.std()), 1e-6)
    return standard


def _ranks(ids: Sequence[int]) -> dict[int, float]:
    """Return a substitute for BM25 scores by rank: 1 for the first, falling."""
    return {number: 1.0 / (1.0 + rank / 10) for rank, number in enumerate(ids)}
