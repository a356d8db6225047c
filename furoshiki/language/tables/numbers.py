"""English numbers in words."""

TO_TWELVE = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""Each at its own place."""

TENS = {
    "ten": 10, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")

NUMBERS = {word: number for number, word in enumerate((*TO_TWELVE, *_TEENS))} | TENS
COUNTS = NUMBERS | {"a": 1, "an": 1, "couple": 2, "few": 3}
"""What stands before a unit: "an hour", "a couple days", "few weeks"."""

COUNT = rf"(?:\d+|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"
"""A pattern for such a count, in digits or in a word."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""From the first place on."""


def up_to(last: int, first: int = 0) -> str:
    """Alternatives of a pattern: the words from `first` to `last`, twelve at most ("one|two|three")."""
    return "|".join(TO_TWELVE[first : last + 1])


def amount_of(word: str) -> float:
    """ "two", "2", "1,5" as a number. Raises ValueError for any other word."""
    word = word.lower().replace(",", ".")
    return float(COUNTS[word]) if word in COUNTS else float(word)


_DIGITS = """
zero null cero zéro ноль sıfır
one eins uno un um один bir
two zwei zwo dos deux due dois два iki
three drei tres trois tre três три üç
four vier cuatro quatre quattro quatro четыре dört
five fünf cinco cinq cinque пять beş
six sechs seis sei шесть altı
seven sieben siete sept sette sete семь yedi
eight acht ocho huit otto oito восемь sekiz
nine neun nueve neuf nove девять dokuz
"""
DIGITS = {word: str(number) for number, row in enumerate(_DIGITS.split("\n")[1:-1]) for word in row.split()}
"""Each digit by its words, as a telephone number may be spelled out, in every language that dates are read in."""
