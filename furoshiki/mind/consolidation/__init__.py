"""Nightly work on memories: decay, duplicates, promotion, and log retention."""
