"""Reply to messages in other languages than English. With a catalogue it talks: names, facts,
greetings, itself, feelings, and dated quotations of earlier statements. In other languages only
quotations: it says once that it understands nothing else, and stores the words."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from furoshiki.core import catalogue, timestamps
from furoshiki.core.catalogue import ENGLISH, capital, later, say, speaking
from furoshiki.language.detection import GROUPS, Language
from furoshiki.language.facts import abroad, names
from furoshiki.language.facts.extraction import USER, Fact
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.humanize import describe_moment, shorten
from furoshiki.language.reflex import answering, attachment_replies, caring, days, telling
from furoshiki.language.reflex.answering import memories_in
from furoshiki.language.reflex.frankness import AWAY
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.reflex.reminders import respond as reminders
from furoshiki.language.reflex.values import KnownFact, Reflex, ToolResult
from furoshiki.language.reflex.wording import Wording, add_full_stop, day, join_sentences
from furoshiki.language.requests import asked, debts_and_jobs, in_language, lines, news, small_talk
from furoshiki.language.requests.correction_words import read_denial
from furoshiki.language.requests.values import ShowReminders
from furoshiki.language.tables.numbers import spelled
from furoshiki.language.testimony import Own, Utterance
from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN, bare, count_letters, count_words, ends_asking

# how long an explanation given in a language holds before it is repeated
CONVERSATION = timedelta(hours=6)

# least share of a question's words (or character pairs) in a quoted message
ANSWERS, ANSWERS_IN_SIGNS = 0.5, 0.3

# least share of a question's words in a message quoted as perhaps the answer, if nothing else is
# found
PERHAPS, PERHAPS_IN_SIGNS = 0.3, 0.2

# most words of a question about a person for which any message about that person may be the answer
LONGEST_OF_THEM = 3

# least words (two Chinese characters count as one), or letters, of a message that is quoted as told
LEAST_TOLD, LEAST_LETTERS = 4, 15

SAME = {"works_as": ("works_as", "works_at")}  # facts that answer the same question
MOST_KNOWN = 12  # most messages quoted to a user who asks what is known about them

_HEAVY = frozenset({"sadness", "worry"})

# friendly replies to everyday remarks, and to feelings
SMALL, FELT_REPLIES = {**lines.read_lines("said_small"), "teases": news.LINES["tease"]}, lines.read_lines("said_felt")

# the catalogues have jokes of their own, and name their language; `CAN` is said once per
# conversation
JOKES, [IN_ENGLISH], [CAN] = SMALL["jokes"], SMALL["returns"], SMALL["asks_can"]

FELT = 0.5  # least strength of a feeling that is answered

# least strength of excitement, anger or sadness beside which a goodbye must be certain
LIVELY = 0.4

NIGHT = (21, 5)  # hours from and until which a goodbye is a good night

_FEELINGS = {one: one for one in ("worry", "sadness", "anger", "warmth")} | {
    "frustration": "anger",
    "excitement": "joy",
    "relief": "joy",
    "praise": "warmth",
}


def is_at_home(language: Language) -> bool:
    """Return whether the built-in mind has a catalogue for this language."""
    return language.code in catalogue.languages()


def talk(heard: Heard, wording: Wording) -> Reflex | None:
    """Return a reply, or facts to store or search, in a language with a catalogue; else None."""
    language = heard.situation.language
    if language is None or not is_at_home(language):
        return None
    heard = _name_asked(heard, language)
    if new := _new_facts(heard, language):
        return Reflex(calls=tuple(map(telling.memorize, new)))
    if sourced := name_source(heard, wording):
        return sourced
    if not heard.text and heard.situation.attachments:
        return Reflex(attachment_replies.answer(heard.situation.attachments[0], wording), complete=True)
    if not heard.text:
        return Reflex(_greet(heard, wording), complete=True)
    if heard.name is not None:
        return Reflex(_name_taken(heard), complete=True)
    if heard.asks_to_forget and not language.is_asked(heard.text):
        return Reflex(wording.one(SMALL["nods"]), complete=True)
    if glad := caring.be_glad(heard, wording):
        return glad
    felt = heard.situation.felt
    feels = max(felt.get("excitement", 0.0), felt.get("anger", 0.0), felt.get("sadness", 0.0)) >= LIVELY
    intent = small_talk.find_meaning(language, heard.text, heard.situation.companion, heard.situation.meant, feels)
    is_question, matter = language.is_asked(heard.text), debts_and_jobs.find_matter(heard.plain, language.code)
    asks_of_them = is_question and asked.find_name(heard.plain, answering.list_names(heard)) is not None
    asks_of_them |= matter is not None and (is_question or matter.tells.search(heard.plain) is None)
    asks_of_them |= small_talk.asks_companion(language, heard.text)
    likely = intent in ("tired", "parts") or not (
        ends_asking(heard.text) or small_talk.by_phrases(language, heard.text)
    )
    asks_of_them |= intent == "parts" and is_question
    if asks_of_them or (likely and news.is_sure(heard.situation.meant)):
        intent = None  # "c qui rex" asks about a dog, "quelle journée" for no date, "und wo jetzt" is no goodbye
    if intent is None and (held := caring.stay_abroad(heard, wording)):
        return held
    if intent == "asks_waiting":
        return reminders.carry_out(ShowReminders(), heard, wording)
    said = answer_intent(intent, heard, wording)
    if said is None and (search := look_up(heard, language, surely=asks_of_them)):
        return search
    if said and heard.first_meeting and intent not in ("greets", "hails", "asks_who"):
        said = join_sentences(said, say("I'm {me}.", me=heard.situation.companion), _ask_name(heard))
    return Reflex(said or _answer_told(heard, wording) or _keep(heard, wording), complete=True)


def switch(heard: Heard, _wording: Wording) -> Reflex | None:
    """Answer a message that asks for a language: its own, or another."""
    written = [(one.code, one.name) for one in (heard.situation.language,) if one is not None]
    for code, name in (*written, (ENGLISH, "English")):
        if asked_for := in_language.find_language(heard.text, code):
            with speaking(code):
                return answer_in(asked_for, asked_for == name)
    return None


def answer_in(language: str, written: bool) -> Reflex:
    """Agree to answer in the message's own language, or tell how to be answered in another."""
    return Reflex(say(IN_ENGLISH) if written else say(SMALL["write_in_it"][0], language=say(language)), complete=True)


