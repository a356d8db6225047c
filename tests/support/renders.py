"""Every prompt, with what it is rendered from."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from furoshiki.core.paths import ROOT
from furoshiki.core.prompts import Prompts
from furoshiki.memory.store.gists import Gist
from furoshiki.messages.roles import Person
from furoshiki.owner.user_model.rules.style_choosing import Block
from tests.support.laws import shipped

PROMPTS = Prompts(ROOT / "prompts")


IDENTITY = ROOT / "config" / "identity"


LAWS = shipped().user_needs


def prose(name: str) -> str:
    return (IDENTITY / f"{name}.md").read_text(encoding="utf-8").strip()


NOBODY_YET: dict[str, Any] = {
    "clock": "Tuesday, 3 March 2026, 12:00",
    "zone": "UTC",
    "name": None,
    "last_seen": None,
    "back": None,
    "mood": "curious",
    "directives": (),
    "conflicts": (),
    "way": None,
    "style": None,
    "fresh_facts": [],
    "waiting": [],
    "session": None,
    "notes": [],
    "passing": [],
    "background": [],
    "reminders": [],
    "operations": [],
    "memories": [],
    "quoted": [],
    "sources": None,
    "danger": None,
    "plugins": [],
    "attended": None,
    "corrections": [],
    "promised": [],
    "moved": "",
    "need": None,
}


def _acted(name: str, args: str, ok: bool, text: str) -> dict[str, Any]:
    return {"name": name, "args": args, "ok": ok, "text": text}


A_FULL_EVENING = NOBODY_YET | {
    "clock": "Saturday, 21 November 2026, 21:40",
    "zone": "Europe/Lisbon",
    "name": "Noor",
    "last_seen": "2 hours ago",
    "back": {"said": "my sister has a boat in the harbour and I am afraid of it", "day": "2 November 2026"},
    "mood": "tender",
    "directives": (LAWS.directives["emotional_support"], LAWS.directives["companionship"]),
    "way": "look_up",
    "style": Block(
        ("load-high", "pacing-high", "verbosity-low", "emotional-low"), ("no_emoji",), None, "directness-up"
    ),
    "fresh_facts": ["[memory:41 · 21 November 2026] Their sister Anika had a baby."],
    "waiting": ["Ask how the first day at the harbour went"],
    "session": {"topic": "the visa form", "left": 20, "strayed": True},
    "notes": ["They have ten minutes before the train."],
    "passing": [Gist("drift", "question", "Would the harbour have been quieter?", datetime(2026, 11, 21, tzinfo=UTC))],
    "attended": {"why": "it is new", "text": "What they may need on Monday: help with the visa"},
    "corrections": ["The ferry goes from the south pier; I had said north."],
    "background": ["console, 19:02: is the backup done?"],
    "reminders": ["Sunday, 22 November 2026, 10:00: call Anika"],
    "operations": ["look for a cradle: completed — three found, the wooden one is nearest"],
    "memories": [
        "[turn:12 · 3 March 2026 · Noor] my sister Anika lives in Lisbon",
        "[turn:14 · 3 March 2026 · Noor] she has a boat\n  before it, Furo: What is she like?\n"
        "  after it, Furo: A boat!",
        "[memory:3 · 3 March 2026] They start a new job at the harbour.",
        "[memory:2 · 1 May 2025 · until 3 March 2026, not now] They live in Porto.",
    ],
    "sources": ["[3 June 2026 \u00b7 Noor] My sister Anika lives in Porto"],
    "quoted": ["[20 November 2026, 18:03 · companion] Anika your sister, or another Anika?"],
    "plugins": [("weather", "Lisbon today: 11 to 16 °C, light rain.\n  Tomorrow: partly cloudy.")],
}


NUMBERS = ["In an emergency: 112", "For people who are being hurt: 116 016 (Hilfetelefon)"]
IN_DANGER = NOBODY_YET | {
    "mood": None,
    "danger": {"lines": NUMBERS, "weight": True, "lightly": False},
}


A_TENSE_MORNING = NOBODY_YET | {
    "clock": "Monday, 23 November 2026, 06:58",
    "zone": "Europe/Lisbon",
    "name": "Noor",
    "last_seen": "just now",
    "mood": "irritated",
    "directives": (LAWS.directives["space"], LAWS.directives["companionship"]),
    "conflicts": (LAWS.conflicts["companionship_or_space"],),
    "style": Block(("challenge-low", "energy-heated"), ("brief", "german"), "formality"),
}


PROMISE = "Ask before giving advice"


SIGN = "Honoured when a question of mine stands before my first piece of advice, broken when none does."


IN_PLAIN_WORDS: dict[str, Any] = {
    "companion": "Furo",
    "talks_with": "`anthropic:a-model`",
    "providers": "anthropic",
    "paid": True,
    "telegram": True,
    "voice": True,
    "heard_by": "",
    "painter": "OpenAI",
    "guest": False,
    "soft": "0.5",
    "hard": "1",
    "encrypted": False,
    "daily": 7,
    "weekly": 4,
    "monthly": 6,
}


HOW_IT_IS: dict[str, Any] = {
    "companion": "Furo",
    "plain": "### Am I a person?\n\nNo.",
    "talks_with": "`anthropic:a-model`, then `openai:another`",
    "providers": "anthropic and openai at an address the owner chose",
    "tiers": [
        {"name": "CHAT", "words": "what I say", "models": "`anthropic:a-model`, then `openai:another`"},
        {"name": "MICRO", "words": "small judgements", "models": "the reflex mind alone"},
    ],
    "telegram": True,
    "owner_file": "The owner changed some of these times; they are told as they are now.",
    "wandering": True,
    "boundaries": True,
    "jobs": [{"name": "backup", "when": "Daily 01:00 UTC", "about": "A verified copy of everything."}],
    "scripts": [{"name": "backup", "about": "Write a verified backup."}],
    "encoder": "colbert-small",
    "embedder": "best",
    "collections": [{"name": "turns", "about": "everything said"}],
    "table_count": 2,
    "schema": "0003",
    "tables": "- `turns`: everything said, word for word",
    "emotions": [{"name": "joy", "natural": "0.3", "drift": "0.06"}],
    "needs": "communication, connection",
    "skills": [{"name": "recall", "about": "Search everything that was ever said."}],
    "commands": [{"name": "help", "about": "what I understand"}],
    "outside": [],
    "plugins": [
        "dice (enabled): “Rolls dice”. It runs when I ask for roll_dice; it may do nothing beyond its own folder."
    ],
    "settings": [{"name": "FUROSHIKI_BUBBLES", "value": "off", "about": "Send a reply as two or three messages."}],
    "prompts": [{"name": "turn", "files": "identity, now, session"}],
    "documents": ["memory/design_architecture_reality.md", "README.md"],
}


WHO: dict[str, Any] = {
    "name": "Furo",
    "soul": prose("SOUL").replace("{{ name }}", "Furo"),
    "boundaries": prose("BOUNDARIES"),
    "self_description": prose("SELF"),
}


A_MATTER: dict[str, Any] = {
    "clock": "Tuesday, 24 November 2026, 17:20",
    "zone": "Europe/Lisbon",
    "name": "Noor",
    "last_seen": "22 hours ago",
    "quiet_over": False,
    "in_danger": False,
    "language": None,
    "mood": "tender",
    "directives": (),
    "style": None,
    "lines": [
        "[Mon 23 Nov, 19:02] Noor: long day. the crane scares me, ruben laughed",
        "[Mon 23 Nov, 19:03] Furo: Did anybody show you how it is done?",
    ],
    "kind": "follow_up",
    "summary": "Ask how the second day at the harbour went",
    "detail": "",
}


A_DRAFT: dict[str, Any] = {
    "clock": "Tuesday, 24 November 2026, 17:20",
    "most": 400,
    "summary": "Ask how the second day at the harbour went",
    "lines": ["[Mon 23 Nov, 19:02] Noor: long day. the crane scares me, ruben laughed"],
    "found": None,
    "draft": "Day two at the harbour. Was the crane any smaller today?",
    "refused": None,
}


A_LONG_TASK: dict[str, Any] = {
    "day": "3 July 2026",
    "name": "Noor",
    "title": "Compare light tents",
    "goal": "A short table of six light tents with price and weight.",
    "skills": ["list: Keep lists.", "recall: Search what is remembered."],
}

A_STEP: dict[str, Any] = {
    "day": "Friday, 3 July 2026",
    "name": "Noor",
    "last": False,
    "number": 3,
    "count": 4,
    "title": "Compare light tents",
    "goal": "A short table of six light tents with price and weight.",
    "step": "Put everything found into one short table",
    "earlier": ["1. Collect six light tents with their prices: Aurora 210, Fjord 180"],
    "failed": "CANNOT: the weights were not there.",
    "done": ["list: add: tent pegs."],
}

RENDERS: dict[str, tuple[str, dict[str, Any]]] = {
    "plugins/work": ("plugins/work", {"system": "Give this a title of five words."}),
    "outreach/matter.plugin": (
        "outreach/matter",
        A_MATTER
        | {
            "kind": "plugin",
            "summary": "From the plugin weather: Rain is expected from three o'clock",
            "detail": "12 mm until six",
        },
    ),
    "outreach/draft": ("outreach/draft", {}),
    "outreach/matter.follow-up": ("outreach/matter", A_MATTER),
    "outreach/matter.after-danger": (
        "outreach/matter",
        A_MATTER | {"kind": "need", "summary": "I would like to hear how they are", "in_danger": True},
    ),
    "outreach/matter.task-update": (
        "outreach/matter",
        A_MATTER
        | {
            "kind": "task_update",
            "summary": "The search for a cradle is over",
            "detail": "results: 3\nwooden, 2 km, 80 EUR\nwicker, 14 km, 45 EUR",
            "language": "Portuguese",
            "style": Block(("verbosity-low", "formality-low"), ("no_emoji",)),
        },
    ),
    "outreach/matter.stranger": (
        "outreach/matter",
        A_MATTER
        | {
            "name": None,
            "last_seen": None,
            "mood": "curious",
            "lines": [],
            "kind": "question",
            "summary": "Something I do not know of them yet: where do they live?",
        },
    ),
    "outreach/matter.delegation": (
        "outreach/matter",
        A_MATTER
        | {
            "kind": "delegation",
            "mood": "lonely",
            "summary": "May I count on this for good: \u201cThey work at the harbour.\u201d?",
            "directives": (LAWS.directives["space"],),
        },
    ),
    "outreach/matter.after-quiet": (
        "outreach/matter",
        A_MATTER | {"quiet_over": True, "kind": "task_update", "summary": "The search for a cradle is over"},
    ),
    "turn/quiet": (
        "turn/quiet",
        {"quiet": "I will not write first until Sunday, 29 November at 08:00.", "danger": False},
    ),
    "outreach/polish": ("outreach/polish", {"companion": "Furo", "most": 400}),
    "outreach/polishing": ("outreach/polishing", A_DRAFT),
    "outreach/reader": ("outreach/reader", {"companion": "Furo", "name": "Mara"}),
    "outreach/polishing.searched": (
        "outreach/polishing",
        A_DRAFT
        | {
            "found": {
                "words": "crane at the harbour",
                "lines": ["(23 November 2026) the crane scares me, ruben laughed"],
            },
            "refused": {"text": "Is Anika proud of you?", "reason": "it claims what nobody told"},
        },
    ),
    "inner_monologue/journal": ("inner_monologue/journal", {"companion": "Furo"}),
    "inner_monologue/morning": ("inner_monologue/morning", {"companion": "Furo"}),
    "inner_monologue/afternoon": ("inner_monologue/afternoon", {"companion": "Furo"}),
    "inner_monologue/contemplation": ("inner_monologue/contemplation", {"companion": "Furo"}),
    "inner_monologue/wandering": ("inner_monologue/wandering", {"companion": "Furo"}),
    "inner_monologue/material": (
        "inner_monologue/material",
        {
            "plugins": [("journal-export", "3 days were written.")],
            "clock": "Sunday, 22 November 2026, 06:00",
            "name": "Noor",
            "sections": [
                {
                    "title": "Said since the last time",
                    "lines": [
                        "[41 · Sat 21 Nov, 18:02] Noor: the new job at the harbour starts monday",
                        "[42 · Sat 21 Nov, 18:03] Furo: You sound tired.",
                    ],
                },
                {
                    "title": "How they were with you, a conversation a line",
                    "lines": ["worried, clearly. They still haven't told Anika. [rests on 41]"],
                },
                {"title": "How you felt, oldest first", "lines": ["curious", "tender"]},
            ],
        },
    ),
    "inner_monologue/material-of-nobody": (
        "inner_monologue/material",
        {
            "plugins": [],
            "clock": "Sunday, 22 November 2026, 06:00",
            "name": None,
            "sections": [{"title": "What comes to mind", "lines": ["They swim in the sea after hard days."]}],
        },
    ),
    "inner_monologue/page": (
        "inner_monologue/page",
        {
            "day": "2026-11-22",
            "picture": "2026-11-22.svg",
            "entries": [
                {
                    "clock": "06:00",
                    "title": "at night",
                    "passages": ["Noor starts at the harbour on Monday.", "I keep coming back to that."],
                },
                {"clock": "07:00", "title": "looking ahead", "passages": ["I want to leave room today."]},
                {"clock": "11:30", "title": "a thought", "passages": ["Noor swims in the sea."]},
                {"clock": "15:00", "title": "looking back", "passages": ["I asked too much."]},
            ],
        },
    ),
    "turn/identity": ("turn/identity", WHO),
    "turn/who": ("turn/who", WHO),
    "turn/session.stranger": (
        "turn/session",
        {
            "own": [],
            "promises": [],
            "name": None,
            "profile": "",
            "ways": [],
            "facts": [],
            "reference": [],
            "sessions": [],
            "related": [],
            "rising": [],
            "tasks": [],
            "thought": None,
        },
    ),
    "turn/session.friend": (
        "turn/session",
        {
            "own": ["Never lie to them.", "I came to value plain answers, because Noor asked for them three times."],
            "promises": [{"text": PROMISE, "sign": SIGN}],
            "name": "Noor",
            "profile": "They live in Lisbon. Their sister Anika plays chess.",
            "ways": ["[memory:7 · 4 March 2026] please always give me recipes as bullet points"],
            "facts": ["[memory:3 · 3 March 2026] They live in Lisbon.", "[memory:4 · 3 March 2026] They like rain."],
            "reference": [
                ("Health", [("They must not eat nuts.", "memory:3")]),
                ("Plans", [("They mean to sail in May.", "memory:4, memory:9")]),
            ],
            "sessions": ["Friday, 20 November: the harbour, Anika"],
            "related": ["Tuesday, 3 March: the sea: They talked about swimming after hard days."],
            "rising": ["swimming", "boat"],
            "tasks": ["sand the hull", "ask the harbour master about the berth"],
            "thought": {
                "on": "Saturday, 21 November",
                "text": "Noor starts at the harbour on Monday and still hasn't told Anika. I felt the weight of that.",
            },
        },
    ),
    "remind/instructions": ("remind/instructions", {}),
    "remind/material": (
        "remind/material",
        {
            "now": "Tuesday, 24 March 2026, 15:00",
            "zone": "Europe/Lisbon",
            "said": "the morning after Pentecost: call Jost",
        },
    ),
    "routing/respond": ("routing/respond", {}),
    "routing/clarify": ("routing/clarify", {}),
    "routing/act": ("routing/act", {}),
    "routing/acknowledge": ("routing/acknowledge", {}),
    "routing/close": (
        "routing/close",
        {"companion": "Furo", "ways": [("RESPOND", "they want an answer"), ("ACT", "they want something done")]},
    ),
    "behaviour/instructions": ("behaviour/instructions", {"companion": "Furo"}),
    "behaviour/material.first": (
        "behaviour/material",
        {"questions": ["Should I have asked before advising?"], "times": 3, "active": []},
    ),
    "behaviour/material.later": (
        "behaviour/material",
        {"questions": ["Was I too long?", "Were my replies too long for them?"], "times": 4, "active": [PROMISE]},
    ),
    "consolidation/reader": ("consolidation/reader", {"companion": "Furo", "name": "Noor"}),
    "consolidation/reader.unnamed": ("consolidation/reader", {"companion": "Furo", "name": None}),
    "deep_reflection/reader": (
        "deep_reflection/reader",
        {"companion": "Furo", "name": "Noor", "facts": ["They work at the harbour."]},
    ),
    "deep_reflection/reader.nothing-known": (
        "deep_reflection/reader",
        {"companion": "Furo", "name": None, "facts": []},
    ),
    "behaviour/sorting": ("behaviour/sorting", {"companion": "Furo"}),
    "behaviour/new.first": ("behaviour/new", {"groups": [], "fresh": [(1, "Was I too long?")]}),
    "behaviour/new.later": (
        "behaviour/new",
        {
            "groups": [[(3, "Was I too long?"), (1, "Why so many words?")], [(2, "Did I joke too soon?")]],
            "fresh": [(4, "Do they still read what I write?")],
        },
    ),
    "acting/plan": ("acting/plan", {"companion": "Furo", "rounds": 5}),
    "acting/so_far.begins": ("acting/so_far", {"goal": "Find three tents for June.", "rounds": [], "left_out": 0}),
    "acting/so_far.goes-on": (
        "acting/so_far",
        {
            "goal": "Put what is missing on the shopping list.",
            "rounds": [
                {"number": 2, "actions": [_acted("recall", '{"query": "out of"}', True, "They are out of oat milk.")]},
                {"number": 3, "actions": [_acted("teleport", "{}", False, "There is no skill 'teleport'.")]},
            ],
            "left_out": 1,
        },
    ),
    "acting/answer": ("acting/answer", {"companion": "Furo", "why": "the time for it was used up."}),
    "acting/not_done.ordered": (
        "acting/not_done",
        {"orders": "list (action add, list shopping, items ['milk'])", "claimed": "Milk is on your list."},
    ),
    "acting/not_done.claimed": ("acting/not_done", {"orders": "", "claimed": "I've set a reminder for Friday."}),
    "acting/enough.repeats": ("acting/enough", {"repeats": True, "offers": False}),
    "acting/enough.rounds": ("acting/enough", {"repeats": False, "offers": True}),
    "acting/silent": ("acting/silent", {}),
    "acting/reply_language": ("acting/reply_language", {"language": "Turkish"}),
    "turn/guest.member": ("turn/guest", {"who": Person("member", "telegram", "31", "31", "Bea"), "others": []}),
    "turn/guest.owner-of-a-household": ("turn/guest", {"who": Person("owner"), "others": ["Ben", "Oma Inge"]}),
    "turn/guest.member-in-group": (
        "turn/guest",
        {"who": Person("member", "telegram", "31", "-100", private=False), "others": []},
    ),
    "turn/guest.owner-in-group": (
        "turn/guest",
        {"who": Person("owner", "telegram", "7", "-100", private=False), "others": []},
    ),
    "turn/earlier": (
        "turn/earlier",
        {
            "first": "19 November 2026",
            "text": "Thursday, 19 November: Noor got the job at the harbour and begins on Monday.",
        },
    ),
    "turn/now.nobody-yet": ("turn/now", NOBODY_YET),
    "turn/now.full-evening": ("turn/now", A_FULL_EVENING),
    "turn/now.tense-morning": ("turn/now", A_TENSE_MORNING),
    "turn/now.in-danger": ("turn/now", IN_DANGER),
    "turn/now.in-doubt": ("turn/now", {**IN_DANGER, "danger": {"lines": NUMBERS, "weight": None, "lightly": False}}),
    "grounding/reader": ("grounding/reader", {"companion": "Furo", "name": "Mara"}),
    "grounding/reader.unnamed": ("grounding/reader", {"companion": "Furo", "name": None}),
    "grounding/statements": (
        "grounding/statements",
        {
            "day": "Tuesday, 10 March 2026",
            "written": "Wednesday, 11 March 2026",
            "lines": [
                "[4 · Tue 10 Mar, 09:12] Furo: Who will be there?",
                "[5 · Tue 10 Mar, 09:13] Mara: theo keeps texting me tips. he's my little brother",
            ],
            "statements": [{"id": 1, "text": "Their younger brother is called Theo.", "cites": "5"}],
        },
    ),
    "danger/reading": ("danger/reading", {"companion": "Furo", "before": ["It has been a long week."], "stands": ""}),
    "danger/reading.hours-after": ("danger/reading", {"companion": "Furo", "before": [], "stands": "self"}),
    "acting/requested": ("acting/requested", {"companion": "Furo"}),
    "acting/request": (
        "acting/request",
        {"change": "Check off on the list “shopping”: milk", "text": "kupiłam mleko, odhacz je z listy"},
    ),
    "danger/message": ("danger/message", {"text": "I have everything I need for tonight."}),
    "setup/abilities": ("setup/abilities", {}),
    "setup/first_words": ("setup/first_words", {"companion": "Furo"}),
    "compaction/instructions": ("compaction/instructions", {"companion": "Furo", "words": 180}),
    "compaction/falling.first": (
        "compaction/falling",
        {"before": None, "lines": ["[Friday, 20 November, 18:02] Noor: i'll call her sunday"]},
    ),
    "compaction/falling.later": (
        "compaction/falling",
        {
            "before": "Thursday, 19 November: Noor got the job at the harbour.",
            "lines": [
                "[Friday, 20 November, 18:02] Noor: i'll call her sunday",
                "[Friday, 20 November, 18:03] Furo: Shall I remind you?",
            ],
        },
    ),
    "post_conversation/instructions": ("post_conversation/instructions", {"companion": "Furo"}),
    "post_conversation/values": (
        "post_conversation/values",
        {"companion": "Furo", "values": ["You do not pretend to have done what you have not done.", "Curious."]},
    ),
    "post_conversation/session.first": (
        "post_conversation/session",
        {
            "day": "Tuesday, 3 March 2026",
            "name": None,
            "known": [],
            "expected": [],
            "commitments": [],
            "noted": [],
            "lines": ["[1 · 12:00] User: hello"],
            "before": "",
            "place": "",
        },
    ),
    "post_conversation/session.second-part": (
        "post_conversation/session",
        {
            "day": "Friday, 20 November 2026",
            "name": "Noor",
            "known": [],
            "expected": [],
            "commitments": [],
            "noted": [],
            "lines": ["[241 · 19:02] Noor: and then the tram was late."],
            "before": "Noor told of a long day at the harbour.",
            "place": "part 2 of 3",
        },
    ),
    "post_conversation/session.later": (
        "post_conversation/session",
        {
            "day": "Friday, 20 November 2026",
            "name": "Noor",
            "known": ["They live in Lisbon.", "They like rain."],
            "expected": ["[3] A kind word before the new job starts."],
            "commitments": ["[2] Ask before giving advice (a question comes before any advice)"],
            "noted": ["[7] Ask how the first day at the harbour went"],
            "lines": ["[41 · 18:02] Noor: long day.", "[42 · 18:03] Furo: Anika your sister, or another Anika?"],
            "before": "",
            "place": "",
        },
    ),
    "post_conversation/told": ("post_conversation/told", {"companion": "Furo"}),
    "post_conversation/told_lines": (
        "post_conversation/told_lines",
        {
            "name": "Noor",
            "known": ["They live in Lisbon.", "They like rain."],
            "waiting": [(2, "How was the first day at the harbour?")],
            "lines": [
                "[41 · Fri 20 Nov 2026, 18:02] Noor: long day.",
                "[42 · Fri 20 Nov 2026, 18:03] Furo: How was the first day at the harbour?",
                "[43 · Fri 20 Nov 2026, 18:04] NEW Noor: loud, and i'm on the early shift from monday",
            ],
        },
    ),
    "post_conversation/told_lines.first": (
        "post_conversation/told_lines",
        {"name": None, "known": [], "waiting": [], "lines": ["[1 · Tue 3 Mar 2026, 12:00] NEW User: hello, i'm Noor"]},
    ),
    "post_conversation/refused": (
        "post_conversation/refused",
        {
            "refused": [("fact", "Their boss is called Ruben.", "'Ruben' was never said")],
            "unfit": ["facts.2.messages: List should have at least 1 item after validation, not 0"],
            "lines": ["[41 \u00b7 Mon 4 May, 18:02] Noor: the new job starts monday"],
        },
    ),
    "post_conversation/document": (
        "post_conversation/document",
        {
            "date": "2026-11-20 (Friday)",
            "part_of_day": "evening",
            "start": "18:02",
            "end": "18:20",
            "topics": "the harbour, Anika",
            "user_state": "Tired and looking forward.",
            "companion": "Furo",
            "mood": "tender",
            "connection": "0.7, warmth 0.6",
            "facts": ["They start a new job at the harbour."],
            "summary": "They spoke of the new job.",
            "lines": ["Noor: long day.", "Furo: Tell me."],
            "unread": 0,
        },
    ),
    "post_conversation/document.without-facts": (
        "post_conversation/document",
        {
            "date": "2026-11-20 (Friday)",
            "part_of_day": "night",
            "start": "02:00",
            "end": "02:01",
            "topics": "nothing in particular",
            "user_state": "Short.",
            "companion": "Furo",
            "mood": "lonely",
            "connection": "0.2, warmth 0.1",
            "facts": [],
            "summary": "They said good night.",
            "lines": ["Noor: night"],
            "unread": 140,
        },
    ),
    "profile/instructions": (
        "profile/instructions",
        {"companion": "Furo", "sections": ["addressing", "family", "employment", "preference"]},
    ),
    "profile/material": (
        "profile/material",
        {
            "day": "3 July 2026",
            "name": "Noor",
            "facts": ["[12 · family] Their sister is called Anika.", "[19 · employment] They work at the harbour."],
            "sessions": ["Friday, 20 November: the harbour, Anika"],
        },
    ),
    "profile/material.first": (
        "profile/material",
        {"day": "3 July 2026", "name": None, "facts": ["[1 · other] They like rain."], "sessions": []},
    ),
    "deep_reflection/instructions": (
        "deep_reflection/instructions",
        {"companion": "Furo", "words": 79, "room": 42, "most": 800},
    ),
    "deep_reflection/proposal": (
        "deep_reflection/proposal",
        {
            "companion": "Furo",
            "day": "Wednesday, 25 November 2026",
            "share": "41%",
            "why": ["I ask less than I did."],
            "diff": "--- before\n+++ after\n@@ -1 +1 @@\n-I am new here.\n+I ask less.",
            "text": "I ask less.",
        },
    ),
    "deep_reflection/material": (
        "deep_reflection/material",
        {
            "plugins": [("journal-export", "3 days were written.")],
            "day": "Wednesday, 25 November 2026",
            "name": "Noor",
            "description": "I am new here.\n\nI like small true details.",
            "sections": [
                {
                    "title": "Your journal of the week",
                    "lines": ["[entry:12 \u00b7 Tuesday, 17 November, at night] They went quiet. I left room."],
                },
                {"title": "What you know of them", "lines": ["[memory:3] They work at the harbour."]},
            ],
        },
    ),
    "deep_reflection/material.first": (
        "deep_reflection/material",
        {
            "plugins": [],
            "day": "Wednesday, 25 November 2026",
            "name": None,
            "description": "I am new here.",
            "sections": [{"title": "How the days felt", "lines": ["Tuesday, 24 November: lonely, then tender"]}],
        },
    ),
    "introspect/design": ("introspect/design", {}),
    "introspect/found": (
        "introspect/found",
        {
            "question": "When do you sleep?",
            "page": "memory/design_architecture_reality.md",
            "parts": [
                {
                    "name": "design:7",
                    "source": "memory/design_architecture_reality.md",
                    "heading": "About me \u203a When I sleep, think and reflect",
                    "text": "I do not sleep.",
                },
                {
                    "name": "design:90",
                    "source": "docs/glossary.md",
                    "heading": "Glossary",
                    "text": "| brain | the scheduler |",
                },
            ],
        },
    ),
    "self_knowledge/reality": ("self_knowledge/reality", HOW_IT_IS),
    "self_knowledge/reality.small": (
        "self_knowledge/reality",
        HOW_IT_IS
        | {
            "talks_with": "",
            "providers": "",
            "telegram": False,
            "owner_file": "",
            "wandering": False,
            "boundaries": False,
            "encoder": None,
        },
    ),
    "self_knowledge/plain": ("self_knowledge/plain", IN_PLAIN_WORDS),
    "drawing/appearance": (
        "drawing/appearance",
        {"identity": "You are Furo, a companion.", "usual": "A small figure of folded indigo cloth."},
    ),
    "drawing/own": (
        "drawing/own",
        {"subject": "you in the rain", "appearance": "A small figure of folded indigo cloth."},
    ),
    "self_knowledge/tables": ("self_knowledge/tables", {"tables": ["memories", "turns", "brand_new"]}),
    "consolidation/material": (
        "consolidation/material",
        {
            "day": "3 July 2026",
            "name": "Noor",
            "sections": [
                {"title": "Questions", "lines": ["What does the sea have to do with hard weeks at the harbour?"]},
                {
                    "title": "Memories",
                    "lines": [
                        "[12 \u00b7 3 March 2026] They swim in the sea after hard days.",
                        "[31 \u00b7 9 May 2026] The weeks at the harbour are hard when ships are late.",
                    ],
                },
            ],
        },
    ),
    "consolidation/material.nameless": (
        "consolidation/material",
        {
            "day": "3 July 2026",
            "name": None,
            "sections": [{"title": "Memories", "lines": ["[1 \u00b7 3 July 2026] hm"]}],
        },
    ),
    "acting/planning": ("acting/planning", {"companion": "Furo"}),
    "acting/task": ("acting/task", A_LONG_TASK | {"wrong": []}),
    "acting/task.again": (
        "acting/task",
        A_LONG_TASK | {"name": None, "wrong": ["It has 1 step; give between 2 and 8."]},
    ),
    "acting/step": ("acting/step", A_STEP),
    "acting/step.first": ("acting/step", A_STEP | {"name": None, "earlier": [], "failed": "", "done": []}),
    "acting/step.last": ("acting/step", A_STEP | {"last": True}),
    "consolidation/questions": ("consolidation/questions", {"companion": "Furo"}),
    "consolidation/insights": ("consolidation/insights", {"companion": "Furo"}),
    "consolidation/merged": ("consolidation/merged", {"companion": "Furo"}),
    "consolidation/narrative": ("consolidation/narrative", {"companion": "Furo"}),
    "consolidation/tensions": ("consolidation/tensions", {"companion": "Furo"}),
    "consolidation/lines": ("consolidation/lines", {"companion": "Furo"}),
    "consolidation/rejudgement": ("consolidation/rejudgement", {"companion": "Furo"}),
    "questions/answer": ("questions/answer", {"companion": "Furo"}),
    "questions/material": (
        "questions/material",
        {
            "day": "3 July 2026",
            "name": "Noor",
            "times": "3 times",
            "question": "Why do they go to the sea so often?",
            "lines": [
                "[12 \u00b7 3 March 2026] They swim in the sea after hard days.",
                "[31 \u00b7 9 May 2026] The weeks at the harbour are hard when ships are late.",
            ],
        },
    ),
    "questions/material.nameless": (
        "questions/material",
        {
            "day": "3 July 2026",
            "name": None,
            "times": "once",
            "question": "Where do they work?",
            "lines": ["[1 \u00b7 3 July 2026] hm"],
        },
    ),
    "questions/exploration": ("questions/exploration", {"companion": "Furo"}),
    "questions/found": (
        "questions/found",
        {
            "day": "3 July 2026",
            "name": "Noor",
            "question": "When do I think about the day?",
            "memories": ["[memory:31 \u00b7 9 May 2026] They swim in the sea after hard days."],
            "documents": [
                "[design:7 \u00b7 About me \u203a When I sleep] - Daily 15:00 UTC: A look back at the day so far."
            ],
        },
    ),
    "questions/found.nothing": (
        "questions/found",
        {"day": "3 July 2026", "name": None, "question": "Who am I?", "memories": [], "documents": []},
    ),
    "outreach/continuity": ("outreach/continuity", {"companion": "Furo"}),
    "outreach/silence": (
        "outreach/silence",
        {"clock": "Tuesday, 24 March 2026, 15:09", "lines": ["[Noor] the boat is sold", "[Furo] Twelve summers."]},
    ),
    "questions/triage": ("questions/triage", {"companion": "Furo"}),
    "questions/curiosity": ("questions/curiosity", {"question": "What do they see in old ships?"}),
    "second_thoughts/again": ("second_thoughts/again", {"feedback": ["It hedges. Say plainly what is not known."]}),
    "second_thoughts/weigh": (
        "second_thoughts/weigh",
        {"reasons": "it is less sure than it should be; and much hangs on what they may be about to decide"},
    ),
    "second_thoughts/material": (
        "second_thoughts/material",
        {
            "message": "Should I sell my boat to Ruben this week?",
            "draft": "Sell it.",
            "evidence": ["Anika owns half of the boat."],
        },
    ),
    "signals/second_look": ("signals/second_look", {"companion": "Furo"}),
    "signals/message": ("signals/message", {"text": "The bus goes at nine."}),
    "repair/diagnosis": ("repair/diagnosis", {}),
    "repair/evidence": (
        "repair/evidence",
        {
            "script": "forecast",
            "kind": "KeyError",
            "message": "'rain'",
            "times": 3,
            "evidence": (
                "exit 1: KeyError: 'rain'\nTraceback (most recent call last):\n"
                '  File "/home/noor/.furoshiki/plugins/forecast/scripts/forecast.py", line 3, in <module>\n'
                "    print(day['rain'])\nKeyError: 'rain'"
            ),
            "shown": {
                "file": "plugins/forecast/scripts/forecast.py",
                "lines": ["1| # what the sky does", "2| for day in days:", "3|     print(day['rain'])", "4|"],
            },
        },
    ),
    "repair/evidence.nothing": (
        "repair/evidence",
        {
            "script": "backup",
            "kind": "exit -9",
            "message": "",
            "times": 4,
            "evidence": "exit -9: stopped: it took longer than its time limit",
            "shown": None,
        },
    ),
    "plugins/create": (
        "plugins/create",
        {"version": "0.9.0", "most_files": 20, "largest": 80000, "modules": ["datetime", "json", "re"]},
    ),
    "plugins/wish": ("plugins/wish", {"wish": "tell me when the next tram leaves", "name": "next-tram-leaves"}),
    "plugins/problems": (
        "plugins/problems",
        {
            "problems": [
                "PLUGIN.md line 3: version is missing; write a line `version: 1.0`",
                "scripts/tram.py:4: imports socket: it opens connections",
            ]
        },
    ),
    "plugins/review": ("plugins/review", {}),
    "plugins/own_wish": ("plugins/own_wish", {}),
    "plugins/own_matter": (
        "plugins/own_matter",
        {
            "themes": ["They wondered every morning whether the ferry would go."],
            "shifts": ["I have come to look at the weather before I answer."],
            "had": ["say when the next tram leaves"],
        },
    ),
    "plugins/own_matter.nothing": ("plugins/own_matter", {"themes": [], "shifts": [], "had": []}),
    "plugins/to_review": (
        "plugins/to_review",
        {
            "wish": "tell me when the next tram leaves",
            "files": ["PLUGIN.md", "scripts/tram.py"],
            "findings": ["scripts/tram.py:7: fetches an address that is put together at run time"],
        },
    ),
    "plugins/to_review.nothing": (
        "plugins/to_review",
        {"wish": "roll dice for a game", "files": ["PLUGIN.md", "scripts/dice.py"], "findings": []},
    ),
    "contradiction/instructions": ("contradiction/instructions", {}),
    "contradiction/pair": (
        "contradiction/pair",
        {"first": "They live in Paris.", "second": "I found a flat in Lyon and moved in on Monday"},
    ),
}
