"""Words by which people say themselves that they turn to another subject, by where in a message they stand."""

from __future__ import annotations

# first in a message, with more to come
OPENING = (
    *("by the way", "btw", "anyway", "anyways", "anyhow", "incidentally", "apropos", "unrelated", "new topic"),
    *("different topic", "different subject", "another topic", "another subject", "other topic", "on another note"),
    *(
        "on a different note",
        "on an unrelated note",
        "changing the subject",
        "change of subject",
        "to change the subject",
    ),
    *(
        "something else",
        "something different",
        "something completely different",
        "completely different",
        "that reminds me",
    ),
    *("while i think of it", "before i forget", "back to", "moving on", "speaking of something else"),
    # Deutsch, español, türkçe, русский: begun
    *("übrigens", "apropos", "anderes thema", "themenwechsel", "was anderes", "etwas anderes", "was ganz anderes"),
    *("nebenbei", "bevor ich es vergesse", "zurück zu", "zurück zum", "zurück zur"),
    *(
        "por cierto",
        "a propósito",
        "cambiando de tema",
        "otro tema",
        "otra cosa",
        "hablando de otra cosa",
        "volviendo a",
    ),
    *("bu arada", "konuyu değiştirelim", "konu değişikliği", "başka bir konu", "başka bir şey", "aklıma gelmişken"),
    *(
        "кстати",
        "между прочим",
        "другая тема",
        "о другом",
        "сменим тему",
        "пока не забыл",
        "пока не забыла",
        "вернёмся к",
    ),
)

# anywhere in the first sentence: they belong to the sentence and say of all of it that it comes from elsewhere
BESIDE = (
    *("by the way", "btw", "incidentally"),
    *("übrigens", "por cierto", "bu arada", "кстати", "между прочим"),
)

# may stand before one that opens
LEADS = frozenset(
    {
        "oh",
        "ok",
        "okay",
        "ah",
        "so",
        "well",
        "right",
        "and",
        "but",
        "hey",
        "hm",
        "um",
        "ach",
        "also",
        "na",
        "y",
        "bueno",
        "ya",
        "ну",
        "а",
        "да",
    }
)
