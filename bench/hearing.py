"""Measures the recognition of voice notes with the models of /voice: word errors, CPU time, memory.

    .venv/bin/python -m bench.hearing [FOLDER]

Whisper tiny.en and the voice Joe are downloaded into FOLDER (a data directory, by default
temporary), as /voice does. Two voices, eSpeak NG's and Joe's, say twelve sentences as voice
messages, and the hearing process transcribes each.
"""

from __future__ import annotations

import asyncio
import re
import resource
import sys
import tempfile
import time
from pathlib import Path

from furoshiki.conversation.hearing import fetching
from furoshiki.conversation.hearing.fetching import Plan
from furoshiki.memory.perception import speech_to_text
from furoshiki.models.speech import downloads, synthesis, voices
from furoshiki.models.speech.values import Voice

SENTENCES = (
    "Remind me to call my mother on Sunday at six.",
    "I slept badly and the meeting this morning was long.",
    "Anika moved to Lisbon last week and works as a nurse.",
    "What did I say about the garden yesterday?",
    "My sister is allergic to peanuts, please remember that.",
    "Put milk, bread and two lemons on the shopping list.",
    "The train to Berlin leaves at twenty past nine.",
    "I am so happy today, we finally got the flat.",
    "Can you move the dentist to Thursday afternoon?",
    "My birthday is on the third of July.",
    "He told me that he would not come to the wedding.",
    "Good night, talk to you tomorrow.",
)
DIGITS = {"2": "two", "3rd": "third", "6": "six", "9": "nine", "20": "twenty", "mum": "mother"}
"""Digits count as the words."""


def words(text: str) -> list[str]:
    """Return the words of a sentence in comparable form."""
    return [DIGITS.get(one, one) for one in re.findall(r"[a-z0-9']+", text.lower())]


def wrong(said: list[str], heard: list[str]) -> int:
    """Return the word edit distance."""
    row = list(range(len(heard) + 1))
    for number, word in enumerate(said, 1):
        before, row[0] = row[0], number
        for at, other in enumerate(heard, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (word != other))
    return row[-1]


async def main(folder: Path) -> None:
    model = next(one for one in downloads.models("hearing") if one.name == "Whisper tiny.en")
    joe = next(one for one in downloads.models("speaking") if one.name == "Joe")
    began = time.monotonic()
    size = downloads.to_fetch(folder, "hearing", model) + downloads.to_fetch(folder, "speaking", joe)
    plan = Plan("both", model, joe, size)
    await fetching._fetch(folder, plan, fetching._Progress(size))
    took = time.monotonic() - began
    print(f"fetched {size / 1e6:.0f} MB in {took:.0f} s; on disk {downloads.measure(folder) / 1e6:.0f} MB")
    own = voices.for_language(None, "en", downloads.voices(folder))
    assert own is not None
    print(f"{'said by':8} {'words wrong':>12} {'cpu a note':>11} {'sound a note':>13} {'memory':>8}")
    for voice in (Voice("espeak", "en-us", "en"), own):
        said = mistakes = 0
        cpu = sound = 0.0
        for sentence in SENTENCES:
            audio = await synthesis.synthesize(voice, sentence, downloads.packages(folder, "speaking"))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            place = downloads.place(folder, "hearing", model)
            heard = await speech_to_text.transcribe(audio.data, place, downloads.packages(folder, "hearing"))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            sound += audio.seconds
            said += len(words(sentence))
            mistakes += (missed := wrong(words(sentence), words(heard)))
            if missed:
                print(f"    {sentence}\n    → {heard}")
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        each = len(SENTENCES)
        share = f"{mistakes} of {said}"
        print(f"{voice.engine:8} {share:>12} {cpu / each:9.1f} s {sound / each:11.1f} s {memory:5.0f} MB")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made)))
