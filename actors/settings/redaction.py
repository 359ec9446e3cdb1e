"""Secrets in what is handed on, a conversation or a file: told by their looks and by the names they stand beside. Pure.

What has neither is not found, nor what is encrypted or cut in pieces: whoever hands it on still has to look. Nobody can
hide more than a word of code from a reader by making it look like a secret.
"""

import re
from collections.abc import Callable

from actors.common.lean.late_patterns import late_pattern
from actors.settings.secret_variables import BEFORE_HOST, NAMES, is_opaque

MARK = "[redacted]"
LONG = late_pattern(r"(?<![A-Za-z0-9_.+/=:~-])[A-Za-z0-9_.+/=:~-]{16,}")
"""Words that may have a key in them; all others are passed by."""
KEYS = late_pattern(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{16,}|[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}|"  # model services, Stripe
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|gl(?:pat|dt|rt|cbt|ptt|agent|soat|ffct)-[\w.-]{16,}|"
    r"(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|"  # AWS, Google
    r"xox[abceoprs][.-][A-Za-z0-9.-]{10,}|xapp-[A-Za-z0-9-]{10,}|"  # Slack
    r"(?:npm|hf|pypi|dckr_pat|gsk|r8|xai)[_-][A-Za-z0-9_-]{20,}|"
    r"hv[sbr]\.[\w-]{20,}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|"  # Vault, Terraform, age
    r"dapi[0-9a-f]{32}|ATATT3[\w=-]{40,}|EAA[A-Za-z0-9]{60,}|"  # Databricks, Atlassian, Facebook
    r"SG\.[\w-]{16,}\.[\w-]{16,}|key-[0-9a-f]{32}|[AS][CK][0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}|"  # who sends mail
    r"[0-9]{8,12}:AA[\w-]{33}|[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}|"  # bots of Telegram and Discord
    r"(?<![_-])ey[A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|"  # JSON web tokens
    r"hooks\.slack\.com/[A-Za-z]+/[\w/-]{16,}|discord(?:app)?\.com/api/webhooks/[\w/-]{16,}|"
    r"LS0tLS1CRUdJTi[A-Za-z0-9+/=]{32,}"  # what begins as a PEM file does, in base64
    r")"
)
BEGINNINGS = late_pattern(
    r"(?<![A-Za-z0-9])(?:secret|ntn|lin_(?:api|oauth)|figd|rubygems|gls?[ac]|nfp|sntry[su]|pul|tskey-[a-z]+|rnd|sbp"
    r"|dp\.[a-z]+|pscale_[a-z]+|do[opr]_v1|shp(?:at|ca|pa|ss)|sq0[a-z]{3}|PMAK|NRAK|xkeysib|pplx|nvapi|csk|tvly|fm[12]"
    r"|shippo_live|dt0[a-z][0-9]{2}|api_org|lsv2_[a-z]+|phc|phx)[_.-](?P<rest>[A-Za-z0-9][A-Za-z0-9_.+/=-]{19,})"
)
"""Of keys, but of other words as well: it depends on the rest."""
HASHES = late_pattern(
    r"\$(?:2[abxy]|apr1|[156y]|argon2id?|scrypt)\$[A-Za-z0-9./$=,+-]{20,200}"
    r"|\b(?:pbkdf2|scrypt|argon2|bcrypt)[\w-]{0,16}\$[A-Za-z0-9./$=,+_-]{20,300}"
)
"""Of passwords, as in crypt(5) and in web frameworks."""
BEGIN = late_pattern(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: ?[0-9]{1,4}")
KEY_BEFORE = r"""(?:[ ]{0,8}[0-9]{1,7}[\t:|])?[ \t"'`#*>|,]*+"""
"""Also the number of the line, where a file is shown."""
KEY_AFTER = r"""["'`, \t+;]*+(?:\r?\n|\\r\\n|\\n|\Z|(?=-----END ))"""
KEY_LINE = late_pattern(
    rf"{KEY_BEFORE}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n\\]{{0,200}}|[A-Za-z0-9+/=]{{16,}}+|){KEY_AFTER}"
)
"""Of what stands in a file of a key, also where it is quoted in a program."""
KEY_END = late_pattern(
    rf"(?:{KEY_BEFORE}[A-Za-z0-9+/=]{{1,15}}+{KEY_AFTER}){{1,2}}"
    r"""(?=[\s"'`#*>|,+;]*+(?:-----END |Private-MAC|\Z))"""
)
"""Shorter lines are of a key only where it ends."""
BEARER = late_pattern(r"(\b(?:bearer|basic)[ \t]+|\bx-api-key[ \t]*:[ \t]*)([A-Za-z0-9_.~+/=-]{8,})", re.IGNORECASE)
HEADER = late_pattern(
    r"""(\bauthorization["']?[ \t]{0,8}[:=,][ \t]{0,8}["']?(?:bearer|basic|token)[ \t]{1,8})([A-Za-z0-9_.~+/=-]{8,})""",
    re.IGNORECASE,
)
ASSIGNED = late_pattern(
    rf"(?:{NAMES}|account_?key)"
    r"""[\w.-]{0,64}(?:\\?["'])?[ \t]{0,8}(?P<sign>:=|=>|[:=])[ \t]{0,8}"""
    r"""(?:\\?(?P<quote>["'])(?P<quoted>[^"'\\\n]{6,512})|(?P<bare>[^\s"',;\\<>]{6,512}))""",
    re.IGNORECASE,
)
NAMED = late_pattern(
    r"(?:keys?|(?<![A-Za-z])(?:pwd|pass|pin|dsn|pat|jwt|cookie|session|webhook|sig|signature|salt|key-data))"
    r"""(?:\\?["'])?[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}(?:\\?["'])?(?P<value>[^\s"',;\\<>()&]{6,512})""",
    re.IGNORECASE,
)
"""By names that much else has as well: it depends on the value."""
SAID = late_pattern(
    rf"<[\w:.-]{{0,64}}?{NAMES}[\w:.-]{{0,64}}>(?P<element>[^<>\n]{{4,512}})</"
    rf"|(?<![\w-])--?[\w-]{{0,64}}?{NAMES}[\w-]{{0,64}} [\"']?(?P<option>[^\s\"'-][^\s\"']{{5,512}})"
    r"|(?<![\w-])(?:-u|--user)[ =][\"']?[^\s:\"']{1,64}:(?P<user>[^\s\"'@/]{4,512})"
    r"|\b(?:define|putenv|setenv|set)\([ ]?[\"'][\w.-]{0,64}?(?:passw|secret|token|key)[\w.-]{0,64}[\"'],[ ]?"
    r"[\"'](?P<argument>[^\"'\n]{6,512})"
    r"|\blogin[ \t]{1,8}\S{1,255}[ \t]{1,8}password[ \t]{1,8}(?P<netrc>\S{1,512})",
    re.IGNORECASE,
)
"""In an element of XML, an option, curl(1)'s user, a call that sets it, netrc(5)."""
CODE = late_pattern(r"[$%&*]|[A-Za-z_][\w.]*[(\[{]|[A-Za-z_]+(?:\.[A-Za-z_]+)+\)*$|(?:[A-Za-z_]+)\)*$|https?://|[/~.]")
"""How what is no value itself begins: a variable, a call, a name, a place."""
FILLED_IN = ("{{", "${", "$(", "%(", "<%", "{%")
"""How a place in a template begins, where a value is put in later."""
NAME = late_pattern(r"[A-Za-z_][\w.]*+(?:[(\[{].*|[)\]}:!?]*)")
"""In a program: it stands for something, or is called."""


def redacted(text: str, *, in_code: bool = False) -> str:
    """The same without what looks like a secret, with as many lines.

    in_code: it is a program, where a word without quotes is a name and stands for something else.
    """
    text = _without_keys(_without_private_keys(text))
    return "\n".join([_line(line, in_code) for line in text.split("\n")])


def _line(line: str, in_code: bool) -> str:
    folded = line.casefold()
    for hints, leave_out in IN_CODE if in_code else ANYWHERE:
        if any(hint in folded for hint in hints):
            line = leave_out(line)
    return line


def _without_private_keys(text: str) -> str:
    """Line by line, so that nothing but a key is left out after words with which one would begin."""
    if "PRIVATE KEY" not in text and "Private-Lines" not in text:
        return text
    kept, done = [], 0
    for begin in BEGIN.finditer(text):
        end = start = max(begin.end(), done)
        while end < len(text) and (line := KEY_LINE.match(text, end)) and line.end() > end:
            end = line.end()
        if text[start:end].strip("\n\\nr\"'#*>| \t"):
            end = last.end() if (last := KEY_END.match(text, end)) else end
            kept += [text[done:start], MARK, "\n" * text.count("\n", start, end)]
            done = end
    return "".join([*kept, text[done:]])


def _without_keys(text: str) -> str:
    return LONG.sub(lambda word: BEGINNINGS.sub(_if_opaque, KEYS.sub(MARK, word[0])), text)


def _if_opaque(found: re.Match[str]) -> str:
    return MARK if is_opaque(found["rest"]) else found[0]


def _bearer(found: re.Match[str]) -> str:
    return found[1] + (MARK if is_opaque(found[2]) else found[2])


def _address(found: re.Match[str]) -> str:
    user, password = found[1], found[2]
    if password:
        return found[0].replace(f":{password}@", f":{MARK}@")
    return found[0].replace(user, MARK) if is_opaque(user) else found[0]


def _assignment(found: re.Match[str]) -> str:
    value = found["quoted"] or found["bare"]
    if value.startswith((MARK[:-1], *FILLED_IN)) or (found["bare"] and _is_code(found)):
        return found[0]
    return _without(found, "quoted" if found["quoted"] else "bare")


def _assignment_in_code(found: re.Match[str]) -> str:
    """A name stays one, but not in what a database is connected by, which stands in a string."""
    bare = found["bare"]
    is_field = found["sign"] == "=" and found[0].endswith(f"={bare}") and found.string.startswith(";", found.end())
    return found[0] if bare and NAME.fullmatch(bare) and not is_field and not is_opaque(bare) else _assignment(found)


def _named(found: re.Match[str]) -> str:
    return _without(found, "value") if is_opaque(found["value"]) else found[0]


def _said(found: re.Match[str]) -> str:
    group = found.lastgroup or ""
    return found[0] if found[group].startswith((MARK[:-1], "$", *FILLED_IN)) else _without(found, group)


def _without(found: re.Match[str], group: str) -> str:
    start, end = (at - found.start() for at in found.span(group))
    return f"{found[0][:start]}{MARK}{found[0][end:]}"


def _is_code(found: re.Match[str]) -> bool:
    """Of a value without quotes: it stands for another, counts something, or is a word of a sentence or a type."""
    name, value = found[0].casefold(), found["bare"]
    if is_opaque(value):
        return False
    if value.isdigit():
        return name.startswith("token")
    match = CODE.match(value)
    if match is None:
        return False
    in_a_file = found["sign"] == "=" and f"={value}" in found[0]  # without blanks, as in one of an environment
    return match[0] != value or not (in_a_file or name.startswith("passw"))


Way = tuple[tuple[str, ...], Callable[[str], str]]
NAME_HINTS = ("key", "secret", "token", "passw", "passphrase", "credential", "auth")
LOOKS: tuple[Way, ...] = (
    (("$",), lambda line: HASHES.sub(MARK, line)),
    (("authorization",), lambda line: HEADER.sub(lambda found: found[1] + MARK, line)),
    (("bearer", "basic", "x-api-key"), lambda line: BEARER.sub(_bearer, line)),
    (("@",), lambda line: BEFORE_HOST.sub(_address, line)),
)
NEAR: tuple[Way, ...] = (
    (
        ("key", "pwd", "pass", "pin", "dsn", "pat", "jwt", "cookie", "session", "webhook", "sig", "salt"),
        lambda line: NAMED.sub(_named, line),
    ),
    ((*NAME_HINTS, "-u"), lambda line: SAID.sub(_said, line)),
)
ANYWHERE = (*LOOKS, (NAME_HINTS, lambda line: ASSIGNED.sub(_assignment, line)), *NEAR)
IN_CODE = (*LOOKS, (NAME_HINTS, lambda line: ASSIGNED.sub(_assignment_in_code, line)), *NEAR)
"""What a line has in it, in small letters, before it is searched for long; and how that is left out."""
