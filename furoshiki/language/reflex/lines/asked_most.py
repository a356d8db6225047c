"""What the companion is asked most about itself, and under which heading of its page the answer stands.

The headings are those of prompts/self_knowledge/plain.md.j2, where the answers are written from the settings.
"""

from __future__ import annotations

import re

_HEARS = r"(?:listen(?:ing)?|hear(?:ing)?|record(?:ing)?|spy(?:ing)?|watch(?:ing)?|eavesdrop(?:ping)?)"
_SENDS = (
    r"(?:sen[dt]|sending|shar(?:e|ed|ing)|upload(?:ed|ing)?|s[eo]l[ld]|selling|leak|leaves?|leaving|transmit|pass on)"
)
_KEPT = r"(?:words?|data|messages?|conversations?|chats?|memor(?:y|ies)|stored?|saved?|kept|keep|tell you|told you|say)"
_MINE = r"(?:my|the|our|it|this|that|everything|what|all|keep|store|save|put)"
_KINDS = (
    r"(?:bot|robot|ai|humans?|real|person|program|machine|chatbot|computer|alive|conscious|app|man|woman|girl|boy|guy"
    r"|somebody|someone)"
)

_ASKED: dict[str, tuple[str, ...]] = {
    "Am I listening to your microphone?": (
        rf"\b(?:are|do|can) you (?:\w+ ){{0,2}}{_HEARS} (?:to |on |in on )?(?:us|my|our|everything|what|all)\b",
        rf"\b(?:are|do) you (?:always|secretly) {_HEARS}\b",
        rf"\b(?:are|do|can) you {_HEARS} (?:to |on |in on )?(?:me|us) "
        r"(?:all the time|always|now|right now|secretly|while|when)\b",
        r"\byou\b.{0,40} (?:mic|microphone|camera|webcam)$",
        r"\b(?:spying|eavesdropping|listening in) on (?:me|us)\b|\bdo you spy\b",
    ),
    "Do I send what you tell me anywhere?": (
        rf"\b(?:do|does|will|are|did|can|would) you (?:\w+ ){{0,3}}{_SENDS} (?:\w+ ){{0,2}}"
        r"(?:data|words?|messages?|conversations?|chats?|this|that|what|anything|everything|stuff|info|information|secrets?)\b",
        rf"\b(?:does|do|is|are|will) (?:my|our|the|what i|any of|anything|this|that|it) (?:\w+ ){{0,4}}{_SENDS}\b",
        r"\bwho(?:m)? do you (?:send|share|give|tell) (?:this|that|it|my|our|what)\b",
        r"\bwhere (?:do you send|does my data go)\b",
        rf"\b(?:prove|sure|certain|promise|swear) (?:\w+ ){{0,2}}you (?:don't|do not|never|won't) {_SENDS}\b",
        r"\b(?:are|do) you (?:in|use|on|connected to) the (?:cloud|internet)\b",
        r"\bdo you (?:have|collect|use) (?:any )?(?:telemetry|analytics)\b",
        r"\bis (?:this|it|my data|our chat) (?:private|confidential)\b",
        r"\b(?:privacy|can i trust you)\b",
    ),
    "Who can read what you tell me?": (
        r"\bwho (?:else )?(?:can|could|may|will|gets to|is able to|has) (?:\w+ ){0,2}(?:see|read|know|access|look at) "
        r"(?:this|that|it|what|my|our|these|me)\b",
        r"\b(?:can|could|will|does|do) (?!i\b|you\b)(?:\w+ ){1,3}(?:read|see|access) "
        r"(?:this|that|what i|my (?:messages|words|chats?|data))\b",
        r"\bis (?:this|it|my data|the data|everything) (?:\w+ )?(?:encrypted|safe|secure|protected)$",
        r"\bwho has access\b",
        r"\bis any(?:one|body) (?:else )?(?:reading|watching|listening)\b",
        r"\bare you (?:safe|secure)$",
    ),
    "What do I back up?": (
        r"\b(?:back ?ups?|backed up|backing up)\b",
        r"\bwhat if (?:the|my|your) (?:disk|computer|machine|laptop|pi|server|sd card) (?:dies|breaks|fails|crashes)\b",
    ),
    "Where are your words kept?": (
        rf"\bwhere (?:is|are|do you|does|will|did you) (?:\w+ ){{0,2}}{_MINE}\b.{{0,60}}\b{_KEPT}\b.{{0,20}}$",
        rf"\bwhere (?:do|are) (?:my|our) {_KEPT}\b",
        r"\bhow long do you keep\b",
        r"\bdo you (?:store|save|keep|log) (?:my|our|everything|all|what)\b",
    ),
    "What do I cost?": (
        r"\bwhat (?:do|does|will|would) (?:you|it|this|that) (?:\w+ )?cost\b(?! .{0,40}\bto (?:buy|build|go))",
        r"^(?:and )?how much (?:do|does|are|is|will) (?:you|it|this)(?: cost| charge)?$",
        r"\bare you free(?: of charge| to use)?$",
        r"\bdo i (?:have to|need to|must) pay (?:for )?(?:you|this)\b",
        r"^is (?:this|it) free(?: of charge)?$",
    ),
    "What can I not do?": (
        r"\bwhat (?:can't|cannot|can not|don't) you (?:\w+ )?do$",
        r"\bwhat are you (?:not able|unable) to do$",
        r"\bwhat (?:can|could) (?:you )?not do$",
        r"\bwhat are your (?:limits|limitations|weaknesses)\b",
        r"\bwhat are you (?:bad|not good) at\b",
    ),
    "What can I do?": (
        r"\bwhat (?:can|do) you (?:actually |even |really )?do(?: for me| here| then)?$",
        r"\bwhat are you (?:good )?for$",
        r"\bwhat are you (?:good at|capable of|able to do)\b",
        r"\b(?:how|what) can you help\b",
        r"\bwhat are your (?:skills|features|abilities)\b",
        r"\bwhat(?:'s| is) your purpose\b",
        r"^(?:help|help me|can you help me)$",
        r"\bwhat (?:all )?can i (?:ask|say|do with) you\b",
        r"^what (?:all )?can i (?:ask|do|say)(?: here)?$",
        r"\bhow do i use you\b",
        r"(?<!how )\b(?:can|do|will) you (?:really )?remember (?:things|stuff|everything|all)\b",
    ),
    "What am I, and am I a person?": (
        r"\b(?:what|who) (?:are|r) (?:you|u)(?: exactly| really| anyway)?$",
        rf"\bare you (?:an? |really |actually |even |just )*{_KINDS}\b",
        r"\bare you (?:chatgpt|gpt|claude|alexa|siri)\b",
        rf"\bam i (?:talking|speaking|chatting) (?:to|with) (?:an? )?(?:real )?{_KINDS}\b",
        rf"\bis (?:there |this )?(?:an? |any )?(?:real )?{_KINDS} (?:there|behind|typing|writing|answering)\b",
        r"\bwhat(?:'s| is) your name\b",
        r"\bwhat (?:should|do|can) i call you\b",
        r"\bintroduce yourself\b",
        r"\btell me (?:something |more |a bit |a little )*about yourself\b",
    ),
}

_PATTERNS = {heading: re.compile("|".join(patterns)) for heading, patterns in _ASKED.items()}


def find_heading(plain: str) -> str | None:
    """The heading that answers a question (in small letters, without marks at its end); None for any other."""
    return next((one for one, pattern in _PATTERNS.items() if pattern.search(plain)), None)
