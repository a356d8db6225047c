"""Repeated statements with another end: "wrong, the party is on Sunday". The longest run of
words in both sentences is unchanged. The words after it are wrong in one and right in the other;
with the verb last, as in Turkish, the words before it."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from furoshiki.language.words import bare

MOST_WORDS, MOST_SIGNS = 3, 6  # most words of the right end, and most characters in Chinese

MOST_BEFORE = 4  # most words before the unchanged ones: the subject
LONGEST = 12  # most words of such a correction

_WORDS = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff.,:;!?()\u3002\uff0c\uff01\uff1f]+")
_STOPS = re.compile(r"[.,:;!?()\u3002\uff0c\uff01\uff1f\n]+\s*")
DENIALS = frozenset({"not", "nicht", "kein", "keine", "no", "pas", "non", "nao", "не", "degil"})
_SMALL_SIGNS = "今年已经是才只她他它都"  # characters next to a number without meaning of their own
_SHORT = 2  # the number of words that may be just a subject and a number

# least letters of a word that may stay alone; one more for a word that names the subject
_TELLING = 4


def find_other_end(again: str, said: str) -> tuple[str, str] | None:
    """Return (wrong, right) if a sentence repeats `said` with another end; else None."""
    words = _WORDS.findall(again)
    if not words or len(words) > LONGEST:
        return None
    begin = max((said.find(name) + len(name) for name in words[:MOST_BEFORE] if _names(name, said)), default=0)
    clauses = _STOPS.split(said[begin:]) if begin else [said, *_STOPS.split(said)]
    for clause in clauses:
        found = _compare(words, _WORDS.findall(clause), said, named=begin > 0)
        if found is not None:
            return found
    return None


def _names(word: str, said: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word in said


def _compare(again: list[str], said: list[str], whole: str, named: bool) -> tuple[str, str] | None:
    """Return the two ends of two sentences; `named`: both name their subject."""
    numbers = _find_numbers(said), _find_numbers(again)
    alike = named or len(again) == _SHORT or bool(set(map(bare, again)) & set(map(bare, said)))
    new_signs = sorted(set(filter(_is_signs, again)).difference(whole, _SMALL_SIGNS))
    if len(numbers[0]) == len(numbers[1]) == 1 and alike and not new_signs[1:] and _is_about(again, whole):
        return _pair(numbers[0], numbers[1], small=False)
    signs = _is_signs(again[-1])
    if signs and again[-2:] == said[-2:]:
        while again and said and again[-1] == said[-1]:
            again, said = again[:-1], said[:-1]
    new, old = list(map(bare, again)), list(map(bare, said))
    run = SequenceMatcher(None, old, new, autojunk=False).find_longest_match()
    behind, most = run.b + run.size, MOST_SIGNS if signs else MOST_WORDS
    tells = named or (run.a + run.b > 0 and (signs or len(new[run.b]) >= _TELLING))
    if not new or not run.size or run.b > MOST_BEFORE or not (run.size > 1 or tells):
        return None
    if behind == len(again) and run.a + run.size == len(said) and run.a and run.b:
        before = said[run.a - 1 : run.a], again[run.b - 1 : run.b]
        return _pair(*before, small=False) if _is_about(again[: run.b - 1], whole) else None
    back = 1 if signs and len(again) - behind == 1 < run.size else 0
    right, wrong = again[behind - back :], said[run.a + run.size - back :]
    if len(right) > most or not _is_about(again[: run.b], whole):
        return None
    telling = any(len(part) >= _TELLING for word in new[run.b : behind] for part in word.split("'"))  # not "it's"
    small = len(wrong) == len(right) and (named or (telling and whole.islower()))
    return _pair(wrong[: most if signs else len(right)], right, small)


def _find_numbers(words: Iterable[str]) -> list[str]:
    return [word for word in words if word[0].isdigit()]


def _is_about(words: Iterable[str], said: str) -> bool:
    """Return whether all words that identify the subject were said before."""
    for one in words:
        if (len(one) > _TELLING or one[0].isupper()) and bare(one)[:_TELLING] not in bare(said):
            return False
    return True


def _pair(wrong: Sequence[str], right: Sequence[str], small: bool) -> tuple[str, str] | None:
    """Return both ends if they are names or numbers, or (`small`) other words without negation."""
    joint = "" if right and _is_signs(right[0]) else " "
    pair = joint.join(wrong), joint.join(right)
    if not all(pair) or bare(pair[0]) == bare(pair[1]):
        return None
    stand_out = all(any(map(_stands_out, one)) for one in (right, wrong))
    return pair if stand_out or (small and DENIALS.isdisjoint(map(bare, (*wrong, *right)))) else None


def _is_signs(word: str) -> bool:
    return word >= "\u4e00"


def _stands_out(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit() or _is_signs(word)
