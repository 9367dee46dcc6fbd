"""What Alembic runs for each command: the steps, on the connection that it is handed."""

from __future__ import annotations

from alembic import context

from gridlock.web.database import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by making it anew
)
with context.begin_transaction():
    context.run_migrations()
