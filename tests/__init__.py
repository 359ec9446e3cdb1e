"""The tests, in the rooms of what they are about."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
SOAK = os.environ.get("TROUPER_SOAK") == "1"
"""The same tests at a length that takes hours: `just soak`."""
