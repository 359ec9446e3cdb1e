"""Where in the files something stands that an attacker looks for, by patterns: places only, and far from complete.

It tells a model where to look first. What it does not find is no sign that nothing is there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from actors.common.plurals import how_many
from actors.settings.redaction import MARK
from actors.texts import token_estimate
from ui.source_text.languages import language
from ui.source_text.reading import text_of
from ui.source_text.source_file import SourceFile

Kind = Literal[
    "entry point",
    "network",
    "subprocess",
    "evaluated code",
    "deserialisation",
    "SQL",
    "cryptography",
    "file access",
    "output as markup",
    "secret",
]
WORDS: dict[Kind, str] = {
    "entry point": (
        """__name__ ==;def main(;lambda_handler;func main(;fn main(;void main(;int main(;.route(;.websocket(;.command(
        @GetMapping;@PostMapping;@PutMapping;@PatchMapping;@DeleteMapping;@RequestMapping;[HttpGet;[HttpPost;[HttpPut
        app.get(;app.post(;app.put(;app.use(;router.get(;router.post(;router.put(;router.delete(;re_path(;urlpatterns
        ArgumentParser(;HandleFunc(;exports.handler;$_GET;$_POST;$_REQUEST;$_COOKIE;$_FILES;sys.argv;process.argv"""
    ),
    "network": (
        """requests.;urlopen(;httpx.;aiohttp.;socket.;fetch(;axios;http.Get;http.Post;http.request;http.Client;net.Dial
        net.Listen;net.connect;net.createServer;HttpClient;curl_init;curl_exec;TcpStream;TcpListener;reqwest::
        XMLHttpRequest;URLConnection;Net::HTTP;InsecureSkipVerify;verify=False;rejectUnauthorized;CERT_NONE
        _create_unverified_context;0.0.0.0"""
    ),
    "subprocess": (
        """subprocess.;os.system(;os.popen(;os.exec;os.spawn;shell=True;child_process;execSync(;execFile(;spawn(
        spawnSync(;getRuntime();ProcessBuilder;exec.Command;Command::new;shell_exec(;passthru(;proc_open(;popen(
        system(;Process.Start;Open3;create_subprocess_exec;create_subprocess_shell;ShellExecute"""
    ),
    "evaluated code": (
        """eval(;exec(;execfile(;new Function(;vm.runIn;instance_eval;class_eval;module_eval;__import__(;import_module(
        render_template_string(;Class.forName;ScriptEngine;create_function(;from_string(;loadstring("""
    ),
    "deserialisation": (
        """pickle.load;Unpickler;marshal.load;dill.load;joblib.load;shelve.open;jsonpickle;torch.load;yaml.load
        yaml.unsafe_load;yaml.full_load;ObjectInputStream;readObject(;unserialize(;Marshal.load;YAML.load
        BinaryFormatter;XMLDecoder;TypeNameHandling;XStream;DocumentBuilderFactory;SAXParser;resolve_entities
        ElementTree;NSKeyedUnarchiver;node-serialize"""
    ),
    "SQL": (
        """.execute(;.executemany(;.executescript(;.raw(;RawSQL(;queryRaw;createQuery(;createNativeQuery(
        createStatement(;prepareStatement(;db.Query;db.Exec;tx.Query;tx.Exec;db.query(;pool.query(;client.query(
        connection.query(;conn.query(;mysql_query(;mysqli_query(;->query(;knex.raw;find_by_sql;INSERT INTO
        DELETE FROM"""
    ),
    "cryptography": (
        """md5;sha1;MD5;SHA1;SHA-1;RC4;DES;ECB;hashlib.;hmac;Cipher.getInstance;MessageDigest;crypto.create
        crypto.subtle;crypto.randomBytes;Math.random;random.random;random.randint;random.choice;math/rand;mt_rand(
        jwt.decode;jwt.encode;jwt.verify;jwt.sign;bcrypt;scrypt;pbkdf2;CryptoJS;AES"""
    ),
    "file access": (
        """open(;os.remove(;os.unlink(;os.chmod(;os.chown(;os.rename(;os.symlink(;os.walk(;shutil.;mktemp(;extractall(
        read_text(;write_text(;read_bytes(;write_bytes(;fs.readFile;fs.writeFile;fs.unlink;fs.createReadStream
        os.Open;os.Create;os.ReadFile;os.WriteFile;ioutil.;File::open;File.open;FileInputStream;FileOutputStream
        FileReader;FileWriter;fopen(;file_get_contents(;file_put_contents(;send_file(;sendFile(;move_uploaded_file(
        include($;require($;zipfile.;tarfile."""
    ),
    "output as markup": (
        """innerHTML;outerHTML;dangerouslySetInnerHTML;mark_safe(;|safe;v-html;document.write;Markup(;html_safe
        bypassSecurityTrust;autoescape;insertAdjacentHTML;Html.Raw("""
    ),
    "secret": MARK,
}
"""Each as it stands in a text, in these letters: with no letter before it; after those of capitals none either."""
SPLIT: dict[Kind, tuple[str, ...]] = {
    kind: tuple(word.strip() for line in words.split("\n") for word in line.split(";")) for kind, words in WORDS.items()
}
SECRETS: dict[Kind, tuple[str, ...]] = {"secret": (MARK,)}
"""What counts in prose, where calls are only spoken of."""
MOST_OF_FILE = 5
"""Places of one kind in one file."""
MOST = 400
"""Of one kind."""


class Place(msgspec.Struct, frozen=True, gc=False):
    kind: Kind
    path: str
    line: int


class Index(msgspec.Struct, frozen=True):
    places: tuple[Place, ...]
    """The first ones of each kind, in the order of the files."""
    counts: dict[Kind, int]
    """All of them."""


def security_index(root: Path, files: Sequence[SourceFile]) -> Index:
    """Reads them all once. Raises Changed."""
    places: list[Place] = []
    counts: Counter[Kind] = Counter()
    kept: Counter[Kind] = Counter()
    for file in files:
        of_file: Counter[Kind] = Counter()
        words = SECRETS if language(file.path) == "Prose" else SPLIT
        for kind, line in _found(text_of(root, file), words):
            counts[kind] += 1
            of_file[kind] += 1
            if of_file[kind] <= MOST_OF_FILE and kept[kind] < MOST:
                kept[kind] += 1
                places.append(Place(kind, file.path, line))
    return Index(tuple(places), {kind: counts[kind] for kind in WORDS if counts[kind]})


def as_text(index: Index, most_tokens: int) -> str:
    """Each kind has as much room; "" where nothing was found."""
    room = most_tokens // max(len(index.counts), 1)
    return "".join(f"{_row(index, kind, room)}\n" for kind in index.counts)


def _row(index: Index, kind: Kind, most_tokens: int) -> str:
    row = f"{kind} ({how_many(index.counts[kind], 'place')}):"
    last = ""
    for place in index.places:
        if place.kind != kind:
            continue
        more = f",{place.line}" if place.path == last else f" {place.path}:{place.line}"
        if token_estimate.of_text(row + more) > most_tokens:
            return f"{row} ..."
        row, last = row + more, place.path
    return row


def _found(text: str, wanted: Mapping[Kind, Sequence[str]]) -> Iterator[tuple[Kind, int]]:
    """Kind and line, once for each line, in order."""
    for kind, words in wanted.items():
        line, at, last = 1, 0, 0
        for place in sorted(place for word in words for place in _places(text, word)):
            line += text.count("\n", at, place)
            at = place
            if line != last:
                yield kind, line
            last = line


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (_is_letter(word[0]) and _is_letter(text[at - 1 : at])) and not (
            word.isupper() and _is_letter(text[end : end + 1])
        ):
            yield at
        at = text.find(word, end)


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"
