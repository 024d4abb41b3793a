"""The device that games are played on: the processor, or a GPU through CUDA."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Literal

import numba  # pyright: ignore[reportMissingTypeStubs]

from goldenspike.extras import how_to_install

_numba: Any = numba

Device = Literal["cpu", "cuda"]
DEVICES = ("auto", "cpu", "cuda")
"""What a user can ask for; "auto" is a GPU if there is one."""


class DeviceError(ValueError):
    """The device that was asked for cannot be used; the message says what is missing."""


def choose_device(name: str) -> Device:
    """Return the device that a user asked for, or raise an error with what is missing for it.

    >>> choose_device("cpu")
    'cpu'
    >>> choose_device("tpu")
    Traceback (most recent call last):
    goldenspike.device.DeviceError: There is no device 'tpu': it is auto, cpu or cuda.
    """
    if name not in DEVICES:
        raise DeviceError(f"There is no device {name!r}: it is auto, cpu or cuda.")
    if name == "cpu":
        return "cpu"
    missing = _missing_for_cuda()
    if missing is None:
        return "cuda"
    if name == "auto":
        return "cpu"
    raise DeviceError(missing)


def _missing_for_cuda() -> str | None:
    """Return a sentence that says what is missing for a GPU, or None."""
    if _numba.config.ENABLE_CUDASIM:
        return None
    if find_spec("numba_cuda") is None:
        return f"A GPU needs numba-cuda. {how_to_install('cuda')}"
    from goldenspike.engine.cuda import cuda  # noqa: PLC0415  # the extra

    if cuda.is_available():
        return None
    reason = " ".join(str(cuda.cuda_error() or "no GPU was found").split()).strip(": ")
    return f"CUDA finds no NVIDIA GPU on this machine: {reason.removeprefix('Error at driver init: ')}"
