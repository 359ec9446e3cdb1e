"""The options with which programs of the tables only look. With any other, nobody knows."""

RARE = {
    "diff3": "-A -e -E -m -a -x -X -3 -T --text --merge --show-all",
    "sdiff": "-a -i -b -W -B -E -s -t -d -l -w: --text --ignore-case --suppress-common-lines --width:",
    "colordiff": "-u -U: -r -q -b -w -B -N -i -y --brief --recursive --color?",
    "file": "-b -i -L -h -k -0 --brief --mime --mime-type --mime-encoding --dereference",
    "nm": "-a -A -C -D -g -n -p -r -S -u -P -l --demangle --dynamic --extern-only --defined-only "
    "--undefined-only --size-sort",
    "objdump": "-a -d -D -f -h -p -r -R -s -S -t -T -x -C -w --demangle --disassemble --no-show-raw-insn -j: -M:",
    "readelf": "-a -h -l -S -s -d -r -n -V -W -e --all --wide --dynamic --symbols --headers --sections --notes",
    "size": "-A -B -d -o -x -t --totals",
    "strings": "-a -n: -t: -e: -f -d --all --bytes: --radix: --encoding:",
    "cloc": "--json --yaml --csv --quiet --by-file",
    "tokei": "-f -o: --files --output: -s: --sort: -e: --exclude:",
    "scc": "",
    "exa": "-a -l -1 -R -T -r -h -L: --all --long --tree --git --icons --level:",
    "eza": "-a -l -1 -R -T -r -h -L: --all --long --tree --git --icons --level:",
    "top": "-b -n: -d: -p: -o: -u: -H -c -i -1",
    "lsof": "-a -b -c: -d: -i? -n -P -p: -t -u: -U -w",
    "lspci": "-v -n -k -t -s: -d: -m -b -D",
    "lsusb": "-v -t -s: -d:",
    "iostat": "-c -d -h -k -m -N -p: -t -x -y -z",
    "apropos": "-s: -a -e -l -r -w",
    "whatis": "-s: -l -r -w",
    "tput": "-V",
    "jobs": "-l -n -p -r -s",
    "history": "",
    "yq": "-r -e -P -n -j -y -Y -c -S -M -C -N -o: -p: -I: --raw-output --exit-status --prettyPrint "
    "--null-input --output-format: "
    "--input-format: --no-colors --colors --no-doc --indent: --arg:",
    "less": "-N -S -R -F -X -i -I -n -M -m -r -e -E -s -g -G -J -w -W -a -f -q -Q -~ --LINE-NUMBERS "
    "--RAW-CONTROL-CHARS --quit-if-one-screen",
    "more": "-d -l -f -p -c -s -u -n:",
    "man": "-k -f -a -w -W -s: -S: -I -i --where --all --apropos --whatis --sections:",
    "info": "-w --where",
    "bat": "-p -n -A -l: -r: -H: -S --plain --number --show-all --language: --line-range: --highlight-line: "
    "--style: --color: --paging: "
    "--decorations: --theme: --wrap: --tabs: --terminal-width: --file-name:",
    "ack": "-i -w -l -L -c -n -v -Q -h -H -s -f -g -o -r -R -1 -A? -B? -C? -m: --nocolor --nogroup --color "
    "--group --type:",
    "unzip": "-l -t -v -Z -q -1 -z",
    "zipinfo": "-1 -2 -s -m -l -v -h -t -T -z",
    "gzip": "-l -t -v -q --list --test --verbose --quiet",
    "gunzip": "-l -t -v -q --list --test --verbose --quiet",
    "xz": "-l -t -v -q --list --test --verbose --quiet",
    "7z": "",
    "awk": "-F: -v: --field-separator: --assign:",
    "uniq": "-c -d -D -i -u -z -f: -s: -w: --count --repeated --all-repeated? --group? --ignore-case --unique "
    "--zero-terminated "
    "--skip-fields: --skip-chars: --check-chars:",
    "sed": "-n -E -r -s -u -z -b -i? -e: -f: -l: --quiet --silent --regexp-extended --separate --unbuffered "
    "--null-data --binary "
    "--posix --debug --sandbox --follow-symlinks --in-place? --expression: --file: --line-length:",
    "tar": "-t -v -z -j -J -a -Z -O -p -h -C: -f: -X: --list --verbose --gzip --bzip2 --xz --zstd "
    "--auto-compress --directory: --file: "
    "--exclude: --strip-components: --wildcards --full-time --numeric-owner --show-transformed-names --to-stdout",
}
RARE = {
    **RARE,
    **dict.fromkeys(("gawk", "mawk", "nawk"), RARE["awk"]),
    **dict.fromkeys(("bsdtar", "gtar"), RARE["tar"]),
    "gsed": RARE["sed"],
    "batcat": RARE["bat"],
}
PLAIN_WORDS = frozenset({"less", "more", "man", "info", "bat", "batcat"})
"""They take more than files for words that are no options: commands (`+!x`), subcommands, pages that are "
"formatted."""

