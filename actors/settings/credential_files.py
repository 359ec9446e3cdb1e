"""The usual places of credentials, one table: closed to tools whatever the rules say, and masked where commands run."""

import os
import pwd
import stat
from collections.abc import Container, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple


class Credential(NamedTuple):
    paths: str
    """In a home folder, separated by two blanks where they are several; of SYSTEM absolute."""
    source: str
    """Where it is documented that secrets lie there."""
    readers: str = ""
    """Programs whose commands may need it: they are told where it is hidden."""


class Lead(NamedTuple):
    named: str
    real: str
    """Where symlinks lead, or would."""
    may_be_folder: bool
    """False: it is none, or not there."""


KEYS = (
    Credential(".ssh", "ssh(1), FILES", "ssh scp sftp rsync git"),
    Credential(".gnupg", "gpg(1), --homedir", "gpg git"),
    Credential(".netrc  _netrc", "curl(1), --netrc; netrc(5)", "curl wget git pip uv ftp heroku"),
    Credential(".git-credentials  .config/git/credentials", "gitcredentials(7), git-credential-store(1)", "git"),
    Credential(".config/sops  .config/age  .age", "getsops.io/docs: age keys.txt; age(1)", "sops age"),
    Credential(".password-store", "pass(1)", "pass"),
    Credential(".config/gopass  .local/share/gopass", "gopass docs/config.md", "gopass"),
    Credential(".local/share/keyrings  .gnome2/keyrings", "gnome-keyring-daemon(1)"),
    Credential(".local/share/kwalletd", "KDE handbook: KWallet"),
    Credential(".config/op  .op", "developer.1password.com: CLI, config directories", "op"),
    Credential(".config/Bitwarden  .config/Bitwarden CLI", "bitwarden.com/help: data storage", "bw"),
    Credential(".config/keepassxc  .cache/keepassxc", "keepassxc.org user guide: configuration", "keepassxc-cli"),
    Credential(".vault-token  .vault", "developer.hashicorp.com/vault: token helpers", "vault"),
    Credential(".Xauthority  .ICEauthority", "Xsecurity(7), iceauth(1)"),
    Credential(".pki", "NSS: shared database"),
    Credential(
        ".bitcoin  .ethereum/keystore  .electrum  .config/solana", "their wallets' documentation: data directory"
    ),
)
CLOUDS = (
    Credential(".aws", "docs.aws.amazon.com/cli: configuration and credential file settings", "aws cdk sam terraform"),
    Credential(".azure", "learn.microsoft.com/cli/azure: configuration", "az azd terraform"),
    Credential(".config/gcloud  .boto", "cloud.google.com/docs/authentication: ADC; gsutil", "gcloud gsutil terraform"),
    Credential(
        ".oci  .aliyun  .bluemix  .config/scw", "the CLIs of OCI, Alibaba, IBM and Scaleway: config", "oci aliyun scw"
    ),
    Credential(
        ".config/doctl  .config/hcloud  .config/linode-cli", "doctl, hcloud, linode-cli: config", "doctl hcloud"
    ),
    Credential(".kube  .minikube", "kubernetes.io: organizing access by kubeconfig", "kubectl helm k9s minikube"),
    Credential(".config/helm  .rancher", "helm.sh: registry login; rancher CLI", "helm rancher"),
    Credential(".docker", "docs.docker.com: docker login, credential stores", "docker"),
    Credential(".config/containers/auth.json", "containers-auth.json(5)", "podman skopeo buildah"),
    Credential(".terraform.d  .terraformrc", "developer.hashicorp.com/terraform: CLI configuration", "terraform tofu"),
    Credential(".pulumi", "pulumi.com/docs: pulumi login", "pulumi"),
    Credential(".config/rclone  .rclone.conf", "rclone.org/docs: config file", "rclone"),
    Credential(".s3cfg  .passwd-s3fs  .mc", "s3cmd, s3fs(1), MinIO client: config", "s3cmd s3fs mc"),
    Credential(
        ".cloudflared  .wrangler  .config/.wrangler",
        "developers.cloudflare.com: wrangler login",
        "cloudflared wrangler",
    ),
    Credential(
        ".fly  .railway  .config/netlify  .netlify", "fly, railway, netlify: login", "fly flyctl railway netlify"
    ),
    Credential(".vercel  .local/share/com.vercel.cli", "vercel.com/docs/cli: login", "vercel"),
    Credential(
        ".config/configstore  .config/stripe", "firebase, snyk and others: configstore; stripe", "firebase snyk stripe"
    ),
    Credential(".config/ngrok  .ngrok2", "ngrok.com/docs: agent configuration", "ngrok"),
)
FORGES = (
    Credential(".config/gh  .config/hub", "cli.github.com: gh auth login; hub(1)", "gh hub"),
    Credential(".config/glab-cli  .config/tea", "glab and tea: login", "glab tea"),
    Credential(".subversion/auth", "svnbook: client credentials", "svn"),
    Credential(".sentryclirc", "docs.sentry.io/cli: configuration", "sentry-cli"),
    Credential(".config/jfrog  .jfrog", "docs.jfrog.com: jf config", "jf"),
)
PACKAGES = (
    Credential(".npmrc", "docs.npmjs.com: npmrc, auth", "npm npx pnpm yarn bun"),
    Credential(".yarnrc  .yarnrc.yml", "yarnpkg.com/configuration: npmAuthToken", "yarn"),
    Credential(".config/pnpm", "pnpm.io/settings: auth", "pnpm"),
    Credential(".bunfig.toml", "bun.sh/docs: registry token", "bun"),
    Credential(".pypirc", "packaging.python.org: the .pypirc file", "twine flit python"),
    Credential(".pip  .config/pip", "pip.pypa.io: configuration, credentials in index-url", "pip pip3"),
    Credential(
        ".local/share/uv/credentials  .config/pypoetry/auth.toml", "docs.astral.sh/uv: auth; poetry", "uv poetry"
    ),
    Credential(".cargo/credentials  .cargo/credentials.toml", "doc.rust-lang.org/cargo: cargo login", "cargo"),
    Credential(".gem/credentials  .bundle/config", "guides.rubygems.org; bundle-config(1)", "gem bundle"),
    Credential(
        ".m2/settings.xml  .m2/settings-security.xml", "maven.apache.org: settings, password encryption", "mvn mvnw"
    ),
    Credential(".gradle/gradle.properties", "docs.gradle.org: build environment", "gradle gradlew"),
    Credential(".sbt/.credentials  .ivy2/.credentials", "scala-sbt.org: publishing, credentials", "sbt"),
    Credential(".composer/auth.json  .config/composer/auth.json", "getcomposer.org: authentication", "composer"),
    Credential(".hex  .config/hex", "hexdocs.pm: mix hex.user auth", "mix"),
)
DATA = (
    Credential(".pgpass  .pg_service.conf", "postgresql.org: the password file", "psql pg_dump"),
    Credential(".my.cnf  .mylogin.cnf", "dev.mysql.com: option files, mysql_config_editor", "mysql mysqldump"),
    Credential(".databrickscfg  .databricks", "docs.databricks.com: configuration profiles", "databricks"),
    Credential(".snowflake  .config/snowflake  .snowsql", "docs.snowflake.com: connections.toml", "snow snowsql"),
    Credential(".dbt/profiles.yml", "docs.getdbt.com: profiles.yml", "dbt"),
    Credential(
        ".cache/huggingface/token  .cache/huggingface/stored_tokens  .huggingface",
        "huggingface_hub: HF_TOKEN_PATH",
        "hf",
    ),
    Credential(".kaggle  .config/kaggle", "kaggle CLI: API credentials", "kaggle"),
)
AGENTS = (
    Credential(".claude  .claude.json  .config/claude", "Claude Code docs: credential management", "claude"),
    Credential(".codex", "codex docs: auth.json", "codex"),
    Credential(".gemini  .qwen", "Gemini CLI docs: authentication; Qwen Code", "gemini qwen"),
    Credential(".config/github-copilot  .copilot", "GitHub Copilot: hosts.json, apps.json", "copilot"),
    Credential(".local/share/opencode/auth.json", "opencode.ai/docs: credentials", "opencode"),
    Credential(
        ".config/goose  .config/crush  .local/share/crush",
        "goose and crush: configuration, provider keys",
        "goose crush",
    ),
    Credential(".vibe", "mistral-vibe README: .env", "vibe"),
    Credential(".cursor  .config/Cursor  .config/cursor", "docs.cursor.com: CLI, MCP", "cursor-agent"),
    Credential(".aider.conf.yml  .aider  .continue  .codeium", "aider.chat/docs: keys; continue; codeium", "aider"),
    Credential(".kimi  .factory  .local/share/amp  .config/amp", "kimi-cli, droid and amp: sign-in", "kimi droid amp"),
    Credential(".config/io.datasette.llm/keys.json", "llm.datasette.io: keys", "llm"),
    Credential(".config/Code/User/globalStorage  .vscode-server/data/User/globalStorage", "VS Code: secret storage"),
)
PEOPLE = (
    Credential(".mozilla  .librewolf  .zen  .thunderbird", "support.mozilla.org: profiles"),
    Credential(".config/google-chrome  .config/chromium  .config/BraveSoftware", "chromium docs: user data directory"),
    Credential(".config/microsoft-edge  .config/vivaldi  .config/opera", "chromium docs: user data directory"),
    Credential("snap/firefox  snap/chromium", "snapcraft.io: data locations"),
    Credential(".var/app", "flatpak docs: per-app data"),
    Credential(".local/share/evolution  .config/evolution", "help.gnome.org: evolution, data storage"),
    Credential(
        ".msmtprc  .config/msmtp  .mbsyncrc  .offlineimaprc  .fetchmailrc", "msmtp(1), mbsync(1), fetchmail(1)", "msmtp"
    ),
    Credential(".config/Signal  .config/Slack  .config/discord  .local/share/TelegramDesktop", "Electron: userData"),
    Credential(".config/filezilla  .local/share/remmina  .config/remmina", "FileZilla and Remmina: saved passwords"),
    Credential(".bash_history  .zsh_history  .zsh_sessions  .histfile  .ksh_history", "bash(1), zsh: HISTFILE"),
    Credential(".local/share/fish/fish_history", "fish docs: history"),
    Credential(".python_history  .node_repl_history  .irb_history", "their interpreters' docs: history files"),
    Credential(
        ".psql_history  .mysql_history  .sqlite_history  .rediscli_history  .dbshell  .mongodb", "psql(1) and others"
    ),
)
MACOS = (
    Credential("Library/Keychains  Library/Cookies  Library/Accounts", "support.apple.com: keychain; Library folder"),
    Credential("Library/Safari  Library/Mail  Library/Messages", "support.apple.com: full disk access"),
    Credential("Library/Containers/com.apple.Safari  Library/Group Containers", "developer.apple.com: app sandbox"),
    Credential("Library/Application Support/Google  Library/Application Support/Chromium", "chromium docs"),
    Credential("Library/Application Support/Firefox  Library/Thunderbird", "support.mozilla.org: profiles"),
    Credential(
        "Library/Application Support/BraveSoftware  Library/Application Support/Microsoft Edge", "chromium docs"
    ),
    Credential(
        "Library/Application Support/Arc  Library/Application Support/Cursor", "chromium docs; Electron: userData"
    ),
    Credential("Library/Application Support/Code/User/globalStorage", "VS Code: secret storage"),
    Credential("Library/Application Support/Claude  Library/Application Support/Slack", "Electron: userData"),
    Credential("Library/Application Support/Signal  Library/Application Support/discord", "Electron: userData"),
    Credential("Library/Application Support/1Password  Library/Application Support/Bitwarden", "1Password, Bitwarden"),
    Credential("Library/Application Support/sops  Library/Application Support/gopass", "getsops.io/docs", "sops"),
    Credential(
        "Library/Application Support/com.vercel.cli  Library/Preferences/netlify", "their CLIs: login", "vercel"
    ),
    Credential("Library/Application Support/io.datasette.llm/keys.json", "llm.datasette.io: keys", "llm"),
    Credential("Library/Application Support/pip  Library/Application Support/pypoetry/auth.toml", "pip; poetry", "pip"),
    Credential("Library/Preferences/pnpm  Library/Application Support/ngrok", "pnpm.io/settings; ngrok", "pnpm ngrok"),
)
HOME = (*KEYS, *CLOUDS, *FORGES, *PACKAGES, *DATA, *AGENTS, *PEOPLE, *MACOS)
SYSTEM = (
    Credential("/etc/shadow  /etc/shadow-  /etc/gshadow  /etc/gshadow-", "shadow(5), gshadow(5)"),
    Credential("/etc/sudoers  /etc/sudoers.d  /etc/security/opasswd", "sudoers(5), pam_unix(8)"),
    Credential("/etc/ssh/ssh_host_rsa_key  /etc/ssh/ssh_host_ecdsa_key", "sshd(8), FILES"),
    Credential("/etc/ssh/ssh_host_ed25519_key  /etc/ssh/ssh_host_dsa_key", "sshd(8), FILES"),
    Credential("/etc/ssl/private  /etc/pki/tls/private  /etc/letsencrypt", "Debian and Fedora: TLS keys; certbot"),
    Credential("/etc/krb5.keytab", "keytab(5)"),
    Credential(
        "/etc/wireguard  /etc/openvpn  /etc/ipsec.secrets  /etc/ppp/chap-secrets  /etc/ppp/pap-secrets",
        "wg-quick(8), pppd(8)",
    ),
    Credential(
        "/etc/NetworkManager/system-connections  /etc/wpa_supplicant  /etc/netplan  /var/lib/iwd",
        "nm-settings(5), iwd(8)",
    ),
    Credential("/etc/credstore  /etc/credstore.encrypted  /var/lib/systemd/credential.secret", "systemd-creds(1)"),
    Credential("/var/lib/sss/secrets  /var/lib/sss/db", "sssd-secrets(5)"),
    Credential("/etc/kubernetes  /var/lib/kubelet  /etc/rancher", "kubernetes.io: PKI certificates and requirements"),
    Credential("/run/secrets", "docs.docker.com: secrets; kubernetes.io: service accounts"),
    Credential("/etc/mysql/debian.cnf", "Debian: mariadb-server, README"),
    Credential("/Library/Keychains  /private/var/db/dslocal", "support.apple.com: keychain; Open Directory"),
)
OTHERS = (Path("/home"), Path("/Users"))
"""Where everybody's home folders are; that of root is beside them."""
MOST_ENTRIES = 256
"""Of one folder that are looked at for symlinks."""


