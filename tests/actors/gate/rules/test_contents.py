"""Decisions about commands that reach files which rules hide, without naming them."""

from pathlib import Path

import pytest

from actors.messages.tool import Mode, SandboxLevel
from tests.actors.gate.cases import around, run

HIDDEN = "Read(src/secret/**)"
LEVELS: tuple[SandboxLevel, ...] = ("bubblewrap", "landlock", "none")


def verdicts(workspace: Path, command: str, mode: Mode = "auto") -> list[str]:
    """At each level, with all commands allowed that can be."""
    (workspace / "docs").mkdir(exist_ok=True)
    contexts = [around(workspace, mode, level=level, allow=("Bash",), deny=(HIDDEN,)) for level in LEVELS]
    return [run(context, command).decision.verdict for context in contexts]


@pytest.mark.parametrize(
    "command",
    [
        *(
            "mv src q",
            "mv src/ q",
            "mv -f src q",
            "mv -t q src",
            "mv --target-directory=q src",
            "mv --exchange docs src",
        ),
        *("cd docs && mv ../src q", "mv docs src q", "command mv src q", "/bin/mv src q", "mv src q > log"),
        *("mv src/secret q", "mv src/secret/key q", "mv ./docs/../src q", "sh -c 'mv src q'"),
    ],
)
def test_a_folder_that_may_hold_hidden_files_is_not_moved(workspace: Path, command: str) -> None:
    """Elsewhere no rule would name them, not even in a later call."""
    assert verdicts(workspace, command) == ["deny"] * 3
    assert run(around(workspace, "auto", ask=(HIDDEN,)), command).decision.verdict == "ask"


@pytest.mark.parametrize(
    "command",
    [
        *("cp -r src q", "cp -a src/. q", "cp -rt q src", "ln -s src q", "cp -r . docs/all", "install src q"),
        *("rsync -a src/ q", "rsync -a src q", "tar cf a.tar src", "zip -r a.zip src"),
        *("taskset 1 cp -r src q", "busybox cp -r src q"),
    ],
)
def test_such_a_folder_is_copied_only_where_masks_hold(workspace: Path, command: str) -> None:
    assert verdicts(workspace, command) == ["allow", "deny", "deny"]


def test_without_the_sandbox_no_mask_holds(workspace: Path) -> None:
    context = around(workspace, "auto", level="bubblewrap", deny=(HIDDEN,))

    assert run(context, "cp -r src q", unsandboxed=True).decision.verdict == "deny"
    assert run(context, "cp -r src q; git push").decision.verdict == "deny"


@pytest.mark.parametrize("command", ["ln src/secret/key", "ln -s src/secret/key", "mv src/secret/key docs"])
def test_a_hidden_file_is_not_given_another_name(workspace: Path, command: str) -> None:
    assert verdicts(workspace, command)[1:] == ["deny", "deny"]


@pytest.mark.parametrize(
    "command",
    [
        *(
            "mv docs q",
            "mv docs src",
            "mv -f src/a.py src/b.py",
            "mv a.py src/",
            "cp -r docs q",
            "cp src/a.py src",
            "ls src",
        ),
        *(
            "ls -R .",
            "find . -name x",
            "grep -r x docs",
            "rg x docs",
            "rg --files",
            "grep x src/a.py",
            "grep -rn x src/a.py",
        ),
        *("tar xf a.tar -C src", "tar xzf a.tar -C src", "du -sh .", "cd src && ls", "cat src/a.py", "rsync -a docs"),
    ][:-1],
)
def test_what_cannot_reach_them_is_not_held_up(workspace: Path, command: str) -> None:
    assert verdicts(workspace, command) == ["allow"] * 3


@pytest.mark.parametrize(
    "command",
    [
        *("grep -r key", "grep -rn key .", "grep -rA 3 docs", "grep -r -f words docs", "grep -d recurse key", "rg key"),
        *(
            "rg --hidden key",
            "rg -A 3 docs",
            "rg -f docs src",
            "ag key",
            "sort --files0-from=list",
            "wc --files0-from=list",
        ),
        *("diff -r src docs", "cat <(grep -r key)", "ls && rg key", "fd . -X cat", "egrep -R key", "grep --rec key"),
        *("rsync -a $X q", "tar cf a.tar $X", "tar cf a.tar *", "tar -cf a.tar -C docs ../src"),
    ],
)
def test_reading_below_a_folder_asks_where_nothing_masks(workspace: Path, command: str) -> None:
    assert verdicts(workspace, command)[1:] == ["ask", "ask"]
    assert run(around(workspace, ask=(HIDDEN,)), command).decision.verdict == "ask"


@pytest.mark.parametrize(
    "command",
    ["date -f .env", "date -f.env", "grep -f.env x", "date --file=.env", "curl -F a=@.env x", "git -c a=:.env add x"],
)
def test_a_word_that_may_be_a_hidden_file_is_not_let_through_where_nothing_masks(workspace: Path, command: str) -> None:
    for deny in ("Read(**/.env)", "Read(.env)", "Read(**/.env*)"):
        assert run(around(workspace, "auto", allow=("Bash",), deny=(deny,)), command).decision.verdict != "allow"


def test_what_is_only_said_is_no_file(workspace: Path) -> None:
    context = around(workspace, "auto", deny=("Read(**/.env)",))

    assert run(context, "echo .env >> .gitignore").decision.verdict == "allow"
    assert run(context, "git commit -m x").decision.verdict == "allow"


def test_what_was_asked_about_is_not_masked_for_the_one_who_may(workspace: Path) -> None:
    context = around(workspace, "auto", level="bubblewrap", ask=("Read(private/**)",))

    assert run(context, "mv private/a q").grant.hidden == ()
    assert run(context, "mv docs q").grant.hidden == ("private/**",)


