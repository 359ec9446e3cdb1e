"""A few words around what was found."""

from ui.common.snippets import BEFORE, LENGTH, snippet


def test_what_was_searched_for_is_marked() -> None:
    assert snippet("Où est le Café, or the\ncafeteria? A cat.", "EST cafe") == [
        ("Où ", False),
        ("est", True),
        (" le ", False),
        ("Café", True),
        (", or the ", False),
        ("cafeteria", True),
        ("? A cat.", False),
    ]


def test_a_long_text_is_cut_around_the_first_word_found() -> None:
    pieces = snippet("x " * 500 + "needle" + " y" * 500, "needle")

    assert ("needle", True) in pieces
    assert (pieces[0], pieces[-1]) == (("…", False), ("…", False))
    assert len(pieces[1][0]) == BEFORE
    assert sum(len(text) for text, _ in pieces[1:-1]) == LENGTH


def test_secrets_are_not_shown_nor_what_steers_a_terminal() -> None:
    said = "".join(text for text, _ in snippet("\x1b[2Jexport API_KEY=Zk3vT9qLm2XwR8yB1nPd", "zk3vT9qLm2XwR8yB1nPd"))

    assert said == "\\x1b[2Jexport API_KEY=[redacted]"
