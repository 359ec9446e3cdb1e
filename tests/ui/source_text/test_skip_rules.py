"""By its name alone it is known that a file is not read."""

import pytest

from ui.source_text.skip_rules import by_name

SECRET = """
.env .env.local .env.production prod.env .envrc deploy/.ENV id_rsa id_ed25519 keys/id_ecdsa id_rsa.old
server.pem SERVER.KEY tls/server.key cert.p12 app.pfx release.keystore debug.jks putty.ppk vault.kdbx
terraform.tfstate terraform.tfstate.backup prod.tfvars prod.tfvars.json server.pem.bak home.ovpn krb5.keytab
.netrc _netrc .pgpass .htpasswd .git-credentials .npmrc .pypirc .dockercfg .aws/credentials
home/joe/.ssh/config .kube/config .config/gh/hosts.yml .cargo/credentials.toml .m2/settings.xml
credentials.json secrets.yml secret.yaml app-secrets.json service-account.json serviceAccountKey.json
my_service_account.json client_secret_123.json passwords.txt token.json kubeconfig prod.kubeconfig wallet.dat
shadow etc/shadow vault_pass.txt .vault_pass secrets credentials.csv config/master.key
appsettings.secrets.json .docker/config.json .gnupg/secring.gpg private_key.txt .env~ .env-prod auth.json
"""
READ = """
.env.example .env.sample env.template .env.local.example secrets.example.yml credentials.sample.json
id_rsa.pub src/secrets.py auth/credentials.go token.py tokens.json password_reset.html keyboard.py
environment.ts monkey.py src/keys/index.ts passwords.py settings.py secret_santa.md README.md Makefile
.gitignore .github/x.yml identity.py shadow.css config.yml certs.md docs/secrets.rst
"""
OTHERS = {
    "yarn.lock": "lock file",
    "web/package-lock.json": "lock file",
    "Cargo.lock": "lock file",
    "go.sum": "lock file",
    "app.min.js": "generated",
    "api_pb2.py": "generated",
    "logo.PNG": "binary",
    "a/b.tar.gz": "binary",
}


@pytest.mark.parametrize("path", SECRET.split())
def test_a_file_of_secrets_is_not_read(path: str) -> None:
    assert by_name(path) == "secret file"


@pytest.mark.parametrize("path", READ.split())
def test_code_about_secrets_and_examples_are_read(path: str) -> None:
    assert by_name(path) is None


@pytest.mark.parametrize("path", OTHERS)
def test_what_nobody_wrote_is_not_read(path: str) -> None:
    assert by_name(path) == OTHERS[path]
