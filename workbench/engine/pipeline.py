"""How Numba compiles a kernel: by the passes that its text needs, with loops that take two vectors of runs at a time.

**Passes.** Numba's pipeline rewrites what people write: closures, array expressions, dead branches, names that change
their type. The printer's text has none of these, and on its thousands of lines the passes that look for them take about
half of the compile time. What is left translates the text, infers types and generates code. LLVM then optimizes the
kernel once, with all that is inlined into it: Numba would optimize each function by itself before, which costs a tenth
of the compile time and changes nothing that the second time does not. It does so at level 2: level 3, Numba's own,
takes up to half as long again for the large ones, and the kernels of the benchmarks run no faster for it. What type a
sum of two numbers has is worked out once, not for each of thousands of sums: a twelfth of the compile time.

**Two vectors.** The operations on one vector form a dependency chain, and a processor looks ahead only a few hundred
instructions, so a single vector leaves half of its units idle. LLVM interleaves reductions by itself, but not long
bodies without one. It can be told to by metadata on the backward branch of a loop, which Numba does not expose. Every
loop gets it, and LLVM applies it to the innermost ones, which it vectorizes. Numbers do not change, since each run is
computed independently.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from llvmlite.ir import Constant, IntType, MDValue
from numba.core import config, ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering, NopythonTypeInference
from numba.core.types import Type

VECTORS = 2
LEVEL = 2  # of LLVM's optimization, unless NUMBA_OPT asks for less
# By name: a version of Numba without one of them leaves out the others.
NEEDLESS = {
    "AnnotateTypes", "DeadBranchPrune", "DumpParforDiagnostics", "FindLiterallyCalls", "GenericRewrites",
    "InlineClosureLikes", "InlineInlinables", "InlineOverloads", "LiteralPropagationSubPipelinePass", "LiteralUnroll",
    "MakeFunctionToJitFunction", "NoPythonSupportedFeatureValidation", "NopythonRewrites", "PreLowerStripPhis",
    "ReconstructSSA", "RewriteDynamicRaises", "RewriteSemanticConstants", "WithLifting",
}  # fmt: skip


class _Lower(Lower):
    def lower(self) -> None:
        self.library._optimize_functions = partial(_set_data_layout, self.library)
        self.library._optimize_final_module = partial(_optimize, self.library)
        super().lower()

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


@register_pass(mutates_CFG=True, analysis_only=False)
class _Inference(NopythonTypeInference):
    _name = "remembering_type_inference"

    def run_pass(self, state: Any) -> bool:
        with _memoization(state.typingctx):
            return bool(super().run_pass(state))


@contextmanager
def _memoization(context: Any) -> Iterator[None]:
    """What Numba is asked again about one function and the same types of arguments is answered from memory.

    The context is all compilers', of which Numba's lock lets one work at a time.
    """
    resolve, types = context.resolve_function_type, dict[Any, Any]()

    def answer(function: Any, args: tuple[Any, ...], keywords: Any) -> Any:
        if keywords or not isinstance(function, Type):
            return resolve(function, args, keywords)
        if (result := types.get((function, args))) is None:
            result = types[function, args] = resolve(function, args, keywords)
        return result

    context.resolve_function_type = answer
    try:
        yield
    finally:
        context.resolve_function_type = resolve


def _set_data_layout(library: Any, module: Any) -> None:
    """What is left of Numba's optimization of single functions: the module gets the machine's data layout."""
    module.data_layout = library.codegen._data_layout


def _optimize(library: Any) -> None:
    """Numba's optimization of the whole, at our level."""
    settings: Any = config
    before, settings.OPT = settings.OPT, min(settings.OPT, type(settings.OPT)(LEVEL))
    try:
        type(library)._optimize_final_module(library)
    finally:
        settings.OPT = before


OURS = {NopythonTypeInference: _Inference, NativeLowering: _Lowering}


class Pipeline(CompilerBase):
    """For ``numba.njit(pipeline_class=...)``."""

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (OURS.get(stage, stage), why) for stage, why in pipeline.passes if stage.__name__ not in NEEDLESS
        ]
        pipeline.finalize()
        return [pipeline]
