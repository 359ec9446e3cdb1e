"""Pull requests, by a gh that behaves as GitHub's own."""

from pathlib import Path

import pytest

from tests.fakes.gh import Gh
from tests.repositories import git
from ui.common.usage_errors import Usage
from ui.review import targets

PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"
OUTSIDE = "diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-one\n+two\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.py").write_text("one\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, diff: str = PATCH, **view: object) -> Gh:
    gh = Gh(tmp_path / "bin", 123, diff, **view)
    monkeypatch.setenv("PATH", gh.path)
    return gh


@pytest.mark.parametrize("said", ["#123", "123", "URL", "URL/files", "URL?w=1"])
def test_one_is_read_by_its_number_or_address_and_nothing_is_written(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    gh = installed(monkeypatch, tmp_path, title="Better \x1b[31m words", headRefOid=git(repo, "rev-parse", "HEAD"))

    found = targets.find(said.replace("URL", gh.url), repo, (), staged=False)

    assert (found.kind, found.what, found.is_here) == ("pull request", r"#123 Better \x1b[31m words", True)
    assert [file.path for file in found.changes.files] == ["a.py"]
    assert [words[:2] for words, _ in gh.calls()] == [["pr", "view"], ["pr", "diff"]]


def test_gh_gets_its_own_sign_in_and_no_other_secret_nor_a_program_of_the_repository(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gh = installed(monkeypatch, tmp_path)
    monkeypatch.setenv("PATH", f"{repo}:{gh.path}")
    monkeypatch.setenv("GH_TOKEN", "for gh")
    monkeypatch.setenv("OPENAI_API_KEY", "for nobody here")

    targets.find("#123", repo, (), staged=False)

    seen = gh.calls()[0][1]
    assert (seen["GH_TOKEN"], seen["OPENAI_API_KEY"], seen["GH_PROMPT_DISABLED"]) == ("for gh", None, "1")
    assert str(repo) not in str(seen["PATH"]).split(":")
    assert seen["GIT_CONFIG_COUNT"] is not None


def test_a_branch_of_that_name_comes_first(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, tmp_path)
    git(repo, "checkout", "-q", "-b", "123")
    (repo / "new").write_text("new\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "second")

    assert targets.find("123", repo, (), staged=False).kind == "commits"
    assert targets.find("#123", repo, (), staged=False).kind == "pull request"


def test_what_it_names_outside_is_left_out(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, tmp_path, OUTSIDE + PATCH)

    found = targets.find("#123", repo, (), staged=False)

    assert [file.path for file in found.changes.files] == ["a.py"]
    assert [(one.path, one.reason) for one in found.changes.skipped] == [("../x", "outside")]


def test_a_commit_that_is_not_here_is_known_to_be_elsewhere(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, tmp_path, headRefOid="--upload-pack=x")

    found = targets.find("#123", repo, (), staged=False)

    assert (found.head, found.is_here) == ("", False)


def test_outside_of_a_repository_an_address_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gh = installed(monkeypatch, tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    assert targets.find(gh.url, elsewhere, (), staged=False).changes.lines == 2


def test_what_gh_says_is_told(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, tmp_path)

    with pytest.raises(Usage, match=r"gh says: no pull requests found\. See: gh auth status"):
        targets.find("#124", repo, (), staged=False)


def test_a_patch_of_a_hundred_megabytes_is_not_read(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, tmp_path, PATCH + f"{'x' * 999}\n" * 100_000)

    with pytest.raises(Usage, match="gh prints more than 8 MB"):
        targets.find("#123", repo, (), staged=False)


def test_without_gh_that_is_said(repo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only = tmp_path / "only"
    only.mkdir()
    (only / "git").symlink_to("/usr/bin/git")
    monkeypatch.setenv("PATH", str(only))

    with pytest.raises(Usage, match="gh, which is not installed"):
        targets.find("#123", repo, (), staged=False)