def answer_kept(results: tuple[ToolResult, ...], heard: Heard, wording: Wording) -> Reflex | None:
    """Return the reply after facts were stored; None after other skills."""
    language = heard.situation.language
    if language is None or not is_at_home(language) or any(result.name != "memorize" for result in results):
        return None
    if heavy := caring.words(heard, wording) or _console(heard):
        return Reflex(heavy, complete=True)
    name = _name_taken(heard) if heard.name is not None else None
    if not any(result.ok for result in results):
        return Reflex(join_sentences(name, None if name else _keep(heard, wording)), complete=True)
    stated = abroad.facts_in(heard.text, language, _list_own(heard))
    named = [fact.object for fact in stated if fact.predicate in RELATIONS]
    ways = (later("I'll remember that."), later("Good to know, I'll remember it."))
    if named:
        return Reflex(join_sentences(name, say("{given}: I'll remember the name.", given=named[0])), complete=True)
    return Reflex(name or _answer_told(heard, wording) or wording.one(ways), complete=True)


def _new_facts(heard: Heard, language: Language) -> list[Fact]:
    if heard.asks_to_forget:
        return []
    stated = abroad.facts_in(heard.text, language, _list_own(heard))
    return [fact for fact in stated if telling.find_known(fact, heard) is None]


def _name_asked(heard: Heard, language: Language) -> Heard:
    """Return a question with the person named whom its pronoun means; any other message as it is."""
    if not language.is_asked(heard.text):
        return heard
    return Heard(replace(heard.situation, text=abroad.name_person(heard.text, _list_own(heard), language)))


def _list_own(heard: Heard) -> list[str]:
    """List the user's messages of the conversation, newest first."""
    return [said.own for said in reversed(heard.situation.recent) if said.speaker == USER]


