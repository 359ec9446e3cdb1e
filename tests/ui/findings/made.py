"""Findings and reports of the usual kind, for tests to change one thing of."""

import msgspec

from ui.findings.finding import Finding, Raw
from ui.findings.fingerprints import deduplicated
from ui.findings.report import Report, Transparency

TEXT = """\
import sqlite3


def find(connection, name):
    query = f"SELECT * FROM users WHERE name = '{name}'"
    return connection.execute(query)
"""
QUOTE = """    query = f"SELECT * FROM users WHERE name = '{name}'\""""
RAW = Raw(
    severity="high",
    title="A name becomes part of a query",
    path="app/users.py",
    first_line=5,
    last_line=5,
    quote=QUOTE,
    why="Whoever chooses the name reads every row.",
    fix="Bind the name as a parameter.",
    kind="sql-injection",
)
FINDING = Finding(
    severity="high",
    title=RAW.title,
    path="app/users.py",
    first_line=5,
    last_line=5,
    quote=QUOTE,
    why=RAW.why,
    fix=RAW.fix,
    kind="sql-injection",
    placed=True,
    fingerprint="0123456789abcdef0123456789abcdef",
)
UNPLACED = msgspec.structs.replace(
    FINDING,
    path="",
    first_line=0,
    last_line=0,
    quote="",
    placed=False,
    title="It is somewhere",
    fingerprint="f" * 32,
)
TRANSPARENCY = Transparency(
    model="scripted/test",
    chunks=2,
    files=3,
    skipped=(("binary", 2), ("lock file", 1)),
    input_tokens=1200,
    output_tokens=90,
    cost_usd=0.012,
    dropped=(("quote that is not in the file", 1),),
)


def raw(**changes: object) -> Raw:
    return msgspec.structs.replace(RAW, **changes)


def finding(**changes: object) -> Finding:
    return msgspec.structs.replace(FINDING, **changes)


def report(*findings: Finding, **changes: object) -> Report:
    usual = Report(
        made_by="audit",
        title="Security audit",
        command="trouper audit",
        findings=deduplicated(findings),
        transparency=TRANSPARENCY,
        written_at=1_700_000_000.0,
    )
    return msgspec.structs.replace(usual, **changes)