def paths(credentials: Iterable[Credential]) -> list[str]:
    return [path for credential in credentials for path in credential.paths.split("  ")]


def places() -> list[Path]:
    """All of them, as they are named, whether they are there or not."""
    return [Path(name) for name in names()]


def names() -> list[str]:
    """The same, in words: most are not there, and to make a Path takes longer than to look."""
    return [*(f"{home}/{name}" for home in homes() for name in paths(HOME)), *paths(SYSTEM)]


def leads() -> list[Lead]:
    """Of all of them. As os.path.realpath finds it, but each folder that they lie in is resolved once, and in words: a
    Path of each would take as long as all else."""
    folders: dict[str, str] = {}
    return [_lead(name, folders) for name in names()]


def linked(folders: Iterable[str | Path], workspace: Path) -> list[Path]:
    """What symlinks in these folders of credentials lead to, where dotfiles are kept elsewhere in a home folder.

    Nothing that the workspace lies in.
    """
    targets = {target for folder in folders for target in _led_to(folder)}
    tops = {Path(os.path.realpath(home)) for home in homes()} if targets else set()
    below = (target for target in targets - tops if not tops.isdisjoint(target.parents))
    return sorted(target for target in below if not workspace.is_relative_to(target))


def of_programs() -> list[Path]:
    """Of this user, where the value of one may stand in a file: without what is made for people, such as histories."""
    rows = (*KEYS, *CLOUDS, *FORGES, *PACKAGES, *DATA, *AGENTS)
    return [home / name for home in sorted(own_homes()) for name in paths(rows)]


