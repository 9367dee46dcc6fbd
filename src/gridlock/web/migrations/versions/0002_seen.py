"""When each player of a room was last seen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "seen",
        sa.Column("room", sa.String(32), sa.ForeignKey("rooms.id"), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop the table, unless there are events that the version before cannot read."""
    kinds = " OR ".join(
        f"""event LIKE '%"type":"{kind}"%'""" for kind in ("away", "back", "aborted", "claimed")
    )
    found = op.get_bind().execute(sa.text(f"SELECT room FROM events WHERE {kinds} LIMIT 1"))  # noqa: S608
    if found.first():
        raise NotImplementedError("some games have events that the version before cannot read")
    op.drop_table("seen")
