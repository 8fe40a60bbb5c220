"""Schema version 3: who queued a sweep, its place among one's own, and whose tables it is about.

Nothing that was there before belongs to anybody, so everybody sees it as before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds two columns to sweeps, the tables of sweeps and the owners of tables."""
    op.add_column("sweeps", sa.Column("queued_by", sa.Text))
    op.add_column("sweeps", sa.Column("priority", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "sweep_tables",
        sa.Column(
            "sweep", sa.String(16), sa.ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("table_id", sa.String(20), primary_key=True),
    )
    op.create_table(
        "table_owners",
        sa.Column("table_id", sa.String(20), primary_key=True),
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("is_shared", sa.Boolean, nullable=False),
        sa.Column("is_kept", sa.Boolean, nullable=False),
    )
