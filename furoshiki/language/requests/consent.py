"""Recognize a message that is only a yes or no, in words and signs of the main languages."""

import re

from furoshiki.language.words import asks

_LONGEST = 60
"""Longest message, in characters: a longer one says more than yes or no."""

_YES = """
yes|y|yep|yeah|yea|ya|yup|aye|sure|sure thing|of course|certainly|definitely|absolutely
do|do it|do that|do so|go ahead|go on|go for it|please do|by all means|why not|ok|okay|k|alright|all right|fine|right
correct|confirm|confirmed|agreed|that's right|that is right|i am sure|i'm sure|sounds good|i agree|affirmative
it is|i do
make it so|be my guest|you may|you can|indeed|exactly|👍|✅|👌
ja|jo|jep|jawohl|klar|na klar|aber klar|sicher|natürlich|gerne|gern|mach|mach das|mach es|mach's|tu es|tu das|los
einverstanden|genau|in ordnung|passt|mach nur|nur zu|unbedingt|auf jeden fall
sí|si|claro|claro que sí|por supuesto|vale|hazlo|de acuerdo|adelante|dale|correcto
oui|ouais|bien sûr|d'accord|vas-y|allez-y|fais-le|faites-le|certainement|volontiers
certo|va bene|fallo|d'accordo|sì|certamente|procedi
sim|pode|pode sim|faz isso|faça isso|com certeza|está bem
graag|prima|doe maar|doe het|natuurlijk|zeker|is goed
evet|tamam|olur|tabii|tabii ki|elbette|yap|peki
да|ага|конечно|давай|хорошо|ладно|сделай|сделай это|верно
tak|jasne|oczywiście|dobrze|zrób to|pewnie
是|是的|好|好的|可以|对|はい|ええ|うん|お願いします|네|예|응|हाँ|हां|जी|जी हाँ|ठीक है|نعم|أجل|أكيد|হ্যাঁ|ہاں|ya
iya|baik|boleh|lanjut
"""
_NO = """
no|n|nope|nah|nay|no way|not now|not yet|not really|i don't|don't|do not|don't do it|don't do that
please don't|better not|rather not|i'd rather not|i would rather not|never|never mind|nevermind|nvm|leave it
leave it as it is
keep it|keep that|keep them|stop|cancel|cancel that|abort|wait|hold on|forget it then|absolutely not|certainly not
of course not|negative|no need|not necessary|👎|❌|🚫
nein|ne|nee|nö|nicht|lieber nicht|besser nicht|auf keinen fall|bloß nicht|lass es|lass das|lass mal|jetzt nicht
noch nicht
behalt es|behalte es|stopp|abbrechen|mach das nicht|tu es nicht
no quiero|mejor no|todavía no|ahora no|déjalo|para|cancela|claro que no
non|pas maintenant|surtout pas|laisse|laisse tomber|plutôt pas|annule|arrête
no grazie|meglio di no|lascia stare|lascia perdere|annulla
não|nao|melhor não|agora não|deixa|cancela|deixa estar
liever niet|niet doen|laat maar|nu niet|doe maar niet
hayır|yok|olmaz|istemiyorum|vazgeç|vazgeçtim|şimdi değil|yapma|kalsın
нет|не|не надо|не нужно|не сейчас|не стоит|оставь|отмена
nie|lepiej nie|nie teraz|zostaw|anuluj
不|不是|不要|不用|不行|いいえ|いや|やめて|아니|아니요|아니오|नहीं|जी नहीं|لا|না|نہیں|tidak|jangan|batal
"""
_COURTESY = """
please|pls|plz|thanks|thank you|thank you very much|thanks a lot|thx|cheers|then|now|just|oh|ah|hm|hmm|well|um|and|sorry
bitte|danke|danke schön|vielen dank|dann|mal|doch|por favor|gracias|s'il te plaît|s'il vous plaît|merci
per favore|grazie
obrigado|obrigada|alstublieft|alsjeblieft|dank je|dank u|bedankt|dan|lütfen|teşekkürler|teşekkür ederim|sağ ol
пожалуйста|спасибо|proszę|dziękuję|谢谢|ありがとう|감사합니다|धन्यवाद|شكرا|terima kasih
"""

_SEPARATES = re.compile(r"[\s,.!;:\u2026\u3002\uff01\uff0c\u060c\ufe0f\U0001f3fb-\U0001f3ff)(]+")


def _parse_phrases(lines: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(one.split()) for line in lines.strip().splitlines() for one in line.split("|"))


_MEANS: dict[tuple[str, ...], bool | None] = {
    **dict.fromkeys(_parse_phrases(_COURTESY)),
    **dict.fromkeys(_parse_phrases(_YES), True),
    **dict.fromkeys(_parse_phrases(_NO), False),
}
_WIDEST = max(map(len, _MEANS))


def consent(text: str) -> bool | None:
    """Return True for a plain yes, False for a plain no; None for neither, both, or anything more.

    "please" alone is a yes. A question ("yes?") is neither.
    """
    if len(text) > _LONGEST or asks(text):
        return None
    straight = text.casefold().replace("\u2019", "'").replace("\u0130".casefold(), "i")
    words = tuple(word for word in _SEPARATES.split(straight) if word)
    means = _read(words)
    if not means:
        return None
    said = {one for one in means if one is not None}
    if not said:
        return True if set(words) & _ASKING else None
    return said.pop() if len(said) == 1 else None


_ASKING = frozenset({"please", "pls", "plz", "bitte", "lütfen", "пожалуйста", "proszę"})


def _read(words: tuple[str, ...]) -> list[bool | None] | None:
    """Return the meaning of each part, longest known parts first; None if a part is unknown."""
    means: list[bool | None] = []
    at = 0
    while at < len(words):
        for width in range(min(_WIDEST, len(words) - at), 0, -1):
            part = words[at : at + width]
            if part in _MEANS:
                means.append(_MEANS[part])
                at += width
                break
        else:
            return None
    return means
