"""The language of a file, by its name alone. Pure."""

import re

LANGUAGES = {
    "Python": "py pyi pyw pyx pxd",
    "JavaScript": "js mjs cjs jsx",
    "TypeScript": "ts tsx mts cts",
    "Vue and Svelte": "vue svelte astro",
    "Java": "java",
    "Kotlin": "kt kts",
    "Scala": "scala sc",
    "Groovy": "groovy gradle",
    "C": "c h",
    "C++": "cc cpp cxx hh hpp hxx ipp",
    "C#": "cs csx razor cshtml",
    "F#": "fs fsx",
    "Go": "go",
    "Rust": "rs",
    "Swift": "swift",
    "Objective-C": "m mm",
    "Ruby": "rb rake erb",
    "PHP": "php phtml",
    "Perl": "pl pm",
    "Lua": "lua",
    "R": "r rmd",
    "Julia": "jl",
    "Elixir": "ex exs heex",
    "Erlang": "erl hrl",
    "Haskell": "hs lhs",
    "OCaml": "ml mli",
    "Clojure": "clj cljs cljc edn",
    "Dart": "dart",
    "Zig": "zig",
    "Nim": "nim",
    "Solidity": "sol vy",
    "Assembly": "s asm",
    "Shell": "sh bash zsh fish ksh",
    "PowerShell": "ps1 psm1",
    "SQL": "sql",
    "HTML": "html htm xhtml j2 jinja jinja2",
    "CSS": "css scss sass less",
    "Terraform": "tf hcl",
    "Nix": "nix",
    "YAML": "yml yaml",
    "JSON": "json jsonc json5 ipynb",
    "TOML": "toml",
    "XML": "xml xsd xsl xslt svg",
    "Protocol buffers": "proto",
    "GraphQL": "graphql gql",
    "Settings": "ini cfg conf properties env",
    "Prose": "md rst txt adoc tex po pot",
}
BY_SUFFIX = {suffix: language for language, suffixes in LANGUAGES.items() for suffix in suffixes.split()}
BY_NAME = {
    **dict.fromkeys(("dockerfile", "containerfile"), "Docker"),
    **dict.fromkeys(("makefile", "gnumakefile"), "Make"),
    **dict.fromkeys(("gemfile", "rakefile", "vagrantfile", "podfile"), "Ruby"),
}
DATA = frozenset(
    ("Shell", "SQL", "Terraform", "YAML", "JSON", "TOML", "XML", "Settings", "Prose", "Docker", "Make", "")
)
"""In these a word without quotes may be a value."""
OTHER = "Other"


def language(path: str) -> str:
    """OTHER where it is not known."""
    name = path.rpartition("/")[2].casefold()
    return BY_NAME.get(name) or BY_SUFFIX.get(name.rpartition(".")[2] if "." in name else "", OTHER)


def is_code(path: str) -> bool:
    """Of a program, in which a word without quotes is a name."""
    return language(path) not in (*DATA, OTHER)


DEPENDENCIES = re.compile(
    r"(?:requirements[\w.-]{0,40}\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)|pipfile|environment\.ya?ml|package\.json"
    r"|cargo\.toml|go\.mod|gemfile|[\w.-]{1,60}\.gemspec|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|build\.sbt"
    r"|[\w.-]{1,60}\.(?:cs|fs|vb)proj|packages\.config|mix\.exs|pubspec\.yaml|package\.swift|podfile|conanfile\.(?:txt|py)"
    r"|vcpkg\.json|[\w.-]{1,60}\.cabal|stack\.yaml|deps\.edn|project\.clj|flake\.nix|dockerfile[\w.-]{0,40}"
    r"|containerfile|docker-compose[\w.-]{0,40}\.ya?ml|compose\.ya?ml|module\.bazel|workspace)"
)


def names_dependencies(path: str) -> bool:
    """What others' code is taken in by it."""
    return DEPENDENCIES.fullmatch(path.rpartition("/")[2].casefold()) is not None
