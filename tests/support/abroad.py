"""What people say in the languages that the built-in mind has a sentence in."""

from __future__ import annotations

from tests.support.laws import languages

SPOKEN = {one.code: one for one in languages().each if one.spoken}

# code, where the key is, a remark that says nothing of it, and the question
KEYS = (
    ("zh", "备用钥匙在厨房的抽屉里", "今天好累啊", "备用钥匙在哪里?"),
    ("hi", "चाबी रसोई की दराज़ में है", "आज बहुत थक गया हूँ", "चाबी कहाँ है?"),
    ("hi-Latn", "chabi rasoi ki daraz mein hai", "aaj bahut thak gaya hoon", "chabi kahan hai"),
    ("es", "la llave está debajo de la maceta", "hoy estoy muy cansado", "¿dónde está la llave?"),
    ("fr", "la clé est sous le pot de fleurs", "je suis fatigué aujourd'hui", "où est la clé ?"),
    ("ar", "المفتاح تحت السجادة", "أنا تعبان اليوم", "أين المفتاح؟"),
    ("bn", "চাবিটা টেবিলের উপর আছে", "আজ খুব ক্লান্ত লাগছে", "চাবিটা কোথায়?"),
    ("pt", "a chave está embaixo do tapete", "hoje estou muito cansado", "onde está a chave?"),
    ("ru", "ключ лежит под ковриком", "сегодня я ужасно устал", "где ключ?"),
    ("ur", "چابی میز پر ہے", "آج میں بہت تھک گیا ہوں", "چابی کہاں ہے؟"),
    ("id", "kuncinya ada di bawah pot bunga", "aku capek banget hari ini", "di mana kuncinya?"),
    ("de", "der Schlüssel liegt unter der Matte", "ich bin heute sehr müde", "wo ist der Schlüssel?"),
    ("ja", "鍵は机の引き出しにあります", "今日はすごく疲れた", "鍵はどこにある?"),
    ("tr", "anahtar paspasın altında", "bugün çok yoruldum", "anahtar nerede?"),
    ("ko", "열쇠는 책상 위에 있어", "오늘 너무 피곤해", "열쇠는 어디에 있어?"),
    ("vi", "chìa khóa ở dưới thảm", "hôm nay mình mệt quá", "chìa khóa ở đâu?"),
    ("it", "la chiave è sotto il tappeto", "oggi sono molto stanco", "dov'è la chiave?"),
    ("nl", "de sleutel ligt onder de mat", "ik ben zo moe vandaag", "waar is de sleutel?"),
    ("pl", "klucz jest pod wycieraczką", "jestem dzisiaj bardzo zmęczony", "gdzie jest klucz?"),
    ("uk", "ключ лежить під килимком", "сьогодні я дуже втомилася", "де ключ?"),
    ("fa", "کلید روی میز است", "امروز خیلی خسته هستم", "کلید کجاست؟"),
)

HELLO = {
    "en": "hello, I'm Joe",
    "de": "hallo, ich bin Joe",
    "es": "hola, soy Joe",
    "fr": "salut, je suis Joe",
    "it": "ciao, sono Joe",
    "pt": "oi, sou Joe",
    "ru": "привет, я Иван",
    "tr": "merhaba, ben Can",
    "zh": "你好,我叫小明",
}
"""First words of somebody with a name, in each language of the built-in mind."""
