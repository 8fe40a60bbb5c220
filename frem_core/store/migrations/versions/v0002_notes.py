"""Schema version 2: notes on runs, and artefacts found by content for quick clean-up."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the notes table and the index from content hash to artefact."""
    op.create_table(
        "notes",
        sa.Column(
            "run", sa.String(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("written_at", sa.Float, nullable=False),
    )
    op.create_index("artefacts_by_hash", "artefacts", ["hash"])
