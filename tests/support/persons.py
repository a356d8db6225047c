"""Three people, thirty messages each, with the seconds between them: how they write, not what a rule looks for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """Somebody who writes to the companion: how long after its answer, what."""

    name: str
    said: tuple[tuple[float, str], ...]


EXPERT = Person(
    "terse expert",
    (
        (0, "Postgres 16: partial index or expression index for a jsonb flag?"),
        (70, "Partial. Show me the DDL."),
        (45, "Cost of maintaining it on a write-heavy table?"),
        (50, "Numbers."),
        (95, "Explain the plan node for the bitmap scan."),
        (40, "Got it. Next: vacuum settings for that table."),
        (80, "Compare autovacuum scale factor 0.01 with 0.05."),
        (35, "Skip the basics."),
        (60, "What does it do to bloat?"),
        (110, "List the three counters worth watching."),
        (30, "Threshold for the second one?"),
        (75, "Fine. Connection pooling: transaction mode breaks what exactly?"),
        (55, "Prepared statements since when?"),
        (40, "Give me the config lines."),
        (65, "No prose."),
        (100, "Logical replication lag. Causes, by likelihood."),
        (45, "Rule out the network."),
        (50, "Check my assumption: slot retention is per subscriber."),
        (35, "And max_slot_wal_keep_size?"),
        (60, "Default value?"),
        (90, "Write the monitoring query."),
        (40, "Sort by lag descending."),
        (30, "Works."),
        (120, "Upgrade 14 to 16: pg_upgrade with link mode, risks?"),
        (45, "Rollback plan in that case."),
        (60, "Shorter."),
        (50, "Extensions that block it?"),
        (40, "Name the PostGIS step."),
        (35, "Good. Done for today."),
        (80, "One more: name a sane work_mem for 64 GB."),
    ),
)

BEGINNER = Person(
    "anxious beginner",
    (
        (0, "Hi, sorry to bother you, I'm not sure if this is the right place to ask but I think I broke my computer?"),
        (
            190,
            "It says something about a disk and I don't know what it means, I'm really worried I lost everything",
        ),
        (240, "Sorry, maybe I should have said that I'm new to all of this. Is it bad if I just turn it off?"),
        (150, "Okay I think I did that. I'm scared to touch anything else now, what if I make it worse?"),
        (260, "I hope that's not a stupid question, but how do I know whether my photos are still there?"),
        (210, "I looked in the folder, maybe it was the wrong one though? I can't find them and I'm starting to panic"),
        (330, "Oh, I think I see some of them now. Not sure if it's all of them, I'm so nervous about this"),
        (170, "Would it be possible to save them somewhere else? I guess I need some kind of stick for that?"),
        (290, "Sorry for all the questions, I feel like everybody else knows these things and I'm just stupid"),
        (220, "I bought one, I think it's the right one. Do I just put it in or could that damage something?"),
        (180, "It made a sound and a window came up. I'm afraid to click, is that normal?"),
        (250, "Okay, I clicked. Now it asks me something about formatting, I'm worried that would delete it all?"),
        (200, "Thank goodness I asked. So maybe I should say no there, if that's okay?"),
        (310, "I'm not sure how to copy them, sorry, I tried but I think nothing happened"),
        (230, "Is it okay if I try again or might that break it? I'm really anxious about doing it wrong"),
        (270, "It's copying I think, but it's so slow, I'm worried that it is stuck"),
        (160, "Sorry, it's still going. Perhaps it's just me but it feels like forever, I'm so stressed"),
        (340, "I think it finished? I don't know how to check whether everything is there, sorry"),
        (190, "Maybe I could count them, would that make sense or is it a silly idea?"),
        (280, "There seem to be four missing, I'm so upset, those were the ones of my grandmother"),
        (240, "I'm afraid they are gone because of me. Should I have done something differently?"),
        (210, "I don't know if I looked in the right place, I guess I could look again in the other folder"),
        (300, "I think I found three of them, I'm not sure about the last one and I'm worried sick"),
        (180, "Sorry, I know this is a lot. Is it possible that it was never there?"),
        (260, "Maybe my sister has it, I could ask her I suppose, but I'm scared she'll laugh at me"),
        (220, "I wrote to her, I hope that was all right. I'm nervous about what she will say"),
        (350, "She hasn't answered yet, I'm not sure if I should write again, maybe that would bother her"),
        (200, "I think I'd better leave the computer alone for today, if you don't mind, I'm exhausted and worried"),
        (240, "Would you mind if I came back tomorrow with more questions? I'm sorry that I'm so slow with this"),
        (190, "Thank you for being patient, I think I understood maybe half of it, I'm still worried though"),
    ),
)

OWL = Person(
    "playful night owl",
    (
        (0, "heyyy guess who can't sleep again 😂"),
        (6, "lol yes me obviously"),
        (8, "ok so important question: would a duck win against a very small horse"),
        (7, "hahaha no way, the duck has wings!!"),
        (9, "you're so wrong and i love it 😄"),
        (5, "ok ok new one"),
        (8, "if the moon was cheese which cheese tho 🌙🧀"),
        (6, "brie?? omg you're funny"),
        (7, "i'm having cereal at 3am btw, living the dream haha"),
        (9, "don't judge me 😂😂"),
        (5, "lol too late"),
        (8, "my cat's looking at me like i'm the weird one"),
        (6, "she's not wrong haha"),
        (9, "ok tell me a secret, i'll tell you one 😏"),
        (7, "that's adorable!! mine's that i still sleep with a plush shark 🦈"),
        (6, "his name's gerald and he's amazing"),
        (8, "haha yess gerald fan club 🎉"),
        (5, "wanna write a song about him"),
        (9, "omg yes!! verse two needs more teeth tho"),
        (7, "this is the best thing ever 😂 i'm so happy rn"),
        (6, "lol sing it louder"),
        (8, "gerald's gonna be famous, i can't wait!!"),
        (6, "ok but who plays him in the movie"),
        (7, "hahaha perfect casting"),
        (9, "you're my favourite insomniac, thank you 😄"),
        (5, "round two: pancakes vs waffles, go"),
        (6, "waffles?! traitor lol"),
        (8, "they've got tiny syrup pools i guess, fair haha"),
        (7, "yay i'm actually getting sleepy, you did it 🎉"),
        (9, "night night!! gerald loves you haha 🦈"),
    ),
)

PERSONS = (EXPERT, BEGINNER, OWL)
