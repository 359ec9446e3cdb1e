"""What never leaves, by its name: secrets, lock files, what is made of other files. Pure.

A file that is shown around as an example of one with secrets is read, and what looks like a secret in it is left out.
"""

import re

from actors.settings import credential_files
from ui.source_text.source_file import Reason

EXAMPLES = frozenset(("example", "sample", "template", "dist", "default", "defaults"))
KEY_SUFFIXES = frozenset(
    (
        *("pem", "key", "p8", "p12", "pfx", "pkcs12", "jks", "jceks", "bks", "keystore", "ppk", "kdb", "kdbx", "gpg"),
        *("pgp", "asc", "ovpn", "agekey", "keytab", "mobileprovision", "kubeconfig", "tfstate", "tfvars", "env"),
    )
)
COPIES = frozenset(("json", "backup", "bak", "old", "orig", "enc", "save", "swp", "tmp", "txt"))
"""Suffixes after one of those."""
SECRET_NAMES = frozenset(
    (
        *("identity", "htpasswd", "netrc", "_netrc", "pgpass", "git-credentials", "dockercfg", "s3cfg", "passwd-s3fs"),
        *("vault-password", "vault_password", "vault_pass", "vault-pass", "vault-token", "shadow", "gshadow"),
        *(
            "wallet.dat",
            "kubeconfig",
            "auth.json",
            "password",
            "passwords",
            "passwd",
            "token",
            "secret_token",
            "api_key",
            "apikey",
        ),
    )
)
"""Without a dot in front and a suffix behind."""
SECRET_WORDS = ("secret", "credential", "serviceaccount", "service-account", "service_account", "private_key")
DATA_SUFFIXES = frozenset(
    (
        *("", "json", "yaml", "yml", "toml", "ini", "cfg", "conf", "config", "properties", "txt", "csv", "xml"),
        *("plist", "enc", "bak", "old", "backup", "orig", "dat", "list"),
    )
)
"""Of files of settings or of plain text; code that is about secrets is read."""
ENVIRONMENT = re.compile(r"\.env(?:rc)?(?:$|[._-])")
SSH_KEY = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:$|[._-])")
WORDS = re.compile(r"[._-]")
LOCKS = frozenset(
    (
        *("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"),
        *("deno.lock", "poetry.lock", "pdm.lock", "uv.lock", "pixi.lock", "pipfile.lock", "pylock.toml"),
        *("conda-lock.yml", "cargo.lock", "go.sum", "go.work.sum", "gemfile.lock", "composer.lock"),
        *("packages.lock.json", "paket.lock", "podfile.lock", "cartfile.resolved", "package.resolved", "mix.lock"),
        *("rebar.lock", "pubspec.lock", "flake.lock", "gradle.lockfile", "stack.yaml.lock", "cabal.project.freeze"),
        *(".terraform.lock.hcl", "chart.lock", "requirements.lock", "module.bazel.lock", "shard.lock"),
    )
)
GENERATED = (
    *(".min.js", ".min.mjs", ".min.css", ".js.map", ".mjs.map", ".css.map", ".ts.map"),
    *("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.go", ".pb.cc", ".pb.h", ".g.dart", ".designer.cs"),
)
BINARY = frozenset(
    (
        *("png", "jpg", "jpeg", "gif", "bmp", "ico", "icns", "webp", "avif", "heic", "tif", "tiff", "psd", "mp3"),
        *("mp4", "m4a", "ogg", "opus", "wav", "flac", "avi", "mov", "mkv", "webm", "pdf", "doc", "docx", "xls"),
        *("xlsx", "ppt", "pptx", "odt", "ods", "zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar", "jar"),
        *("war", "whl", "egg", "deb", "rpm", "dmg", "iso", "exe", "dll", "so", "dylib", "a", "o", "obj", "lib"),
        *("class", "pyc", "pyo", "wasm", "ttf", "otf", "woff", "woff2", "eot", "sqlite", "sqlite3", "db", "mo"),
        *("parquet", "npy", "npz", "pkl", "pickle", "onnx"),
    )
)
OF_PROGRAMS = (
    *(*credential_files.KEYS, *credential_files.CLOUDS, *credential_files.FORGES),
    *(*credential_files.PACKAGES, *credential_files.DATA),
)


def _by_first_part() -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for path in credential_files.paths(OF_PROGRAMS):
        parts = path.casefold().split("/")
        found.setdefault(parts[0], []).append(parts)
    return found


PLACES = _by_first_part()
"""Of a home folder, wherever a copy of one lies: people keep theirs in repositories."""


def by_name(path: str) -> Reason | None:
    """Why this one is not read. path: relative, with "/"."""
    parts = path.casefold().split("/")
    name = parts[-1].removesuffix("~")
    stem, *suffixes = name.removeprefix(".").split(".")
    if _is_place(parts) or (_is_secret(name, stem, suffixes) and not _is_example(name)):
        return "secret file"
    if name in LOCKS:
        return "lock file"
    if name.endswith(GENERATED):
        return "generated"
    return "binary" if suffixes and suffixes[-1] in BINARY else None


def _is_secret(name: str, stem: str, suffixes: list[str]) -> bool:
    last = suffixes[-1] if suffixes else ""
    if ENVIRONMENT.match(name) or (SSH_KEY.match(name) and last != "pub"):
        return True
    while suffixes and (suffixes[-1] in COPIES or suffixes[-1].isdigit()):
        suffixes = suffixes[:-1]
    if suffixes and suffixes[-1] in KEY_SUFFIXES:
        return True
    if last not in DATA_SUFFIXES:
        return False
    return not SECRET_NAMES.isdisjoint((name, stem)) or any(word in name for word in SECRET_WORDS)


def _is_example(name: str) -> bool:
    """By its last word or the one before its suffix."""
    return not EXAMPLES.isdisjoint(WORDS.split(name)[-2:])


def _is_place(parts: list[str]) -> bool:
    return any(parts[at : at + len(place)] == place for at, part in enumerate(parts) for place in PLACES.get(part, ()))
