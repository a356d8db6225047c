"""Switch off the telemetry of libraries, before any of them is imported.

The package's `__init__` calls this, as every process, installer helper and test imports it first.
Variables that are set already stay: an operator may want one of these on.

Found by tracing system calls: onnxruntime, by default, stores a device id and a database of events
below `~/.cache` and looks up its maker's event host with its first session. The others report
nothing in the pinned versions with these settings; their switches guard against newer versions.
"""

import os

# environment variables and the value that means "report nothing"
SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime
    "ANONYMIZED_TELEMETRY": "False",  # chromadb
    "OTEL_SDK_DISABLED": "true",  # used by chromadb, exports to wherever the environment says
    "HF_HUB_DISABLE_TELEMETRY": "1",  # huggingface_hub, with tokenizers, sentence-transformers, faster-whisper
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # pydantic searches every installed package for plugins
    "DO_NOT_TRACK": "1",  # a convention of many libraries
}


def switch_off() -> None:
    """Set each switch that the environment lacks; child processes inherit them."""
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)