WRAPPERS = {
    "nohup": "",
    "timeout": "-k: -s: -v -f -p --kill-after: --signal: --verbose --foreground --preserve-status",
    "nice": "-n: --adjustment: -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
    "ionice": "-c: -n: -p: -P: -u: -t --class: --classdata: --pid: --pgid: --uid: --ignore",
    "stdbuf": "-i: -o: -e: --input: --output: --error:",
    "setsid": "-c -f -w --ctty --fork --wait",
    "time": "-f: -o: -p -a -v -q --format: --output: --portability --append --verbose --quiet",
    "command": "-p -v -V",
    "builtin": "",
    "exec": "-a: -c -l",
    "busybox": "",
    "toybox": "",
    "coreutils": "",
    "ld.so": "",
    "chronic": "-v -e",
    "eatmydata": "",
    "noglob": "",
    "nocorrect": "",
    "coproc": "",
    "env": "-i -0 -v -u: -C: -S: -a: --ignore-environment --null --debug --unset: --chdir: --split-string: --argv0:",
    "xargs": "-0 -r -t -p -x -o -i? -e? -l? -I: -n: -P: -L: -d: -E: -s: -a: --null --no-run-if-empty --verbose "
    "--interactive "
    "--exit --open-tty --replace? --eof? --max-lines? --arg-file: --delimiter: --max-args: --max-procs: "
    "--max-chars: --process-slot-var:",
    "watch": "-n: -q: -s: -d? -b -c -C -e -g -p -r -t -w -x --interval: --equexit: --shotsdir: --differences? "
    "--beep --color "
    "--errexit --chgexit --no-title --no-wrap --exec --precise",
}
WRAPPERS = {**WRAPPERS, "gtimeout": WRAPPERS["timeout"]}
"""The same for programs that run another one: an option that is not here might take the next word."""

STARTERS = {
    "npx": "-y -q -s -c: -p: -w: --yes --no --no-install --quiet --silent --ignore-existing --offline --prefer-offline "
    "--workspaces --call: --package: --workspace:",
    "npm": "-y -q -s -c: -w: --yes --no --quiet --silent --offline --prefer-offline --workspaces --prefix: "
    "--call: --package: --workspace:",
    "pnpm": "-r -w -s -F: -C: --recursive --workspace-root --silent --parallel --filter: --dir: --package:",
    "yarn": "-s -p: --silent --quiet --cwd: --package:",
    "bunx": "-p: --bun --silent --verbose --no-install --package:",
    "uvx": "-q -v -n -p: -w: --quiet --verbose --no-cache --offline --isolated --refresh --from: --with: "
    "--with-editable: --with-requirements: --python: --index: --index-url: --default-index: --env-file:",
    "uv": "-q -v -n -p: -m -s -w: --quiet --verbose --no-cache --offline --isolated --refresh --frozen --locked "
    "--no-sync --active --exact --no-project --no-config --all-extras --all-groups --all-packages --dev --no-dev "
    "--only-dev --module --script --with: --with-editable: --with-requirements: --extra: --no-extra: --group: "
    "--no-group: --only-group: --package: --project: --directory: --python: --index: --index-url: "
    "--default-index: --env-file:",
    "pipx": "-q -v --quiet --verbose --no-cache --spec: --python: --pip-args: --index-url:",
    "poetry": "-q -v -n -C: -P: --quiet --verbose --no-interaction --no-plugins --no-cache --directory: --project:",
    "pdm": "-q -v -p: -s --quiet --verbose --project: --site-packages",
    "pipenv": "-q -v --quiet --verbose --python:",
    "hatch": "-q -v -e: -p: --quiet --verbose --env: --project:",
    "conda": "-v -n: -p: --verbose --name: --prefix: --cwd: --no-capture-output --live-stream --dev",
    "bundle": "--verbose --gemfile: --keep-file-descriptors",
    "sudo": "-A -b -B -E -H -i -k -K -n -N -P -S -s -u: -g: -h: -p: -C: -D: -R: -T: -U: -r: -t: --askpass --background "
    "--preserve-env? --set-home --login --non-interactive --stdin --shell --user: --group: --chdir: --prompt:",
    "doas": "-n -s -u: -C: -a:",
    "script": "-a -e -f -q -c: -I: -O: -B: -T: -E: -m: -o: -t? --append --return --flush --quiet --command: --force "
    "--log-io: --log-in: --log-out: --log-timing: --echo: --logging-format: --output-limit: --timing?",
}
"""The same for programs that run another one and do more (programs.RUNNERS), also those in front of a subcommand."""

COPIES = {
    "cp": "-a -b -c -d -f -H -i -l -L -n -N -p -P -r -R -s -S: -t: -T -u -v -x -X -Z --archive --attributes-only "
    "--backup? --context? --copy-contents --dereference --force --interactive --link --no-clobber --no-dereference "
    "--parents --no-preserve: --no-target-directory --one-file-system --preserve? --recursive --reflink? "
    "--remove-destination --sparse: --strip-trailing-slashes --suffix: --symbolic-link --target-directory: --update? "
    "--verbose",
    "ln": "-b -d -f -F -h -i -L -n -P -r -s -S: -t: -T -v -w --backup? --directory --force --interactive --logical "
    "--no-dereference --no-target-directory --physical --relative --suffix: --symbolic --target-directory: --verbose",
    "install": "-b -c -C -d -D -g: -m: -o: -p -s -S: -t: -T -v -Z --backup? --compare --context? --directory --group: "
    "--mode: --no-target-directory --owner: --preserve-context --preserve-timestamps --strip --strip-program: "
    "--suffix: --target-directory: --verbose",
}
"""All options of programs of which the last file is written, if none of them says otherwise."""
