"""Damage in the rows of a store: what was changed, lost or added since it was written, and how to drop it.

Nothing is searched again. A row must be one that can be, with its own seal; a part of a table must be what the ledger
says; a verdict of the rules must have a certificate; a book that a run completed must have all its plies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    and_,
    create_engine,
    delete,
    exists,
    func,
    literal,
    select,
    true,
)
from sqlalchemy.orm import InstrumentedAttribute

from claimeven.db.engine import reading, writing
from claimeven.db.errors import RowError
from claimeven.db.store import Store
from claimeven.db.tables import layout, ledger
from claimeven.db.tables.claim_runs import as_runs
from claimeven.db.tables.efforts import read_efforts, sum_efforts
from claimeven.db.tables.findings import read_findings, sum_findings
from claimeven.db.tables.games import select_games, sum_all_games
from claimeven.db.tables.ledger import Sum
from claimeven.db.tables.models import (
    Base,
    BoardRow,
    CertificateRow,
    ClaimRow,
    EffortRow,
    FindingRow,
    GameRow,
    LedgerRow,
    PositionRow,
    RunRow,
)
from claimeven.db.tables.rows import (
    NO_SCORE,
    check_board,
    check_position,
    check_rows,
    check_text,
    describe_place,
    digests_of,
    numbers_of_rows,
)
from claimeven.db.tables.runs import select_runs, sum_runs
from claimeven.db.tables.seal import digest_of_text, of_run
from claimeven.db.tables.verdicts import AnyVerdictRow
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import PositionError
from claimeven.solver.proof.certificate import CertificateError
from claimeven.solver.proof.certificate_text import read_certificate
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES

CHUNK = 20_000
IMPORT = "book import"
"""The command whose runs bring claims."""

ENUMERATED = 8
"""Up to this ply all positions of a complete book are counted; beyond it, every ply must be there."""

OF_BOARDS: tuple[type[Base], ...] = (PositionRow, ClaimRow, CertificateRow, EffortRow, FindingRow)


@dataclass(frozen=True, slots=True)
class Damage:
    """A sentence about what is wrong and, where that can be dropped, the table and which of its rows."""

    sentence: str
    table: str | None = None
    which: ColumnElement[bool] | None = None
    board: Board | None = None


def check_pages(store: Store) -> list[str]:
    """What SQLite itself finds wrong with the file, and tables made otherwise; nothing for another database."""
    if store.engine.dialect.name != "sqlite":
        return []
    with reading(store.engine, store.location) as connection:
        rows = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
        made = _definitions(connection)
    wrong = [] if rows == ["ok"] else [f"the file itself is damaged: {str(row).splitlines()[0]}" for row in rows]
    new = create_engine("sqlite://")
    with new.begin() as connection:
        Base.metadata.create_all(connection)
        wanted = _definitions(connection)
    new.dispose()
    changed = sorted(name for name in wanted if made.get(name) != wanted[name])
    return wrong + [f"the table {name} has other rules than it was made with" for name in changed]


def _definitions(connection: Connection) -> dict[str, str]:
    """How each table was made, without spaces, quotes and capitals, in which versions of SQLAlchemy may differ."""
    rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all()
    return {name: "".join(str(sql).lower().replace('"', "").split()) for name, sql in rows}


def count_rows(store: Store) -> int:
    """How many rows of verdicts, claims and certificates there are."""
    with reading(store.engine, store.location) as connection:
        return sum(connection.execute(select(func.count()).select_from(model)).scalar_one() for model in OF_BOARDS[:3])


def find_damage(store: Store, *, with_checker: bool = False) -> Iterator[Damage]:
    """All damage there is; `with_checker` the certificates are put to the checker too, and not only read."""
    with reading(store.engine, store.location) as connection:
        boards, wrong = _boards(connection)
        yield from wrong
        yield from _dangling(connection)
        yield from _not_imported(connection)
        sums: dict[tuple[str, int, int], Sum] = {}
        for number, board in boards.items():
            for model in (PositionRow, ClaimRow):
                yield from _verdicts(connection, model, number, board, sums)
            yield from _certificates(connection, number, board, sums, with_checker=with_checker)
            yield from _unproved(connection, number, board)
            efforts = partial(read_efforts, connection, number, board)
            yield from _readable(efforts, layout.EFFORT_TABLE, EffortRow.board_id == number)
            findings = partial(read_findings, connection, number, board)
            yield from _readable(findings, layout.FINDING_TABLE, FindingRow.board_id == number)
        runs = list(_readable(partial(select_runs, connection), layout.RUN_TABLE, true()))
        yield from runs
        for run in connection.execute(select(GameRow.run_id).distinct()).scalars().all():
            yield from _readable(partial(select_games, connection, run), layout.GAME_TABLE, GameRow.run_id == run)
        yield from _against_ledger(connection, boards, sums)
        if not runs:
            yield from _incomplete_books(connection, {board: number for number, board in boards.items()})


def repair(store: Store, found: list[Damage]) -> dict[str, int]:
    """Drop the rows that are wrong and note in the ledger what is left; gives how many were dropped of each table."""
    dropped: dict[str, int] = {}
    with writing(store.engine, store.location) as connection:
        for damage in found:
            if damage.table is None or damage.which is None:
                continue
            table = Base.metadata.tables[damage.table]
            number = connection.execute(delete(table).where(damage.which)).rowcount
            dropped[damage.table] = dropped.get(damage.table, 0) + number
        _write_ledger(connection)
    return {table: number for table, number in dropped.items() if number}


def _boards(connection: Connection) -> tuple[dict[int, Board], list[Damage]]:
    boards, wrong = {}, []
    for row in connection.execute(select(BoardRow.id, BoardRow.columns, BoardRow.rows, BoardRow.connect)):
        try:
            boards[row[0]] = check_board(*row[1:])
        except RowError as error:
            wrong.append(Damage(str(error), layout.BOARD_TABLE, BoardRow.id == row[0]))
            for model in OF_BOARDS:
                table = _table(model)
                wrong.append(Damage(f"rows of {table.name} are of that board", table.name, table.c.board_id == row[0]))
    return boards, wrong


def _dangling(connection: Connection) -> Iterator[Damage]:
    """Rows of boards and runs that there are not."""
    children: list[tuple[type[Base], str, InstrumentedAttribute[int]]] = [
        *((model, "board_id", BoardRow.id) for model in OF_BOARDS),
        (ClaimRow, "run_id", RunRow.id),
        (GameRow, "run_id", RunRow.id),
    ]
    for model, column, parent in children:
        table = _table(model)
        which = table.c[column].not_in(select(parent))
        number = connection.execute(select(func.count()).select_from(table).where(which)).scalar_one()
        if number:
            what = "board" if column == "board_id" else "run"
            yield Damage(
                f"{number:,} rows of the table {table.name} are of a {what} that there is not", table.name, which
            )


def _not_imported(connection: Connection) -> Iterator[Damage]:
    """Claims of runs that brought none."""
    which = ClaimRow.run_id.in_(select(RunRow.id).where(RunRow.command != IMPORT))
    number = connection.execute(select(func.count()).select_from(ClaimRow).where(which)).scalar_one()
    if number:
        sentence = f"{number:,} rows of the table {layout.CLAIM_TABLE} are of a run that imported nothing"
        yield Damage(sentence, layout.CLAIM_TABLE, which)


def _verdicts(
    connection: Connection, model: AnyVerdictRow, number: int, board: Board, sums: dict[tuple[str, int, int], Sum]
) -> Iterator[Damage]:
    table, name = _table(model), model.__tablename__
    source = table.c.source if model is PositionRow else literal(SOURCE_CODES[Source.IMPORT])
    columns = (
        table.c.key,
        table.c.least,
        table.c.greatest,
        func.coalesce(table.c.score, NO_SCORE),
        source,
        table.c.seal,
        *([table.c.run_id] if model is ClaimRow else []),
    )
    for ply in connection.execute(select(table.c.ply).where(table.c.board_id == number).distinct()).scalars().all():
        of_ply = and_(table.c.board_id == number, table.c.ply == ply)
        if not isinstance(ply, int) or not 0 <= ply <= board.cells:
            yield Damage(f"the table {name} has rows of ply {ply!r} of {board}, which has none", name, of_ply, board)
            continue
        total, after = Sum(), -(1 << 63)
        statement = select(*columns).where(of_ply).order_by(table.c.key).limit(CHUNK)
        while rows := connection.execute(statement.where(table.c.key >= after)).all():
            try:
                total += _sum_of(model, board, ply, rows)
            except RowError:
                for row in rows:
                    try:
                        total += _sum_of(model, board, ply, [row])
                    except RowError as error:
                        yield Damage(_short(error), name, and_(of_ply, table.c.key == row[0]), board)
            if not isinstance(rows[-1][0], int) or rows[-1][0] == (1 << 63) - 1:
                break
            after = rows[-1][0] + 1
        sums[name, number, ply] = total


def _sum_of(model: AnyVerdictRow, board: Board, ply: int, rows: Sequence[Row[Any]]) -> Sum:
    """What the ledger should say of rows, which end with the run if they are claims; raises RowError."""
    name, is_claim = model.__tablename__, model is ClaimRow
    numbers = numbers_of_rows(name, [row[:-1] for row in rows] if is_claim else rows)
    digests = digests_of(board, check_rows(name, board, ply, numbers, keys_too=True))
    return Sum.of(of_run(digests, as_runs(row[-1] for row in rows)) if is_claim else digests)


def _certificates(
    connection: Connection,
    number: int,
    board: Board,
    sums: dict[tuple[str, int, int], Sum],
    *,
    with_checker: bool,
) -> Iterator[Damage]:
    table, name = _table(CertificateRow), layout.CERTIFICATE_TABLE
    statement = select(table.c.ply, table.c.key, table.c.proof).where(table.c.board_id == number)
    for ply, key, proof in connection.execute(statement).all():
        which = and_(table.c.board_id == number, table.c.ply == ply, table.c.key == key)
        try:
            place = describe_place(board, ply, key)
            position = check_position(name, board, key)
            check_text(name, place, proof)
            if position.ply != ply:
                raise RowError(f"the row {place} of the table {name} is damaged: its ply is not that of its key")
            sums[name, number, ply] = sums.get((name, number, ply), Sum()) + Sum(1, digest_of_text(position.key, proof))
            certificate = read_certificate(position, proof)
            if with_checker:
                check_certificate(certificate)
        except RowError as error:
            yield Damage(_short(error), name, which, board)
        except (CertificateError, PositionError) as error:
            yield Damage(f"the stored proof of {place} does not hold: {error}", name, which, board)


def _unproved(connection: Connection, number: int, board: Board) -> Iterator[Damage]:
    """Verdicts of the rules without a certificate."""
    row, proof = PositionRow, CertificateRow
    has_proof = exists().where(proof.board_id == row.board_id, proof.ply == row.ply, proof.key == row.key)
    which = and_(row.board_id == number, row.source == SOURCE_CODES[Source.RULES], ~has_proof)
    found = connection.execute(select(row.ply, row.key).where(which)).all()
    for ply, key in found:
        yield Damage(
            f"the verdict of {describe_place(board, ply, key)} is from the rules, but there is no proof of it",
            row.__tablename__,
            and_(row.board_id == number, row.ply == ply, row.key == key),
            board,
        )


def _readable(read: Callable[[], object], table: str, which: ColumnElement[bool]) -> Iterator[Damage]:
    """Damage if a small table cannot be read; all of a part of it goes, as it is not needed for anything else."""
    try:
        read()
    except RowError as error:
        yield Damage(_short(error), table, which)


def _against_ledger(
    connection: Connection, boards: dict[int, Board], sums: dict[tuple[str, int, int], Sum]
) -> Iterator[Damage]:
    try:
        noted = ledger.read_ledger(connection)
        found = sums | _small_sums(connection, boards)
    except RowError as error:
        yield Damage(_short(error))
        return
    for part in sorted(set(noted) | {part for part, total in found.items() if total != Sum()}, key=str):
        before, now = noted.get(part, Sum()), found.get(part, Sum())
        if before == now:
            continue
        name, number, ply = part
        where = f" ({boards[number]}, ply {ply})" if number in boards else ""
        change = now.number - before.number
        what = (
            f"{-change:,} rows are lost"
            if change < 0
            else f"{change:,} rows were added"
            if change
            else "rows were changed"
        )
        yield Damage(f"the table {name}{where} is not what was written: {what}", board=boards.get(number))


def _small_sums(connection: Connection, boards: dict[int, Board]) -> dict[tuple[str, int, int], Sum]:
    found = {(layout.RUN_TABLE, 0, 0): sum_runs(connection), (layout.GAME_TABLE, 0, 0): sum_all_games(connection)}
    for number, board in boards.items():
        found[layout.EFFORT_TABLE, number, 0] = sum_efforts(read_efforts(connection, number, board))
        found[layout.FINDING_TABLE, number, 0] = sum_findings(board, read_findings(connection, number, board))
    return found


def _incomplete_books(connection: Connection, numbers: dict[Board, int]) -> Iterator[Damage]:
    """Plies that a run says it completed and that are not there."""
    asked: dict[Board, int] = {}
    for run in select_runs(connection):
        if run.command != "book build" or run.ended is None or not run.counts or run.counts.get("undecided"):
            continue
        try:
            board, ply = Board.parse(str(run.arguments["board"])), int(run.arguments["ply"])
        except (KeyError, ValueError):
            continue
        asked[board] = max(asked.get(board, 0), min(ply, board.cells - 1))
    model = PositionRow
    for board, last in asked.items():
        of_board = model.board_id == numbers.get(board, 0)
        statement = select(model.ply, func.count()).where(of_board).group_by(model.ply)
        stored = {row[0]: row[1] for row in connection.execute(statement)}
        wanted = {ply: len(keys) for ply, keys in enumerate_plies(board, min(last, ENUMERATED))}
        wanted |= {ply: 1 for ply in range(len(wanted), last + 1) if len(wanted) > ENUMERATED}
        for ply, number in wanted.items():
            if stored.get(ply, 0) < number:
                yield Damage(
                    f"the book of {board} was complete up to ply {last}, but of ply {ply} it has "
                    f"{stored.get(ply, 0):,} positions{'' if number == 1 else f' of {number:,}'}",
                    board=board,
                )


def _write_ledger(connection: Connection) -> None:
    """Note what the tables are now."""
    connection.execute(delete(LedgerRow))
    boards, _ = _boards(connection)
    sums: dict[tuple[str, int, int], Sum] = {}
    for number, board in boards.items():
        for model in (PositionRow, ClaimRow):
            list(_verdicts(connection, model, number, board, sums))
        list(_certificates(connection, number, board, sums, with_checker=False))
    for (name, number, ply), total in (sums | _small_sums(connection, boards)).items():
        ledger.note(connection, name, number, ply, total)


def _table(model: type[Base]) -> Table:
    table = model.__table__
    assert isinstance(table, Table)
    return table


def _short(error: RowError) -> str:
    """What is wrong, without the advice that whoever reads this follows already."""
    return str(error).partition("; to find all")[0]
