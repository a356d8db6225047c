"""A plain yes or no is heard in every way people give one, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from furoshiki.language.requests.consent import consent

YES = """
Yes.|yes please|YES!|yes, do it|yes yes|yep|yeah|yeah, sure|sure|Sure, go ahead|ok|okay|OK!|please do|please
go ahead|do it
oh nice, yes|ooh yes please|great, do it|super, ja|ah super, oui|avec plaisir|volentieri|genial, sí|que bom, sim
отлично, да|güzel, evet|太好了，好
of course|yes, I'm sure|yes I am sure|yes thanks|yes, thank you|go for it|all right|alright then|👍|✅|👍🏽|y|absolutely
ja|Ja bitte|ja, mach das|klar|na klar|gerne|sicher|genau|in ordnung|ja ja
sí|si|sí, por favor|claro|vale|oui|oui, s'il te plaît|d'accord|bien sûr|sì|certo|sim|pode sim|graag|ja graag
evet|evet lütfen
tamam|да|да, пожалуйста|конечно|tak|proszę|是的|好|はい|네|हाँ|نعم
"""
NO = """
No.|NO|no thanks|no, thank you|nope|nah|no no|no, don't|don't|don't do it|please don't|better not|rather not
not now|cancel
never mind|stop|no, leave it|keep it|no, keep it please|👎|❌|n|absolutely not|no way
nein|nein danke|Nein, bitte nicht|nee|lieber nicht|auf keinen Fall|lass es|nicht
no gracias|mejor no|non|non merci|no grazie|não|não, obrigado|liever niet|hayır|hayır teşekkürler|vazgeç|нет
нет, спасибо|nie
不要|いいえ|아니요|नहीं|لا
"""
NEITHER = """
|yes and no|yes but only the second one|no problem|not sure|maybe|yes?|are you sure?|yesterday|know|no idea
thanks|thank you|nice|great|perfect|super|oh nice, yes that worked|not great
ok so I went home|sure is cold today|nothing|please remind me|yes remind me at five|stop the car
ja aber nicht alles|vielleicht
no, it's not Anna, it's Hannah|that's wrong|right now I am tired|fine weather|do it tomorrow|😂
"""


def rows(table: str) -> list[str]:
    return [one for line in table.strip("\n").splitlines() for one in line.split("|")]


@pytest.mark.parametrize("text", rows(YES))
def test_a_yes_is_a_yes(text: str) -> None:
    assert consent(text) is True


@pytest.mark.parametrize("text", rows(NO))
def test_a_no_is_a_no(text: str) -> None:
    assert consent(text) is False


@pytest.mark.parametrize("text", rows(NEITHER))
def test_whatever_says_more_is_neither(text: str) -> None:
    assert consent(text) is None
