"""What the command line hands to the front of an audit."""

import msgspec

from ui.findings.finding import Severity
from ui.findings.report import Form
from ui.inquiry.kept_run import Kept

DEFAULT_OUT: dict[Form, str] = {"markdown": "ISSUES.md", "sarif": "trouper.sarif", "json": "trouper-audit.json"}
STDOUT = "-"
WORKERS, MAX_CHUNKS = 4, 80


class AuditFront(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of an audit."""

    kept: Kept
    command: str
    """As it was typed."""
    focus: str = ""
    """What is looked for, in the user's words; "" for all."""
    form: Form = "markdown"
    out: str
    """Absolute path of the report, or "-"."""
    base: str = ""
    """Of --diff: a commit; "" for all that is there."""
    baseline: str = ""
    """Absolute path of a former report; "" for none."""
    max_chunks: int = MAX_CHUNKS
    workers: int = WORKERS
    fail_on: Severity | None = None
    agreed: bool = False
    """Whatever it costs: --yes, or --max-cost is the limit."""
