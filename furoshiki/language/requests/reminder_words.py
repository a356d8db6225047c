"""Phrases that ask for a reminder, in the languages with time words.

They are `config/words`, "remind"; ".." stands for the task and the time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from furoshiki.language.word_tables import by_language
from furoshiki.language.words import bare


@dataclass(frozen=True)
class AskingPattern:
    """A phrasing: the words before and after the task, in lower case."""

    tongue: str
    kind: str
    before: str
    after: str


@dataclass(frozen=True)
class Asked:
    """A request in another language; `rest` contains the task and the time."""

    tongue: str
    kind: str
    rest: str


# the task and the time are before it, after it, or on both sides
_CHINESE = re.compile(
    r"(?:请|麻烦|记得|能不能|可以|你能)?(?:帮我)?(?:(?P<remind>提醒一?下?我(?:一下)?|(?<=分钟)叫我|提醒(?![了过])(?=.{0,60}我)|别让我忘[了记])"
    r"|(?P<wake>叫醒我|叫我起床|(?:设|定|设置)(?:一?个)?.{0,12}的?闹钟)|(?P<timer>(?:设|定|设置)(?:一?个)?"
    r"(?P<span>.{1,8}?)的?(?:计时器|倒计时)))(?:吗|要|去)?"
)

_NOT_FORGOTTEN = re.compile("(?:别|不要)(?:忘记|忘了|忘)|^(?:对了|总之|话说|顺便)[,，]?")

# a reminder by another person, or none needed
_NOT_ASKED = re.compile(
    r"(?:不用|不要|不必|别|不需要)(?:再)?提醒|(?:[他她它们妈爸爷奶姐哥弟妹公婆师板]|医生|同事|朋友)提醒(?!一?下?我一下)"
)


@lru_cache(maxsize=64)  # several rules read the same words
def parse_request(plain: str) -> Asked | None:
    """Return a message's reminder request, if it is one (of kind "note" one to keep something).
    `plain` has single spaces."""
    text = plain.strip(" .!?¿¡,\u2026。？！，")
    if (chinese := _CHINESE.search(text)) is not None:
        if chinese["remind"] and _NOT_ASKED.search(text[: chinese.end()]):
            return None
        around = _NOT_FORGOTTEN.sub("", f"{text[: chinese.start()]} {text[chinese.end() :]}")
        if chinese["timer"]:
            return Asked("zh", "timer", f"{chinese['span']}后")
        return Asked("zh", "wake" if chinese["wake"] else "remind", around.strip(" ，,。吗？?"))
    small = _small(text)
    best: Asked | None = None
    for way in _WAYS:
        found = _around(way, small)
        if found is None:
            continue
        end, behind = found
        rest = text[len(way.before) : end] + text[behind:]
        if (_ends(way.before, rest[:1]) and _ends(way.after, text[:end][-1:])) and (
            best is None or len(rest) < len(best.rest)
        ):
            best = Asked(way.tongue, way.kind, rest.strip(" ,:，："))
    return best


def parse_inside(plain: str) -> Iterator[tuple[str, Asked]]:
    """Yield the text before a request inside a message, and the request."""
    text = plain.strip(" .!?")
    small = _small(text)
    for way in _WAYS:
        at = small.find(f" {way.before} ") if way.before and not way.after and way.kind == "remind" else -1
        if at > 0:
            yield text[:at].rstrip(" ,"), Asked(way.tongue, way.kind, text[at + len(way.before) + 2 :])


def _around(way: AskingPattern, small: str) -> tuple[int, int] | None:
    """Return where a phrasing ends the task, and resumes it ("… erinnern, Mama anzurufen")."""
    if not small.startswith(way.before):
        return None
    if small.endswith(way.after):
        return len(small) - len(way.after), len(small)
    for clause in (",", " dass "):
        at = small.find(f" {way.after}{clause}", len(way.before)) if way.before and way.after else -1
        if at > 0:
            return at + 1, at + len(way.after) + 1
    return None


def _ends(part: str, letter: str) -> bool:
    """Return whether a part ends (or begins) at a word boundary."""
    return not part or part.endswith(":") or not letter.isalnum() or part[-1] >= "\u4e00"


def _small(text: str) -> str:
    """Return the text in lower case, with the same length."""
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _read() -> tuple[AskingPattern, ...]:
    found = []
    for tongue, table in by_language("remind").items():
        for kind, lines in table.items():
            for way in lines.strip().replace("\n", " | ").split(" | "):
                for form in {way, bare(way)}:
                    before, _, after = form.partition("..")
                    found.append(AskingPattern(tongue, kind, before.strip(), after.strip()))
    return tuple(found)


_WAYS = _read()
