"""Match words across inflected forms: "в Москве" contains Москва, "Ankara'da" Ankara.

English has small rules of its own (`said_stem`). Other languages are recognized by letters and
function words and stemmed by Snowball; German compounds contain their parts; a Cyrillic name equals
its Latin spelling. Names are matched more strictly than other words: "Anna" is not "Anika".
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache

from furoshiki.language.tables.function_words import FRAME, TELLING
from furoshiki.language.words import WORD, bare, foreign_stems, trunk

HAN = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
RUN_OF_HAN = re.compile("[\u4e00-\u9fff]+")
_DOUBLED = re.compile(r"(.)\1")
CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN = re.compile(r"[a-z\u00c0-\u024f]", re.IGNORECASE)
_OTHER_LETTERS = re.compile("[^\\W\\d_a-zA-Z\u00c0-\u024f\u4e00-\u9fff]")
_LETTERS = {
    "de": re.compile("[äöß]"),
    "es": re.compile("[ñ¿¡áíóú]"),
    "fr": re.compile("[œêëîïûèà]"),
    "it": re.compile("[èìòù]"),
    "pt": re.compile("[ãõêâáíóú]"),
    "tr": re.compile("[ığş\u0130]"),
}
# letters that none of the others has: they decide between two languages that share the rest
_OWN_LETTERS = {"de": "ß", "es": "ñ¿¡", "fr": "œ", "it": "ìò", "pt": "ãõ", "tr": "ığş\u0130"}

_SUFFIX = re.compile(r"['\u2019](?:y|n|s)?(?:[dt][ae]n?|[ae]|[iu]|[iu]n|l[iu]|l[ae])$")
_TELLING = {language: frozenset(words.split()) for language, words in TELLING.items()}

# Chinese function words, which no spaces separate from others
SMALL_SIGNS = re.compile("|".join(sorted(FRAME["zh"].split(), key=len, reverse=True)))

# Turkish noun suffixes: plural, possessive, case; letters folded
_TURKISH = re.compile(
    r"(?:l[ae]r)?(?:[iu]?m(?:[iu]z)?|[iu]?n(?:[iu]z)?|s?[iu])?(?:n?[dt][ae]n?|[yn]?[ae]|[yn]?[iu]|n?[iu]n|y?l[ae])?\Z"
)

_SENTENCE = re.compile(r"[^.!?\n;]+")

# linking elements between the parts of a German compound
_LINKS = ("", "s", "es", "n", "en", "er", "e")

_LEAST_PART, _LEAST_REST = 4, 4  # least letters of each of the two parts of a compound


def language_of(text: str, least: int = 1) -> str | None:
    """Return a text's language by at least `least` features; None for English or unclear texts."""
    cyrillic, latin = len(CYRILLIC.findall(text)), len(_LATIN.findall(text))
    han = len(HAN.findall(text))
    if han * 3 > latin + cyrillic:
        return "zh" if not _KANA.search(text) else None
    if cyrillic:
        return "ru" if cyrillic * 3 > latin else None
    words = [word.casefold() for word in WORD.findall(text)]
    counts = {name: sum(word in telling for word in words) for name, telling in _TELLING.items()}
    for name, letters in _LETTERS.items():
        counts[name] += bool(letters.search(text if name == "tr" else text.lower()))
    counts["tr"] += any(_SUFFIX.search(bare(word)) for word in words if trunk(word) != word)
    best = max(_LETTERS, key=lambda name: (counts[name], any(one in text for one in _OWN_LETTERS[name])))
    return best if counts[best] >= least and counts[best] > counts["en"] else None


