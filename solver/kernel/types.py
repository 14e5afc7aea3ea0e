"""The types of what kernels take and give, and how machine code takes them: known without importing numba.

They are written as numba writes them, `types.int64(types.uint64[::1], types.boolean)` or the same as text.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import Any, TypeAlias

import numpy as np

Flatten: TypeAlias = Callable[[Any, list[Any]], None]
"""Adds what machine code takes for an argument to a list; raises TypeError if the argument is not of the type.

What is added are C parameters as `from_param` makes them, not values of Python: a board with its scratch is more than a
hundred, and ctypes would convert each of them again at every call.
"""

ARRAY_FIELDS = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")
"""What an array is to machine code, field after field; its memory belongs to Python, so the first two are nothing."""

KEPT_TUPLES, KEPT_BYTES = 4, 1 << 22
"""A kernel is called again and again with the same board and the same scratch: so many are taken apart once and kept,
unless they are large."""


@dataclass(frozen=True)
class Type:
    """What a kernel can take or give."""

    def __call__(self, *arguments: Type) -> Signature:
        return Signature(self, arguments)

    def __getitem__(self, axes: slice | tuple[slice, ...]) -> Array:
        """An array of these, without gaps: `[::1]` or `[:, ::1]`."""
        *others, last = axes if isinstance(axes, tuple) else (axes,)
        if last != slice(None, None, 1) or any(axis != slice(None) for axis in others):
            raise TypeError("arrays of kernels are without gaps: [::1], [:, ::1]")
        return Array(self, len(others) + 1)

    @property
    def machine_types(self) -> tuple[Any, ...]:
        """The C types of the values that an argument of this type is taken apart into."""
        raise NotImplementedError

    def flattener(self) -> Flatten:
        raise NotImplementedError


@dataclass(frozen=True)
class Scalar(Type):
    """A number or a truth value, by numba's name for it."""

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def machine_types(self) -> tuple[Any, ...]:
        return (_C_TYPES[self.name],)

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype("bool" if self.name == "boolean" else self.name)

    def flattener(self) -> Flatten:
        read: Callable[[Any], Any] = {"boolean": bool, "float64": float}.get(self.name, index)
        parameter = _C_TYPES[self.name].from_param
        return lambda argument, flat: flat.append(parameter(read(argument)))


