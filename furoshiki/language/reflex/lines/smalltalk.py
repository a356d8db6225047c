"""The prepared words of small talk: jokes, questions, and plain lines that guess at no subject."""

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
    "Thank you, I like knowing that.",
    "Ah.",
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

KEPT: tuple[str, ...] = (
    "I've kept that, word for word.",
    "That's kept, in your words.",
    "Kept, as you said it.",
)

WHAT_IT_CAN: tuple[str, ...] = (
    "I understand little of it without a language model. What I can do: remind you (“remind me at six to …”), and find "
    "again what you told me.",
    "More takes a language model; reminding you I can, and finding what you told me.",
)
"""What is said beside it to words that mean nothing to the rules: two things that it can do, once in a while."""

NO_KNOWLEDGE: dict[str, tuple[str, ...]] = {
    "world": (
        "That's beyond me: I know what you tell me, and next to nothing of the world. For that I'd need a "
        "language model; "
        "ask me how to add one.",
        "I'd have to make that up, and I won't. Knowing the world takes a language model. Ask me how to "
        "add one, if you like.",
    ),
    "short": (
        "That's one I can't answer as I am, sorry. Reminders I can, and finding what you told me.",
        "I don't know, and I'd rather say so than guess. Ask me what you told me, or for a reminder.",
        "Beyond me, I'm afraid. Ask me about things you've told me, or to remind you: there I'm good.",
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

ONLY_WRITES = (
    "I only write, and the size of my letters is your screen's to choose: the settings of the app or of the terminal "
    "make them larger."
)
