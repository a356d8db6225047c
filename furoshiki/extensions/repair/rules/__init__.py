"""Judgements about errors, changes and the files they would touch."""
