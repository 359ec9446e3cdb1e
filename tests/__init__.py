"""The tests, in the rooms of what they are about."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
