"""The front of a review: the change in chunks to a model without tools, what comes back checked, one report."""

import os
import time
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.checkpoint import CommitChanges, CommitMade
from actors.messages.usage import NOTHING_USED
from actors.settings.config import Settings
from actors.texts.token_estimate import of_text
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED, FOUND
from ui.findings import writing
from ui.findings.answers import parse
from ui.findings.finding import has_failed
from ui.findings.fingerprints import deduplicated
from ui.findings.report import Report, Transparency, counted, severities, transparency_line
from ui.findings.review_comments import review_comments
from ui.headless.stdout import STDOUT as STDOUT_FD
from ui.headless.stdout import write
from ui.inquiry import kept_run, shell
from ui.inquiry.inquiry import Inquiry
from ui.inquiry.opening import Opening
from ui.inquiry.progress import Progress
from ui.inquiry.question import Asked, Heard
from ui.review import placing, prompts
from ui.review import task as tasks
from ui.review.chunks import Chunk, chunks, render, size_of
from ui.review.task import STDOUT, Found, ReviewFront

UNCOMMITTED = "What was not committed when it was reviewed\n"


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    pass
