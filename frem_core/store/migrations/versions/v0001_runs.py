"""Schema version 1: datasets, sweeps, runs, their epochs and artefacts, and leases."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Creates the tables and the triggers that make finished runs immutable."""
    _create_datasets_and_sweeps()
    _create_runs()
    _create_what_runs_own()
    if op.get_bind().dialect.name == "sqlite":
        _protect_on_sqlite()
    else:
        _protect_on_postgresql()


def _create_datasets_and_sweeps() -> None:
    op.create_table(
        "datasets",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column("features", sa.Integer, nullable=False),
        sa.Column("added_at", sa.Float, nullable=False),
    )
    op.create_table(
        "sweeps",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("cancelled_at", sa.Float),
    )


def _create_runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("bundle", sa.String(64), nullable=False),
        sa.Column("dataset", sa.String(64), sa.ForeignKey("datasets.hash"), nullable=False),
        sa.Column("method", sa.String(64), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("state", sa.String(9), nullable=False),
        sa.Column("queued_at", sa.Float, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("started_at", sa.Float),
        sa.Column("finished_at", sa.Float),
        sa.Column("stage", sa.Text),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("epochs", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("deaths", sa.Integer, nullable=False),
        sa.Column("death_epoch", sa.Integer, nullable=False),
        sa.Column("cancel_requested", sa.Boolean, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("lease_until", sa.Float),
        sa.Column("error", sa.Text),
        sa.Column("scores", sa.Text),
        sa.Column("facts", sa.Text),
        sa.Column("timings", sa.Text),
        sa.Column("versions", sa.Text),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name="known_state"
        ),
    )
    op.create_index("runs_by_state", "runs", ["state", "queued_at", "position"])
    op.create_index("runs_by_bundle", "runs", ["bundle"])


def _create_what_runs_own() -> None:
    op.create_table(
        "sweep_runs",
        _owner("sweep", sa.String(16), "sweeps.id"),
        _owner("run", sa.String(64), "runs.id"),
        sa.Column("position", sa.Integer, nullable=False),
    )
    op.create_index("sweep_runs_by_run", "sweep_runs", ["run"])
    op.create_table(
        "epochs",
        _owner("run", sa.String(64), "runs.id"),
        sa.Column("first", sa.Integer, primary_key=True),
        sa.Column("records", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "artefacts",
        _owner("run", sa.String(64), "runs.id"),
        sa.Column("kind", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("info", sa.Text, nullable=False),
    )


def _owner(name: str, kind: sa.String, target: str) -> sa.Column[str]:
    key = sa.ForeignKey(target, ondelete="CASCADE")
    return sa.Column(name, kind, key, primary_key=True)


# A finished run may only be deleted as a whole: when the cascade reaches epochs and artefacts
# its row is gone, so the look-up below finds nothing and lets them go.
def _protect_on_sqlite() -> None:
    refuse = "SELECT RAISE(ABORT, 'finished runs are immutable')"
    op.execute(
        "CREATE TRIGGER runs_stay BEFORE UPDATE ON runs WHEN OLD.state = 'done' "
        f"BEGIN {refuse}; END"
    )
    for table in ("epochs", "artefacts"):
        for event, row in (("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")):
            op.execute(
                f"CREATE TRIGGER {table}_stay_{event.lower()} BEFORE {event} ON {table} "
                f"WHEN (SELECT state FROM runs WHERE id = {row}.run) = 'done' "
                f"BEGIN {refuse}; END"
            )


def _protect_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_finished() RETURNS trigger AS $$ "
        "BEGIN RAISE EXCEPTION 'finished runs are immutable'; END $$ LANGUAGE plpgsql"
    )
    op.execute(
        "CREATE TRIGGER runs_stay BEFORE UPDATE ON runs FOR EACH ROW "
        "WHEN (OLD.state = 'done') EXECUTE FUNCTION refuse_finished()"
    )
    op.execute(
        "CREATE FUNCTION refuse_part_of_finished() RETURNS trigger AS $$ "
        "DECLARE part record; BEGIN "
        "IF TG_OP = 'INSERT' THEN part := NEW; ELSE part := OLD; END IF; "
        "IF EXISTS (SELECT 1 FROM runs WHERE id = part.run AND state = 'done') "
        "THEN RAISE EXCEPTION 'finished runs are immutable'; END IF; "
        "IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $$ LANGUAGE plpgsql"
    )
    for table in ("epochs", "artefacts"):
        op.execute(
            f"CREATE TRIGGER {table}_stay BEFORE INSERT OR UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_part_of_finished()"
        )
