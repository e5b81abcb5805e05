"""Real mail servers on loopback for the tests: Dovecot for IMAP and logins, Postfix for SMTP, Maildirs between them.

Both are started with settings, ports, queue and mailboxes of their own in a temporary folder, and stopped at the end.
They take passwords, and tokens that a small HTTP server of the test vouches for (XOAUTH2).
They need root, as mail servers do; where they cannot run, `missing` says why.
"""

from __future__ import annotations

import datetime
import ipaddress
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "127.0.0.1"
DOMAIN = "example.org"
PASSWORDS = {"red": "correct horse", "blue": "battery staple"}
POSTFIX = Path("/usr/lib/postfix/sbin")
POSTFIX_FOLDERS = (
    "active",
    "bounce",
    "corrupt",
    "defer",
    "deferred",
    "flush",
    "hold",
    "incoming",
    "private",
    "saved",
    "trace",
    "public",
    "maildrop",
    "pid",
)


def missing() -> str:
    """Why the servers cannot be started here; empty where they can."""
    if os.name == "nt" or os.geteuid() != 0:
        return "mail servers are started by root only"
    lacking = [name for name in ("dovecot", "postfix") if shutil.which(name, path="/usr/sbin:/usr/bin") is None]
    if lacking:
        return f"not installed: {', '.join(lacking)} (Debian: apt-get install dovecot-imapd postfix)"
    return ""


@dataclass
class Servers:
    """Where the servers listen, and whom they know."""

    folder: Path
    imaps: int
    imap: int
    smtps: int
    submission: int
    tokens: dict[str, str] = field(default_factory=dict)
    """Access tokens that are good now, and whose they are."""

    @property
    def ca(self) -> Path:
        return self.folder / "ca.pem"

    def settings(self, seat: str, *, safely: str = "starttls") -> list[str]:
        """What a player writes behind `pbem mail set`."""
        tls = safely == "tls"
        return [
            f"address={seat}@{DOMAIN}",
            "send=smtp",
            "receive=imap",
            f"tls_ca={self.ca}",
            f"smtp_host={HOST}",
            f"smtp_port={self.smtps if tls else self.submission}",
            f"smtp_security={safely}",
            f"smtp_user={seat}",
            f"imap_host={HOST}",
            f"imap_port={self.imaps if tls else self.imap}",
            f"imap_security={safely}",
            f"imap_user={seat}",
            f"password_env=PBEM_TEST_{seat.upper()}",
        ]

    def with_token(self, seat: str, *, safely: str = "starttls") -> list[str]:
        """The same settings for a provider that takes no password: a command prints the token of the day."""
        kept = [one for one in self.settings(seat, safely=safely) if not one.startswith("password_")]
        return [*kept, f"token_command=cat '{self.folder / f'token-{seat}'}'"]

    def grant(self, seat: str, token: str) -> None:
        """Give a seat a new token; its old one is good no more."""
        for old in [one for one, owner in self.tokens.items() if owner == seat]:
            del self.tokens[old]
        self.tokens[token] = seat
        (self.folder / f"token-{seat}").write_text(token + "\n")

    def box(self, seat: str) -> Path:
        """A player's Maildir."""
        return self.folder / "mail" / seat

    def drop(self, seat: str, raw: bytes, name: str) -> None:
        """Put a mail into a player's box, as a server does."""
        _put(self.box(seat), raw, name)

    def on_the_wire(self) -> Iterator[tuple[str, bytes]]:
        """Address and mail of everything that the SMTP server has delivered since the last call, in its order.

        It delivers behind the boxes that the IMAP server shows, so that a test may lose, double and delay.
        """
        self._await_empty_queue()
        for seat in PASSWORDS:
            for path in sorted((self.folder / "mail" / f"wire-{seat}" / "new").glob("*")):
                raw = path.read_bytes()
                path.unlink()
                yield f"{seat}@{DOMAIN}", raw

    def _await_empty_queue(self) -> None:
        queues = [self.folder / "queue" / name for name in ("maildrop", "incoming", "active")]
        for _ in range(1000):
            if not any(True for queue in queues for _ in queue.iterdir()):
                return
            time.sleep(0.01)
        raise AssertionError("the SMTP server does not deliver")

    def arrived(self, seat: str) -> list[Path]:
        return [path for box in ("new", "cur") for path in sorted((self.box(seat) / box).glob("*"))]


def _put(box: Path, raw: bytes, name: str) -> None:
    owner = pwd.getpwnam("nobody")
    for part in ("tmp", "new", "cur"):
        (box / part).mkdir(parents=True, exist_ok=True)
    for path in (box, *box.iterdir()):
        os.chown(path, owner.pw_uid, owner.pw_gid)
    path = box / "tmp" / name
    path.write_bytes(raw)
    os.chown(path, owner.pw_uid, owner.pw_gid)
    path.rename(box / "new" / name)


STARTS = 4


@contextmanager
def running() -> Iterator[Servers]:
    """Both servers, for as long as the block lasts; started anew where another program was given one of their ports."""
    with ExitStack() as stack:
        for left in reversed(range(STARTS)):
            try:
                servers = stack.enter_context(_started())
                break
            except AssertionError:
                if not left:
                    raise
        yield servers


