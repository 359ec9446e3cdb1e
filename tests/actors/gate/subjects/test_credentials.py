"""Which paths count as places of credentials, however they come to be there."""

from pathlib import Path

import pytest

from tests.actors.gate.cases import around, judged, run, verdict

EVERYTHING = ("Read(/**)", "Write(/**)", "Read", "Write", "Delete", "Move")


@pytest.fixture
def top(workspace: Path) -> Path:
    """Resolved; with the workspace, and with the user's home folder, in which dotfiles are kept in `dot`."""
    for folder in ("user/dot/config/gh", "user/dot/aws", "else/where"):
        (workspace.parent / folder).mkdir(parents=True)
    return workspace.parent


def closed(top: Path, *paths: str) -> list[str]:
    """Of these, whatever is allowed."""
    everything = around(top / "work", "auto", allow=EVERYTHING)
    return [path for path in paths if verdict(everything, "read", path=path) == "deny"]


@pytest.mark.parametrize(
    ("link", "target", "leads_to"),
    [
        ("user/.aws", "dot/aws", "user/dot/aws/credentials"),
        ("user/.aws", "../else", "else/where"),
        ("user/.aws", "nowhere/yet", "user/nowhere/yet"),
        ("user/.netrc", "dot/netrc", "user/dot/netrc"),
        ("user/.config", "dot/config", "user/dot/config/gh/hosts.yml"),
        ("user/.config", "../else", "else/gcloud"),
        ("user/.config", "../gone", "gone/gcloud"),
        ("user/.local", "../else", "else/share/keyrings/any"),
        ("user/dot/aws/again", "../more", "user/dot/more"),
        ("user/.ssh/more", "../dot/aws/key", "user/dot/aws/key"),
    ],
)
def test_what_a_link_leads_to_is_closed_by_both_names(top: Path, link: str, target: str, leads_to: str) -> None:
    (top / "user/.docker").symlink_to("dot/aws")
    (top / link).symlink_to(target)
    below = {".config": "/gh/any", ".local": "/share/keyrings/any"}.get((top / link).name, "")

    both = [f"../{leads_to}", f"../{link}{below}"]
    assert closed(top, *both, "~/dot/readme", "../beside/b.txt") == both


def test_a_link_that_nobody_can_follow_is_closed_by_its_name(top: Path) -> None:
    (top / "user/.aws").symlink_to(".aws")
    (top / "user/.config").symlink_to(".local")
    (top / "user/.local").symlink_to(".config")

    named = ["~/.aws/credentials", "~/.config/gh/hosts.yml", "~/.local/share/keyrings/any"]
    assert closed(top, *named, "~/dot/readme") == named


@pytest.mark.parametrize("home", ["link", "link/../user", "over"])
def test_a_home_folder_that_is_a_link_has_its_credentials_under_all_names(
    top: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    (top / "link").symlink_to("user")
    (top / "over").symlink_to(top / "link")
    (top / "user/.aws").symlink_to("dot/aws")
    monkeypatch.setenv("HOME", str(top / home))

    named = ["~/.ssh/id", "../user/.ssh/id", "../link/.ssh/id", "../over/.ssh/id", "../user/dot/aws/credentials"]
    assert closed(top, *named, "~/.npmrc", "../user/.npmrc", "~/notes.txt") == [*named, "~/.npmrc", "../user/.npmrc"]


def test_case_and_composed_letters_make_no_difference(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (top / "Usér").mkdir()
    monkeypatch.setenv("HOME", str(top / "Usér"))

    named = ["~/.ssh/id", "~/.SSH/id", "../USÉR/.Config/GH/hosts.yml", "../use\u0301r/.Aws", "/ETC/Shadow"]
    assert closed(top, *named, "~/notes.txt") == named


def test_what_comes_later_is_closed_as_if_it_had_been_there(top: Path) -> None:
    (top / "user/.docker").symlink_to("later")
    (top / "user/.azure").symlink_to("dot")
    paths = [
        "~/.azure/token",
        "~/.aws/credentials",
        "~/.config/gh/hosts.yml",
        "~/.docker/config.json",
        "~/later/config.json",
        "~/.npmrc",
    ]

    before = closed(top, *paths)
    (top / "user/later").mkdir()
    (top / "user/.azure").unlink()
    (top / "user/.azure").mkdir()
    (top / "user/.aws").symlink_to("dot/aws")
    (top / "user/.config").symlink_to("dot/config")
    (top / "user/.npmrc").write_text("x")

    assert (before, closed(top, *paths)) == (paths, paths)


def test_a_folder_that_holds_credentials_is_not_deleted(top: Path) -> None:
    (top / "user/.config").symlink_to("../else")
    everything = around(top / "work", "auto", allow=EVERYTHING)

    whys = [judged(everything, "delete", path=path).decision.why for path in ("~", "../else", "../beside")]

    assert [("which tools do not change" in why) for why in whys] == [True, True, False]


def test_searches_pass_over_the_credentials_that_are_there_by_now(top: Path) -> None:
    user = top / "user"
    (user / ".aws").symlink_to("dot/aws")
    (user / ".ssh/key").symlink_to("../dot/key")
    (user / "dot/key").write_text("x")

    before = judged(around(user), "grep").grant.hidden
    (user / ".npmrc").write_text("x")
    after = judged(around(user), "grep").grant.hidden

    names = {f"{user}/{name}/**" for name in (".ssh", ".aws", "dot/aws", "dot/key")}
    assert (set(before), set(after)) == (names, names | {f"{user}/.npmrc/**"})


def test_a_command_is_held_to_the_same(top: Path) -> None:
    (top / "user/.config").symlink_to("../else")
    auto = around(top / "work", "auto", allow=("Bash", "Read"))

    lines = ("cat ../else/gh/hosts.yml", "cat ~/.config/gh/hosts.yml", "cat ../else/where/readme")

    assert [run(auto, line).decision.verdict for line in lines] == ["deny", "deny", "ask"]
