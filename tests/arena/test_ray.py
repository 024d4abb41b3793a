"""A match on a real Ray cluster, with a worker killed in the middle of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from goldenspike.arena import make_plan, play_match
from goldenspike.arena.file import MatchFile, read_match
from goldenspike.arena.rows import GameRows

pytestmark = [
    pytest.mark.slow,
    # Ray leaves sockets and files open, and warns about its own deprecations.
    pytest.mark.filterwarnings("default"),
]
BOTS = Path(__file__).with_name("bots_to_try.py")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Start two nodes of one worker each, on this machine alone."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # so that Ray keeps 127.0.0.1
    from ray.cluster_utils import Cluster  # noqa: PLC0415  # after the settings

    nodes = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "include_dashboard": False, "node_ip_address": "127.0.0.1"},
    )
    nodes.add_node(num_cpus=1, node_ip_address="127.0.0.1")
    try:
        yield nodes
    finally:
        nodes.shutdown()


def ray_workers() -> list[int]:
    """Return the processes that play for our own Ray now, and no others."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            is_worker = (folder / "cmdline").read_bytes().startswith(b"ray::play_chunk")
            if is_worker and is_ours(int(folder.name)):
                found.append(int(folder.name))
    return found


def is_ours(pid: int) -> bool:
    """Tell whether a process descends from this one."""
    while pid > 1 and pid != os.getpid():
        status = Path(f"/proc/{pid}/stat").read_text()
        pid = int(status.rpartition(")")[2].split()[1])
    return pid == os.getpid()


def test_a_cluster_that_loses_a_worker_writes_the_same_file(cluster: Any, tmp_path: Path) -> None:
    plan = make_plan("new-york", ["greedy", f"{BOTS}:Chancer"], 120)
    killed: list[int] = []

    def play(path: Path, address: str | None) -> None:
        with MatchFile(path, plan, "goldenspike match") as file:

            def on_batch(batch: GameRows) -> None:
                file.add(batch)
                if address and not killed and len(file.done.rows) > 5:
                    killed.extend(ray_workers()[:1])
                    for pid in killed:
                        os.kill(pid, signal.SIGKILL)

            play_match(plan, jobs=1, cluster=address, on_batch=on_batch)

    play(tmp_path / "cluster.parquet", cluster.address)
    assert killed, "no worker was at work when one should have been killed"
    play(tmp_path / "local.parquet", None)
    far, near = read_match(tmp_path / "cluster.parquet"), read_match(tmp_path / "local.parquet")
    assert len(far.batch.rows) == 120
    assert far.about == near.about
    for name in near.batch.rows.dtype.names or ():
        if name != "seconds":
            assert (far.batch.rows[name] == near.batch.rows[name]).all(), name


def test_a_worker_that_keeps_dying_is_reported(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldenspike.arena.ray._RETRIES", 1)
    mine = tmp_path / "mine.py"
    mine.write_text("import os\nfrom goldenspike.bots import Bot\n\n\nclass Mortal(Bot):\n"
                    "    def choose(self, view, dice, budget):\n        os._exit(3)\n")  # fmt: skip
    with pytest.raises(ChildProcessError, match="The cluster could not play some games"):
        play_match(make_plan("new-york", [f"{mine}:Mortal"], 2), cluster=cluster.address)


def test_a_missing_cluster_is_reported() -> None:
    plan = make_plan("new-york", ["greedy"], 2)
    with pytest.raises(ConnectionError, match=r"There is no Ray cluster to join at 127\.0\.0\.1:9"):
        play_match(plan, cluster="127.0.0.1:9")
