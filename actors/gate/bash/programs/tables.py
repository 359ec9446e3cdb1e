"""Which program does what: the tables, to be checked line by line. What options change is elsewhere in this room."""

from actors.common.lean.late_patterns import late_pattern
from actors.gate.bash.language.name_lists import names

READERS = names(
    "ls cat head tail tac rev nl wc cut tr paste join comm fold expand unexpand fmt cmp diff diff3 sdiff "
    "colordiff grep egrep fgrep zgrep zcat bzcat xzcat zstdcat od strings nm objdump readelf size file stat du df "
    "cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum basename dirname realpath readlink "
    "pwd which whereis type echo printf true false : test [ [[ seq cal id whoami groups users who w uname arch "
    "nproc uptime free ps pgrep pstree top lsof env printenv locale tty getconf jq base64 base32 sleep expr bc "
    "numfmt tsort factor lscpu lsblk lsusb lspci vmstat iostat cloc tokei scc exa eza help apropos whatis look "
    "wait jobs shift return exit break continue times logout dirs caller compgen umask ulimit read mapfile "
    "readarray getopts tput dircolors yes getent netstat fc-list column uniq xxd bat batcat ack less more man info yq "
    "history"
)
"""They only look, those in reader_options.py with its options. `env` and `printenv` show what commands see anyway."""

READERS_BUT = {
    "sort": "-o --output --compress-program",
    "date": "-s --set",
    "hostname": "-F --file -b --boot",
    "tree": "-o --output -R",
    "rg": "--pre --hostname-bin",
    "fd": "-x --exec -X --exec-batch",
    "fdfind": "-x --exec -X --exec-batch",
    "ag": "--pager",
    "hexdump": "",
    "ss": "-K --kill -D --diag -F --filter",
    "shuf": "-o --output",
    "cd": "",
    "pushd": "",
    "popd": "",
}
"""They only look, unless one of these options is there."""

WRITERS = names("mkdir touch cp mv ln tee chmod rmdir install mktemp mkfifo")
"""They change the files that they name, and run nothing."""

VERSIONS = frozenset({"--version", "--help"})
"""As the only argument these programs only say so:"""
VERSIONED = names(
    "python python2 python3 pypy3 perl ruby node nodejs deno bun php lua julia Rscript make cmake ninja gcc g++ "
    "cc clang clang++ go cargo rustc rustup java javac mvn gradle npm npx pnpm yarn pip uv poetry hatch pdm ruff "
    "mypy pyright pytest tox nox black docker podman kubectl helm terraform gh curl wget tar zip unzip ssh psql "
    "mysql sqlite3 vim emacs just bash zsh fish"
)

_DENIED = {
    "it changes disks and file systems": "mkfs mke2fs fdisk sfdisk cfdisk gdisk sgdisk parted mkswap swapon swapoff "
    "mount umount wipefs blkdiscard losetup cryptsetup mdadm lvremove vgremove pvremove",
    "it stops or restarts the machine": "shutdown reboot halt poweroff init telinit kexec",
    "it changes users, groups or passwords": "useradd userdel usermod adduser deluser groupadd groupdel groupmod "
    "addgroup delgroup passwd chpasswd chage gpasswd vipw vigr visudo chfn chsh newusers",
    "it changes the running kernel": "insmod rmmod modprobe",
}
DENIED = {name: why for why, programs in _DENIED.items() for name in programs.split()}
"""Never run, and why."""

SHOWS = {"mount": "-l -v", "swapon": "-s --show", "fdisk": "-l", "losetup": "-l -a"}
"""But with nothing else than these they only show."""

_DANGEROUS = {
    "it runs as another user": "sudo doas su pkexec runuser run0 gosu",
    "it changes what is permitted": "chroot nsenter unshare setpriv capsh setfacl chattr setcap",
    "it changes whose files they are": "chown chgrp",
    "it leaves the sandbox": "docker docker-compose podman nerdctl buildah lxc vagrant",
    "it deletes data": "dropdb dropuser",
    "it reaches the keys that the system keeps": "security secret-tool keyctl",
}
DANGEROUS = {name: why for why, programs in _DANGEROUS.items() for name in programs.split()}
"""Asked about every time, and why."""

LISTING = names("dpkg rpm apt apt-cache ip ifconfig crontab systemctl")
"""With no option but those that look they only list."""

_DANGEROUS_OUTSIDE = {
    "it ends other processes": "kill killall pkill xkill skill",
    "it changes what runs later": "crontab at batch systemctl service launchctl initctl rc-service "
    "systemd-run loginctl update-rc.d chkconfig",
    "it changes the system": "apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk brew port snap flatpak emerge "
    "nix-env pkg softwareupdate iptables nft ufw firewall-cmd ip ifconfig route sysctl",
}
DANGEROUS_OUTSIDE = {name: why for why, programs in _DANGEROUS_OUTSIDE.items() for name in programs.split()}
"""The same where no sandbox holds them: in one they reach no others' processes, services or files of the system."""

