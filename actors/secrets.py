"""The usual places of credentials: closed to tools whatever the rules say, and masked where commands run."""

SECRETS = (
    *(".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".pgpass", ".my.cnf", ".vault-token"),
    *(".git-credentials", ".config/git/credentials", ".config/gh", ".config/hub", ".config/gcloud", ".config/op"),
    *(".pypirc", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d"),
    *(".password-store", ".local/share/keyrings", ".local/share/kwalletd", ".bash_history", ".zsh_history"),
    *(".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge"),
    *(".thunderbird", ".claude/.credentials.json", ".codex/auth.json", ".local/share/opencode/auth.json"),
)
"""In a home folder; neither read nor written."""
SYSTEM_SECRETS = ("/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssl/private")
