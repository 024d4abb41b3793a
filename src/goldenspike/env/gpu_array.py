"""Arrays in the memory of a GPU, for PyTorch, JAX and CuPy without a copy.

Numba's own arrays have ``__cuda_array_interface__``, which PyTorch and CuPy read. :class:`GpuArray` adds the
DLPack protocol, which JAX needs.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine.cuda import IS_SIMULATED, cuda

_CPU, _CUDA = 1, 2
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
"""DLPack's numbers of devices and of kinds of element."""
_NAME = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("id", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


_lent: dict[int, tuple[Any, ...]] = {}
"""What must stay in memory while another library has an array, by the address of its description."""


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _give_back(address: int) -> None:
    _lent.pop(address, None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _forget(capsule: int) -> None:
    """Free the description of an array that no library has taken."""
    if _is_valid(capsule, _NAME):
        _lent.pop(_pointer_of(capsule, _NAME), None)


_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class GpuArray:
    """An array in the memory of a GPU.

    ``torch.as_tensor(array, device="cuda")``, ``cupy.asarray(array)`` and ``jax.dlpack.from_dlpack(array)``
    share its memory. `copy_to_host` returns a NumPy array with a copy. In Numba's simulator the memory is the
    host's, and ``numpy.from_dlpack`` shares it.
    """

    def __init__(self, there: Any) -> None:
        self.there = there
        """The array as Numba's kernels take it."""
        self.shape: tuple[int, ...] = there.shape
        self.dtype: np.dtype[Any] = there.dtype

    def __len__(self) -> int:
        return self.shape[0]

    def copy_to_host(self) -> NDArray[Any]:
        """Return a copy in host memory, after waiting for all work of the GPU that was started before."""
        return self.there.copy_to_host()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.there.__cuda_array_interface__

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CPU, 0) if IS_SIMULATED else (_CUDA, cuda.current_context().device.id)

    def __dlpack__(self, *, stream: int | None = None, **_later: Any) -> Any:
        """Return a DLPack capsule. All work is in the default stream; the consumer may use another."""
        if not IS_SIMULATED and stream != -1:
            cuda.synchronize()
        address = _address_of(self.there)
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        kind = _DataType(_CODES[self.dtype.kind], 8 * self.dtype.itemsize, 1)
        device = _Device(*self.__dlpack_device__())
        tensor = _Tensor(address, device, len(self.shape), kind, shape)
        tensor.deleter = ctypes.cast(_give_back, ctypes.c_void_p)
        _lent[ctypes.addressof(tensor)] = tensor, shape, self.there
        return _new_capsule(ctypes.addressof(tensor), _NAME, ctypes.cast(_forget, ctypes.c_void_p))

    def __repr__(self) -> str:
        return f"GpuArray(shape={self.shape}, dtype={self.dtype})"


def _address_of(there: Any) -> int:
    if IS_SIMULATED:
        return there._ary.ctypes.data  # noqa: SLF001  # the simulator's arrays have no public way
    return there.__cuda_array_interface__["data"][0]
