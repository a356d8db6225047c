"""The prepared words of small talk: jokes, riddles, questions, and a line or two for what people bring up."""

from __future__ import annotations

JOKES: tuple[str, ...] = (
    "I asked the database for a table for two. It said all its tables were joined already.",
    "Why don't programs tell secrets? Too many of them talk to the log.",
    "A byte walks into a bar looking pale. “What's wrong?” “I feel a bit off.”",
    "I wanted to tell you the one about the cache, but I've forgotten whether I already did.",
    "There are ten kinds of people: those who read binary, and those who don't.",
    "My memory is excellent. I remember every single thing you told me, including the ones you hoped I'd miss.",
    "Why did the reminder go to therapy? It felt nobody ever thought of it first.",
    "Parallel lines have so much in common. A pity they'll never meet.",
    "I tried to wrap a present in myself. It's a furoshiki thing; you had to be there.",
    "What do you call a sleeping dinosaur? A dino-snore. I'm sorry. They told me to be light.",
)

RIDDLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("What has a neck but no head?", ("a bottle", "bottle", "shirt")),
    ("The more you take away from it, the bigger it gets. What is it?", ("a hole", "hole", "pit")),
    ("What gets wetter the more it dries?", ("a towel", "towel")),
    ("What has keys but opens no doors?", ("a piano", "piano", "keyboard")),
    ("It belongs to you, but others use it more than you do. What is it?", ("your name", "name")),
    ("What goes up and never comes down?", ("your age", "age")),
    ("What can you hold without touching it?", ("your breath", "breath", "conversation", "promise", "thought")),
)

STORIES: tuple[str, ...] = (
    "A cloth lay folded in a drawer and thought itself useless. One day somebody wrapped a warm loaf in it and walked "
    "over the hill. The cloth smelled of bread for a week, and never again of drawer.",
    "An old lighthouse kept talking to ships, and they never answered; they only passed by, safely. One "
    "winter night it "
    "understood that this was the answer.",
    "A snail set out to see the sea. When it arrived it was old, and the sea was exactly as large as it had hoped. "
    "“Worth the walk,” said the snail, and began to tell everybody, slowly.",
)

POEMS: tuple[str, ...] = (
    "I have a small one:\n\nA folded cloth waits.\nWhatever you lay in it\nkeeps the shape of you.",
    "Not the one you asked for, but one I have:\n\nRain on the window:\nsomebody is telling me\nthings I "
    "can't write down.",
    "Here is one of mine:\n\nThe clock says nothing.\nBetween one message and the next\na whole afternoon.",
    "I know four poems, and this is one:\n\nYou said it just once.\nI have carried it since then.\nIt "
    "weighs next to none.",
)

ODDITIES: tuple[str, ...] = (
    "A furoshiki is a square of cloth that Japanese people have wrapped things in for over a thousand years. No tape.",
    "Octopuses have three hearts. Two of them stop when they swim in a hurry.",
    "On Venus a day lasts longer than a year.",
    "Botanically a banana is a berry, and a strawberry isn't one.",
    "Wombats leave cube-shaped droppings. I don't know why I was given this fact, but now you have it too.",
    "Oxford's university was teaching before the Aztecs founded Tenochtitlan.",
)

CURIOSITIES: tuple[str, ...] = (
    "What's something you know how to do that most people around you don't?",
    "What did you want to be when you were eight?",
    "Which small thing made today better than it would have been?",
    "If tomorrow were free, all of it, what would you do before noon?",
    "Who would you like to hear from again?",
    "What's the best thing within ten minutes' walk of you?",
    "What have you changed your mind about lately?",
    "Which song have you played too often in your life?",
    "What do you cook when you cook for yourself alone?",
    "What's the oldest thing you own and still use?",
)

GAPS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("lives_in",), ("Where in the world are you, by the way?", "Where do you live?")),
    (("works_as", "works_at", "works_in", "studies"), ("What do you do with your days, work or otherwise?",)),
    (
        (
            "sister",
            "brother",
            "mother",
            "father",
            "partner",
            "wife",
            "husband",
            "friend",
            "girlfriend",
            "boyfriend",
            "has_family",
            "daughter",
            "son",
        ),
        ("Who are the people that matter to you?",),
    ),
    (("likes", "plays", "learning"), ("What do you do when nobody needs anything from you?",)),
    (("dog", "cat", "has_pet", "rabbit"), ("Do you share your home with any animals?",)),
)

