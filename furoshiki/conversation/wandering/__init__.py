"""What an idle mind comes upon: seeds, spreading activation, thoughts that drift, and what becomes of them."""
