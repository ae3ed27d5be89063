"""Asks LLVM to work on two vectors at a time in loops over runs.

The operations on one vector form a dependency chain, and a processor looks ahead only a few hundred instructions, so a
single vector leaves half of its units idle. LLVM interleaves reductions by itself, but not long bodies without one. It
can be told to by metadata on the backward branch of a loop, which Numba does not expose. So kernels are compiled with
``pipeline_class=Interleaved``, Numba's own pipeline plus this metadata. Every loop gets it, and LLVM applies it to the
innermost ones, which it vectorizes. Numbers do not change, since each run is computed independently.
"""

from __future__ import annotations

from typing import Any

from llvmlite.ir import Constant, IntType, MDValue
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

VECTORS = 2


class _Lower(Lower):
    def lower_inst(self, inst: Any) -> None:
        super().lower_inst(inst)
        # A jump to a block that has already been written closes a loop.
        if isinstance(inst, ir.Jump) and self.blkmap[inst.target].instructions:
            self.builder.block.terminator.set_metadata("llvm.loop", self._wish())

    def _wish(self) -> Any:
        """A self-referential metadata node, by which LLVM distinguishes loops."""
        wish = self.module.add_metadata(["llvm.loop.interleave.count", Constant(IntType(32), VECTORS)])
        loop = MDValue(self.module, (), name=str(len(self.module.metadata)))
        loop.operands = (loop, wish)
        return loop


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "interleaved_native_lowering"

    @property
    def lowering_class(self) -> Any:
        return _Lower


class Interleaved(CompilerBase):
    """For ``numba.njit(pipeline_class=...)``."""

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_Lowering if made is NativeLowering else made, why) for made, why in pipeline.passes
        ]
        return [pipeline]
