"""Copies of a store on a PostgreSQL server, as databases of their own, damaged in their rows, proofs and schema."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping

from sqlalchemy import Connection, NullPool, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from claimeven.db.errors import StoreError
from claimeven.db.location import StoreLocation
from claimeven.db.secret import hide_in
from claimeven.db.tables.models import Base
from claimeven.reports.audit.damage.rows import read_rows, spoil_certificate, spoil_row

SCHEMES = (
    (
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.least := 1; NEW.greatest := 1; RETURN NEW; "
        "END'",
        "CREATE TRIGGER t BEFORE INSERT ON positions FOR EACH ROW EXECUTE FUNCTION f()",
    ),
    ("ALTER TABLE positions RENAME TO hidden", "CREATE VIEW positions AS SELECT * FROM hidden"),
    ("ALTER TABLE certificates RENAME TO hidden", "CREATE MATERIALIZED VIEW certificates AS SELECT * FROM hidden"),
    ("CREATE RULE r AS ON INSERT TO positions DO INSTEAD NOTHING",),
    ("ALTER TABLE positions ENABLE ROW LEVEL SECURITY", "CREATE POLICY p ON positions USING (least > 0)"),
    ("ALTER TABLE positions ADD COLUMN more INTEGER",),
    ("ALTER TABLE positions RENAME COLUMN least TO smallest",),
    ("DROP TABLE efforts",),
    ("DROP TABLE ledger",),
    ("UPDATE claimeven_schema SET version = 9",),
    ("UPDATE claimeven_schema SET version = 2",),
    ("DELETE FROM claimeven_schema",),
)

_GUARDS = text(
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE contype IN ('c', 'f') AND conrelid::regclass::text = ANY (:names) ORDER BY 1, 2"
)
_SHAPE = text(
    "SELECT c.relname, c.relkind::text, c.relrowsecurity, c.relhasrules, c.relhastriggers, a.attname, a.atttypid "
    "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
    "JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public' ORDER BY c.relname, a.attnum"
)


class ServerCopies:
    """A sound store in a database that is made for it, and a copy, another one; both are gone when it is closed.

    Needs a URL of a PostgreSQL server whose user may make databases. Raises StoreError.
    """

    name = "postgresql"

    def __init__(self, url: str) -> None:
        location = StoreLocation.parse(url)
        try:
            server = make_url(location.url)
            if server.get_backend_name() != "postgresql":
                raise StoreError(f"{location}: it is not the URL of a PostgreSQL server")
            self._server = create_engine(server, isolation_level="AUTOCOMMIT", poolclass=NullPool)
            names = [f"claimeven_damage_{os.getpid()}_{part}" for part in ("sound", "copy")]
            self._sound_name, self._copy_name = names
            self.sound, self.copy = (server.set(database=name).render_as_string(hide_password=False) for name in names)
            self._copy_engine = create_engine(self.copy, poolclass=NullPool)
            self._ask(f"CREATE DATABASE {self._sound_name}")
        except SQLAlchemyError as error:
            text_ = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise StoreError(f"{location}: {hide_in(text_, location.url)}") from error
        self._kinds: dict[str, Callable[[random.Random], str]] = {
            "row": lambda chance: self._change(spoil_row, chance),
            "certificate": lambda chance: self._change(spoil_certificate, chance),
            "schema": self._spoil_schema,
        }

    @property
    def kinds(self) -> Mapping[str, Callable[[random.Random], str]]:
        """Ways to damage the copy; each says what it did."""
        return self._kinds

    def renew(self) -> None:
        """Make the copy what the sound store is."""
        self._ask(f"DROP DATABASE IF EXISTS {self._copy_name} WITH (FORCE)")
        self._ask(f"CREATE DATABASE {self._copy_name} TEMPLATE {self._sound_name}")

    def contents(self) -> object:
        """All that the copy holds; None if it cannot be read."""
        try:
            with self._copy_engine.connect() as connection:
                return [tuple(row) for row in connection.execute(_SHAPE)], read_rows(connection)
        except SQLAlchemyError:
            return None

    def close(self) -> None:
        """Drop both databases."""
        for name in (self._copy_name, self._sound_name):
            self._ask(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self._server.dispose()
        self._copy_engine.dispose()

    def _change(self, spoil: Callable[[Connection, random.Random], str], chance: random.Random) -> str:
        """Damage rows behind the back of the constraints, as a bad disk does, and put those back."""
        with self._copy_engine.begin() as connection:
            guards = connection.execute(_GUARDS, {"names": list(Base.metadata.tables)}).all()
            for table, name, _ in guards:
                connection.exec_driver_sql(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
            done = spoil(connection, chance)
            for table, name, definition in guards:
                connection.exec_driver_sql(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition} NOT VALID')
            return done

    def _spoil_schema(self, chance: random.Random) -> str:
        statements = chance.choice(SCHEMES)
        with self._copy_engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
        return statements[-1]

    def _ask(self, statement: str) -> None:
        with self._server.connect() as connection:
            connection.exec_driver_sql(statement)
