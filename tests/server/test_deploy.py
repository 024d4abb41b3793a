"""The files in `deploy` work: the service, nginx in front of two processes, the steps of the container."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from goldenspike.server.protocol.client import Client
from goldenspike.server.protocol.messages import Created
from goldenspike.server.settings import load_settings
from goldenspike.version import VERSION
from tests.server.process import ServerProcess, free_port
from tests.server.processes import PEOPLE, START, GameServer
from tests.server.services import find_command
from tests.server.serving import clean_environment, within
from tests.server.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
Pair = tuple[GameServer, GameServer]


def replace(text: str, **changes: str) -> str:
    """Return a text with strings replaced; each must occur in it."""
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


# The service


def test_the_settings_file_is_valid() -> None:
    settings = load_settings({}, DEPLOY / "goldenspike.toml")
    assert settings.database == "sqlite:////var/lib/goldenspike/games.db"
    assert settings.proxy == "127.0.0.1"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="this machine has no systemd")
def test_the_systemd_unit_is_valid_and_restrictive(tmp_path: Path) -> None:
    unit = tmp_path / "goldenspike.service"
    text = (DEPLOY / "goldenspike.service").read_text(encoding="utf-8")
    unit.write_text(replace(text, **{"/opt/goldenspike/bin/goldenspike": sys.executable}))
    verify = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (verify.returncode, verify.stderr) == (0, "")
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", str(unit)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


# nginx


class Nginx(ServerProcess):
    """nginx with the configuration of `deploy`, on other ports, with a generated certificate."""

    title = "nginx"

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__()
        self._ports = ports
        self.plain_port = free_port()

    @property
    def url(self) -> str:
        """Its URL."""
        return f"https://localhost:{self.port}"

    @property
    def certificate(self) -> Path:
        """The certificate that clients must trust."""
        return self.folder / "fullchain.pem"

    def prepare(self) -> None:
        """Create the certificate and the configuration files."""
        key = self.folder / "privkey.pem"
        subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        files = ["-keyout", str(key), "-out", str(self.certificate)]
        subprocess.run(["openssl", "req", "-x509", *curve, *subject, *files], capture_output=True, check=True)
        kept = "/etc/letsencrypt/live/play.example.org"
        site = replace(
            (DEPLOY / "nginx.conf").read_text(encoding="utf-8"),
            **{
                kept: str(self.folder),
                "play.example.org": "localhost",
                "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
                "listen 443 ssl;": f"listen 127.0.0.1:{self.port} ssl;",
                "server 127.0.0.1:8000;": " ".join(f"server 127.0.0.1:{port};" for port in self._ports),
            },
        )
        (self.folder / "site.conf").write_text(site)
        paths = "".join(
            f"{name}_temp_path temp;" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid nginx.pid; {user} events {{}}\nhttp {{ access_log access.log; {paths}"
            " include site.conf; }\n"
        )

    def command(self) -> Sequence[str]:
        """Return the command that runs it in the foreground."""
        nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or find_command("nginx")
        return [nginx, "-p", f"{self.folder}/", "-e", "stderr", "-c", "nginx.conf"]

    def answers(self) -> bool:
        """Return whether it forwards requests."""
        try:
            return self.get("/healthz") == {"status": "ok"}
        except OSError:
            return False

    def get(self, path: str, body: object = None) -> Any:
        """Return the response to a request."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, {"Content-Type": "application/json"})
        trusted = ssl.create_default_context(cafile=str(self.certificate))
        with urlopen(request, timeout=PATIENCE, context=trusted) as answer:
            return json.loads(answer.read())


@pytest.fixture
def nginx(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> Iterator[Nginx]:
    """Run nginx in front of two processes; its certificate is trusted."""
    with Nginx([process.port for process in pair]) as server:
        monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
        yield server


def sockets_of(pair: Pair) -> list[int]:
    """Return how many WebSockets each process has open."""
    found = [re.search(r"^goldenspike_connections (\d+)", p.metrics(), re.MULTILINE) for p in pair]
    return [int(match[1]) if match else 0 for match in found]


@pytest.mark.slow
@within(300)
async def test_all_sockets_of_a_game_reach_one_process_through_nginx(pair: Pair, nginx: Nginx) -> None:
    used: set[int] = set()
    for games in range(30):
        made = Created(**nginx.get("/api/games/", {"edition": "new-york", "seats": PEOPLE}))
        async with AsyncExitStack() as stack:
            links = [link for link in (*made.seats, made.watch) if link]
            clients = [await stack.enter_async_context(Client.connect(nginx.url, link)) for link in links]
            wait_until(lambda: sum(sockets_of(pair)) == 3, "all are counted")
            [process] = [number for number, sockets in enumerate(sockets_of(pair)) if sockets]
            used.add(process)
            ack = await clients[0].play("keep all")
            for client in clients:
                await client.wait(lambda client=client, n=ack.n: client.last >= n)
        wait_until(lambda: sum(sockets_of(pair)) == 0, "all have gone")
        if games and used == {0, 1}:  # both are used by chance, sooner or later
            return
    pytest.fail(f"of two processes only {used} had games")


@pytest.mark.slow
def test_nginx_redirects_to_tls(nginx: Nginx) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", nginx.plain_port, timeout=PATIENCE)
    connection.request("GET", "/rules?x=1", headers={"Host": "play.example.org"})
    answer = connection.getresponse()
    connection.close()
    assert (answer.status, answer.headers["Location"]) == (301, "https://play.example.org/rules?x=1")


# The container


def steps_of(word: str) -> list[str]:
    """Return what follows a word in the container file."""
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} ")]


