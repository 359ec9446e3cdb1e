"""One rule for every way to delete: by what is lost, whatever the command is called."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.messages.tool import Allowed, Denied, Mode
from tests.actors.gate.cases import around, judged, run
from tests.actors.gate.scenes import a_gate, call

NAMED = {
    "rm a.py": ("a.py",),
    "rm -rf build": ("build",),
    "unlink a.py": ("a.py",),
    "shred -u a.py": ("a.py",),
    "find __pycache__ -exec rm {} +": ("__pycache__",),
    "find . -name '*.pyc' -delete": ("**/*.pyc",),
    r"find . -type d -name __pycache__ -exec rm -rf {} \;": ("**/__pycache__",),
    "find build -delete": ("build",),
    "find . -name a -o -name b -delete": (".",),
    "rm -f build/*.o": ("build/*.o",),
    "cd build && rm -rf obj": ("build/obj",),
    "git checkout -- a.py": ("a.py",),
    "git checkout a.py": ("a.py",),
    "git checkout HEAD~1 -- a.py b.py": ("a.py", "b.py"),
    "git restore a.py": ("a.py",),
    "git restore -s HEAD a.py": ("a.py",),
    "git rm a.py": ("a.py",),
    "truncate -s 0 a.py": ("a.py",),
    "cp /dev/null a.py": ("a.py",),
    "time rm -rf build": ("build",),
    "truncate -s -9 a.py": ("a.py",),
    "truncate -s 1 a.py": ("a.py",),
    "truncate -cs0 a.py": ("a.py",),
    "truncate -s ' 0' a.py": ("a.py",),
    "truncate -s 0 0": ("0",),
    "find src -printf -name -delete": ("src",),
    "find src -exec echo -name '*.pyc' ';' -delete": ("src",),
    "find src -exec echo + -name '*.pyc' ';' -delete": ("src",),
    "find src -delete -name '*.pyc'": ("src",),
    "find src -exec rm {} + -name '*.pyc'": ("src",),
    "find src -not-known -name '*.pyc' -delete": ("src",),
    "find src -type f -name '*.pyc' -print -delete": ("src/**/*.pyc",),
    "git restore -sS a.py": ("a.py",),
    "git restore --staged --no-staged a.py": ("a.py",),
    "git rm --cached --no-cached a.py": ("a.py",),
    "git checkout --conflict=diff3 a.py": ("a.py",),
    "truncate -s '<9' a.py": ("a.py",),
    "eval -- 'rm -rf src'": ("src",),
    "command eval -- rm -rf src": ("src",),
    "mv src x && rm -rf x": ("src", "x"),
    "mv a.py build/; rm -rf build": ("a.py", "build"),
    "mv a.py build/; rm build/*.py": ("a.py", "build/*.py"),
    "rm -rf old; env mv src old": ("src", "old"),
    "ln -s ../src build/z; rm build/z/a.py": ("src", "build/z/a.py"),
    "mv dist dist.old; rm -rf dist.old": ("dist", "dist.old"),
    "bash -c 'rm -rf build'": ("build",),
    "/lib64/ld-linux-x86-64.so.2 /bin/rm -rf build": ("build",),
    "grm -rf build": ("build",),
}
UNNAMED = (
    *("git clean -fdx -en", "git clean -fdx -e-n", "git clean -fd --exclude -n", "git clean -fd --exclude=n"),
    *("git clean -n --no-dry-run -fd", "git clean -fd $OPTIONS"),
    *("rm -rf $DIR", "ls | xargs rm", "git clean -fd", "git stash drop", "git reset --hard", "git branch -D old"),
    *("git restore '*.py'", "git -C sub checkout a.py", "rsync -a --delete a/ b/", "tar cf x.tar --remove-files a"),
    *("git checkout -f", "strace rm -rf build", "git restore --pathspec-from-file=list"),
    *("find . -name a.py -execdir rm b.py +", "rm -rf ~+/src", "rm -rf ~-/src", "mv a.py build/; rm -rf $DIR"),
    "truncate -r /dev/null a.py",
    *("zip -rm x.zip src", "7z a -sdel x.7z src", "gio trash src", "choom -n 0 -- rm -rf src", "ifne rm a.py"),
)
NONE = (
    *("rmdir empty", "git checkout -b new", "git restore --staged a.py", "git clean -n", "git rm --cached a.py"),
    *("git clean -ndx", "git clean --dry-run -e x -fd", "git restore -qS -s HEAD a.py"),
    *("truncate -s +5 a.py", "cp a.py b.py", "mv a.py b.py", "echo x > a.py", "find . -name '*.py'"),
    *("zip -r x.zip src", "ls; eval -- 'ls'"),
)


@pytest.mark.parametrize(("command", "expected"), NAMED.items())
def test_what_is_deleted_is_known_by_its_name(workspace: Path, command: str, expected: tuple[str, ...]) -> None:
    judgement = run(around(workspace, "auto"), command)

    shown = {str(Path(path).relative_to(workspace)) for path in judgement.lost}
    assert (judgement.decision.rule, shown) == ("deletion", set(expected))
    assert judgement.decision.strong


@pytest.mark.parametrize("command", UNNAMED)
def test_what_has_no_name_is_asked_about(workspace: Path, command: str) -> None:
    judgement = run(replace(around(workspace, "auto"), loss=""), command)

    assert (judgement.decision.verdict, judgement.lost) == ("ask", ())


@pytest.mark.parametrize("command", NONE)
def test_where_nothing_is_deleted_the_rule_is_silent(workspace: Path, command: str) -> None:
    assert run(around(workspace, "auto"), command).decision.verdict == "allow"


@pytest.mark.parametrize("command", [*NAMED, "git reset --hard"])
@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto"])
def test_a_rule_that_names_it_lifts_it_and_leave_to_run_anything_does_not(
    workspace: Path, mode: Mode, command: str
) -> None:
    context = around(workspace, mode)
    rules = tuple(
        f"Bash({one}:*)" for one in ("cd", "rm", "find", "git", "unlink", "shred", "truncate", "cp", "mv", "ln")
    )

    verdicts = [
        run(around(workspace, mode, allow=("Bash",)), command).decision.verdict,
        run(around(workspace, mode, allow=rules), command).decision.verdict,
        run(around(workspace, mode, granted=rules), command).decision.verdict,
    ]

    assert run(context, command).decision.verdict == "ask"
    assert verdicts == ["ask", "allow", "allow"]


@pytest.mark.parametrize(("mode", "expected"), [("default", "ask"), ("accept-edits", "ask"), ("auto", "allow")])
def test_what_is_of_no_worth_goes_unasked_where_commands_do(workspace: Path, mode: Mode, expected: str) -> None:
    context = replace(around(workspace, mode), loss="")

    verdicts = [run(context, command).decision.verdict for command in NAMED]

    assert set(verdicts) == {expected}


async def test_the_worker_is_told_where_something_was_moved(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto", interactive=False) as scene:
        scene.tools.loss = ""
        await scene.authorise(call("bash", command="mv -t lib src && cd lib && mv x y"))
        await scene.authorise(call("bash", command="mv c.py d.py; $(false)"))
        await scene.authorise(call("bash", command="rm -rf lib"))

    assert scene.tools.moved_to == (str(tmp_path / "lib"), str(tmp_path / "lib/y"))


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("mv notes.md x.log", ("x.log",)),
        ("mv src build/", ("build",)),
        ('mv notes.md "$(date)"', ("",)),
        ("mv a $X", ("",)),
    ],
)
def test_where_something_is_moved_is_known_or_may_be_anywhere(
    workspace: Path, command: str, expected: tuple[str, ...]
) -> None:
    judgement = run(around(workspace, "auto"), command)

    assert judgement.moved_to == tuple(str(workspace / path) for path in expected)


def test_outside_the_workspace_no_rule_lifts_it(workspace: Path) -> None:
    context = replace(around(workspace, "auto", allow=("Bash(rm:*)", "Delete")), loss="")

    asked = [run(context, "rm -rf ../beside/b").decision, judged(context, "delete", path="../beside/b").decision]
    allowed = replace(around(workspace, "auto", allow=("Bash(rm:*)", f"Bash({workspace.parent}/beside/**)")), loss="")

    assert [(decision.verdict, bool(decision.strong)) for decision in asked] == [("ask", True)] * 2
    assert run(allowed, f"rm -rf {workspace.parent}/beside/b").decision.verdict == "allow"


def test_in_bubblewrap_what_is_moved_to_tmp_is_gone(workspace: Path) -> None:
    judgement = run(around(workspace, "auto", level="bubblewrap"), "mv src a.py /tmp/elsewhere")

    assert judgement.decision.rule == "deletion"
    assert judgement.lost == (f"{workspace}/src", f"{workspace}/a.py")


@pytest.mark.parametrize(
    "command",
    [
        *("find src -type f -exec mv {} /tmp ';'", "ls | xargs mv -t /tmp", 'mv src "$TMPDIR/"', "mv src ${TMPDIR}"),
        *("for f in *.py; do mv $f /tmp; done", "mv src/* /tmp/x"),
        *("d=$(mktemp -d); mv src $d", 'for f in src/*; do mv $f "$TMP"; done', "mv -t $D src", "mv --target-d=$D src"),
        *(
            "mv src /$D",
            "cd $D && mv ~-/src .",
            "mv --not-known x src",
            "ls | xargs mv src",
            'mv "$f" "$(dirname $f)/x"',
        ),
        *(
            "ln -s /tmp t; mv a.py t/",
            "ln -s /tmp; mv a.py tmp/",
            "ln -s /tmp/x t && ln -s t u && mv a.py u",
            "ln -s $X t; mv a.py t",
        ),
        *(
            "mv a.py away/x",
            "mv a.py away",
            "mv away z; mv a.py z/",
            "cp -P away z; mv a.py z/",
            "ln -s away z; mv a.py z/",
        ),
        *("mkdir d; ln -st d /tmp; mv a.py d/tmp/", "for i in 1 2; do mv a.py t/; ln -s /tmp t; done"),
        *('for f in *.py; do mv "$f" "${f#a}"; done', 'for f in *.py; do mv "$f" "${f%%*}/tmp/x"; done'),
        *('for f in *.py; do mv "$f" "$f/../../../tmp"; done', 'for f in /x/*; do mv a.py "$f"; done'),
    ],
)
def test_in_bubblewrap_it_is_gone_whatever_it_is_and_wherever_exactly(workspace: Path, command: str) -> None:
    context = replace(around(workspace, "auto", level="bubblewrap"), loss="it is of worth")
    (workspace / "away").symlink_to("/tmp")

    assert run(context, command).decision.rule == "deletion"


@pytest.mark.parametrize(
    "command",
    [
        *('for f in *.txt; do mv "$f" "${f%.txt}.md"; done', "for f in src/*.py; do mv $f ${f}.bak; done"),
        *('for f in *.jpeg; do mv -- "$f" "${f/jpeg/jpg}"; done', 'for f in src/*; do mv "$f" "${f##*/}"; done'),
        *('mv "$f" src/', 'mv "$f" "src/$(basename $f)"', "mv src/*.py lib/", "ln -s src lib; mv a.py lib/"),
        *("find src -name '*.py' -exec mv {} lib/ ';'", "ls | xargs -I{} mv {} lib/", "cp /tmp/x src/ && mv a.py src/"),
    ],
)
def test_in_bubblewrap_what_is_moved_inside_the_workspace_is_not_gone(workspace: Path, command: str) -> None:
    context = replace(around(workspace, "auto", level="bubblewrap"), loss="it is of worth")

    assert run(context, command).decision.verdict == "allow"


@pytest.mark.parametrize("command", ["mv a.py b.py; rm -rf build", "mv src/* lib/; rm x.log", "ln -sf a b; rm c"])
def test_what_is_moved_elsewhere_is_not_deleted(workspace: Path, command: str) -> None:
    assert not {f"{workspace}/a.py", f"{workspace}/src", f"{workspace}/a"} & set(
        run(around(workspace, "auto"), command).lost
    )


@pytest.mark.parametrize(
    ("mode", "rules", "loss", "expected"),
    [
        ("auto", (), None, "ask"),
        ("auto", (), "", "allow"),
        ("auto", ("Write", "Edit"), None, "ask"),
        ("auto", ("Delete",), None, "allow"),
        ("accept-edits", (), None, "ask"),
        ("default", ("Delete",), None, "allow"),
        ("default", (), "", "ask"),
    ],
)
def test_the_tool_that_deletes_is_no_other_than_a_command(
    workspace: Path, mode: Mode, rules: tuple[str, ...], loss: str | None, expected: str
) -> None:
    context = replace(around(workspace, mode, allow=rules), loss=loss)

    assert judged(context, "delete", path="src").decision.verdict == expected


def test_a_question_offers_just_this_and_says_what_would_lift_it(workspace: Path) -> None:
    first, second = run(around(workspace), "rm -rf build"), run(around(workspace), "git restore src/a.py")
    strong = run(around(workspace, "auto"), "rm -rf build")

    assert (first.session, first.wider) == (("Bash(rm -rf build)",), ())
    assert (second.session, second.wider) == (("Bash(git restore src/a.py)",), ())
    assert (strong.session, strong.always, strong.wider) == ((), (), ())
    assert strong.decision.change.startswith("--allow 'Bash(rm -rf build)'")


@pytest.mark.parametrize(
    ("mode", "command", "loss", "expected"),
    [
        ("auto", "rm -rf build", "", (1, Allowed)),
        ("auto", "rm -rf build", "build/a is tracked by git", (1, Denied)),
        ("auto", "rm -rf build && git push", "", (0, Denied)),
        ("auto", "ls", "", (0, Allowed)),
        ("default", "rm -rf build", "", (0, Denied)),
    ],
)
async def test_the_worker_is_asked_only_where_it_makes_a_difference(
    tmp_path: Path, mode: Mode, command: str, loss: str, expected: tuple[int, type]
) -> None:
    async with a_gate(tmp_path, mode=mode, interactive=False) as scene:
        scene.tools.loss = loss
        decided = await scene.authorise(call("bash", command=command))

    assert (len(scene.tools.losses), type(decided)) == expected
    assert loss in getattr(decided, "reason", "")