@dataclass(frozen=True)
class Void(Type):
    """Nothing, as what a kernel gives."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class Array(Type):
    """An array without gaps, to be written to unless it is `readonly`."""

    item: Type
    dimensions: int
    readonly: bool = False

    def __str__(self) -> str:
        return f"{'readonly ' * self.readonly}{self.item}[{':, ' * (self.dimensions - 1)}::1]"

    @property
    def machine_types(self) -> tuple[Any, ...]:
        pointer, size = ctypes.c_void_p, ctypes.c_ssize_t
        return (pointer, pointer, size, size, pointer, *[size] * 2 * self.dimensions)

    def flattener(self) -> Flatten:
        assert isinstance(self.item, Scalar)
        dtype, dimensions, is_written = self.item.dtype, self.dimensions, not self.readonly
        size, pointer = ctypes.c_ssize_t.from_param, ctypes.c_void_p.from_param
        nothing, item_size = pointer(0), size(dtype.itemsize)

        def flatten(argument: Any, flat: list[Any]) -> None:
            if not isinstance(argument, np.ndarray) or argument.dtype != dtype or argument.ndim != dimensions:
                raise TypeError(f"a kernel takes {self}, not {_describe(argument)}")
            flags = argument.flags
            if not flags.c_contiguous or (is_written and not flags.writeable):
                raise TypeError(f"a kernel takes {self}, not an array with gaps or one that is only to be read")
            data = argument.__array_interface__["data"][0]
            flat += (nothing, nothing, size(argument.size), item_size, pointer(data))
            flat += map(size, argument.shape)
            flat += map(size, argument.strides)

        return flatten


@dataclass(frozen=True)
class Tuple(Type):
    """A named tuple, or as many values of one type as a kernel gives."""

    kind: type[tuple[Any, ...]]
    fields: tuple[Type, ...]

    def __str__(self) -> str:
        return f"{self.kind.__name__}({', '.join(map(str, self.fields))})"

    @property
    def machine_types(self) -> tuple[Any, ...]:
        return tuple(each for field in self.fields for each in field.machine_types)

    def flattener(self) -> Flatten:
        flatteners = [field.flattener() for field in self.fields]
        kept: tuple[tuple[Any, list[Any]], ...] = ()

        def flatten(argument: Any, flat: list[Any]) -> None:
            nonlocal kept
            for known, taken_apart in kept:
                if known is argument:
                    flat += taken_apart
                    return
            if not isinstance(argument, self.kind):
                raise TypeError(f"a kernel takes {self.kind.__name__}, not {_describe(argument)}")
            values: tuple[Any, ...] = tuple(argument)
            parts: list[Any] = []
            for each, value in zip(flatteners, values, strict=True):
                each(value, parts)
            if sum(value.nbytes for value in values if isinstance(value, np.ndarray)) <= KEPT_BYTES:
                kept = ((argument, parts), *kept[: KEPT_TUPLES - 1])
            flat += parts

        return flatten


@dataclass(frozen=True)
class Signature:
    """What a kernel gives, and what it takes."""

    result: Type
    arguments: tuple[Type, ...]

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.arguments))})"


def read_signature(signature: Signature | str) -> Signature:
    """A signature that may be given as text.

    >>> str(read_signature("int64(uint64[:, ::1], boolean)"))
    'int64(uint64[:, ::1], boolean)'
    """
    if isinstance(signature, Signature):
        return signature
    names = {"UniTuple": UniTuple, "void": void, **{name: Scalar(name) for name in _C_TYPES}}
    found = eval(signature, {"__builtins__": {}}, names)  # the text is in our own sources
    if not isinstance(found, Signature):
        raise TypeError(f"{signature!r} is no signature of a kernel")
    return found


def typeof(value: object) -> Type:
    """The type of a value: of numbers and arrays, and of named tuples of these.

    >>> str(typeof(np.zeros((2, 2), np.uint64)))
    'uint64[:, ::1]'
    """
    if isinstance(value, bool | np.bool_):
        return boolean
    if isinstance(value, int):
        return int64
    if isinstance(value, np.generic):
        return Scalar(value.dtype.name)
    if isinstance(value, np.ndarray):
        name = "boolean" if value.dtype == np.bool_ else value.dtype.name
        return Array(Scalar(name), value.ndim, readonly=not value.flags.writeable)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return Tuple(type(value), tuple(map(typeof, value)))
    raise TypeError(f"kernels take no {type(value).__name__}")


def UniTuple(item: Type, count: int) -> Tuple:
    """So many values of one type."""
    return Tuple(tuple, (item,) * count)


def _describe(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} with {value.ndim} dimensions"
    return f"a {type(value).__name__}"


_C_TYPES: dict[str, Any] = {
    "boolean": ctypes.c_uint8,
    "int8": ctypes.c_int8,
    "uint8": ctypes.c_uint8,
    "int16": ctypes.c_int16,
    "uint16": ctypes.c_uint16,
    "int32": ctypes.c_int32,
    "uint32": ctypes.c_uint32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float64": ctypes.c_double,
    "voidptr": ctypes.c_void_p,
}

void = Void()
boolean, float64 = Scalar("boolean"), Scalar("float64")
int8, int16, int32, int64 = Scalar("int8"), Scalar("int16"), Scalar("int32"), Scalar("int64")
uint8, uint16, uint32, uint64 = Scalar("uint8"), Scalar("uint16"), Scalar("uint32"), Scalar("uint64")
