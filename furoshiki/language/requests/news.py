"""Kinds of everyday news ("my sister is coming on Sunday"), and replies to each kind.

A message's vector is classified with the weights in `config/news_head.json`, made by `python -m bench.news`.
"""

from collections.abc import Mapping

from furoshiki.core.catalogue import later

LINES: Mapping[str, tuple[str, ...]] = {
    "advice": (
        later("That takes a language model, and I run without one just now."),
        later("I'd only be guessing, without a language model. Think it out loud here: I keep every word."),
        later("Without a language model I have no advice to give. Tell me more, and you may see it yourself."),
    ),
    "ahead": (
        later("Something to look forward to!"),
        later("That sounds like a good plan."),
        later("I hope it turns out just as you imagine it."),
    ),
    "arrived": (
        later("Good that you're there."),
        later("Then breathe out first."),
        later("Nice of you to let me know."),
    ),
    "bad_film": (
        later("It can't be a hit every time."),
        later("Pity about the time. The next one will be better."),
        later("Now I know what isn't to your taste."),
    ),
    "bought": (
        later("Enjoy it!"),
        later("Something new is always a small joy."),
        later("I hope it lasts you a long time."),
    ),
    "chores": (
        later("There's always something to do. You keep at it!"),
        later("It feels good when it's done."),
        later("You're busy, I see. Take a break, too."),
    ),
    "confides": (
        later("It stays in my memory, and I tell nobody."),
        later("You can tell me. I won't tell anybody."),
        later("Nobody hears of it from me."),
    ),
    "dear": (
        later("I hope with you that it turns out well."),
        later("Waiting like that is hard. I'm keeping my fingers crossed."),
        later("That would worry anybody."),
    ),
    "drained": (
        later("Some days you only have to get through. Go easy on yourself."),
        later("Do only what has to be done, and leave the rest for tomorrow."),
        later("That's allowed. Not every day can be a good one."),
    ),
    "food": (
        later("That sounds delicious."),
        later("My mouth would water, if I had one."),
        later("Good food makes half the day."),
    ),
    "good_film": (
        later("Nice when something grabs you like that."),
        later("That sounds worth it."),
        later("I'll remember that you like such things."),
    ),
    "hurt": (
        later("Nobody should be treated like that."),
        later("I'm sorry. That's hard to swallow."),
        later("No wonder that hurts."),
    ),
    "insists": (
        later("I believe you."),
        later("I hear you: you mean it."),
        later("Then I take it as you say it."),
    ),
    "joy": (
        later("How lovely{name}!"),
        later("I'm glad to hear that!"),
        later("Now that is good news!"),
    ),
    "leisure": (
        later("That sounds good."),
        later("Hours like that are worth a lot."),
        later("That's a good way to spend your time."),
    ),
    "pet": (
        later("It's never dull with animals."),
        later("You never know what they'll do next."),
        later("Animals have minds of their own."),
    ),
    "quarrel": (
        later("A quarrel with somebody close weighs on the whole day."),
        later("That isn't easy. I hope things ease between you soon."),
        later("Words like that go on in one's head for a long time."),
    ),
    "sad": (
        later("That's a lot to carry alone{name}."),
        later("Such hours are long. You needn't be brave here."),
        later("Put it down here, as much of it as you like. I'm here."),
    ),
    "success": (
        later("Well done{name}!"),
        later("You can be proud of that."),
        later("Bravo! That takes some doing."),
    ),
    "tease": (
        later("You got me there."),
        later("I take it with humour."),
        later("All right, that one goes to you."),
    ),
    "trial": (
        later("Good luck! I'm keeping my fingers crossed."),
        later("I'll be thinking of it. Tell me how it went afterwards."),
        later("All the best for that!"),
    ),
    "trouble": (
        later("That is annoying, no question."),
        later("Oh no. That's a nuisance."),
        later("Some days, nothing goes smoothly."),
    ),
    "undecided": (
        later("It needn't be decided today."),
        later("Give it a night. Things are often clearer then."),
        later("You can think it out loud here."),
    ),
    "unwell": (
        later("Oh dear. I hope it gets better soon."),
        later("That's no fun. Rest helps most."),
        later("That takes a little patience. Get well soon!"),
    ),
    "visit": (
        later("How nice! Time with people you like is worth a lot."),
        later("That sounds like good company."),
        later("It's good to have people around."),
    ),
    "weather": (
        later("The weather does what it likes."),
        later("I can almost picture it."),
        later("Weather like that changes the whole day."),
    ),
    "work": (
        later("That sounds like a full day."),
        later("That's a lot at once. Don't forget to take a breath."),
        later("I hope it gets calmer soon."),
    ),
}
"""Replies by kind: no questions; each fits news about the user or others, at any time."""

KINDS = tuple(LINES)
GLOOMY = frozenset(
    {
        "bad_film",
        "confides",
        "dear",
        "drained",
        "hurt",
        "insists",
        "quarrel",
        "sad",
        "trial",
        "trouble",
        "undecided",
        "unwell",
        "work",
    }
)
"""Kinds whose replies suit a dark feeling."""

_LIGHT = tuple(sorted({*KINDS} - GLOOMY))

LIKELY, SURE = 0.4, 0.7
"""Least probability of a kind, and of a kind that contradicts a feeling or another intent."""


def find_kind(shares: Mapping[str, float], *, dark: bool = False, surely: bool = False) -> str | None:
    """Return the kind of news, or None if none is likely enough, with `surely` certain, or a `dark` feeling
    contradicts it."""
    kind = max(KINDS, key=lambda one: shares.get(one, 0.0))
    wanted = LIKELY
    if surely or (dark and kind not in GLOOMY):
        wanted = SURE
    if shares.get(kind, 0.0) < LIKELY or _tone(kind, shares) < wanted:
        return None
    return kind


def _tone(kind: str, shares: Mapping[str, float]) -> float:
    """Return the share of all kinds of the same tone: "my nephew passed his test" is a success or
    a joy."""
    kinds = GLOOMY if kind in GLOOMY else _LIGHT
    return sum(shares.get(one, 0.0) for one in kinds)


def is_sure(shares: Mapping[str, float], *, light: bool = False) -> bool:
    """Whether a message is certainly news; with `light`, certainly no gloomy news."""
    kinds = KINDS
    if light:
        kinds = _LIGHT
    return max((0.0, *filter(None, map(shares.get, kinds)))) >= SURE
