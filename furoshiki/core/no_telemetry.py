"""Switch off what libraries report about their users by themselves, before any of them is imported.

The package's `__init__` calls this, because every process of ours, the installer's helpers and the tests come through
there first. What the environment says already stays as it is: an operator may want one of these on.

Found by tracing system calls: onnxruntime, unasked, keeps a device id and a database of events below `~/.cache` and
looks up its maker's event host with its first session. The others report nothing in the versions that are pinned and
with the settings used here; their switches are set so that a newer version does not begin to.
"""

import os

SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime
    "ANONYMIZED_TELEMETRY": "False",  # chromadb
    "OTEL_SDK_DISABLED": "true",  # chromadb brings OpenTelemetry, which exports wherever the environment says
    "HF_HUB_DISABLE_TELEMETRY": "1",  # huggingface_hub, beside tokenizers, sentence-transformers and faster-whisper
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # pydantic looks for observers of its models in every installed package
    "DO_NOT_TRACK": "1",  # the convention that many libraries follow
}
"""Environment variables and the value that means "report nothing"."""


def switch_off() -> None:
    """Set each switch that the environment does not set itself; processes that are started from here inherit them."""
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
