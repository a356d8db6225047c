"""The life of one message: perceive → recall → deliberate → speak → commit."""