@contextmanager
def _started() -> Iterator[Servers]:
    folder = Path(tempfile.mkdtemp(prefix="pbem-mail-"))
    folder.chmod(0o755)
    ports = _free_ports(5)
    servers = Servers(folder, *ports[:4])
    processes: list[subprocess.Popen[bytes]] = []
    stopping = ExitStack()
    try:
        _certificate(folder)
        for seat in PASSWORDS:
            _put(folder / "mail" / f"wire-{seat}", b"Subject: welcome\n\nhello\n", "1.welcome")
            _put(servers.box(seat), b"Subject: welcome\n\nhello\n", "1.welcome")
        vouching = _vouching(servers.tokens)
        stopping.callback(vouching.server_close)
        stopping.callback(vouching.shutdown)
        processes.append(_dovecot(servers, ports[4], vouching.server_port))
        processes.append(_postfix(servers, ports[4]))
        for port in ports[:4]:
            _await(port, processes, folder)
        yield servers
    finally:
        stopping.close()
        for process in processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
        shutil.rmtree(folder, ignore_errors=True)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _await(port: int, processes: list[subprocess.Popen[bytes]], folder: Path) -> None:
    for _ in range(200):
        with suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        if any(process.poll() is not None for process in processes):
            break
        time.sleep(0.05)
    logs = "\n".join(path.read_text("utf-8", "replace")[-2000:] for path in sorted(folder.glob("*.log")))
    raise AssertionError(f"nothing listens on port {port}:\n{logs}")


def _certificate(folder: Path) -> None:
    """A certificate for 127.0.0.1 that vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pbem tests")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HOST))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "ca.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def _vouching(tokens: dict[str, str]) -> ThreadingHTTPServer:
    """What a provider's token service says of a token to its mail server [RFC 7662]."""

    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            owner = tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
            said = json.dumps({"active": owner is not None, "username": owner or ""}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((HOST, 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _dovecot(servers: Servers, auth: int, vouching: int) -> subprocess.Popen[bytes]:
    folder, nobody = servers.folder, pwd.getpwnam("nobody")
    users = [
        f"{seat}:{{PLAIN}}{password}:{nobody.pw_uid}:{nobody.pw_gid}::{servers.box(seat)}::"
        for seat, password in PASSWORDS.items()
    ]
    (folder / "users").write_text("\n".join(users) + "\n")
    (folder / "oauth2.conf").write_text(f"""
introspection_url = http://{HOST}:{vouching}/
introspection_mode = auth
username_attribute = username
username_format = %n
active_attribute = active
active_value = true
""")
    (folder / "dovecot.conf").write_text(f"""
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
protocols = imap
listen = {HOST}
ssl = required
ssl_cert = <{folder}/ca.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:{folder}/mail/%n
first_valid_uid = {nobody.pw_uid}
first_valid_gid = 0
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0 secs
auth_username_format = %n
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  mechanisms = plain login
  args = username_format=%n {folder}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%n {folder}/users
}}
service imap-login {{
  inet_listener imap {{
    port = {servers.imap}
  }}
  inet_listener imaps {{
    port = {servers.imaps}
    ssl = yes
  }}
}}
service auth {{
  inet_listener {{
    address = {HOST}
    port = {auth}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
""")
    with (folder / "dovecot-start.log").open("wb") as stream:
        return subprocess.Popen(
            ["/usr/sbin/dovecot", "-F", "-c", str(folder / "dovecot.conf")],
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )


def _postfix(servers: Servers, auth: int) -> subprocess.Popen[bytes]:
    folder, nobody = servers.folder, pwd.getpwnam("nobody")
    settings, queue, data = folder / "postfix", folder / "queue", folder / "data"
    for path in (settings, queue, data):
        path.mkdir()
    owner = pwd.getpwnam("postfix")
    os.chown(data, owner.pw_uid, owner.pw_gid)
    for name in POSTFIX_FOLDERS:
        (queue / name).mkdir()
        if name != "pid":
            os.chown(queue / name, owner.pw_uid, -1)
    boxes = "".join(f"{seat}@{DOMAIN} wire-{seat}/\n" for seat in PASSWORDS)
    (settings / "boxes").write_text(boxes)
    (settings / "main.cf").write_text(f"""
compatibility_level = 3.6
queue_directory = {queue}
data_directory = {data}
daemon_directory = {POSTFIX}
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
myhostname = mail.{DOMAIN}
mydestination =
mynetworks =
inet_interfaces = {HOST}
inet_protocols = ipv4
default_transport = error:this server knows only {DOMAIN}
relay_transport = error:this server knows only {DOMAIN}
virtual_mailbox_domains = {DOMAIN}
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = texthash:{settings}/boxes
virtual_minimum_uid = 1
virtual_uid_maps = static:{nobody.pw_uid}
virtual_gid_maps = static:{nobody.pw_gid}
virtual_mailbox_limit = 0
message_size_limit = 2000000
alias_maps =
alias_database =
biff = no
smtpd_tls_cert_file = {folder}/ca.pem
smtpd_tls_key_file = {folder}/key.pem
smtpd_tls_security_level = encrypt
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:{HOST}:{auth}
smtpd_tls_auth_only = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = reject_unlisted_recipient, permit_sasl_authenticated, reject
smtpd_client_connection_rate_limit = 0
smtpd_error_sleep_time = 0
in_flow_delay = 0
""")
    (settings / "master.cf").write_text(f"""
{HOST}:{servers.submission} inet n - n - - smtpd
{HOST}:{servers.smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
""")
    with (folder / "postfix-start.log").open("wb") as stream:
        return subprocess.Popen(
            [str(POSTFIX / "master"), "-c", str(settings), "-d"],
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
