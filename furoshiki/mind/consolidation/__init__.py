"""Memories by night: decay, duplicates, promotion, and the retention of logs."""
