"""Patterns of requests for quiet by language, for a clause without its time and its "please".

A pattern matches the whole rest or nothing: "leave me alone" is a request, "leave me alone with
your jokes" is not. They are in `config/words`, "quiet".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from furoshiki.language.word_tables import by_language, pattern

# `write` forbids messages and `alone` asks to be left alone, with or without an end; `timed` counts
# only with an end and without other statements, `stop` also with them; `need` states a need and
# counts only with an end and without a question. `end` ends the quiet.
Kind = Literal["write", "alone", "stop", "timed", "need", "end"]


@dataclass(frozen=True)
class Saying:
    """The words of one language. `lead` may open a clause, `soft` are fillers; `orders` by kind;
    `reported` in the same sentence means that another person speaks or is addressed."""

    lead: re.Pattern[str]
    soft: re.Pattern[str]
    orders: Mapping[Kind, re.Pattern[str]]
    reported: re.Pattern[str]


def _make_saying(code: str, table: Mapping[str, Any]) -> Saying:
    parts, called = table.get("parts", {}), _CALLED[code]["called"]
    return Saying(
        lead=re.compile(rf"(?:{pattern(table['lead'])})(?:$|[ ])"),
        soft=re.compile(rf"(?<![^ ])(?:{pattern(table['soft'])}|{called})(?![^ ])"),
        orders={kind: re.compile(pattern(ways, parts)) for kind, ways in table["orders"].items()},
        reported=re.compile(rf"(?<!\w)(?:{pattern(table['reported'])})(?!\w)"),
    )


_TABLES, _CALLED = by_language("quiet"), by_language("chat")
SAYINGS: Mapping[str, Saying] = {code: _make_saying(code, table) for code, table in _TABLES.items()}

ZH_END = re.compile(
    r"你?(?:现在)?(?:可以|能)(?:再|又)?(?:来)?(?:给我)?(?:发消息|说话|打扰我|联系我)了?|不用再?安静了|安静时间结束了?|关掉免打扰"
)
_ZH_TAIL = "(?:了|好吗|好不好|谢谢|可以吗|行吗|行不行|[吧啊哈啦哦噢喔呗嘛呀])*"
ZH_TIMED = re.compile(rf"^(?:(?:请|麻烦|先|你|能不能)*(?:保持)?安静(?:点|一点|下)?|(?:请|先)*别说话){_ZH_TAIL}")
ZH_ALSO = re.compile(rf"[也都](?:别|不要|不用){_ZH_TAIL}")  # the same request with another time: "明早也别"

# for Chinese, written without blanks, after the time is removed
ZH_ORDER = re.compile(
    r"^(?:(?:以后|今后|从现在起|麻烦|请|你|先|就|能不能|可以|求你|拜托|都)*(?:别|不要|不用|请勿|勿)再?(?:给我|跟我|来)?(?:发(?:消息|信息|短信|微信)?(?:给我)?|打扰我?|联系我?"
    rf"|找我|烦我|理我|吵我?){_ZH_TAIL}|(?:请|你|就|先)*让我(?:一个人)?(?:静一静|静静|静|安静(?:一下)?|待着|清静一下"
    r"|待会儿)(?:吧|好吗)*)"
)

ZH_NEED = re.compile(
    r"我?(?:现在|只|就|真的){0,3}(?:需要|想要?)(?:一个人)?(?:一点|一些)?(?:静静|静一静|安静|清静)(?:一下|一会儿?)?[了啊吧]?"
)

_HINTS = {code: pattern(table["hint"]) for code, table in _TABLES.items()} | {
    "zh": r"别|不要|不用|勿|让我|安静|静静|静一静|清静|可以|打扰"
}
HINTS: Mapping[str, re.Pattern[str]] = {tongue: re.compile(words, re.IGNORECASE) for tongue, words in _HINTS.items()}
# words of which every request has one, by language and for all: other messages are skipped
HINT = re.compile("|".join(_HINTS.values()), re.IGNORECASE)

# restricts a request to the time that is named
ONLY = re.compile(
    r"(?<!\w)(?:only|just|nur|bloß|sol[oa]|sólo|solamente|seulement|uniquement|juste|soltanto|só|apenas|somente"
    r"|только|лишь|sadece|yalnızca)(?: (?:for|für|por|per|pour|para|на))?(?!\w)|只(?:是|要|限)?|就(?!是)|仅"
)