def languages_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the languages, besides English, of the texts or of any of their sentences."""
    sentences = [language_of(sentence, 2) for text in texts for sentence in _SENTENCE.findall(text)]
    candidates = (language_of(" ".join(texts)), *sentences)
    return tuple(dict.fromkeys(language for language in candidates if language))


class Said:
    """The word forms of a text. `languages` are those to stem besides English."""

    def __init__(self, text: str, languages: Sequence[str], english: Callable[[str], str]) -> None:
        self.languages = languages
        self._english = english
        words = list(map(trunk, WORD.findall(text)))
        self.unspaced = text if HAN.search(text) or _KANA.search(text) else ""
        self._signs = text if HAN.search(text) else ""
        self._said_signs = f"{self._signs}\n{SMALL_SIGNS.sub('', self._signs)}"
        self.stems = frozenset(map(english, words))
        self._bare = frozenset(map(bare, self.stems))
        self._whole = frozenset(map(bare, words))
        self._stems = {
            language: frozenset[str]().union(*(foreign_stems(word, language) for word in words))
            for language in languages
        }
        self._letters = frozenset(filter(_OTHER_LETTERS.search, self._whole))

    def holds(self, word: str, name: bool = False) -> bool:
        """Return whether the text contains a word in any form; names are matched strictly."""
        if self._signs and HAN.search(word):
            # No spaces separate words; a doubled character means the same (爸爸, 爸).
            return word in self._said_signs or _DOUBLED.sub(r"\1", word) in self._said_signs
        word = trunk(word)
        own = self._english(word)
        if own in self.stems or bare(own) in self._bare:
            return True
        if self._letters and _LATIN.search(word):
            return self.sounds(bare(own))
        if name and self.sounds(bare(word)):
            return True
        if any(map(str.isdigit, word)):
            return False
        return any(self._holds_in(language, word, name) for language in self.languages)

    def _holds_in(self, language: str, word: str, name: bool) -> bool:
        if name and language == "es":
            return False
        if name and language == "ru":
            return any(is_same_name(bare(word), other) for other in self._whole)
        if language == "tr" and self._in_turkish(bare(word), name):
            return True
        if foreign_stems(word, language) & self._stems[language]:
            return True
        return language == "de" and self._compound(bare(word))

    def sounds(self, name: str) -> bool:
        """Return whether a name (lower case, bare) occurs transliterated in another script."""
        if _OTHER_LETTERS.search(name):
            return any(_same_sound(other, latin(name)) for other in self._whole if _LATIN.match(other))
        if any(_same_sound(name, sounded) for sounded in self._sounded):
            return True
        return any(_is_read(name, syllables) for syllables in self._syllables)

    @cached_property
    def _sounded(self) -> frozenset[str]:
        return frozenset(map(latin, self._letters))

    @cached_property
    def _syllables(self) -> list[list[str]]:
        return [[latin(sign) for sign in run] for run in RUN_OF_HAN.findall(self._signs)]

    def _in_turkish(self, word: str, name: bool) -> bool:
        """Return whether a word occurs with other suffixes; of a name one form must have none."""
        if any(_hangs_on(word, other) or _hangs_on(other, word) for other in self._whole):
            return True
        roots = [] if name else [word[:at] for at in range(4, len(word)) if _hangs_on(word, word[:at])]
        return any(_hangs_on(other, root) for root in roots for other in self._whole)

    def _compound(self, word: str) -> bool:
        """Return whether a German word is composed of words of the text, or is a part of one."""
        if _in_parts(word, self._stems["de"]):
            return True
        stem = min(foreign_stems(word, "de"), key=len)
        return len(stem) >= _LEAST_PART and any(_is_part(stem, other) for other in self._whole)


def _hangs_on(word: str, stem: str) -> bool:
    return (
        len(stem) >= 3 and len(word) > len(stem) and word.startswith(stem) and bool(_TURKISH.match(word[len(stem) :]))
    )


def _in_parts(word: str, stems: frozenset[str]) -> bool:
    """Return whether a word splits into two of the stems (a linking element, an ending allowed)."""
    for at in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
        head, tail = word[:at], word[at:]
        if any(head == stem + link for stem in stems if len(stem) >= 3 for link in _LINKS) and any(
            len(stem) >= _LEAST_PART and tail.startswith(stem) and len(tail) - len(stem) <= 3 for stem in stems
        ):
            return True
    return False


def _is_part(stem: str, whole: str) -> bool:
    """Return whether a word begins or ends a compound whose rest is long enough and has a vowel."""
    if not (whole.startswith(stem) or stem in whole[-len(stem) - 2 :]):
        return False
    rest = whole.replace(stem, "", 1)
    return len(rest) >= _LEAST_REST and len(whole) >= len(stem) + _LEAST_REST and any(c in "aeiouy" for c in rest)


def is_same_name(name: str, other: str) -> bool:
    """Return whether two Russian words are one name: same stem, equal but for the ending."""
    if not foreign_stems(name, "ru") & foreign_stems(other, "ru"):
        return False
    alike = next((i for i, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    return alike >= 3 and alike >= min(len(name), len(other)) - 2


@lru_cache(maxsize=4096)  # people use few words
def latin(word: str) -> str:
    """Transliterate a word to Latin letters: "陈" is chen, "Щукин" shchukin."""
    from anyascii import anyascii

    return "".join(filter(str.isalpha, anyascii(word).lower()))


def _is_read(name: str, syllables: Sequence[str]) -> bool:
    """Return whether consecutive syllables form the name."""
    for at in range(len(syllables)):
        rest = name
        for syllable in syllables[at:]:
            if not rest.startswith(syllable):
                break
            rest = rest.removeprefix(syllable)
            if not rest:
                return True
    return False


def _same_sound(name: str, other: str) -> bool:
    """Return whether two Latin spellings match but for the ending, or in their consonants."""
    if name[:3] == other[:3] and abs(len(name) - len(other)) <= 2 and name[:-1] == other[: len(name) - 1]:
        return True
    bones, others = _bones(name), _bones(other)
    return len(bones) >= 3 and name[0] == other[0] and bones == others


def _bones(name: str) -> str:
    hard = name.replace("kh", "h").replace("ck", "k").replace("c", "k").replace("w", "v").replace("x", "ks")
    return _DOUBLED.sub(r"\1", re.sub(r"[aeiouy]", "", hard))


def frames(words: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return word lists by language as sets of stems."""
    return {
        language: frozenset[str]().union(*(foreign_stems(word, language) for word in listed.split()))
        for language, listed in words.items()
    }
