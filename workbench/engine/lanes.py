"""What generated CPU kernels are made of: buffers on the stack, choices without a branch, bits of a float.

Numba compiles these in place. A buffer is an ``alloca`` of its own, so that LLVM knows that no two of them overlap;
`select`, `root` and the others become one instruction each, where Python's ``if`` or NumPy's function would become a
call or a branch and stop the vectoriser.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _buffer(element: Any) -> Any:
    """An intrinsic ``f(n)`` with a literal n: room for n elements, as a pointer."""

    @intrinsic(prefer_literal=True)
    def reserve(typing_context: Any, n: Any) -> Any:
        count = n.literal_value

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # LLVM shies away from 512-bit vectors on processors that once slowed down for them; here they gain 20 %.
            set.add(builder.function.attributes, '"prefer-vector-width"="512"')
            room = cgutils.alloca_once(builder, ir.ArrayType(context.get_data_type(element), count))
            room.align = 64
            return builder.bitcast(room, context.get_value_type(types.CPointer(element)))

        return types.CPointer(element)(n), codegen

    return reserve


floats = _buffer(types.float64)
integers = _buffer(types.int64)


@intrinsic
def select(typing_context: Any, condition: Any, a: Any, b: Any) -> Any:
    """``a if condition else b``, both computed."""
    return a(types.boolean, a, a), lambda context, builder, signature, args: builder.select(*args)


def _unary(name: str) -> Any:
    """One LLVM intrinsic on a float64."""

    @intrinsic
    def apply(typing_context: Any, v: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = builder.module.declare_intrinsic(name, [ir.DoubleType()])
            return builder.call(function, args)

        return types.float64(types.float64), codegen

    return apply


root, floor, absolute = _unary("llvm.sqrt"), _unary("llvm.floor"), _unary("llvm.fabs")


@intrinsic
def bits(typing_context: Any, v: Any) -> Any:
    """The 64 bits of a float64 as int64."""
    codegen = lambda context, builder, signature, args: builder.bitcast(args[0], ir.IntType(64))  # noqa: E731
    return types.int64(types.float64), codegen


@intrinsic
def unbits(typing_context: Any, v: Any) -> Any:
    """The float64 with the 64 bits of an int64."""
    codegen = lambda context, builder, signature, args: builder.bitcast(args[0], ir.DoubleType())  # noqa: E731
    return types.float64(types.int64), codegen
