"""What is heavy in a message (danger, violence, death, a quarrel …), and what is said to it before anything else.

The words are data: `config/care/<language>.toml`; the numbers that help are `config/care/help.tsv`.
"""
