"""The web servers that an operator puts before GridLock, run by their examples in ``deploy/``."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.services import Service

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EXAMPLES = Path(__file__).parents[2] / "deploy"
_NAME = "play.example.org"

_NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder};
    proxy_temp_path {folder};
    fastcgi_temp_path {folder};
    uwsgi_temp_path {folder};
    scgi_temp_path {folder};
    {site}
}}
"""
_CADDY = """
{{
    admin off
    auto_https disable_redirects
    storage file_system {folder}
}}
{site}
"""


@contextlib.contextmanager
def run_nginx(folder: Path, ports: Sequence[int]) -> Iterator[Service]:
    """Run nginx before processes at two ports; its certificate is ``certificate.pem`` there."""
    _find("nginx")
    certificate, key = make_certificate(folder)

    def command(port: int) -> list[str | Path]:
        site = _example("nginx.conf", ports)
        for there, here in (
            ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
            ("listen [::]:443 ssl;", ""),
            (f"/etc/letsencrypt/live/{_NAME}/fullchain.pem", str(certificate)),
            (f"/etc/letsencrypt/live/{_NAME}/privkey.pem", str(key)),
            (_NAME, "localhost"),
        ):
            site = _put(site, there, here)
        file = folder / "nginx.conf"
        file.write_text(_NGINX.format(folder=folder, site=site))
        return ["nginx", "-c", file]

    with Service(command, folder, signal.SIGTERM, {}) as service:
        service.url = f"https://localhost:{service.port}"
        yield service


@contextlib.contextmanager
def run_caddy(folder: Path, ports: Sequence[int]) -> Iterator[Service]:
    """Run Caddy before processes at two ports; its certificate is ``certificate.pem`` there."""
    _find("caddy")
    certificate, key = make_certificate(folder)

    def command(port: int) -> list[str | Path]:
        site = _example("Caddyfile", ports)
        own = f"localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate} {key}"
        site = _put(site, f"{{$GRIDLOCK_SITE:{_NAME}}} {{", own)
        file = folder / "Caddyfile"
        file.write_text(_CADDY.format(folder=folder, site=site))
        return ["caddy", "run", "--config", file, "--adapter", "caddyfile"]

    at_home = {"env": {**os.environ, "HOME": str(folder)}}
    with Service(command, folder, signal.SIGTERM, at_home) as service:
        service.url = f"https://localhost:{service.port}"
        yield service


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Return the files of a certificate for this machine and of its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    request = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
    name = "-addext subjectAltName=DNS:localhost"
    subprocess.run(
        ["openssl", *request.split(), *name.split(), "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    return certificate, key


def _find(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: apt-get install {program}")


def _example(name: str, ports: Sequence[int]) -> str:
    """Return an operator's example with the ports of our processes."""
    text = (_EXAMPLES / name).read_text()
    for there, here in zip(("127.0.0.1:8001", "127.0.0.1:8002"), ports, strict=True):
        text = _put(text, there, f"127.0.0.1:{here}")
    return text


def _put(text: str, there: str, here: str) -> str:
    """Return a text with something else in the place of a part, which must be there."""
    assert there in text
    return text.replace(there, here)