COMPOSE_LOOKS = names("ps logs config images ls top version port events stats")
COMPOSE_VALUED = names(
    "-f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel"
)
"""Of `docker compose` and docker-compose: what only looks, and options that take the next word."""
DOCKER_VALUED, DOCKER_FLAGS = names("-c --context -l --log-level"), names("-D --debug")
"""Of docker itself, before its subcommand: they say where it looks, and nothing runs by them."""
LOOKING_SUBCOMMANDS = {
    "systemctl": "status is-active is-enabled is-failed list-units list-unit-files list-timers show cat",
    "crontab": "-l",
    "apt": "list show search policy",
    "apt-cache": "policy show search depends rdepends showpkg madison",
    "dpkg": "-l -L -s -S --list --status",
    "rpm": "-q -qa -qi -ql",
    "brew": "list info search --version --prefix outdated deps",
    "pacman": "-Q -Qi -Ql -Ss",
    "apk": "info list search",
    "ip": "a addr address r route link neigh",
    "docker": "ps images logs inspect version info stats top diff port events history search",
    "podman": "ps images logs inspect version info stats top diff port events history search",
    "ifconfig": "-a",
}
"""Not asked about every time when this is the first argument."""

DANGEROUS_SUBCOMMANDS = {
    "npm": ("publish unpublish deprecate owner dist-tag", "it publishes"),
    "pnpm": ("publish", "it publishes"),
    "yarn": ("publish", "it publishes"),
    "bun": ("publish", "it publishes"),
    "cargo": ("publish yank owner", "it publishes"),
    "twine": ("upload", "it publishes"),
    "uv": ("publish", "it publishes"),
    "poetry": ("publish", "it publishes"),
    "hatch": ("publish", "it publishes"),
    "flit": ("publish", "it publishes"),
    "gem": ("push yank", "it publishes"),
    "mvn": ("deploy release:perform", "it publishes"),
    "terraform": ("destroy apply", "it changes what is running elsewhere"),
    "tofu": ("destroy apply", "it changes what is running elsewhere"),
    "pulumi": ("destroy up", "it changes what is running elsewhere"),
    "kubectl": ("delete drain apply replace patch exec", "it changes what is running elsewhere"),
    "helm": ("uninstall delete install upgrade rollback", "it changes what is running elsewhere"),
    "aws": ("rm rb delete terminate-instances delete-object delete-bucket delete-stack", "it deletes data"),
    "gcloud": ("delete", "it deletes data"),
    "gsutil": ("rm rb", "it deletes data"),
    "az": ("delete", "it deletes data"),
    "gh": ("delete archive", "it deletes data"),
    "redis-cli": ("flushall flushdb", "it deletes data"),
    "dvc": ("gc destroy remove", "it deletes data"),
    "heroku": ("destroy pg:reset", "it deletes data"),
    "fly": ("destroy", "it deletes data"),
    "vercel": ("remove rm", "it deletes data"),
    "dotnet": ("push", "it publishes"),
}
"""Asked about every time when one of these words is among the arguments."""

NETWORK = names(
    "ssh scp sftp mosh sshfs ssh-copy-id gh glab hub aws gcloud gsutil az kubectl helm terraform tofu pulumi "
    "heroku fly flyctl vercel netlify wrangler firebase doctl curl wget nc ncat netcat socat telnet ftp ping "
    "ping6 dig nslookup host whois traceroute tracepath mtr http https httpie xh aria2c lynx w3m links yt-dlp "
    "youtube-dl uvx pipx huggingface-cli hf kaggle apt apt-get aptitude dnf yum zypper pacman apk brew "
    "snap flatpak ollama nmap speedtest git-lfs degit create-react-app twine"
)

NETWORK_SUBCOMMANDS = {
    "pip": "download index search",
    "uv": "add tool publish python",
    "poetry": "add update lock publish self",
    "pdm": "add update lock publish",
    "pipenv": "update lock",
    "conda": "install create update search",
    "mamba": "install create update search",
    "npm": "update upgrade view info search audit publish outdated create",
    "pnpm": "add update up dlx audit publish outdated create",
    "yarn": "add up upgrade dlx audit publish outdated create",
    "bun": "add update publish create",
    "deno": "install add cache",
    "cargo": "add update search publish",
    "go": "get",
    "gem": "update push search fetch",
    "bundle": "update add outdated",
    "composer": "update require create-project",
    "dotnet": "add push",
    "mvn": "deploy dependency:resolve dependency:go-offline",
    "rustup": "update install toolchain target component",
    "nvm": "install",
    "pyenv": "install",
    "corepack": "prepare install use",
    "playwright": "install",
    "docker": "pull push build login",
    "hatch": "publish env",
    "helm": "repo pull",
    "terraform": "init",
}
"""Of no use without a network when the first word among the arguments is one of these; more in networks.py."""

UNSANDBOXED = names(
    "ssh scp sftp mosh sshfs ssh-add ssh-keygen ssh-copy-id gh glab hub aws gcloud gsutil az kubectl helm docker "
    "docker-compose podman nerdctl terraform tofu pulumi heroku fly flyctl vercel netlify wrangler firebase "
    "doctl op pass gpg gpg2 twine"
)
"""They need credentials, which commands do not see."""

