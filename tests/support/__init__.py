"""What tests of several rooms share: fixtures (registered in tests/conftest.py), stand-ins, and small programs."""
