"""Asks LLVM to work on two vectors at a time in loops over runs.

The operations of one vector mostly wait for each other, and a processor looks ahead by a few hundred instructions only:
one vector alone leaves half of its units idle. LLVM would see that in a reduction, but not in a long body without one.
It takes the wish from metadata on the jump back to a loop's head, which Numba has no word for; so a kernel is compiled
with ``pipeline_class=Interleaved``, Numba's own pipeline but for that metadata. Every loop gets it; LLVM heeds it where
it makes vectors, in the innermost. Numbers do not change: each run is computed by itself.
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
        # A target that has been written before is the head of a loop, which this jump closes.
        if isinstance(inst, ir.Jump) and self.blkmap[inst.target].instructions:
            self.builder.block.terminator.set_metadata("llvm.loop", self._wish())

    def _wish(self) -> Any:
        """A node that names itself first, as LLVM tells loops apart."""
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
