"""Where an attacker would look first: places only, each kind with as much room."""

from pathlib import Path

import pytest

from actors.texts.token_estimate import of_text
from tests.planted_secrets import ALL
from ui.source_text.collected import collect
from ui.source_text.security_index import MOST, MOST_OF_FILE, Index, Place, as_text, security_index

LINES = {
    "entry point": ["if __name__ == '__main__':", "@app.route('/x')", "func main() {", "$x = $_GET['a'];"],
    "network": ["r = requests.get(url)", "net.Listen(1)", "const r = await fetch(url)", "verify=False)"],
    "subprocess": ["subprocess.run(x)", "os.system(cmd)", "const cp = require('child_process')", "exec.Command(x)"],
    "evaluated code": ["eval(x)", "new Function(x)", "importlib.import_module(name)"],
    "deserialisation": ["pickle.loads(data)", "yaml.load(x)", "new ObjectInputStream(x)", "unserialize($x)"],
    "SQL": ["cursor.execute(q)", "q = 'DELETE FROM x'", "$db->query($q)"],
    "cryptography": ["hashlib.new(x)", "cipher = DES.new(k)", "Math.random()"],
    "file access": ["with open(path) as f:", "shutil.rmtree(x)", "fs.readFileSync(x)", "archive.extractall(x)"],
    "output as markup": ["e.innerHTML = x", "{{ x|safe }}"],
    "secret": ["password = 'correcthorse'"],
}
NONE = ["reopen(x)", "description", "def evaluate(x):", "self.execution", "ADES", "DESC", "retrieval(x)"]


def index(root: Path) -> Index:
    return security_index(root, collect(root).files)


@pytest.mark.parametrize("kind", LINES)
def test_places_of_each_kind_are_found(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.py").write_text("\n".join(["", *LINES[kind], ""]))

    found = [place for place in index(tmp_path).places if place.kind == kind]

    assert [(place.path, place.line) for place in found] == [("a.py", line) for line in range(2, 2 + len(LINES[kind]))]


@pytest.mark.parametrize("line", NONE)
def test_other_words_are_not(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.py").write_text(f"{line}\n")

    assert index(tmp_path) == Index((), {})


def test_of_prose_only_secrets_count(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Never call `eval(x)`.\n\npassword: correcthorse7battery\n")

    assert index(tmp_path) == Index((Place("secret", "a.md", 3),), {"secret": 1})


def test_no_secret_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("\n\n".join(planted.text for planted in ALL.values()))

    told = as_text(index(tmp_path), 10_000)

    assert [kind for kind, planted in ALL.items() if planted.secret in told] == []
    assert told.startswith("secret (") or "\nsecret (" in told


def test_the_first_places_of_each_file_and_kind_are_named_and_all_counted(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number:02}.py").write_text("eval(x)\n" * 10)

    found = index(tmp_path)

    assert found.counts == {"evaluated code": 1_000}
    assert len(found.places) == MOST
    assert [place.line for place in found.places if place.path == "00.py"] == list(range(1, MOST_OF_FILE + 1))


def test_each_kind_has_its_room(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number:02}.py").write_text("open(x)\n")
    (tmp_path / "z.py").write_text("eval(x)\n\neval(y)\n")

    told = as_text(index(tmp_path), 100)

    assert told.split("\n")[0] == "evaluated code (2 places): z.py:1,3"
    assert told.split("\n")[1].startswith("file access (100 places): 00.py:1 01.py:1 ")
    assert told.endswith(" ...\n")
    assert of_text(told) <= 102