def answer_intent(intent: str | None, heard: Heard, wording: Wording) -> str | None:
    """Return the reply to an intent of `small_talk.find_meaning`; None if it has none."""
    situation = heard.situation
    match intent:
        case "greets" | "hails":
            return _greet(heard, wording)
        case "asks_how":
            well = later("I'm well, thank you{name}."), later("All is well here, thank you{name}.")
            return join_sentences(wording.one(well), say("And you?") if wording.may_ask else None)
        case "parts" if situation.now.hour >= NIGHT[0] or situation.now.hour < NIGHT[1]:
            return answer_intent("nights", heard, wording)
        case "asks_who":
            return say(
                "I'm {me}: a program on your machine, not a human, and without a language model "
                "right now. I keep what you tell me, word for word.",
                me=situation.companion,
            )
        case "asks_known":
            return _list_known(heard)
        case "asks_name" if situation.user_name is None:
            return join_sentences(say("You haven't told me yet."), say(names.ASK))
        case "asks_name":
            return say("You're called {given}.", given=situation.user_name or "")
        case "asks_time":
            return f"{situation.now:%H:%M}"
        case "asks_day":
            return capital(describe_moment(situation.now, situation.now.tzinfo or UTC))
        case "asks_joke":
            return wording.unused(JOKES) or say("Those were all the jokes I know.")
        case "asks_more" if any(say(joke) in heard.last_reply for joke in JOKES):
            return answer_intent("asks_joke", heard, wording)
        case "bored" if not wording.may_ask:
            return answer_intent("asks_joke", heard, wording)
        case "bored":
            return say("Then let's think: if tomorrow were completely free, what would you do before noon?")
    return wording.one(SMALL[intent]) if intent and intent in SMALL else None


def _list_known(heard: Heard) -> str:
    """Quote the user's statements with dates, newest first; each message once."""
    situation = heard.situation
    name = situation.user_name
    called = say("You're called {given}.", given=name) if name else None
    of_them = [one for one in situation.facts if one.said_text and one.predicate != "name"]
    told = {_all_said(one): one.said_at for one in of_them}
    told |= {
        said.quotable: said.at
        for said in (*situation.told, *situation.recent)
        if _tells(said, heard) and said.quotable not in " ".join(told)
    }
    newest = sorted(((at, words) for words, at in told.items() if at is not None), reverse=True)
    if not newest:
        return join_sentences(
            called, say("I don't know much more about you yet. Tell me something, and I'll remember.")
        )
    quotes = [
        "- " + capital(say("{when}: “{words}”", when=day(at, situation.now), words=shorten(words)))
        for at, words in newest[:MOST_KNOWN]
    ]
    return "\n".join([join_sentences(called, say("You told me:")), *quotes, say("/memory shows all of it.")])


def _all_said(fact: KnownFact) -> str:
    """Return the words of a fact, behind those that they put right."""
    return " … ".join(filter(None, (fact.first_said, fact.said_text)))


def _tells(said: Utterance, heard: Heard) -> bool:
    """Return whether a message tells something quotable: a clause, not a question, not grave."""
    language = heard.situation.language
    short = count_words(said.own) < LEAST_TOLD and count_letters(said.own) < LEAST_LETTERS
    if said.speaker != USER or short or language is None or language.is_asked(said.own) or _corrects(said.own):
        return False
    if small_talk.by_phrases(language, said.own) or requests.perhaps(said.own, heard.situation.now) is not None:
        return False
    return not answering.is_grave(said.own, heard)


def _answer_told(heard: Heard, wording: Wording) -> str | None:
    """Reply to news or to the strongest feeling in a message, without a question."""
    felt, language = heard.situation.felt, heard.situation.language
    if consoled := _console(heard):
        return consoled
    strongest = max(_FEELINGS, key=lambda one: felt.get(one, 0.0))
    feels = felt.get(strongest, 0.0) >= FELT
    dark = feels and _FEELINGS[strongest] not in ("joy", "warmth")
    kind = news.find_kind(heard.situation.meant, dark=dark)
    doubtful = language is not None and _doubts_joy(heard, language)
    glad = kind == "sad" and feels and _FEELINGS[strongest] == "joy" and not doubtful  # "ich freu mich" is like grief
    if kind is not None and (not glad if kind in news.GLOOMY else not doubtful):
        return wording.one(news.LINES[kind])
    if not feels or (doubtful and _FEELINGS[strongest] == "joy"):
        return None
    return wording.one(FELT_REPLIES[_FEELINGS[strongest]])


def _console(heard: Heard) -> str | None:
    """Return a reply to a message with a word for death."""
    language = heard.situation.language
    return say("I'm so sorry. I'm here.") if language and language.weighs(heard.text) else None


