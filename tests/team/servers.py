"""PostgreSQL and nginx as a distribution installs them: running, and without our settings."""

import os
import shutil
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.store.postgresql import find_program
from tests.sweeps.processes import wait_until

_NGINX = """
{user}
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/conf.d/*.conf;
}}
"""


def self_signed(folder: Path, name: str, host: str) -> tuple[Path, Path]:
    """A certificate that no authority made, and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    about = ["-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*make.split(), *about, *files], check=True, capture_output=True)
    return certificate, key


@contextmanager
def installed_postgresql(port: int, certificate: Path, key: Path) -> Iterator[dict[str, str]]:
    """Yields the scripts with which its administrator speaks to it."""
    initdb, pg_ctl = find_program("initdb"), find_program("pg_ctl")
    if not initdb or not pg_ctl:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    user = "postgres" if os.getuid() == 0 else None  # it refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="frem-team-"))
    data, password = folder / "data", folder / "password"
    password.write_text("of the administrator")
    for file in (certificate, key):
        shutil.copy(file, folder)
        (folder / file.name).chmod(0o600)
    if user:
        for one in (folder, *folder.iterdir()):
            shutil.chown(one, user)

    def administer(*words: str) -> None:
        subprocess.run(words, user=user, cwd=folder, check=True, capture_output=True)

    methods = ("--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={password}")
    administer(initdb, "-D", str(data), "-U", "postgres", *methods, "--no-sync")
    with (data / "postgresql.conf").open("a") as settings:
        settings.write(
            f"port = {port}\nunix_socket_directories = '{folder}'\nfsync = off\nssl = on\n"
            f"ssl_cert_file = '{folder / certificate.name}'\nssl_key_file = '{folder / key.name}'\n"
        )
    start = [pg_ctl, "-D", str(data), "-w", "-l", str(folder / "log")]
    administer(*start, "start")
    again = " ".join([*(["runuser", "-u", user, "--"] if user else []), *start, "restart"])
    here = f"PGHOST={folder} PGPORT={port} PGUSER=postgres"
    try:
        yield {
            "systemctl": f'[ "$*" = "restart postgresql" ] && exec {again}',
            "psql": f'{here} exec {find_program("psql")} "$@"',
            "createdb": f'{here} exec {find_program("createdb")} "$@"',
        }
    finally:
        administer(*start, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def installed_nginx(folder: Path) -> Iterator[dict[str, str]]:
    """Yields the scripts with which its administrator speaks to it; reads ``folder/conf.d``."""
    nginx = shutil.which("nginx", path=f"/usr/sbin{os.pathsep}{os.environ['PATH']}")
    if nginx is None:
        pytest.skip("nginx is not installed (Debian: apt-get install nginx-light)")
    (folder / "conf.d").mkdir(parents=True)
    user = "user root;" if os.getuid() == 0 else ""
    settings = folder / "nginx.conf"
    settings.write_text(_NGINX.format(user=user, folder=folder))
    program = [nginx, "-e", str(folder / "error.log"), "-c", str(settings)]
    with subprocess.Popen([*program, "-g", "daemon off;"]) as process:
        try:
            wait_until((folder / "nginx.pid").exists, "nginx was there")
            speak = " ".join(program)
            yield {
                "nginx": f'exec {speak} "$@"',
                "systemctl": f'[ "$*" = "reload nginx" ] && exec {speak} -s reload',
            }
        finally:
            process.terminate()
            process.wait()


def is_answered_without_certificate(port: int) -> bool:
    """Whether a server speaks with somebody who encrypts but cannot say who they are."""
    stranger = ssl.create_default_context()
    stranger.check_hostname, stranger.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=60) as plain:
        try:
            with stranger.wrap_socket(plain) as encrypted:
                return bool(encrypted.recv(1))
        except OSError:
            return False
