"""Messages that the companion sends unprompted: reasons, timing, wording and outcome."""
