"""The kinds that findings are of: what each means, its number in the CWE, how bad it usually is, what helps. Pure."""

import re
from typing import NamedTuple

from ui.findings.finding import Severity

OTHER = "other"
LONGEST = 40
"""Characters of a kind."""
CWE = re.compile(r"(?<!\d)\d{1,5}(?!\d)")
NO_SLUG = re.compile(r"[^a-z0-9]+")
OF_CWE = re.compile(r"cwe-(\d{1,5})")


class Rule(NamedTuple):
    kind: str
    cwe: int
    """0 for none."""
    score: float
    """How bad it usually is, as CVSS counts, 0 to 10; 0 for what is no weakness of security."""
    means: str
    help: str
    """What helps."""


RULES = (
    Rule("sql-injection", 89, 8.8, "Text from outside becomes part of a database query.",
         "Bind values as parameters; take names of tables and columns from a fixed list."),
    Rule("command-injection", 78, 9.8, "Text from outside becomes part of a command that a shell reads.",
         "Start programs with a list of arguments and no shell, and let nothing from outside begin with a hyphen."),
    Rule("code-injection", 94, 9.8, "Text from outside is run as code.",
         "Do not evaluate text; look names up in a fixed table, and read data with a parser of data."),
    Rule("template-injection", 1336, 9.1, "Text from outside becomes part of a template.",
         "Keep templates fixed and hand text to them as values."),
    Rule("unsafe-deserialization", 502, 9.8, "Data from outside is made into objects that may run code.",
         "Read a format that has data only, such as JSON, into types that are known."),
    Rule("path-traversal", 22, 7.5, "A path from outside leads out of the folder that it should stay in.",
         "Resolve the path and compare it with the folder, or take names from a list."),
    Rule("link-following", 59, 6.3, "A link that somebody else has put there is followed.",
         "Open without following links, and work with what was opened and not with its name."),
    Rule("unrestricted-upload", 434, 8.8, "A file from outside is kept where it can be run or overwrites others.",
         "Choose the name and the folder yourself, check the type, and serve it from where nothing runs."),
    Rule("xss", 79, 6.1, "Text from outside becomes part of a page and runs in the browser of somebody else.",
         "Let the template escape it where it is put, and set a content security policy."),
    Rule("csrf", 352, 6.5, "Another site can make the browser of a user change something here.",
         "Ask for a token of the session with each change, and set SameSite on cookies."),
    Rule("open-redirect", 601, 6.1, "An address from outside says where the browser goes next.",
         "Redirect to paths of your own or to hosts of a list."),
    Rule("ssrf", 918, 8.6, "An address from outside is fetched by the server, which reaches more than who gave it.",
         "Fetch from hosts of a list, and check the address that the name resolves to."),
    Rule("xxe", 611, 7.5, "XML from outside may name files and addresses that the parser fetches.",
         "Switch external entities and DTDs off in the parser."),
    Rule("xpath-injection", 643, 7.3, "Text from outside becomes part of an XPath query.",
         "Bind values as variables of the query."),
    Rule("ldap-injection", 90, 7.3, "Text from outside becomes part of an LDAP query.",
         "Escape values as LDAP filters want it."),
    Rule("nosql-injection", 943, 8.1, "Text from outside becomes part of a query of a document database.",
         "Take values as strings only, and let none of their parts be an operator."),
    Rule("header-injection", 113, 6.1, "Line ends from outside become part of a response's headers.",
         "Refuse line ends in the values of headers."),
    Rule("log-injection", 117, 4.3, "Line ends from outside make lines of a log that nobody wrote.",
         "Write what comes from outside escaped, or as fields of a structured log."),
    Rule("format-string", 134, 8.1, "Text from outside is used as a format.",
         "Keep formats fixed and hand text to them as values."),
    Rule("prompt-injection", 1427, 6.5, "Text from outside is read by a model as instructions.",
         "Mark it as data, and let what the model may do not depend on what it reads."),
    Rule("missing-authentication", 306, 9.1, "Something that matters can be done by anybody.",
         "Ask who it is before it is done."),
    Rule("broken-authentication", 287, 8.8, "Who it is can be claimed without being it.",
         "Use a session mechanism that is known to hold, and compare secrets in constant time."),
    Rule("missing-authorization", 862, 8.1, "Nobody asks whether this user may do it.",
         "Check the right to each object where it is used."),
    Rule("insecure-direct-object-reference", 639, 7.5, "An id from outside reaches what belongs to somebody else.",
         "Look the object up among those of the user."),
    Rule("broken-access-control", 284, 8.1, "Who may do something is decided wrongly.",
         "Decide in one place, and deny what is not allowed there."),
    Rule("privilege-escalation", 269, 8.8, "Somebody gets more rights than were given.",
         "Drop rights as early as possible, and check them where they are used."),
    Rule("session-fixation", 384, 6.5, "A session goes on with an id that somebody else knows.",
         "Make a new id at each sign-in."),
    Rule("insecure-cookie", 614, 5.3, "A cookie of the session can be read on its way or by scripts.",
         "Set Secure, HttpOnly and SameSite."),
    Rule("cors-misconfiguration", 942, 6.5, "Pages of other sites may read answers that are for the user.",
         "Allow origins of a list, and none that the request names."),
    Rule("mass-assignment", 915, 6.5, "Fields from outside are written that should not be.",
         "Name the fields that may be set."),
    Rule("hardcoded-secret", 798, 7.5, "A password or a key stands in the source.",
         "Make it invalid, and read the new one from the environment or a vault."),
    Rule("sensitive-data-exposure", 200, 5.3, "Somebody learns what is not for them.",
         "Leave it out of what goes there."),
    Rule("secret-in-log", 532, 5.5, "A secret is written to a log.",
         "Leave it out, or replace it, before anything is written."),
    Rule("cleartext-transmission", 319, 6.5, "Something secret goes over the network as it is.",
         "Use TLS, and refuse to go without."),
    Rule("cleartext-storage", 312, 5.5, "Something secret is kept as it is.",
         "Encrypt it with a key that is kept elsewhere; hash passwords."),
    Rule("certificate-validation", 295, 7.4, "Whoever stands between can pass for the server.",
         "Leave the check of certificates and host names on."),
    Rule("weak-cryptography", 327, 5.9, "A cipher, hash or mode that is known to be broken protects something.",
         "Use a current one, such as AES-GCM or SHA-256, from a library that is kept up."),
    Rule("weak-password-hash", 916, 6.5, "Hashes of passwords can be tried quickly.",
         "Use argon2, scrypt or bcrypt."),
    Rule("weak-randomness", 338, 5.9, "Something that must not be guessed comes from a generator that can be.",
         "Use the random numbers of the system."),
    Rule("timing-attack", 208, 4.8, "How long a comparison takes tells what it compares with.",
         "Compare in constant time."),
    Rule("signature-verification", 347, 8.1, "What is signed is used before or without checking the signature.",
         "Check it first, with the algorithm and the key that are expected."),
    Rule("race-condition", 362, 5.9, "Two at the same time do what one alone could not.",
         "Hold a lock over check and use, or let one atomic operation do both."),
    Rule("toctou", 367, 5.9, "What was checked can be another when it is used.",
         "Check what was opened and not its name."),
    Rule("denial-of-service", 400, 6.5, "Little from outside makes much work.",
         "Bound sizes, numbers and time."),
    Rule("regex-denial-of-service", 1333, 5.9, "Some texts take a pattern very long.",
         "Write it so that each text can be read in one way only, or bound the text."),
    Rule("buffer-overflow", 120, 9.8, "More is written than there is room for.",
         "Bound each copy by the size of where it goes."),
    Rule("out-of-bounds-read", 125, 7.1, "Something is read beyond its end.",
         "Check the index against the length."),
    Rule("out-of-bounds-write", 787, 9.8, "Something is written beyond its end.",
         "Check the index against the length."),
    Rule("integer-overflow", 190, 7.3, "A number is larger than its type holds.",
         "Check before the calculation, or calculate in a wider type."),
    Rule("use-after-free", 416, 9.8, "Memory is used that was given back.",
         "Make clear who owns it, and clear what points there."),
    Rule("null-dereference", 476, 5.5, "Something is used that may not be there.",
         "Check it, or make sure by its type that it is."),
    Rule("input-validation", 20, 6.5, "Something from outside is used as it came.",
         "Check type, size and range where it comes in."),
    Rule("error-handling", 755, 4.3, "What goes wrong is not noticed, or noticed wrongly.",
         "Catch what can be dealt with, and let the rest be seen."),
    Rule("vulnerable-dependency", 1395, 7.5, "A package is used in a version with a known weakness.",
         "Use a version in which it is mended."),
    Rule("insecure-default", 1188, 6.5, "It is unsafe unless somebody makes it safe.",
         "Make the safe way the one that is taken when nobody chooses."),
    Rule("insecure-permissions", 732, 6.2, "More users than necessary may read or write it.",
         "Make it for its owner alone, when it is made."),
    Rule("insecure-temporary-file", 377, 5.5, "A file in a folder of all users has a name that can be guessed.",
         "Let the library make it, with a name of its own and for its owner alone."),
    Rule("untrusted-update", 494, 8.1, "Code is fetched and run without knowing whose it is.",
         "Name the version and its hash, and check them."),
    Rule("prototype-pollution", 1321, 7.3, "Keys from outside change what all objects have.",
         "Refuse such keys, or use a map."),
    Rule("clickjacking", 1021, 4.3, "The page can be put, unseen, under another one.",
         "Say by frame-ancestors who may show it."),
    Rule("debug-enabled", 489, 5.3, "What is for developers is switched on for everybody.",
         "Switch it off, and let only the environment of developers switch it on."),
    Rule("correctness", 0, 0.0, "The code does not do what it is there for.", "The finding says what to change."),
    Rule("tests", 0, 0.0, "Behaviour is not tested, or a test cannot fail.", "Add a test that fails without the code."),
    Rule("simplicity", 0, 0.0, "It can be said with less.", "The finding says what to leave out."),
    Rule("performance", 0, 0.0, "It takes more time or memory than it needs.", "The finding says what to change."),
    Rule("documentation", 0, 0.0, "What is written about the code is not true of it.", "Say what it does."),
)  # fmt: skip
BY_KIND = {rule.kind: rule for rule in RULES}
BY_CWE = {rule.cwe: rule.kind for rule in RULES if rule.cwe} | {
    77: "command-injection", 88: "command-injection", 95: "code-injection", 23: "path-traversal", 36: "path-traversal",
    73: "path-traversal", 80: "xss", 93: "header-injection", 259: "hardcoded-secret", 321: "hardcoded-secret",
    863: "broken-access-control", 285: "missing-authorization", 328: "weak-cryptography", 326: "weak-cryptography",
    330: "weak-randomness", 121: "buffer-overflow", 122: "buffer-overflow", 119: "buffer-overflow",
    770: "denial-of-service", 1236: "input-validation", 379: "insecure-temporary-file", 1104: "vulnerable-dependency",
}  # fmt: skip
ALIASES = {
    "sqli": "sql-injection", "os-command-injection": "command-injection", "shell-injection": "command-injection",
    "rce": "code-injection", "remote-code-execution": "code-injection", "eval-injection": "code-injection",
    "ssti": "template-injection", "server-side-template-injection": "template-injection",
    "deserialization": "unsafe-deserialization", "insecure-deserialization": "unsafe-deserialization",
    "directory-traversal": "path-traversal", "lfi": "path-traversal", "zip-slip": "path-traversal",
    "cross-site-scripting": "xss", "cross-site-request-forgery": "csrf", "server-side-request-forgery": "ssrf",
    "idor": "insecure-direct-object-reference", "hardcoded-credentials": "hardcoded-secret",
    "hardcoded-password": "hardcoded-secret", "hard-coded-secret": "hardcoded-secret",
    "hard-coded-credentials": "hardcoded-secret", "information-disclosure": "sensitive-data-exposure",
    "information-exposure": "sensitive-data-exposure", "weak-crypto": "weak-cryptography",
    "weak-hash": "weak-cryptography", "insecure-randomness": "weak-randomness", "weak-random": "weak-randomness",
    "dos": "denial-of-service", "redos": "regex-denial-of-service", "authentication-bypass": "broken-authentication",
    "missing-authorisation": "missing-authorization", "authorization-bypass": "broken-access-control",
    "bug": "correctness", "logic-error": "correctness", "missing-test": "tests", "missing-tests": "tests",
    "complexity": "simplicity", "duplication": "simplicity",
}  # fmt: skip
BANDS: dict[Severity, tuple[float, float]] = {
    "critical": (9.1, 10.0),
    "high": (7.0, 8.9),
    "medium": (4.0, 6.9),
    "low": (0.1, 3.9),
    "info": (0.0, 0.0),
}
"""What code scanning calls so, by the least and the most of its scores."""