UNSANDBOXED_SUBCOMMANDS = {
    "npm": "publish unpublish login logout adduser owner token deprecate",
    "pnpm": "publish login",
    "yarn": "publish login",
    "cargo": "publish login yank owner",
    "uv": "publish",
    "poetry": "publish",
    "hatch": "publish",
    "gem": "push yank signin",
    "huggingface-cli": "login upload",
}

LOADER = late_pattern(r"(?:/.*/)?ld(?:64|-linux[\w-]*|-musl-\w+|-[\d.]*\d)?\.so[.\d]*")
"""Runs the program that it is told to. In folders of the system a wrapper, elsewhere who knows."""
GNU = names(
    "grm gmv gcp gln ginstall gfind gxargs gchmod gchown gtruncate gshred gunlink grmdir genv gtimeout gnice gnohup "
    "gstdbuf gtee gdd gmkdir gtouch"
)
"""Names of brew's and of BSDs for programs that are called so without the g."""
RUNNERS: dict[str, str] = {
    "npx": "",
    "bunx": "",
    "uvx": "",
    "pipx": "run",
    "uv": "run",
    "poetry": "run",
    "pdm": "run",
    "pipenv": "run",
    "hatch": "run",
    "conda": "run",
    "bundle": "exec",
    "mise": "exec",
    "npm": "exec",
    "pnpm": "exec dlx",
    "yarn": "exec dlx",
    "rtk": "",
    "strace": "",
    "ltrace": "",
    "proot": "",
    "fakeroot": "",
    "dbus-run-session": "",
    "xvfb-run": "",
    "script": "",
    **dict.fromkeys(
        ("choom", "setarch", "linux32", "linux64", "i386", "x86_64", "uclampset", "runcon", "catchsegv"), ""
    ),
    **dict.fromkeys(
        ("ifne", "sem", "faketime", "cpulimit", "torsocks", "proxychains", "proxychains4", "systemd-inhibit"), ""
    ),
    **dict.fromkeys(
        ("watchexec", "nodemon", "concurrently", "chpst", "setlock", "dbus-launch", "nsjail", "catatonit"), ""
    ),
    "unbuffer": "",
    "caffeinate": "",
    "sudo": "",
    "doas": "",
    "pkexec": "",
    "runuser": "",
    "su": "",
    "run0": "",
    "gosu": "",
    "chroot": "",
    "nsenter": "",
    "unshare": "",
    "setpriv": "",
    "ssh": "",
    "docker": "run",
    "podman": "run",
    "kubectl": "exec",
    "systemd-run": "",
    "parallel": "",
    "flock": "",
    "chrt": "",
    "taskset": "",
    "numactl": "",
    "prlimit": "",
    "firejail": "",
    "bwrap": "",
    "perf": "",
    "valgrind": "",
    "gdb": "",
    "hyperfine": "",
    "entr": "",
    **dict.fromkeys(
        names(
            "fd fdfind tmux screen nodemon concurrently watchexec expect spawn vim vi nvim ex ed emacs nix nix-shell "
            "start-stop-daemon daemonize dtach abduco timelimit setarch linux32 linux64 rlwrap ccache distcc sccache "
            "scl toolbox distrobox flatpak-spawn direnv dotenv dotenvx envdir chpst softlimit catchsegv cgexec "
            "faketime fakechroot torsocks proxychains proxychains4 trickle inotifywait cargo-watch run-parts at batch "
            "npm-run-all foreman honcho overmind supervisord catatonit tini dumb-init sg newgrp "
            "sshpass socat cross-env cross-env-shell env-cmd shx onchange start-server-and-test wait-on"
        ),
        "",
    ),
    "lerna": "exec",
    "nx": "exec",
    "cargo": "watch",
    "cmake": "-E",
    "op": "run",
    "doppler": "run",
}
"""They run what is among their arguments (after one of these words); that counts, too, and wherever it begins where
nobody knows their options (reader_options.STARTERS)."""

RUNNERS_LOOKED_AT = 64
"""Arguments of a runner at which another command may begin; what it runs with more is not known."""

MOST_WORDS = 1000
"""Of a command; one with more is too long to be analysed."""

SHELLS = names("sh bash dash ash zsh ksh mksh rbash")
OTHER_SHELLS = names("fish csh tcsh nu pwsh powershell xonsh elvish osh cmd")
INTERPRETERS = {
    "python": "-c -m",
    "python2": "-c -m",
    "python3": "-c -m",
    "pypy3": "-c -m",
    "perl": "-e -E",
    "ruby": "-e",
    "node": "-e --eval -p --print",
    "nodejs": "-e --eval -p --print",
    "deno": "eval run",
    "bun": "-e --eval run",
    "php": "-r -f",
    "lua": "-e",
    "Rscript": "-e",
    "tclsh": "",
    "osascript": "-e",
    "julia": "-e",
}
"""And the options that say their program; without them and a file's name it comes from standard input."""

SQL = names(
    "psql mysql mariadb sqlite3 sqlite duckdb sqlcmd mycli pgcli litecli cockroach clickhouse clickhouse-client"
)
