"""Tests mirror the package; emulators/ holds the two servers the end-to-end tests talk to."""
