"""Which arguments of a program are files, and which only look like it: tables to be checked line by line."""

from actors.gate.bash.language.name_lists import names

PATTERN_FIRST = {
    "grep": "-e --regexp -f --file",
    "egrep": "-e --regexp -f --file",
    "fgrep": "-e --regexp -f --file",
    "zgrep": "-e --regexp -f --file",
    "rg": "-e --regexp -f --file --files",
    "ag": "",
    "ack": "-f --match",
    "sed": "-e --expression -f --file",
    "awk": "-f --file",
    "gawk": "-f --file",
    "mawk": "-f --file",
    "nawk": "-f --file",
    "jq": "-f --from-file",
    "yq": "--from-file",
    "chmod": "--reference",
    "chown": "--reference",
    "chgrp": "--reference",
    "fd": "",
    "fdfind": "",
}
"""The first argument that is no option is no path, unless one of these options is there."""

NO_PATHS = names(
    "echo printf true false : seq cal date sleep expr tr type which whereis hash ps top lsof free who groups "
    "id uname pgrep kill tput help set export declare typeset local readonly unset read wait shift return exit "
    "trap factor numfmt let shopt"
)

_GREP = "-f --file --exclude-from"
FILES_IN_OPTIONS = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep"), _GREP),
    "rg": "-f --file --ignore-file",
    "sed": "-f --file",
    "jq": "-f --from-file",
    "date": "-f --file -r --reference",
    "file": "-f --files-from -m --magic-file",
    "sort": "--files0-from --random-source",
    "wc": "--files0-from",
    "du": "--files0-from -X --exclude-from",
    "shuf": "--random-source",
    "diff": "--from-file --to-file -X --exclude-from",
    **dict.fromkeys(("fd", "fdfind"), "-C --base-directory --search-path --ignore-file"),
}
"""Options of which the value is a file."""

LISTS_OF_FILES = {
    **dict.fromkeys(("sort", "wc", "du"), "--files0-from"),
    **dict.fromkeys(names("cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum"), "-c --check"),
}
"""Options of which the file names more files; nobody knows which."""
FOLLOWS = {
    **dict.fromkeys(("grep", "egrep", "fgrep"), "-R --dereference-recursive"),
    **dict.fromkeys(("rg", "fd", "fdfind"), "-L --follow"),
    "ls": "-L --dereference",
    "tree": "-l",
    "du": "-L --dereference",
    "ag": "-f --follow",
    "ack": "--follow",
}
"""Options with which it goes through the symlinks in folders."""
COMPARES = names("diff colordiff sdiff")
"""They do so with the folders they are given, and take a file of the same name out of one."""
FILES_BEHIND_AT = names("nm objdump readelf size strings")
"""Their `@file` stands for the words in that file."""

VALUES = {
    "date": "-d --date -r --reference -f --file",
    "cut": "-d --delimiter -f --fields -b -c --output-delimiter",
    "sort": "-t --field-separator -k --key -S",
    "paste": "-d --delimiters",
    "join": "-t",
    "column": "-s --separator -o",
    "awk": "-F -v --field-separator --assign",
    "gawk": "-F -v --field-separator --assign",
    "mawk": "-F -v",
    "grep": "-e --regexp --include --exclude --exclude-dir -m -A -B -C --color?",
    "egrep": "-e --regexp --include --exclude --exclude-dir -m -A -B -C --color?",
    "rg": "-e --regexp -g --glob -t --type -m -A -B -C -r --replace --color",
    "sed": "-e --expression",
    "jq": "--arg --argjson",
    "head": "-n --lines -c --bytes",
    "tail": "-n --lines -c --bytes",
    "tree": "-I -P -L",
    **dict.fromkeys(("fd", "fdfind"), "-C --base-directory --search-path --ignore-file"),
    "xxd": "-l -len -s -seek -c -cols -g -groupsize -o -n -name",
    "uniq": "-f --skip-fields -s --skip-chars -w --check-chars",
    "git": "--author --grep --format? --pretty? --date",
    "git diff": "-S -G",
    "git log": "-S -G",
    "git show": "-S -G",
    **dict.fromkeys(("git commit", "git tag", "git merge", "git notes", "git stash"), "-m --message"),
}
"""Options whose value is no path, however it looks; with `?` it is the next word never, but attached."""
