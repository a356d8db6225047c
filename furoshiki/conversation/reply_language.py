"""Ask a model once more when it answers in English to somebody who writes in another language."""

import re

from furoshiki.conversation.values import Context
from furoshiki.language.danger_head import sentences
from furoshiki.language.requests.in_language import names_english
from furoshiki.language.words import count_words
from furoshiki.messages.values import USER
from furoshiki.owner.user_model import languages
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

# words of a sentence, and the share of them in the English word list, from which it is English
LEAST_WORDS, LEAST_SHARE = 6, 0.6

LATELY = 2  # messages among which the wish for English words is looked for

_QUOTED = re.compile('["\u201c\u201e\u00ab][^"\u201c\u201d\u201e\u00ab\u00bb\n]*["\u201c\u201d\u00bb]')


def note(world: World, context: Context, text: str) -> str | None:
    """Return what to tell the model; None when the answer may be theirs: also where they have just named
    English, or only quotations are in it. The model decides itself whether they had asked for English words."""
    known, own = load_languages(world.config), context.percept.own_text
    if known.of(own) is None:
        return None
    heard = [*(turn.own for turn in context.talk.history if turn.speaker == USER), own]
    theirs = languages.find_language(heard, world.config)
    if theirs is None or any(names_english(message) for message in heard[-LATELY:]):
        return None
    text = _QUOTED.sub(" ", text)
    if not any(_is_english(world, sentence) for sentence in sentences(text) or [text]):
        return None
    return world.prompts.render("acting/reply_language", language=theirs)


def _is_english(world: World, sentence: str) -> bool:
    known = load_languages(world.config)
    long = count_words(sentence) >= LEAST_WORDS
    return long and known.of(sentence) is None and known.is_english(sentence, share=LEAST_SHARE)
