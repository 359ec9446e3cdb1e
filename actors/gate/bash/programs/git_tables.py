"""Git's subcommands, by what they do: tables to be checked line by line."""

import re

from actors.common.lean.late_patterns import late_pattern
from actors.gate.bash.language.name_lists import names

LOOKS = {
    "status": "",
    "log": "--output --ext-diff",
    "diff": "--output --ext-diff",
    "show": "--output --ext-diff",
    "range-diff": "--output --ext-diff",
    "blame": "-S",
    "annotate": "-S",
    "shortlog": "--output",
    "describe": "",
    "rev-parse": "",
    "rev-list": "",
    "ls-files": "",
    "ls-tree": "",
    "cat-file": "--textconv --filters --batch-command",
    "grep": "-O --open-files-in-pager --ext-grep",
    "name-rev": "",
    "merge-base": "",
    "for-each-ref": "",
    "show-ref": "",
    "show-branch": "",
    "var": "",
    "version": "",
    "help": "-w --web -i --info -m --man",
    "check-ignore": "",
    "check-attr": "",
    "count-objects": "",
    "cherry": "",
    "diff-tree": "--output --ext-diff",
    "diff-index": "--output --ext-diff",
    "diff-files": "--output --ext-diff",
    "verify-pack": "",
    "ls-remote": "--upload-pack --exec",
}
"""They only look, unless one of these options is there."""

NEVER_LOOKS = (
    "--output --output-directory --ext-diff --textconv --open-files-in-pager --exec --upload-pack --receive-pack "
    "--filters "
    "--edit-description --stdin-command --show-signature --remerge-diff --submodule"
)
"""With one of these anywhere nothing only looks."""
CHECKS_SIGNATURES = late_pattern(r".*(?:%G|%\(\*?signature)|--sort=.*signature", re.DOTALL)
"""In a format: the program that the config names for it is run."""

CONFIG_CHANGES = (
    "--add --unset --unset-all --replace-all --edit -e --rename-section --remove-section --comment set unset edit "
    "rename-section remove-section"
)

REMOTE_CHANGES = "add rename remove rm set-head set-branches set-url prune update"

LOOKS_IF_FIRST = {
    "stash": "list show",
    "config": "--get --get-all --get-regexp --list -l get list",
    "reflog": "show",
    "worktree": "list",
    "submodule": "status summary",
    "notes": "list show",
    "bisect": "log",
    "remote": "-v --verbose get-url",
    "sparse-checkout": "list",
}
"""They only look if the first word after them is one of these."""

LOOKS_ALONE = frozenset({"branch", "tag", "remote", "reflog", "notes", "submodule"})
"""They only look if nothing is after them."""

LISTS = {
    "branch": (
        "-a -r -v -vv -avv --all --remotes --verbose --show-current --column --no-color --color",
        "--sort --format",
    ),
    "tag": ("-n --column --no-color --color", "--sort --format"),
}
"""They only look with nothing but these options, and ones that make a list: LIST."""
LIST = "-l --list --contains --no-contains --merged --no-merged --points-at"

LOSES = {
    "push": "-f --force --force-with-lease --force-if-includes --mirror --delete -d --prune",
    "reset": "--hard --merge --keep",
    "checkout": "-f --force -B --ours --theirs",
    "switch": "-f --force --discard-changes -C --force-create",
    "branch": "-D -d --delete -M -f --force -C",
    "tag": "-d --delete -f --force",
    "stash": "drop clear",
    "gc": "--prune",
    "reflog": "expire delete",
    "update-ref": "-d --stdin",
    "worktree": "remove",
    "submodule": "deinit",
    "read-tree": "--reset",
    "replace": "-d --delete -f --force",
    "notes": "remove prune",
    "checkout-index": "-f --force",
    "lfs": "prune",
}
"""With one of these words or options work or history can be lost."""

OPTIONS = {
    "clean": "-q -n -f -i -d -e: -x -X --quiet --dry-run --force --interactive --exclude:",
    "restore": "-s: -S -W -q -m -2 -3 -p --source: --staged --worktree --quiet --progress --merge --ours --theirs "
    "--conflict: --patch --overlay --ignore-unmerged --ignore-skip-worktree-bits --recurse-submodules?",
    "rm": "-n -q -f -r --dry-run --quiet --cached --force --ignore-unmatch --sparse",
    "checkout": "-b: -B: -l -q -m -d -t -f -2 -3 -p --guess --quiet --progress --merge --conflict: --detach --track? "
    "--force --orphan: --ours --theirs --patch --overlay --overwrite-ignore --ignore-other-worktrees "
    "--ignore-skip-worktree-bits --recurse-submodules?",
}
"""All options of these, for with some of them nothing is lost; without `--no-`, which takes them back."""

LOSES_ALWAYS = frozenset({"filter-branch", "filter-repo", "prune", "fast-import", "clean", "restore"})
"""Work or history can be lost, but for what git.py says of them."""

CHANGES = names(
    "add am apply archive bisect branch bundle checkout checkout-index cherry-pick clean clone commit commit-tree "
    "config difftool fast-export fast-import fetch filter-branch filter-repo format-patch fsck gc hash-object init "
    "lfs maintenance merge merge-tree mergetool mv notes pack-refs prune pull push read-tree rebase reflog remote "
    "repack replace request-pull rerere reset restore revert rm send-email sparse-checkout stash submodule switch "
    "symbolic-ref tag update-index update-ref worktree write-tree"
)
REMOTE = names("push pull fetch clone ls-remote send-email request-pull")
REMOTE_IF = {"submodule": "update add", "remote": "update show prune", "lfs": "pull push fetch clone"}
TOLD_WHAT_TO_RUN = {
    **dict.fromkeys(REMOTE, "--upload-pack --receive-pack --exec"),
    "clone": "--upload-pack -u -c --config --template",
    "send-email": "--smtp-server --sendmail-cmd --to-cmd --cc-cmd --header-cmd",
}
"""Options with which those run what they are told, or put it into the new repository."""
RUNS_IF = {"bisect": "run", "submodule": "foreach", "rebase": "-x --exec"}
RUNS = frozenset({"difftool", "mergetool"})
"""They run commands out of their arguments or out of settings."""

VALUED = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"}
)
"""Options before the subcommand that take the next word."""
HARMLESS = names("-p -P --paginate --no-pager --no-replace-objects --literal-pathspecs --no-optional-locks")

HARMLESS_SETTINGS = late_pattern(
    r"color\.|column\.|advice\.|log\.|status\.|user\.(?:name|email)=|author\.|committer\.|init\.defaultbranch="
    r"|diff\.(?:renames|noprefix|context|mnemonicprefix|algorithm)=|core\.(?:quotepath|abbrev|autocrlf|filemode)="
    r"|core\.pager=(?:cat)?$|pager\.\w+=(?:false|0|no|cat)$|(?:commit|tag)\.gpgsign=(?:false|0|no)$|pull\.(?:rebase|ff)="
    r"|safe\.directory=|protocol\.version=|http\.postbuffer=|push\.default=|merge\.conflictstyle=",
    re.IGNORECASE,
)
RUNNING_SETTINGS = late_pattern(
    r"alias\.|browser\.|credential|difftool|filter\.|gpg\.|include|init\.templatedir|interactive\.|man\.|mergetool|pager\."
    r"|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|gitproxy|askpass|worktree|alternaterefscommand)|sequence\.editor"
    r"|diff\.\S*(?:command|external|textconv)|merge\.\S*driver|protocol\.|receive|remote\.|sendemail|submodule\.|trailer|url\.",
    re.IGNORECASE,
)