def test_masks_make_searching_free(workspace: Path) -> None:
    assert verdicts(workspace, "grep -r key .")[0] == "allow"
    assert verdicts(workspace, "rg key", "default")[0] == "allow"


@pytest.mark.parametrize(
    "command", ["mv $X q", "find . -exec mv {} q ';'", "ls | xargs mv -t q", "mv s* q", "git mv src q"]
)
def test_moving_what_nobody_knows_asks_everywhere(workspace: Path, command: str) -> None:
    assert verdicts(workspace, command) == ["ask"] * 3


@pytest.mark.parametrize(
    "command",
    [
        *("git show", "git show HEAD:src/a.py", "git show :.env", "git show --stat abc123", "git cat-file -p abc123"),
        *(
            "git grep key HEAD",
            "git archive HEAD | tar xO",
            "git diff",
            "git diff --stat -p",
            "git log -p",
            "git log -n 3 -u",
        ),
        *("git log -L1,9:a.py", "git log --pat", "git worktree add ../wt HEAD", "git checkout main", "git switch main"),
        *("git checkout -b new main", "git stash show -p", "git stash list -p", "git stash branch x", "git blame a.py"),
        *("git format-patch HEAD~3", "git fast-export HEAD", "git bundle create b HEAD", "git clone . sub", "git fsck"),
        *(
            "git status -v",
            "git status -sv",
            "git commit -v --dry-run",
            "git add -p",
            "git commit -F notes",
            "git reflog -p",
        ),
        *("git for-each-ref '--format=%(raw)'", "git update-index --cacheinfo x", "git notes add -C abc", "git $WHAT"),
        *("git log $X", "git log *", "git config -f notes -l", "git --no-pager -c color.ui=no show", "git -C src show"),
        *("taskset 1 git show", "sh -c 'git show'", "env A=b git show", "ls && git show | head", "git merge-tree a b"),
    ],
)
def test_a_file_s_other_versions_ask_at_every_level(workspace: Path, command: str) -> None:
    assert verdicts(workspace, command) == ["ask"] * 3


@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto"])
def test_they_do_so_in_every_mode_and_the_way_on_is_named(workspace: Path, mode: Mode) -> None:
    judgement = run(around(workspace, mode, allow=("Bash", "Bash(git show:*)"), deny=(HIDDEN,)), "git show HEAD~1")

    assert judgement.decision.verdict == "ask"
    assert judgement.decision.why == (
        '`git show HEAD~1`: it may show out of git\'s objects what the rule "Read(src/secret/**)" is about, and no '
        "sandbox hides that; the tools git_show and git_diff leave such files out"
    )
    assert (judgement.session, judgement.always, judgement.wider) == ((), (), ())
    assert "--allow 'Bash(git show HEAD~1)'" in judgement.decision.change


@pytest.mark.parametrize(
    "command",
    [
        *(
            "git status",
            "git status --porcelain -uno",
            "git log",
            "git log --oneline -n 5",
            "git log --stat --author=x -3",
        ),
        *("git diff --stat", "git diff --name-only HEAD", "git add -A", "git add src/a.py", "git commit -m 'a -p $x'"),
        *(
            "git commit -am 'it: *'",
            "git branch",
            "git checkout -b new",
            "git switch -c new",
        ),
        *("git stash", "git stash pop", "git ls-files", "git rev-parse HEAD", "git worktree list", "git log -- '*.py'"),
    ],
)
def test_git_goes_on_where_it_shows_no_file(workspace: Path, command: str) -> None:
    assert verdicts(workspace, command) == ["allow"] * 3


@pytest.mark.parametrize("command", ["git show", "git log -p", "grep -r key .", "rg key", "mv src q", "cp -r src q"])
def test_without_such_rules_nothing_changes(workspace: Path, command: str) -> None:
    context = around(workspace, "auto", deny=("Write(src/secret/**)", "Bash(npm:*)") if "src" not in command else ())

    assert run(context, command).decision.verdict == "allow"


@pytest.mark.parametrize(
    ("pattern", "verdict"),
    [
        *(("/srv/notes/**", "allow"), ("../other/**", "allow"), ("../*.key", "allow")),
        *(("../docs/**", "ask"), ("..", "ask"), ("/", "ask"), ("/**", "ask"), ("**/.env", "ask"), ("../**/key", "ask")),
    ],
)
def test_git_shows_nothing_of_what_lies_outside_its_repository(workspace: Path, pattern: str, verdict: str) -> None:
    repository = workspace.parent
    (workspace / ".git").rename(repository / ".git")
    rules = (f"Read({pattern.replace('../other', '../../other').replace('../*', '../../*')})",)

    assert run(around(workspace, "auto", deny=rules), "git show").decision.verdict == verdict


def test_the_reason_names_the_folder_and_the_rule(workspace: Path) -> None:
    context = around(workspace, "auto", deny=(HIDDEN,))

    assert run(context, "mv src q").decision.why == (
        '`mv src q` is denied by the rule "Read(src/secret/**)" (config.toml): src may hold files that it hides; '
        "the tools move and copy look whether it does"
    )
    assert run(context, "grep -r key .").decision.why == (
        '`grep -r key .`: in . may be files that the rule "Read(src/secret/**)" is about, '
        "and only namespaces can hide them"
    )


def test_denying_all_reading_is_about_what_names_nothing_too(workspace: Path) -> None:
    context = around(workspace, "auto", allow=("Bash",), deny=("Read",))

    assert [run(context, command).decision.verdict for command in ("rg key", "git show", "mv src q")] == [
        *("ask", "ask", "deny")
    ]
