"""Secrets of many kinds as they stand in files, made up: by kind a text, and what of it is nobody's to see.

They are put together here, so that nobody who looks for keys in this repository finds one.
"""

import base64
import random
import string
from typing import NamedTuple


class Planted(NamedTuple):
    text: str
    secret: str


def _some(characters: str, number: int, seed: str) -> str:
    """The same each time; letters and digits in turns, as nobody would think of."""
    chosen = random.Random(f"{seed}{number}")
    text = "".join(chosen.choice(characters) for _ in range(number))
    return text[:-2] + ("A7" if characters == UPPER else "a7")


HEX = "0123456789abcdef"
WORD = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
BODY = "\n".join(_some(WORD + "+/", 64, f"line {number}") for number in range(12)) + "\nQ2hhcmxpZQ=="


def _key(before: str, number: int, characters: str = WORD, *, text: str = "value = {}") -> Planted:
    secret = before + _some(characters, number, before)
    return Planted(text.format(secret), secret)


def _beside(text: str, secret: str) -> Planted:
    return Planted(text.replace("SECRET", secret), secret)


def _block(label: str, body: str = BODY) -> Planted:
    return Planted(f"-----BEGIN {label}-----\n{body}\n-----END {label}-----\n", body)


BY_LOOKS = {
    "OpenAI": _key("sk-" + "proj-", 40),
    "Anthropic": _key("sk-" + "ant-api03-", 40),
    "AWS key": _key("AK" + "IA", 16, UPPER),
    "GitHub": _key("gh" + "p_", 36),
    "GitHub, fine-grained": _key("github" + "_pat_", 60),
    "GitLab": _key("gl" + "pat-", 20),
    "Slack": _key("xo" + "xb-", 40),
    "Slack, webhook": _key("hooks.slack" + ".com/services/T0", 30, text="url = https://{}"),
    "Discord, webhook": _key("discord.com" + "/api/webhooks/123456789012/", 50, text="url = https://{}"),
    "Stripe": _key("sk" + "_live_", 24),
    "Twilio": _key("S" + "K", 32, HEX),
    "SendGrid": Planted(f"x {'S' + 'G'}.{_some(WORD, 22, 'a')}.{_some(WORD, 43, 'b')}", _some(WORD, 43, "b")),
    "Mailgun": _key("ke" + "y-", 32, HEX),
    "Mailchimp": Planted(f"x = {_some(HEX, 32, 'm')}-us12", _some(HEX, 32, "m")),
    "npm": _key("np" + "m_", 36),
    "PyPI": _key("py" + "pi-", 60),
    "Docker Hub": _key("dckr" + "_pat_", 27),
    "Hugging Face": _key("h" + "f_", 34),
    "Google": _key("AI" + "za", 35),
    "Google, client": _key("GO" + "CSPX-", 28),
    "Telegram": Planted(f"bot: 123456789:AA{_some(WORD, 33, 't')}", _some(WORD, 33, "t")),
    "Shopify": _key("shp" + "at_", 32, HEX),
    "DigitalOcean": _key("do" + "p_v1_", 64, HEX),
    "Databricks": _key("da" + "pi", 32, HEX),
    "Linear": _key("lin" + "_api_", 40),
    "Atlassian": _key("ATA" + "TT3", 60),
    "Vault": _key("hv" + "s.", 30),
    "Terraform Cloud": _key("", 70, text=f"x {_some(WORD, 14, 'tf')}.atlas" + "v1.{}"),
    "Grafana": _key("gl" + "sa_", 40),
    "age": _key("AGE-SECRET" + "-KEY-1", 58, UPPER),
    "JSON web token": Planted(
        f"{'e' + 'y'}J{_some(WORD, 20, 'h')}.{'e' + 'y'}J{_some(WORD, 40, 'p')}.{_some(WORD, 43, 's')}",
        _some(WORD, 43, "s"),
    ),
    "RSA": _block("RSA PRIVATE " + "KEY"),
    "RSA, encrypted": Planted(
        f"-----BEGIN RSA PRIVATE {'KEY'}-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{BODY}\n"
        f"-----END RSA PRIVATE {'KEY'}-----",
        BODY,
    ),
    "OpenSSH": _block("OPENSSH PRIVATE " + "KEY"),
    "PGP": _block("PGP PRIVATE " + "KEY BLOCK", f"\n{BODY}\n=aB3d"),
    "PuTTY": Planted(f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-{'Lines'}: 13\n{BODY}\nPrivate-MAC: 00", BODY),
    "a key in a program": Planted(
        "x = (\n"
        + "".join(
            f'    "{line}\\n"\n'
            for line in (f"-----BEGIN PRIVATE {'KEY'}-----", *BODY.split("\n"), f"-----END PRIVATE {'KEY'}-----")
        )
        + ")\n",
        BODY.split("\n")[3],
    ),
    "a key that is shown with the numbers of its lines": Planted(
        "".join(
            f"{number:6}\t{line}\n"
            for number, line in enumerate(
                (f"-----BEGIN PRIVATE {'KEY'}-----", *BODY.split("\n"), f"-----END PRIVATE {'KEY'}-----"), 1
            )
        ),
        BODY.split("\n")[3],
    ),
    "Google, service account": Planted(
        f'{{"private_key": "-----BEGIN PRIVATE {"KEY"}-----\\n{BODY.replace(chr(10), chr(92) + "n")}\\n'
        f'-----END PRIVATE {"KEY"}-----\\n"}}',
        BODY.split("\n")[3],
    ),
    "a key in base64": Planted(
        "cert: " + base64.b64encode(f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{BODY}".encode()).decode(),
        base64.b64encode(f"-----BEGIN RSA PRIVATE {'KEY'}-----\n{BODY}".encode()).decode()[40:],
    ),
    "bcrypt": _key("$2b$12$", 53, text="joe:{}"),
    "crypt": _key("$6$rounds=5000$salt$", 86, text="root:{}:19000:0:99999:7:::"),
    "Django, password": _key("pbkdf2" + "_sha256$600000$", 50, text="('{}')"),
}
BY_NAMES = {
    "AWS secret": _beside("aws_secret_access_key = SECRET", _some(WORD + "/+", 40, "aws")),
    "Azure storage": _beside(
        "DefaultEndpointsProtocol=https;AccountName=joe;AccountKey=SECRET", _some(WORD, 86, "azure") + "=="
    ),
    "Azure, signature": _beside("https://joe.blob.example/x?sv=2022-11-02&sig=SECRET&se=2030", _some(WORD, 43, "sas")),
    "Heroku": _beside("HEROKU_API_KEY=SECRET", "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"),
    "password of a database": _beside("postgres://joe:SECRET@db.example:5432/x", "correct-horse-7"),
    "password in a string": _beside("Server=db;User Id=joe;Password=SECRET;", "correct-horse-7"),
    "password in YAML": _beside("db:\n  password: SECRET\n", "correct-horse-7"),
    "password in JSON": _beside('{"db_password": "SECRET"}', "correcthorse"),
    "password in TOML": _beside("passphrase = 'SECRET'", "correct horse"),
    "password in XML": _beside("<adminPassword>SECRET</adminPassword>", "correcthorse"),
    "password in PHP": _beside("define('DB_PASSWORD', 'SECRET');", "correcthorse"),
    "password in netrc": _beside("machine git.example login joe password SECRET", "correcthorse"),
    "password as an option": _beside("mysqldump --password SECRET db", "correcthorse7"),
    "password of curl": _beside("curl -u joe:SECRET https://x.example", "correcthorse"),
    "password, short name": _beside("DB_PWD=SECRET", "c0rrecth0rse77"),
    "basic header": _beside("Authorization: Basic SECRET", base64.b64encode(b"Aladdin:open sesame").decode()),
    "bearer header": _beside('headers = {"Authorization": "Bearer SECRET"}', _some(WORD, 40, "bearer")),
    "x-api-key": _beside("curl -H 'X-Api-Key: SECRET'", _some(WORD, 32, "header")),
    "Docker, auth": _beside('{"auths": {"x.example": {"auth": "SECRET"}}}', _some(WORD, 30, "docker") + "=="),
    "npmrc": _beside("//registry.example/:_authToken=SECRET", _some(WORD, 36, "npmrc")),
    "Kubernetes": _beside("    client-key-data: SECRET", _some(WORD, 120, "kube")),
    "Django": Planted("SECRET_KEY = 'django-#a1b2c3d4e5f6'", "django-#a1b2c3d4e5f6"),
    "an encryption key": _beside('encryptionKey: "SECRET"', _some(WORD, 44, "fernet")),
    "cookie": _beside("Cookie=SECRET", _some(WORD, 40, "cookie")),
}
ALL = BY_LOOKS | BY_NAMES