def _doubts_joy(heard: Heard, language: Language) -> bool:
    """Return whether apparent joy is unreliable: of what would be ("today would be our
    anniversary"), or just after a death was told of."""
    return abroad.speaks_of("unreal", heard.text, language) or any(map(language.weighs, _list_own(heard)))


def _greet(heard: Heard, wording: Wording) -> str:
    said = heard.situation.language and small_talk.find_hail(heard.situation.language, heard.text)
    hail = wording.one((later("{hail}{name}!"),), hail=capital(said)) if said else None
    if heard.first_meeting:
        me = heard.situation.companion
        hello = join_sentences(hail, say("I'm {me}.", me=me)) if hail else say("Hello! I'm {me}.", me=me)
        return join_sentences(hello, say(CAN), _ask_name(heard))
    return hail or wording.one((later("Hello{name}!"), later("Hello{name}, good to hear from you.")))


def _ask_name(heard: Heard) -> str | None:
    return say(names.ASK) if heard.situation.user_name is None else None


def _name_taken(heard: Heard) -> str:
    given = heard.name or ""
    if heard.first_meeting:
        return join_sentences(
            say("Nice to meet you, {given}. I'm {me}.", given=given, me=heard.situation.companion), say(CAN)
        )
    fact = next((one for one in heard.situation.facts if one.predicate == "name" and one.subject == "user"), None)
    if fact is None:
        return say("Nice to meet you, {given}. I'll remember that.", given=given)
    if fact.object == given:
        return say("I know, {given}. I haven't forgotten.", given=given)
    return say("All right: {given} from now on.", given=given)


def _keep(heard: Heard, wording: Wording) -> str:
    kept = wording.one((later("I've kept that, word for word."), later("Saved, in your own words.")))
    situation = heard.situation
    if situation.told_language or situation.weighs is not None:
        return kept
    hello = say("I'm {me}.", me=situation.companion) if heard.first_meeting else None
    away = say(AWAY) if wording.away else None
    return join_sentences(hello, kept, away, say(CAN))


def answer(heard: Heard, wording: Wording) -> Reflex | None:
    """Reply to a message that is not in English; a question is searched first."""
    language = heard.situation.language
    if language is None:
        return None
    if not language.spoken:
        first, again = lines.REPLIES["unknown_language"], lines.REPLIES["unknown_again"]
        told = any(map(wording.said_lately, (*first, *again)))
        return Reflex(wording.one(again if told else first))
    return look_up(heard, language) or Reflex(_plainly(language, heard, wording), complete=True)


def look_up(heard: Heard, language: Language, *, surely: bool = False) -> Reflex | None:
    """Request a search for a question (`surely`: about a known person or matter), else None."""
    exclaims = texts("chat", "exclaims").get(language.code, "")
    tells = not surely and not ends_asking(heard.text) and news.is_sure(heard.situation.meant)
    tells = tells and re.match(exclaims, bare(heard.text)) is not None  # "qué frío hace hoy"
    about = language.content(heard.text, small=True) or abroad.find_asked(heard.text, language)
    if (surely or language.is_asked(heard.text)) and not tells and about:
        return answering.search(heard)
    return None


def name_source(heard: Heard, _wording: Wording) -> Reflex | None:
    """Name the source of the last reply, in the language of the question."""
    language, sources = heard.situation.language, heard.situation.sources
    if language is None or sources is None or not language.spoken:
        return None
    own = next((one for one in sources if one.own), None)
    if own is not None:
        return Reflex(_quote(language, own, heard), complete=True)
    unsourced = say("I can't find where you said that. Take it as a guess of mine.")
    return Reflex(unsourced if is_at_home(language) else language.unsourced, complete=True)


