"""What commands see of our environment."""

import pytest

from actors.confinement.sandbox import environment, levels

HARMLESS = {"PATH": "/bin", "HOME": "/home/a", "LC_ALL": "C", "TMPDIR": "/tmp/x"}


def test_only_what_is_listed_is_passed_on() -> None:
    ours = {**HARMLESS, "OPENAI_API_KEY": "k", "LD_PRELOAD": "x", "EDITOR": "vi", "BASH_ENV": "x"}

    assert environment.for_commands(ours) == {**HARMLESS, **environment.FIXED}


def test_configured_names_are_passed_on_unless_they_look_like_secrets() -> None:
    names = (
        "EDITOR GITHUB_TOKEN MY_API_KEY AWS_SECRET_ACCESS_KEY DB_PASSWORD PASSWD GOOGLE_CREDENTIALS X_AUTH PRIVATE_KEY"
    )
    ours = {**dict.fromkeys(names.split(), "value"), environment.CONFIGURED: names}

    assert environment.for_commands(ours) == {"EDITOR": "value", **environment.FIXED}


def test_the_address_of_a_proxy_is_passed_on_and_its_password_is_not() -> None:
    ours = {"HTTPS_PROXY": "http://proxy:3128", "http_proxy": "http://me:hunter2@proxy:3128"}

    assert environment.for_commands(ours) == {"HTTPS_PROXY": "http://proxy:3128", **environment.FIXED}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTPS_PROXY", "user:hunter2@proxy:3128"),
        ("ALL_PROXY", "http://user:p/w@proxy:3128"),
        ("http_proxy", "http://sometoken@proxy:3128"),
        ("REPOSITORY", "https://me:hunter2@git.example/x.git"),
        ("REPOSITORY", "https://ghp4Ab3dEf6hIj9kLmN0@git.example/x.git"),
        ("NIX_CONFIG", "access-tokens = github.com=ghp_x"),
        ("NIX_REMOTE_TOK", "abc"),
        ("SSH_AUTH_SOCK", "/tmp/agent"),
        ("GITHUB_PAT", "abc"),
        ("DEPLOY_KEY", "abc"),
    ],
)
def test_no_form_of_a_secret_is_passed_on(name: str, value: str) -> None:
    configured = "REPOSITORY SSH_AUTH_SOCK GITHUB_PAT DEPLOY_KEY"

    assert environment.for_commands({name: value, environment.CONFIGURED: configured}) == environment.FIXED


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PATH", "/usr//bin:/opt/python@3.11/bin"),
        ("NO_PROXY", "localhost,10.0.0.0/8"),
        ("NIX_CFLAGS_COMPILE", "-isystem /nix/store/x"),
        ("REPOSITORY", "ssh://git@git.example:2222/a@b"),
        ("REPOSITORY", "https://npm.example.com:8080/@scope/name"),
    ],
)
def test_what_only_looks_like_a_secret_is_passed_on(name: str, value: str) -> None:
    seen = environment.for_commands({name: value, environment.CONFIGURED: "REPOSITORY"})

    assert seen == {name: value, **environment.FIXED}


def test_in_a_sandbox_caches_are_where_it_can_write() -> None:
    ours = {**HARMLESS, levels.REACHED: "landlock 7, seccomp, network of its own"}

    seen = environment.for_commands(ours)

    assert seen["npm_config_cache"] == "/tmp/x/cache/npm"
    assert seen["GOCACHE"] == "/tmp/x/cache/go"
    assert "npm_config_cache" not in environment.for_commands(HARMLESS)


def test_without_a_network_programs_do_not_try_again_and_again() -> None:
    offline = environment.for_commands(HARMLESS, network=False)

    assert offline == {**HARMLESS, **environment.FIXED, **environment.WITHOUT_NETWORK}
    assert (
        environment.for_commands(
            {**HARMLESS, "PIP_RETRIES": "3", environment.CONFIGURED: "PIP_RETRIES"}, network=False
        )["PIP_RETRIES"]
        == "3"
    )