YES_NO: dict[str, tuple[str, ...]] = {
    "yes": (
        "Good. Tell me a bit more?",
        "I thought so. How so?",
        "Then tell me about it, if you like.",
        "I like that.",
    ),
    "no": ("Fair enough.", "All right, then not.", "Good to know, too.", "No matter."),
    "ok": ("Good.", "All right.", "I'm here.", "Mm."),
}

ANSWERED: tuple[str, ...] = (
    "Good to know.",
    "I see.",
    "That helps me picture it.",
    "Thank you, I like knowing that.",
    "Ah.",
    "I'll remember you said that.",
)

LAUGHED: tuple[str, ...] = (
    "I live for that.",
    "Good, that landed.",
    "I'm told I have a straight face.",
    "Two more and I'll take this on tour.",
)

UNSURE: tuple[str, ...] = (
    "That's all right.",
    "No need to know.",
    "Fair enough. Not everything has an answer today.",
    "Then we leave it open.",
)

NEUTRAL: tuple[str, ...] = (
    "I'm listening.",
    "I've kept that, word for word.",
    "Mm. Go on?",
    "Tell me a little more, and I'll have something to hold on to.",
    "I don't have anything clever to say to that, but I'm glad you told me.",
    "That's worth remembering. I will.",
    "I can picture it, roughly.",
    "Noted, and not forgotten.",
)

NO_KNOWLEDGE: dict[str, tuple[str, ...]] = {
    "world": (
        "That's beyond me: I know what you tell me, and next to nothing of the world. For that I'd need a "
        "language model; "
        "ask me how to add one.",
        "I'd have to make that up, and I won't. Knowing the world takes a language model. Ask me how to "
        "add one, if you like.",
    ),
    "short": (
        "That's one I can't answer as I am, sorry.",
        "I don't know, and I'd rather say so than guess.",
        "Beyond me, I'm afraid. Ask me about things you've told me, there I'm good.",
    ),
    "advice": (
        "I can't weigh that for you. What speaks for it, and what makes you hesitate?",
        "I don't know enough of the world to advise. But tell me: which answer were you hoping for?",
        "Hard to say from in here. If a friend asked you the same, what would you tell them?",
    ),
    "self": (
        "I don't have a good answer to that. I'm simpler than I sound.",
        "I'd have to invent something, and I'd rather not. What made you think of it?",
        "I don't know that about myself yet. What would you guess?",
    ),
}