def answer_search(results: tuple[ToolResult, ...], heard: Heard, wording: Wording) -> Reflex | None:
    """Answer a question in another language after the search; None for other results."""
    language = heard.situation.language
    if language is None or not language.spoken or any(result.name != "recall" for result in results):
        return None
    heard = _name_asked(heard, language)
    memories = [memory for result in results for memory in memories_in(result)]
    if matter := answering.find_matter(heard, memories):
        return Reflex(join_sentences(*(_quote(language, each, heard) for each in matter)), complete=True)
    best = _best(language, memories, heard)
    first = _first(language, heard)
    told = language.is_mine(heard.text) and heard.situation.strongest_feeling not in _HEAVY
    if best is None and not told and (stayed := caring.stay(heard, wording)) is not None:
        return stayed
    fact = _find_told(language, heard)
    if fact is not None and (best is None or best.at < fact.at or abroad.speaks_of("once", heard.text, language)):
        best = fact
    if best is not None:
        return Reflex(join_sentences(_quote(language, best, heard), first), complete=True)
    if is_at_home(language) and (near := _find_near(language, memories, heard)) is not None:
        return Reflex(join_sentences(say("I'm not sure it answers you."), _quote(language, near, heard)), complete=True)
    if is_at_home(language):
        nothing = say("I can't find anything about that in what you told me, and I know little about the world.")
        return Reflex(join_sentences(nothing, first), complete=True)
    return Reflex(first or language.asked, complete=True)


def _find_told(language: Language, heard: Heard) -> Utterance | None:
    """Return the words of the fact asked for: "c'est quand mon anniversaire" after "je suis né
    le 4 avril"; the present one, or what was before if that is asked. None where somebody else is named."""
    wanted, facts = abroad.find_asked(heard.text, language), heard.situation.facts
    if wanted is None:
        return None
    names, people = _find_names(language, heard), {wanted[0]}
    if wanted[0] == USER and names:  # "wie alt ist Lotte" asks for a daughter's age
        relatives = {fact for fact in facts if fact.predicate in RELATIONS and fact.object.casefold() in names}
        people = {fact.object for fact in relatives} | {fact.predicate for fact in relatives}
    elif wanted[0] != USER:
        people |= {fact.object for fact in facts if fact.predicate == wanted[0]}
    if abroad.speaks_of("once", heard.text, language):
        facts = heard.situation.over
    elif wanted[1] in RELATIONS:
        facts += heard.situation.over  # the dead keep their names
    for fact in facts:
        is_wanted = fact.subject in people and fact.predicate in SAME.get(wanted[1], (wanted[1],))
        of_them = USER in people or not names or any(map(_all_said(fact).casefold().__contains__, names))
        if is_wanted and of_them and fact.said_text and fact.said_at is not None:
            return Utterance(USER, _all_said(fact), fact.said_at)
    return None


def _may_answer(message: Utterance, asked: str, language: Language) -> bool:
    """Return whether a message has the number that a question for an age or a birthday asks for."""
    wanted = abroad.find_asked(asked, language)
    if wanted is None or wanted[1] not in ("age", "birthday"):
        return True
    return _NUMBER.search(message.own) is not None or bool(spelled(message.own, language.code))


_NUMBER = re.compile(r"\d")


def _quote(language: Language, one: Utterance, heard: Heard) -> str:
    righted = answering.find_righted(one, heard)
    if righted is not None and righted.reads and is_at_home(language):
        return answering.tell_corrected(righted, heard)
    text, at = (one.quotable, one.at) if righted is None else (f"{one.quotable} \u2026 {righted.text}", righted.at)
    words, now = shorten(text), heard.situation.now
    if is_at_home(language):
        own_tongue = replace(heard.situation.habits, tongues=(language.code,))  # "mon chien" is no Monday
        meant = days.find_meant_day(one.own, one.at, now, own_tongue)
        quoted = say("You told me {when}: “{words}”", when=day(at, now), words=words)
        return join_sentences(add_full_stop(capital(quoted)), meant)
    return language.quoted.format(day=timestamps.local(at, now.tzinfo).strftime("%Y-%m-%d"), words=words)


def _plainly(language: Language, heard: Heard, wording: Wording) -> str:
    weighs = language.weighs(heard.text)
    first = _first(language, heard)
    if first is not None:
        return join_sentences(language.again[0] if weighs else None, first)
    if weighs or heard.situation.strongest_feeling in _HEAVY:
        return language.again[0]  # the line that says first that someone is there
    return wording.one(language.again)


def _first(language: Language, heard: Heard) -> str | None:
    """Return the explanation given once per conversation; None if it was given."""
    if heard.situation.told_language or (is_at_home(language) and heard.situation.weighs is not None):
        return None
    return say(CAN) if is_at_home(language) else language.first.format(me=heard.situation.companion)


