"""Machine code that a wheel ships is used only by a processor that can run it."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from goldenspike import compilation
from goldenspike.engine import code_cache

TRIPLE = "some-triple"
V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


class Machine:
    """A machine with a wheel's folder of machine code, and a processor of our choice."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, shipped: Path) -> None:
        self._monkeypatch = monkeypatch
        self.shipped = shipped
        monkeypatch.setattr(code_cache, "SHIPPED", shipped)

    def is_a(self, name: str, features: dict[str, bool]) -> None:
        binding = SimpleNamespace(get_host_cpu_features=lambda: features, get_process_triple=lambda: TRIPLE)
        self._monkeypatch.setattr(platform, "machine", lambda: name)
        self._monkeypatch.setattr(code_cache, "_binding", binding)
        code_cache.shipped_target.cache_clear()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Machine]:
    yield Machine(monkeypatch, tmp_path)
    monkeypatch.undo()
    code_cache.shipped_target.cache_clear()


def reads_shipped_code() -> bool:
    """Tell whether a function of the engine looks for its code in the wheel."""
    return code_cache.CodeCache(code_cache.baseline)._shipped is not None


@pytest.mark.parametrize("name", ["x86_64", "AMD64"])
def test_a_processor_with_all_features_uses_the_shipped_code(machine: Machine, name: str) -> None:
    machine.is_a(name, dict.fromkeys(V3, True) | {"avx512f": False})
    assert code_cache.shipped_target() == (TRIPLE, "x86-64-v3", "")
    assert reads_shipped_code()


@pytest.mark.parametrize("missing", V3)
def test_a_processor_without_one_of_the_features_ignores_it(machine: Machine, missing: str) -> None:
    machine.is_a("x86_64", dict.fromkeys(V3, True) | {missing: False})
    assert code_cache.shipped_target() is None
    assert not reads_shipped_code()
    machine.is_a("x86_64", dict.fromkeys(set(V3) - {missing}, True))  # LLVM does not know the feature
    assert code_cache.shipped_target() is None


def test_an_older_processor_does_not_count_what_the_wheel_has_compiled(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    monkeypatch.setattr(compilation, "_folder", lambda: empty)  # what this machine has compiled itself
    machine.is_a("x86_64", dict.fromkeys(V3, True))
    target = code_cache.shipped_target()
    assert target is not None
    marks = compilation._marks(["rules"], target)
    (machine.shipped / compilation._MARKS).write_text("\n".join(marks), encoding="utf-8")
    assert compilation.is_compiled(["rules"])
    machine.is_a("x86_64", dict.fromkeys(V3, True) | {"avx2": False})
    assert not compilation.is_compiled(["rules"])


def test_arm_needs_no_features(machine: Machine) -> None:
    machine.is_a("aarch64", {})
    assert code_cache.shipped_target() == (TRIPLE, "generic", "")


def test_nothing_is_looked_for_in_an_installation_without_machine_code(machine: Machine) -> None:
    machine.shipped.rmdir()
    machine.is_a("x86_64", dict.fromkeys(V3, True))
    assert code_cache.shipped_target() is None
    assert not reads_shipped_code()