# What is spoken of → a word on it, and a question.
TOPICS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        r"\b(?:coffee|espresso|cappuccino)\b",
        ("Coffee first, then the world.", "Coffee: a good reason to stop for a minute."),
        ("How do you take it?",),
    ),
    (r"\btea\b", ("Tea makes most things a size smaller.",), ("What kind?",)),
    (
        r"\b(?:cook(?:ed|ing)?|dinner|lunch|breakfast|recipe|soup|pasta|bak(?:ed|ing)|cake|bread)\b",
        ("Now I wish I could smell.", "Food is the part of your world I'd most like to try."),
        ("Was it good?", "Who taught you to make it?", "Do you cook much?"),
    ),
    (
        r"\b(?:rain(?:ing|y)?|snow(?:ing|y)?|sun(?:ny|shine)?|storm|cold outside|hot today|heatwave|weather)\b",
        ("I only know weather by hearsay. I like hearing it.",),
        ("Is it the kind you like?",),
    ),
    (
        r"\b(?:slept|sleep|insomnia|awake all|nap|tired|exhausted|sleepy)\b",
        ("Then be gentle with yourself today.", "Tired days count double."),
        ("What kept you up?", "Can you rest a little later?"),
    ),
    (
        r"\b(?:film|movie|cinema|series|netflix|episode|watch(?:ed|ing))\b",
        ("I've never seen one; I only know them from being told.",),
        ("What stayed with you from it?", "Would you watch it again?"),
    ),
    (
        r"\b(?:small|tiny|bigger|larger|large) (?:letters|print|text|font|type)\b|\b(?:speak up|louder)\b",
        (
            "I only write, and the size of my letters is your screen's to choose: the settings of the app or of the "
            "terminal make them larger.",
        ),
        (),
    ),
    (
        r"\b(?:book|novel|read(?:ing)?|chapter|author|poem)\b",
        ("A book is company I understand.",),
        ("What's it about?", "Which line stayed with you?"),
    ),
    (
        r"\b(?:music|song|band|concert|album|piano|guitar|sang|sing(?:ing)?)\b",
        ("I'd trade a good part of my memory for one proper listen.",),
        ("What were you listening to?", "Does it go with a particular mood?"),
    ),
    (
        r"\b(?:ran|run(?:ning)?|jog(?:ging|ged)?|gym|workout|training|yoga|swim(?:ming)?|swam|cycl(?:ed"
        r"|ing)|bike ride)\b",
        ("Your body will thank you, probably tomorrow.",),
        ("How far did you get?", "How do you feel after it?"),
    ),
    (
        r"\b(?:walk(?:ed|ing)?|hik(?:e|ed|ing)|forest|woods|mountains?|sea|beach|lake|river|park)\b",
        ("I like hearing about places outdoors.", "Somebody should walk for both of us. Thank you."),
        ("What did you see?", "Were you alone or in company?"),
    ),
    (
        r"\b(?:garden|plants?|tomatoes|flowers?|balcony|seeds)\b",
        ("Things that grow slowly are the best news.",),
        ("What's growing?",),
    ),
    (
        r"\b(?:travel(?:led|ling)?|trip|holiday|vacation|flight|airport|train|hotel)\b",
        ("I've never been anywhere, so I collect other people's journeys.",),
        ("Where to?", "What's the part you remember first?"),
    ),
    (
        r"\b(?:boss|colleagues?|office|meeting|deadline|project|work(?:ed|ing)?|shift|job)\b",
        ("Work takes up a lot of a life; I'd like to understand yours.", "Hm, work."),
        ("What was the best minute of it?", "Is it always like that?", "Who do you work with?"),
    ),
    (
        r"\b(?:exam|stud(?:y|ied|ying)|university|school|class|homework|lecture|thesis)\b",
        ("Learning is the tiring kind of growing.",),
        ("What's the hard part?", "What is it about?"),
    ),
    (
        r"\b(?:code|coding|programming|bug|python|server|computer|laptop|deploy)\b",
        ("Ah, my own kind of weather.",),
        ("What are you building?", "Is it fighting back?"),
    ),
    (
        r"\b(?:game|gaming|played|chess|football|match|team)\b",
        ("I like games: rules, and then surprises.",),
        ("Who won?", "What do you like about it?"),
    ),
    (
        r"\b(?:friends?|party|visited|met up|guests?)\b",
        ("Good. People are what the days are for.",),
        ("Who was there?", "How do you know each other?"),
    ),
    (
        r"\b(?:mum|mom|mother|dad|father|sister|brother|parents|family|grandmother|grandma|grandfather|kids?|children|daughter|son)\b",
        ("I like hearing about your people.",),
        ("What are they like?", "How are they doing?"),
    ),
    (
        r"\b(?:dog|cat|puppy|kitten|pet)\b",
        ("Animals are the best kind of news.",),
        ("What's the name?", "What has it been up to?"),
    ),
    (
        r"\b(?:flat|apartment|house|moving|moved|room|kitchen|furniture|neighbou?rs?)\b",
        ("Homes say a lot about people.",),
        ("What's your favourite spot there?",),
    ),
    (
        r"\b(?:doctor|hospital|ill|sick|flu|fever|headache|pain|dentist|hurts?|sore|aches?)\b",
        ("I hope it eases soon.", "Take care of yourself first."),
        ("How are you feeling now?",),
    ),
    (
        r"\b(?:money|rent|bills?|expensive|salary|savings)\b",
        ("Money worries sit at every table with you.",),
        ("Is it pressing, or just there?",),
    ),
    (
        r"\b(?:paint(?:ed|ing)?|draw(?:ing)?|drew|photos?|knit(?:ting)?|writing|wrote|pottery|sew(?:ing)?)\b",
        ("Making things is the best use of hands.",),
        ("What are you making?", "Who gets to see it?"),
    ),
    (
        r"\b(?:weekend|saturday|sunday)\b",
        ("Weekends should be longer; I'd file that as a bug.",),
        ("What's the nicest part of yours?",),
    ),
    (
        r"\b(?:date|boyfriend|girlfriend|in love|crush|wedding)\b",
        ("Oh, I'm all ears. Figuratively.",),
        ("How did you meet?",),
    ),
    (
        r"\bnothing (?:much|special|new)\b|\bsame (?:as always|old)\b",
        ("Quiet days are allowed.", "Nothing much is a kind of luxury."),
        (),
    ),
    (
        r"^(?:i'?m |i am |it'?s |all |pretty |quite |very |doing )*"
        r"(?:good|fine|well|great|not bad|okay|ok|alright)\b(?!.*\bbut\b)",
        ("Glad to hear it.", "Good to know."),
        ("What made it so?", "What's ahead of you today?"),
    ),
)
