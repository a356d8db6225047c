"""Questions for what the companion said, in the languages it speaks, beside those for what others said."""

import pytest

from furoshiki.recall.retrieval.rules import likely_answers

ASKED = {
    "de": [
        "Welches Präsent fürs Neugeborene hattest du vorgeschlagen?",
        "was hast du mir zum schlafen empfohlen",
        "wie war nochmal dein Tipp gegen Migräne",
    ],
    "es": ["¿qué libro me recomendaste?", "que me habias dicho del examen", "cuál era tu consejo para dormir"],
    "fr": ["qu'est-ce que tu m'as conseillé pour le sommeil ?", "tu m'avais propose quoi ?", "c'était quoi ton idée ?"],
    "it": ["che libro mi hai consigliato?", "cosa mi avevi suggerito per il regalo?", "qual era il tuo consiglio?"],
    "pt": ["o que você me recomendou pra dormir?", "que livro me sugeriste?", "qual era a tua ideia?"],
    "ru": ["что ты мне советовал от бессонницы?", "какой подарок ты предлагала?", "какой был твой совет?"],
    "tr": ["uyku için ne önermiştin?", "bana hangi kitabi tavsiye ettin?", "senin fikrin neydi?"],
    "zh": ["独自出门之前你叮嘱过哪些事？", "你推荐过哪本书？", "你的建议是什么？"],
}
OTHERS = {
    "de": ["was hab ich dir über Mama gesagt?", "hast du gehört was Anna gesagt hat?", "Was hat mein Chef gesagt?"],
    "es": ["¿qué te dije de mi hermana?", "¿qué dijo mi madre?", "¿me recomiendas un libro?"],
    "fr": ["qu'est-ce que je t'ai dit sur Paul ?", "qu'a dit ma mère ?", "tu peux me conseiller un livre ?"],
    "it": ["cosa ti ho detto di Marco?", "cosa ha detto mia madre?", "mi consigli un libro?"],
    "pt": ["o que eu te contei sobre a Ana?", "o que minha mãe disse?", "me recomenda um livro?"],
    "ru": ["что я тебе говорил про маму?", "ты помнишь, что говорила мама?", "что сказал врач?"],
    "tr": ["sana annem hakkında ne söyledim?", "annem ne dedi?", "doktor ne önerdi?"],
    "zh": ["我跟你说过我妈的事吗？", "医生说了什么？", "你还记得小王说过什么吗？"],
}


@pytest.mark.parametrize(("code", "question"), [(code, one) for code, some in ASKED.items() for one in some])
def test_the_companions_own_words_are_asked_for(code: str, question: str) -> None:
    assert likely_answers.read(question, code).asks_companion


@pytest.mark.parametrize(("code", "question"), [(code, one) for code, some in OTHERS.items() for one in some])
def test_what_others_said_is_not_the_companions(code: str, question: str) -> None:
    assert not likely_answers.read(question, code).asks_companion


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("de", "Wo hab ich früher gewohnt?"),
        ("es", "¿dónde vivía antes?"),
        ("fr", "j'habitais où avant ?"),
        ("it", "dove abitavo prima?"),
        ("pt", "onde eu morava antes?"),
        ("ru", "где я раньше жил?"),
        ("tr", "eskiden nerede oturuyordum?"),
        ("zh", "我以前住在哪里？"),
    ],
)
def test_what_was_before_is_asked_for(code: str, question: str) -> None:
    assert likely_answers.read(question, code).about_before