def was_explained(language: Language, companion: str, replies: Iterable[str]) -> bool:
    lines = [say(CAN)]
    if not is_at_home(language):
        lines = [language.first.format(me=companion), language.asked, *language.again]
    return any(line in reply for reply in replies for line in lines)


def _best(language: Language, memories: Sequence[Utterance], heard: Heard) -> Utterance | None:
    """Return the user's message with the most of the question's words; in a tie the one that names whom the question
    names, then the one with exact words, then the newer. Never one about another person, or a request."""
    related = language.related(heard.text).keys()
    names = _find_names(language, heard)
    found: tuple[tuple[float, bool, int, datetime], Utterance] | None = None
    for one in _list_statements(language, memories, heard):
        righted = answering.find_righted(one, heard)
        reads = righted and righted.reads
        share, whole = _compare(language, heard.text, reads or one.own)
        told = language.related(one.own).keys()
        if share < (ANSWERS_IN_SIGNS if language.dense else ANSWERS) or (told and not _fits(related, told)):
            continue
        rank = (share, any(map(one.own.casefold().__contains__, names)), whole, one.at)
        if found is None or rank > found[0]:
            found = (rank, one)
    return None if found is None else found[1]


def _find_names(language: Language, heard: Heard) -> list[str]:
    """Return the names in a question: a known one, and (where nouns have none) words with a capital."""
    names = list(filter(None, [asked.find_name(heard.plain, answering.list_names(heard))]))
    if language.code != abroad.CAPITAL_NOUNS and not language.is_mine(heard.text):
        names += [word for word in RUN.findall(heard.text) if word[:1].isupper()]
    usual = language.words | language.asks
    return [name for name in map(str.casefold, names) if name not in usual]


def _find_near(language: Language, memories: Sequence[Utterance], heard: Heard) -> Utterance | None:
    """Return the first message, in the order found, with some of the question's words or about the same person."""
    wanted, asked = language.content(heard.text), language.related(heard.text).keys()
    least = PERHAPS
    if language.dense:
        least = PERHAPS_IN_SIGNS
    for one in _list_statements(language, memories, heard):
        share, _ = _compare(language, heard.text, one.own)
        same = len(wanted) <= LONGEST_OF_THEM and not asked.isdisjoint(language.related(one.own))
        if share >= least or same:
            return one
    return None


def _list_statements(language: Language, memories: Sequence[Utterance], heard: Heard) -> list[Utterance]:
    """Return the user's statements: those found, those of the conversation, newest first, and those of facts."""
    spoken: list[Utterance] = [*memories, *heard.situation.recalled, *reversed(heard.situation.recent)]
    for fact in heard.situation.facts:
        if fact.said_text and fact.said_at:
            spoken.append(Utterance(USER, fact.said_text, fact.said_at))
    return [one for one in spoken if _states(one, language, heard) and _may_answer(one, heard.text, language)]


def _states(one: Utterance, language: Language, heard: Heard) -> bool:
    """Return whether an utterance is the user's, asks, corrects and orders nothing and is not grave."""
    if one.speaker != USER or not one.own or one.own.strip() == heard.text or language.is_asked(one.own):
        return False
    quotable = not _corrects(one.own) and not answering.is_grave(one.own, heard)
    return quotable and requests.request(one.own, heard.situation.now) is None


def _corrects(text: Own) -> bool:
    """Return whether a message is told by what it puts right: "no, Friday"."""
    rest = read_denial(text)
    return rest is not None and count_words(rest) < LEAST_TOLD - 1  # "no, Uwe is a roofer" tells by itself


def _fits(asked: Set[str], told: Set[str]) -> bool:
    """Return whether relations told of may be those asked for, or none was: "child" and "son" are."""
    if not asked or not told:
        return True
    apart = told.isdisjoint({*asked, *map(GROUPS.get, asked)})
    return not (apart and asked.isdisjoint({*told, *map(GROUPS.get, told)}))


def _compare(language: Language, asked: str, told: str) -> tuple[float, int]:
    """Return the share of the question's content that was told, and the number of exact words."""
    small = not language.content(asked)
    wanted = language.content(asked, small=small)
    share = len(wanted & language.content(told, small=small)) / max(1, len(wanted))
    words = (set(map(bare, RUN.findall(text))) for text in (asked, told))
    return share, len(set.intersection(*words))