def read_by(programs: Container[str]) -> list[Path]:
    """What one of these programs may look for in HOME."""
    wanted = [row for row in HOME if any(reader in programs for reader in row.readers.split())]
    return [Path.home() / name for name in paths(wanted)]


def own_homes() -> set[Path]:
    """HOME may name another than the user's."""
    return {Path.home(), Path(pwd.getpwuid(os.getuid()).pw_dir)} - {Path("/")}


def homes() -> list[Path]:
    """Whose credentials this user might be able to read: to root everybody's are open."""
    others = [each for top in OTHERS for each in _folders(top)] if os.geteuid() == 0 else []
    return sorted({*own_homes(), *others})


def _lead(named: str, folders: dict[str, str]) -> Lead:
    """folders: where those lead that were resolved before."""
    folder, _, name = named.rpartition("/")
    if folder not in folders:
        folders[folder] = os.path.realpath(folder or "/").rstrip("/")
    beside = f"{folders[folder]}/{name}"
    try:
        kind = stat.S_IFMT(os.lstat(beside).st_mode)
    except OSError:
        return Lead(named, beside, may_be_folder=False)
    real = os.path.realpath(named) if kind == stat.S_IFLNK else beside
    return Lead(named, real, may_be_folder=kind in (stat.S_IFLNK, stat.S_IFDIR))


def _led_to(folder: str | Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            links = [entry.path for entry in islice(entries, MOST_ENTRIES) if entry.is_symlink()]
    except OSError:
        return  # it is not there, or a file, or closed to us and so to the command
    yield from (Path(os.path.realpath(link)) for link in links)


def _folders(top: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(top) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []  # there is none