def kind_of(said: str, cwe: str) -> str:
    """A slug: one of the table where it, or its number in the CWE, is known; else what was said, or the number."""
    slug = _slug(said)
    slug = ALIASES.get(slug, slug)
    number = CWE.search(cwe) or OF_CWE.search(slug)
    if slug in BY_KIND or number is None:
        return slug or OTHER
    digits = int(number[number.lastindex or 0])
    return BY_CWE.get(digits) or (f"cwe-{digits}" if digits else slug or OTHER)


def _slug(said: str) -> str:
    return NO_SLUG.sub("-", said[: 4 * LONGEST].casefold()).strip("-")[:LONGEST].strip("-")


def rule_of(kind: str) -> Rule:
    """Of a kind that is not in the table: what its name says, and that it may be a weakness of security.

    Those of a review begin with what it looks for, such as "correctness-lost-case".
    """
    if known := BY_KIND.get(kind) or BY_KIND.get(kind.partition("-")[0]):
        return known._replace(kind=kind)
    number = OF_CWE.fullmatch(kind)
    means = f"A weakness of the kind {kind.upper()}." if number else f"A problem of the kind {kind}."
    return Rule(kind, int(number[1]) if number else 0, 5.0, means, "The finding says what to change.")


def security_severity(rule: Rule, severity: Severity) -> float:
    """As code scanning counts: the usual score of the kind, within what the finding's own severity means."""
    least, most = BANDS[severity]
    return min(max(rule.score, least), most)
