"""Secrets and look-alikes, made at run time from parts: no token stands in the repository for a scanner to find."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from typing import NamedTuple

ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"
HEX = "0123456789abcdef"
B64 = ALNUM + "+/"
CAPS = string.ascii_uppercase + "234567"
UNSEEN = ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"]


class Positive(NamedTuple):
    """A text, the secret in it as it is written there, and its kind."""

    kind: str
    form: str
    text: str
    secret: str


class Maker:
    """Draws the parts of tokens from one seeded source."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def draw(self, alphabet: str, count: int) -> str:
        """Random characters; chance decides about digits, as it does for the vendors."""
        while True:
            made = "".join(self.rng.choices(alphabet, k=count))
            # A dash at the end would belong to the sentence as well as to the token.
            if made[-1] not in "-_":
                return made

    def login(self) -> str:
        """A password as people make them."""
        return (
            self.rng.choice(["Tr0ub", "Winter24", "xK9", "blue7"])
            + self.draw(ALNUM, 7)
            + self.rng.choice(["!", "#", "", "%"])
        )


# Prefix and alphabet and length, as the vendors publish them; the prefixes are joined here and nowhere else.
_PLAIN: list[tuple[str, list[str], str, int]] = [
    ("AWS access key id", ["AK" + "IA", "AS" + "IA"], CAPS, 16),
    ("GitHub token", ["gh" + letter + "_" for letter in "pousr"], ALNUM, 36),
    ("GitHub token", ["github" + "_pat_"], ALNUM + "_", 82),
    ("GitLab token", ["gl" + "pat-", "gl" + "dt-", "gl" + "rt-"], ALNUM, 20),
    ("Slack token", ["xo" + "xb-", "xo" + "xp-", "xa" + "pp-1-"], ALNUM + "-", 50),
    ("Stripe key", ["sk" + "_live_", "rk" + "_live_", "sk" + "_test_"], ALNUM, 24),
    ("webhook signing secret", ["wh" + "sec_"], ALNUM, 32),
    ("OpenAI key", ["sk-" + "proj-", "sk-" + "svcacct-"], ALNUM + "_", 120),
    ("Anthropic key", ["sk-" + "ant-api03-"], WORD, 95),
    ("OpenRouter key", ["sk-" + "or-v1-"], HEX, 64),
    ("LLM provider key", ["sk-", "gs" + "k_"], ALNUM, 48),
    ("Google API key", ["AI" + "za"], WORD, 35),
    ("Google OAuth secret", ["GOC" + "SPX-"], WORD, 28),
    ("Google OAuth token", ["ya" + "29."], WORD, 120),
    ("Hugging Face token", ["h" + "f_"], ALNUM, 34),
    ("npm token", ["np" + "m_"], ALNUM, 36),
    ("PyPI token", ["py" + "pi-AgEIcHlwaS5vcmc"], WORD, 150),
    ("DigitalOcean token", ["do" + "p_v1_", "do" + "o_v1_"], HEX, 64),
    ("Twilio key", ["S" + "K"], HEX, 32),
    ("Mailgun key", ["ke" + "y-"], HEX, 32),
    ("age secret key", ["AGE-" + "SECRET-KEY-1"], "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    ("Cloudflare token", ["cf" + "ut_", "cf" + "at_", "cf" + "k_"], ALNUM, 48),
    ("Vault token", ["hv" + "s.", "hv" + "b."], WORD, 95),
    ("Databricks token", ["da" + "pi"], HEX, 32),
    ("Linear key", ["li" + "n_api_"], ALNUM, 40),
    ("Notion token", ["nt" + "n_", "secret" + "_"], ALNUM, 43),
    ("Shopify token", ["shp" + "at_", "shp" + "ss_"], HEX, 32),
    ("Square token", ["sq0" + "atp-", "sq0" + "csp-"], WORD, 43),
    ("Atlassian token", ["ATA" + "TT3"], WORD, 180),
    ("Grafana token", ["gl" + "sa_"], ALNUM, 41),
    ("Docker token", ["dck" + "r_pat_"], WORD, 27),
    ("Figma token", ["fi" + "gd_"], WORD, 40),
    ("Sentry token", ["sntr" + "ys_"], ALNUM, 80),
    ("New Relic key", ["NR" + "AK-"], CAPS, 27),
    ("Pulumi token", ["pu" + "l-"], HEX, 40),
    ("RubyGems key", ["ruby" + "gems_"], HEX, 48),
    ("Supabase key", ["sb" + "p_"], HEX, 40),
]


def _jwt(maker: Maker) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return ".".join([part({"alg": "HS256", "typ": "JWT"}), part({"sub": maker.draw(HEX, 12)}), maker.draw(WORD, 43)])


_BUILT: list[tuple[str, Callable[[Maker], str]]] = [
    ("SendGrid key", lambda m: f"SG.{m.draw(WORD, 22)}.{m.draw(WORD, 43)}"),
    ("Telegram bot token", lambda m: f"{m.rng.randrange(10**8, 10**10)}:AA{m.draw(WORD, 33)}"),
    ("Discord bot token", lambda m: f"MT{m.draw(ALNUM, 24)}.{m.draw(WORD, 6)}.{m.draw(WORD, 38)}"),
    ("Discord webhook", lambda m: f"discord.com/api/webhooks/{m.rng.randrange(10**17, 10**18)}/{m.draw(WORD, 68)}"),
    ("Slack webhook", lambda m: f"hooks.slack.com/services/T{m.draw(CAPS, 9)}/B{m.draw(CAPS, 9)}/{m.draw(ALNUM, 24)}"),
    ("Azure storage key", lambda m: f"AccountKey={m.draw(B64, 86)}=="),
    ("Azure SAS signature", lambda m: f"sig={m.draw(ALNUM, 20)}%2B{m.draw(ALNUM, 22)}%3D"),
    ("Azure client secret", lambda m: f"{m.draw(ALNUM, 3)}8Q~{m.draw(WORD, 34)}"),
    ("Mailchimp key", lambda m: f"{m.draw(HEX, 32)}-us{m.rng.randrange(1, 22)}"),
    ("Airtable token", lambda m: f"pat{m.draw(ALNUM, 14)}.{m.draw(HEX, 64)}"),
    ("Terraform token", lambda m: f"{m.draw(ALNUM, 14)}.atlas" + f"v1.{m.draw(ALNUM, 67)}"),
    ("JWT", _jwt),
]


def split(maker: Maker, token: str) -> str:
    """The token with characters between its own that are shown as nothing."""
    places = sorted(maker.rng.sample(range(1, len(token)), 4), reverse=True)
    for place in places:
        token = token[:place] + maker.rng.choice(UNSEEN) + token[place:]
    return token


FORMS: dict[str, Callable[[Maker, str], str]] = {
    "bare": lambda m, s: s,
    "sentence": lambda m, s: f"He wrote that it is {s}, and left.",
    "URL": lambda m, s: f"https://api.example.org/v1/list?page=2&access={s}&sort=up",
    "JSON": lambda m, s: json.dumps({"name": "prod", "credential": s}),
    "JSON in JSON": lambda m, s: json.dumps(json.dumps({"text": f"first\n{s}\nlast"})),
    "YAML": lambda m, s: f"service:\n  credential: {s}\n  port: 80\n",
    "shell": lambda m, s: f"export SERVICE_CREDENTIAL={s} && make deploy",
    "code": lambda m, s: f"Run this:\n```sh\nlogin --with '{s}'\n```\n",
    "bullet": lambda m, s: f"- **prod**: `{s}` (rotate in May)\n",
    "script": lambda m, s: f"今日のメモ{s}。終わり",
    "split": lambda m, s: f"keep {split(m, s)} safe",
}


def _named(maker: Maker) -> Iterator[Positive]:
    """Secrets that are known by what stands around them."""
    for name in ("DB_PASSWORD", "password", "smtp_passwd", "rootPwd", "Passphrase"):
        value = maker.login()
        for form, text in (
            ("shell", f"export {name}={value}\n"),
            ("JSON", json.dumps({"user": "anna", name: value})),
            ("YAML", f"db:\n  {name}: {value}\n"),
            ("Python", f'{name} = "{value}"\n'),
            ("Markdown", f"- **{name}**: `{value}`\n"),
            ("sentence", f"The {name} is {value}, as before."),
            ("connection string", f"Server=db;User Id=sa;{name}={value};Timeout=3"),
            ("split", f"{split(maker, name)}: {value}"),
        ):
            yield Positive("password", form, text, value)
    for name in ("api_key", "SECRET_KEY", "clientSecret", "auth-token", "x-api-key", "access token"):
        value = maker.draw(ALNUM, 32)
        for form, text in (
            ("shell", f"export {name.replace(' ', '_')}={value}\n"),
            ("JSON", json.dumps({"user": "anna", name: value})),
            ("YAML", f"db:\n  {name}: {value}\n"),
            ("TypeScript", f"const {name.replace(' ', '_')}: string = '{value}';\n"),
            ("flag", f"login --{name.replace(' ', '-')} {value} --quiet"),
        ):
            yield Positive("assigned secret", form, text, value)
    for scheme in ("https", "ftp", "smtp"):
        value = maker.login().replace("#", "").replace("%", "")
        yield Positive("password in a URL", scheme, f"see {scheme}://anna:{value}@host.example.org/x", value)
    for scheme in ("postgres", "mysql", "mongodb+srv", "redis", "postgresql+psycopg"):
        value = maker.login().replace("#", "")
        yield Positive("database password", scheme, f"URL={scheme}://anna:{value}@db.internal:5432/app", value)
    for _ in range(4):
        value = maker.draw(ALNUM, 40)
        yield Positive("bearer token", "header", f"curl -H 'Authorization: Bearer {value}' https://x.example", value)
        login = base64.b64encode(f"anna:{maker.login()}".encode()).decode()
        yield Positive("basic credentials", "header", f"Authorization: Basic {login}\r\n", login)
        value = maker.draw(B64, 40)
        yield Positive("AWS secret access key", "file", f"aws_secret_access_key = {value}\n", value)
        key_id = "AK" + "IA" + maker.draw(CAPS, 16)
        yield Positive("AWS secret access key", "CSV", f"Key,Secret\n{key_id},{value}\n", value)
        value = maker.draw(B64, 43) + "="
        yield Positive("WireGuard key", "file", f"[Interface]\nPrivateKey = {value}\nAddress = 10.0.0.2/32\n", value)
        phrase = " ".join(maker.rng.choices("zoo wolf able glove drum stone lunar cabin orbit pulse".split(), k=12))
        yield Positive("recovery phrase", "note", f"Seed phrase: {phrase}\n", phrase)


def _armoured(maker: Maker) -> Iterator[Positive]:
    for label, kind in (
        ("RSA PRIVATE KEY", "private key"),
        ("PRIVATE KEY", "private key"),
        ("EC PRIVATE KEY", "private key"),
        ("ENCRYPTED PRIVATE KEY", "private key"),
        ("OPENSSH PRIVATE KEY", "SSH private key"),
        ("PGP PRIVATE KEY BLOCK", "PGP private key"),
    ):
        lines = [maker.draw(B64, 64) for _ in range(12)] + [maker.draw(B64, 22) + "=="]
        dashes = "-" * 5
        whole = "\n".join([f"{dashes}BEGIN {label}{dashes}", *lines, f"{dashes}END {label}{dashes}"])
        secret = lines[6]
        yield Positive(kind, "bare", whole + "\n", secret)
        yield Positive(kind, "CRLF", whole.replace("\n", "\r\n"), secret)
        yield Positive(kind, "JSON", json.dumps({"private_key": whole}), secret)
        yield Positive(kind, "YAML", "key: |\n  " + whole.replace("\n", "\n  "), secret)
        yield Positive(kind, "quoted", "> " + whole.replace("\n", "\n> "), secret)
        yield Positive(kind, "cut off", whole[:600], secret)
        yield Positive(kind, "split", split(maker, whole), secret)


def positives(seed: int) -> list[Positive]:
    """Every kind in every form."""
    maker = Maker(seed)
    found = []
    for kind, prefixes, alphabet, count in _PLAIN:
        for place, (form, shape) in enumerate(FORMS.items()):
            secret = prefixes[place % len(prefixes)] + maker.draw(alphabet, count)
            found.append(Positive(kind, form, shape(maker, secret), secret))
    for kind, build in _BUILT:
        for form, shape in FORMS.items():
            secret = build(maker)
            found.append(Positive(kind, form, shape(maker, secret), secret))
    return [*found, *_named(maker), *_armoured(maker)]


_SENTENCES = """password: see the vault|The API key is in 1Password.|password: required|Password: forgotten, ask Anna|
password = os.environ["DB_PASSWORD"]|api_key: ${API_KEY}|SECRET_KEY={{ secret_key }}|token: <your-token-here>|
password: "********"|export TOKEN=$GITHUB_TOKEN|api_key = settings.OPENAI_API_KEY|password=changeme|
"password": "string"|
the token is 128 characters long|max_tokens: 4096|tokenizer: cl100k_base|secret_name: prod-db-credentials-2|
PWD=/home/anna/projects/2024|password_hash: bcrypt|password_min_length: 12|token_type: bearer|
import sk-learn as sklearn|sk-learn-contrib-imbalanced-learn|the key-value store of 2024|primary_key: user_id_2|
sort key: created_at|a bearer of good news|Basic understanding of TypeScript|Authorization: Bearer <token>|
Authorization: Bearer YOUR_API_KEY|https://user:password@example.com/|postgres://postgres:postgres@localhost:5432/test|
https://example.com:8080/a@b|ssh://git@github.com:22/a/b.git|git@github.com:holdfast/holdfast.git|
https://host.example:443/@anna/notes|tel: +49 30 901820|ISBN 978-3-16-148410-0|DOI 10.1000/xyz123|
mailto:anna@example.org?subject=password|The secret of good notes: write them daily.|secret santa: Anna draws Ben|
password: at least 8 characters, 1 digit|password: 2024-10-12 changed|Token ring networks: 802.5|keyboard: ANSI104keys|
monkey: banana2024|passenger: seat42b|secretary: room101b|compass: n45w120|bypass=route66north|
PASS: test_login_accepts_unicode_2|password reset: https://example.org/reset|password.md|see password.txt and key.pem|
private_key_path: /etc/ssl/private/server.key|ssh key: ~/.ssh/id_ed25519.pub|secretKeyRef: name: db-secret-v2|
hf_transfer is faster|npm_config_cache=/tmp/npm|npm_package_version: 1.2.3|glpat- is GitLab's prefix|
tokens start with ghp_ or github_pat_|xoxb- tokens are for bots|AKIA is the prefix of key ids|eyJ marks a JWT|
eyJhbGciOi... is how they begin|-----BEGIN CERTIFICATE-----|-----BEGIN PUBLIC KEY-----|
-----BEGIN PRIVATE KEY----- then base64 lines|recovery phrase: never write it down anywhere at all|
seed phrase: the twelve words are kept with your lawyer and not here at all|cache-key: build-linux-x64-v3|
api_key: null|secret: none|token = None|password = input("Password: ")|password = getpass.getpass()|
const token = await getToken(user)|if (password !== confirmPassword) return|self.password = password|
api key: ask ops|password is base64-encoded|the password is sha256-hashed|password: sha256|
client_secret: vault:kv/app#id|password: op://vault/item/field|next_page_token: CAUQAA12ab34cd56|csrf_token: a1b2c3d4e5f6a7b8|docker://sha256:latest"""


def _placeholders() -> Iterator[str]:
    """What vendors print in their own manuals."""
    yield "AK" + "IA" + "IOSFODNN7" + "EXAMPLE"
    yield "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLE" + "KEY"
    yield "gh" + "p_" + "x" * 36
    yield "sk-" + "your-api-key-here-1234567890abcd"
    yield "sk-" + "ant-api03-" + "x" * 80
    yield "AI" + "za" + "X" * 35
    yield "h" + "f_" + "x" * 34
    yield "da" + "pi12345678901234567890123456789012"
    yield "xo" + "xb-your-bot-token-goes-here"


def look_alikes(seed: int) -> list[str]:
    """Texts that hold no secret and look as if they did."""
    maker = Maker(seed)
    rng = maker.rng
    made = [line.strip() for line in _SENTENCES.split("|") if line.strip()] + list(_placeholders())
    while len(made) < 520:
        data = rng.randbytes(600)
        digest = hashlib.sha256(data).hexdigest()
        image = base64.b64encode(data).decode()
        words = rng.sample("notes meeting garden release river planning archive holiday index travel".split(), 5)
        made += [
            f"commit {hashlib.sha1(data).hexdigest()}",
            f"sha256:{digest}",
            f"id: {uuid.UUID(bytes=data[:16])}",
            f"![chart](data:image/png;base64,{image})",
            f"integrity sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}",
            f'ETag: "{digest[:32]}"',
            f"/var/lib/{'/'.join(words)}/{digest[:12]}.{words[0]}.tar.gz",
            f"https://example.org/{'-'.join(words)}?id={rng.randrange(10**9)}&v={digest[:10]}",
            f"!function(e,t){{var n=e.{words[0]}||{{}},r=t({rng.randrange(999)});n.{words[1]}=r.key,n.token=r.x}}",
            f"order {rng.randrange(10**11, 10**12)}, phone +49 30 {rng.randrange(10**6, 10**7)}",
            f"ssh-ed25519 {base64.b64encode(data[:51]).decode()} anna@laptop",
            f"{'_'.join(words)}_{rng.randrange(100)}: {rng.random()}",
            f"2026-11-{rng.randrange(1, 29):02}T08:00:00Z {words[0]} passed key {words[1]} to {words[2]}",
            image,
            f"docker pull example/{words[0]}@sha256:{digest}",
        ]
    return made
