"""What commands see of our environment."""

from actors.tools.sandbox import environment, levels

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


def test_in_a_sandbox_caches_are_where_it_can_write() -> None:
    ours = {**HARMLESS, levels.REACHED: "landlock 7, seccomp, network of its own"}

    seen = environment.for_commands(ours)

    assert seen["npm_config_cache"] == "/tmp/x/cache/npm"
    assert seen["GOCACHE"] == "/tmp/x/cache/go"
    assert "npm_config_cache" not in environment.for_commands(HARMLESS)
