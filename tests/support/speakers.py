"""Engines in the place of the one that speaks, a voice that hums, and a look into the sound that came of it."""

from __future__ import annotations

import json
import struct
import sys
import time
from itertools import accumulate
from pathlib import Path

import pytest

from furoshiki.memory.perception import speech_to_text
from furoshiki.models.speech import synthesis, voices
from furoshiki.models.speech.values import Audio, Voice

SOUND = Audio(b"OggS a voice", 3.4)


class Speaker:
    """An engine that says everything as `SOUND`, and remembers what and in which voice; or cannot, for a reason."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.languages: list[str] = []
        self.fault: Exception | None = None

    async def __call__(self, voice: Voice, text: str, packages: Path | None = None) -> Audio:
        if self.fault is not None:
            raise self.fault
        self.said.append(text)
        self.languages.append(voice.language)
        return SOUND


def hears(monkeypatch: pytest.MonkeyPatch, words: str | Exception) -> None:
    """Have an engine that is here and hears these words in everything, or fails."""

    async def transcribe(_data: bytes, _model: Path, _packages: Path) -> str:
        if isinstance(words, Exception):
            raise words
        return words

    monkeypatch.setattr(speech_to_text, "model", lambda _world: Path("/models/whisper"))
    monkeypatch.setattr(speech_to_text, "transcribe", transcribe)


@pytest.fixture
def speaker(monkeypatch: pytest.MonkeyPatch) -> Speaker:
    """An engine that is installed and speaks at once."""
    made = Speaker()
    monkeypatch.setattr(voices, "is_installed", lambda _data: True)
    monkeypatch.setattr(synthesis, "synthesize", made)
    return made


def opus(data: bytes) -> tuple[int, int, float]:
    """Channels, input rate and seconds of an Ogg file with Opus, as its pages say it."""
    at, head, end, skipped = 0, b"", 0, 0
    while at < len(data):
        magic, _version, _kind, position = struct.unpack_from("<4sBBq", data, at)
        assert magic == b"OggS"
        lacing = data[at + 27 : at + 27 + data[at + 26]]
        body = at + 27 + len(lacing)
        head = head or data[body : body + lacing[0]]
        end, at = position, body + list(accumulate(lacing))[-1]
    assert head[:8] == b"OpusHead"
    _, channels, skipped, rate = struct.unpack_from("<BBHI", head, 8)
    return channels, rate, (end - skipped) / 48_000


def piper_voice(folder: Path) -> Path:
    """A voice whose network is three nodes: it hums half a second for each sentence. Its files are as Piper's are."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper, save
    from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP

    hum = np.sin(np.arange(11_025, dtype=np.float32) / 10).reshape(1, 1, -1) / 2
    nodes = [
        helper.make_node("Cast", ["input_lengths"], ["length"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["scales"], ["sum"]),
        helper.make_node("Mul", ["length", "nothing"], ["zero"]),
        helper.make_node("Mul", ["sum", "zero"], ["silence"]),
        helper.make_node("Add", ["hum", "silence"], ["output"]),
        helper.make_node("Identity", ["input"], ["same"]),
    ]
    wanted = {"input": (TensorProto.INT64, [1, "n"]), "input_lengths": (TensorProto.INT64, [1])}
    inputs = [helper.make_tensor_value_info(name, *shape) for name, shape in wanted.items()]
    inputs.append(helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]))
    outputs = [
        helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, "t"]),
        helper.make_tensor_value_info("same", TensorProto.INT64, [1, "n"]),
    ]
    given = [numpy_helper.from_array(hum, "hum"), numpy_helper.from_array(np.zeros(1, np.float32), "nothing")]
    graph = helper.make_graph(nodes, "hums", inputs, outputs, given)
    model = folder / "hum.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=9), str(model))
    described = {
        "audio": {"sample_rate": 22050},
        "espeak": {"voice": "en-us"},
        "phoneme_type": "espeak",
        "num_symbols": 256,
        "num_speakers": 1,
        "phoneme_id_map": DEFAULT_PHONEME_ID_MAP,
    }
    model.with_name("hum.onnx.json").write_text(json.dumps(described))
    return model


if __name__ == "__main__":
    order = json.load(sys.stdin)
    if order["text"] == "never":
        time.sleep(600)
    sys.stderr.write("some warning\nthere is no sound card\n")
    sys.exit(1)
