"""A session's tree as rows: what branches is indented, and where one goes to by each of them."""

from actors.messages.store import TreeNode
from ui.screen.questions.choice_list import age
from ui.screen.sessions.tree_rows import DEEPEST, WORDS, in_list, rows

PROMPT, ANSWER, COMPACTED = "UserMessage", "AssistantMessage", "Compacted"


def node(entry_id: str, parent: str, kind: str = PROMPT, *, active: bool = True, name: str = "") -> TreeNode:
    """Its last entry is of the same name in capitals."""
    return TreeNode(
        entry_id=entry_id,
        parent=parent,
        before=parent.upper(),
        last=entry_id.upper(),
        kind=kind,
        at=0.0,
        text=entry_id,
        label=name,
        active=active,
    )


BRANCHED = [
    node("p1", ""),
    node("a1", "p1", ANSWER),
    node("p2", "a1", active=False),
    node("a2", "p2", ANSWER, active=False),
    node("p3", "a1"),
    node("a3", "p3", ANSWER),
    node("p4", "a3"),
]


def shown(nodes: list[TreeNode]) -> list[str]:
    listed = (in_list(row, 90.0) for row in rows(nodes))
    return [f"{words}  ({' · '.join(filter(None, facts))})" for words, *facts in listed]


def test_a_prompt_is_a_row_and_goes_to_the_end_of_its_turn() -> None:
    assert [(row.node.entry_id, row.end) for row in rows(BRANCHED)] == [
        ("p1", "A1"),
        ("p2", "A2"),
        ("p3", "A3"),
        ("p4", "P4"),
    ]


def test_only_what_branches_is_indented_and_the_path_is_marked() -> None:
    assert shown(BRANCHED) == [
        "❯ p1  (1 min · on the path)",
        "│ ❯ p2  (1 min)",
        "│ ❯ p3  (1 min · on the path)",
        "│ ❯ p4  (1 min · here)",
    ]


def test_a_path_that_ends_in_the_middle_of_a_turn_is_here_in_its_row() -> None:
    assert shown([node("p1", ""), node("a1", "p1", ANSWER), node("b1", "a1", ANSWER, active=False)]) == [
        "❯ p1  (1 min · here)"
    ]


def test_answers_are_rows_where_the_tree_branches_at_them_or_they_have_a_name() -> None:
    nodes = [
        node("p1", ""),
        node("a1", "p1", ANSWER),
        node("a2", "a1", ANSWER, active=False),
        node("a3", "a1", ANSWER),
        node("a4", "a3", ANSWER, name="it works"),
        node("c", "a4", COMPACTED),
    ]

    assert [row.rpartition("  (")[0] for row in shown(nodes)] == [
        "❯ p1",
        "│ ● a2",
        "│ ● a3",
        "│ ● a4 [it works]",
        "│ ⇣ c",
    ]


def test_what_begins_anew_branches_at_the_beginning() -> None:
    assert [row.depth for row in rows([node("p1", "", active=False), node("p2", "")])] == [1, 1]


def test_however_deep_it_branches_there_is_room_for_words() -> None:
    nodes = [node("p0", "")]
    for step in range(1, 40):
        nodes += [node(f"p{step}", f"p{step - 1}"), node(f"q{step}", f"p{step - 1}", active=False)]

    last = max(shown(nodes), key=lambda row: row.count("│"))

    assert last.count("│") == DEEPEST


def test_a_long_session_is_listed_without_recursion() -> None:
    nodes = [node("p0", ""), *(node(f"p{at}", f"p{at - 1}") for at in range(1, 5000))]

    assert [row.node.entry_id for row in rows(nodes)] == [f"p{at}" for at in range(5000)]


def test_words_are_cut_and_nothing_in_them_is_obeyed() -> None:
    (row,) = shown([node("x" * 200 + "\x1b[31m", "")])
    (hostile,) = shown([node("\x1b[31mred\nrow", "")])

    assert row.startswith("❯ " + "x" * (WORDS - 1) + "…  (")
    assert "\x1b" not in hostile
    assert "\n" not in hostile


def test_ages_have_one_unit() -> None:
    assert [age(seconds) for seconds in (0, 59, 60, 3599, 3600, 86399, 86400, 9e6)] == [
        "now",
        "now",
        "1 min",
        "59 min",
        "1 h",
        "23 h",
        "1 d",
        "104 d",
    ]
