"""Texts in scripts that the multilingual encoder did not know are read again, in the background."""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

# Greek; Armenian to Georgian; Ethiopic to Khmer; kana and Hangul (its vectors of such texts were all alike)
LETTERS = ((0x370, 0x3FF), (0x530, 0x1DBF), (0x1F00, 0x1FFF), (0x3040, 0x31FF), (0xA000, 0xD7FF))


def upgrade() -> None:
    any_of = "".join(f"{chr(first)}-{chr(last)}" for first, last in LETTERS)
    for kind, text in (("turn", "text"), ("memory", "coalesce(content_contextualized, content)")):
        table = {"turn": "turns", "memory": "memories"}[kind]
        op.get_bind().exec_driver_sql(
            f"DELETE FROM {kind}_multilingual WHERE id IN (SELECT id FROM {table} WHERE {text} GLOB ?)",  # noqa: S608
            (f"*[{any_of}]*",),
        )


def downgrade() -> None:
    raise NotImplementedError("an earlier release reads such texts as nothing: restore a backup")
