"""What users are told if a GPU cannot be used."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from goldenspike.arena.match import play_match
from goldenspike.arena.plan import make_plan
from goldenspike.cli import FAILED, main
from goldenspike.device import DeviceError, choose_device
from goldenspike.env import VectorEnv


def has_gpu() -> bool:
    return choose_device("auto") == "cuda"


without_gpu = pytest.mark.skipif(has_gpu(), reason="there is a GPU")


@without_gpu
def test_without_a_gpu_one_sentence_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "new-york", "--games", "10", "--device", "cuda"]) == FAILED
    told = capsys.readouterr().err
    assert told.startswith("goldenspike simulate: CUDA finds no NVIDIA GPU on this machine: ")
    assert told.count("\n") == 1
    with pytest.raises(DeviceError, match="finds no NVIDIA GPU"):
        VectorEnv("new-york", 2, 1, device="cuda")


def test_without_the_extra_one_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        "goldenspike.device.find_spec", lambda name: None if name == "numba_cuda" else find_spec(name)
    )
    with pytest.raises(
        DeviceError, match=r"^A GPU needs numba-cuda\. Install it with: .*goldenspike\[cuda\]'$"
    ):
        choose_device("cuda")
    assert choose_device("auto") == "cpu"


@without_gpu
def test_auto_is_the_processor_without_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "new-york", "--games", "10", "--device", "auto"]) == 0
    automatic = capsys.readouterr().out.splitlines()[:-1]
    assert main(["simulate", "new-york", "--games", "10", "--device", "cpu"]) == 0
    assert automatic == capsys.readouterr().out.splitlines()[:-1]  # but for the time


@pytest.mark.parametrize(
    "plan",
    [
        make_plan("new-york", ["search", "planner"], 2),
        make_plan("new-york", ["greedy"], 2, keeps_records=True),
    ],
)
def test_a_match_without_compiled_games_is_refused(plan: Any) -> None:
    with pytest.raises(DeviceError, match="only games among compiled bots"):
        play_match(plan, device="cuda")
