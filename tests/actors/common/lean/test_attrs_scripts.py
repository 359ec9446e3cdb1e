"""attrs goes on as ever where it compiles in another way than it does today."""

from types import ModuleType

from actors.common.lean.attrs_scripts import MODULE, Scripts, same_hash


def test_a_script_is_compiled_once() -> None:
    module = ModuleType(MODULE)
    Scripts({}).offer(module)

    assert module.compile("x = 1", "<a>", "exec") is module.compile("x = 1", "<a>", "exec")
    assert module.compile("x = 1", "<a>", "exec") is not module.compile("x = 2", "<a>", "exec")
    assert module.compile("x = 1", "<a>", "exec") is not module.compile("x = 1", "<b>", "exec")


def test_what_is_compiled_otherwise_is_compiled_as_asked_for() -> None:
    module = ModuleType(MODULE)
    Scripts({}).offer(module)
    script = module.compile("1 + 1", "<a>", "exec")

    assert eval(module.compile("1 + 1", "<a>", "eval")) == 2  # noqa: S307
    assert module.compile("1 + 1", "<a>", "exec") is script


def test_other_modules_are_left_alone() -> None:
    module = ModuleType("attr._next")
    Scripts({}).offer(module)

    assert not hasattr(module, "compile")


def test_a_name_has_the_same_hash_everywhere() -> None:
    assert same_hash("<attrs generated hash a.B>") == same_hash("<attrs generated hash " + "a.B>")
    assert same_hash("a") != same_hash("b")
    assert same_hash(7) == hash(7)
