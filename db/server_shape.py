"""What the tables on a PostgreSQL server must be: tables of ours, and nothing on them that could act."""

from __future__ import annotations

from sqlalchemy import Connection, text

from claimeven.db.errors import SchemaError
from claimeven.db.tables.models import Base

_KINDS = {"v": "a view", "m": "a materialized view", "f": "a foreign table", "p": "a partitioned table"}

_LOOK = text("""
    SELECT c.relkind, c.relrowsecurity, c.relhasrules,
           EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal),
           ARRAY (SELECT a.attname::text FROM pg_attribute a
                  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')
    FROM pg_class c WHERE c.oid = to_regclass(:name)
""")


def check_objects(place: str, connection: Connection) -> None:
    """Raise SchemaError if something of the name of a table is none, or has a trigger, a rule or a policy on it.

    This holds for stores of every version.
    """
    for name in Base.metadata.tables:
        found = connection.execute(_LOOK, {"name": name}).first()
        if found is None:
            continue
        kind, has_policy, has_rule, has_trigger, _ = found
        kind = kind if isinstance(kind, str) else kind.decode()
        if kind != "r":
            _refuse(place, name, f"is {_KINDS.get(kind, 'no table')}")
        for is_there, what in ((has_trigger, "a trigger"), (has_rule, "a rule"), (has_policy, "a policy of rows")):
            if is_there:
                _refuse(place, name, f"has {what} on it")


def check_columns(place: str, connection: Connection) -> None:
    """Raise SchemaError if the tables are not those of this version."""
    for name, table in Base.metadata.tables.items():
        found = connection.execute(_LOOK, {"name": name}).first()
        if found is None:
            _refuse(place, name, "is missing")
        elif set(found[4]) != {column.name for column in table.columns}:
            _refuse(place, name, "has other columns than it was made with")


def _refuse(place: str, name: str, what: str) -> None:
    raise SchemaError(
        f"{place}: the table {name!r} {what}, which no claimeven made; restore the database from a copy, or build a "
        "store in another one"
    )
