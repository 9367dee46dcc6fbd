"""Rooms and their events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("awaits_computer", sa.Boolean, nullable=False),
    )
    op.create_index(
        "rooms_deadline",
        "rooms",
        ["deadline"],
        postgresql_where=sa.text("deadline IS NOT NULL"),
    )
    op.create_index("rooms_awaits_computer", "rooms", ["awaits_computer", "changed"])
    op.create_table(
        "events",
        sa.Column("room", sa.String(32), sa.ForeignKey("rooms.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("events")
    op.drop_table("rooms")