def copy_source(to: Path) -> None:
    """Copy the files that git tracks or would add, and the built page with its stamp, to avoid a rebuild."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    page = [str(file.relative_to(ROOT)) for file in (ROOT / "src/goldenspike/server/web").rglob("*.*")]
    for name in [*filter(None, listed.split("\0")), *page, ".tools/web-stamp"]:
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def is_healthy(url: str) -> bool:
    """Return whether a server answers."""
    try:
        with urlopen(f"{url}healthz", timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def install(folder: Path) -> str:
    """Run the first step of the container in a folder with the source; return its output."""
    places = {"/src/": f"{folder}/src/", "/opt/goldenspike": str(folder / "opt")}
    step = replace(steps_of("RUN")[0], **places)
    done = subprocess.run(step, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout.strip()


@pytest.mark.slow
def test_the_steps_of_the_container_install_a_server_and_upgrade_it(tmp_path: Path) -> None:
    copy_source(tmp_path / "src")
    package = tmp_path / "src" / "src" / "goldenspike"
    dropped = package / "dropped.py"
    dropped.touch()
    assert install(tmp_path) == f"Golden Spike {VERSION}"
    verify_serving(tmp_path)
    assert list((tmp_path / "opt").rglob(dropped.name))

    dropped.unlink()
    version = package / "version.py"
    version.write_text(replace(version.read_text(encoding="utf-8"), **{VERSION: "99.0.0"}))
    assert install(tmp_path) == "Golden Spike 99.0.0"
    assert not list((tmp_path / "opt").rglob(dropped.name))
    verify_serving(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("useradd") is None, reason="it needs root and useradd")
def test_the_user_of_the_container_owns_its_volume(tmp_path: Path) -> None:
    for name in ("passwd", "group", "shadow"):
        (tmp_path / "etc").mkdir(exist_ok=True)
        (tmp_path / "etc" / name).touch()
    program, *words = steps_of("RUN")[1].split()
    assert program == "useradd"
    subprocess.run([program, "--prefix", str(tmp_path), *words], check=True)
    name, _, number, _, _, home, _ = (tmp_path / "etc" / "passwd").read_text().strip().split(":")
    assert [name] == steps_of("USER")
    assert [home] == steps_of("VOLUME")
    assert (tmp_path / home.lstrip("/")).stat().st_uid == int(number)
    assert f"NUMBA_CACHE_DIR={home}/" in steps_of("ENV")[0]
    assert f"sqlite:///{home}/games.db" in steps_of("CMD")[0]


def test_what_the_container_installs_is_what_it_runs() -> None:
    source, installed = (step.split() for step in steps_of("COPY"))
    assert steps_of("RUN")[0].split() == [f"{source[1]}/deploy/install.sh", installed[1]]
    assert installed == ["--from=build", installed[1], installed[1]]  # an environment cannot be moved
    assert f"PATH={installed[1]}/bin:" in steps_of("ENV")[0]


def verify_serving(tmp_path: Path) -> None:
    """Check that the server installed in a folder answers, and that it has the page."""
    [words], [program] = map(json.loads, steps_of("CMD")), map(json.loads, steps_of("ENTRYPOINT"))
    changes = {"0.0.0.0": "127.0.0.1", "sqlite:////data/games.db": f"sqlite:///{tmp_path}/games.db"}
    assert set(changes) < set(words)
    command = [str(tmp_path / "opt" / "bin" / program[0]), *(changes.get(word, word) for word in words)]
    environment = clean_environment(tmp_path) | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with subprocess.Popen(
        [*command, "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[4]
            wait_until(lambda: is_healthy(url), "it answers", START)
            with urlopen(url, timeout=PATIENCE) as page:
                assert b"Golden Spike" in page.read()
        finally:
            server.terminate()
            server.wait(PATIENCE)
