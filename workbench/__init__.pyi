# The public names, by the module that defines each. `workbench/__init__.py` reads this file: a name is loaded when
# it is first used. Everything else in the package is private. The reference with an example of each: docs/reference.md.

# what a theorem claims
from . import claims as claims
from . import drawing as drawing
from . import evidence as evidence
from . import instances as instances
from . import problems as problems
from . import theory as theory

# a method
from .arrays import ops as ops

# a problem
from .arrays.noise import Gaussian as Gaussian
from .arrays.noise import Skewed as Skewed
from .arrays.noise import Sphere as Sphere
from .arrays.noise import TwoRadius as TwoRadius
from .arrays.sets import Box as Box
from .arrays.sets import L1Ball as L1Ball
from .arrays.sets import L2Ball as L2Ball
from .arrays.sets import Simplex as Simplex
from .claims.batches import FULL as FULL
from .claims.batches import LONG as LONG
from .claims.batches import always as always
from .claims.batches import over as over
from .claims.batches import powers as powers
from .claims.batches import profile as profile
from .claims.claimed_exponents import Claimed as Claimed

# what is read of it, and claimed
from .claims.claims import Custom as Custom
from .claims.method import state as state
from .claims.method import steps as steps
from .claims.optimizers.comparison import same_iterates as same_iterates
from .claims.optimizers.method import method as method
from .claims.probes import Sampler as Sampler

# what is simulated
from .claims.records import Batch as Batch
from .claims.records import Mutation as Mutation
from .claims.scaling import Scaling as Scaling
from .claims.study import Study as Study
from .claims.views import as_recorded as as_recorded
from .claims.views import at_horizons as at_horizons
from .claims.views import calls_of as calls_of
from .claims.views import envelope as envelope
from .claims.views import increments as increments
from .claims.views import iterates as iterates
from .claims.views import window_means as window_means
from .engine.choice import simulate as simulate
from .engine.records import Grid as Grid
from .engine.records import Problem as Problem
from .engine.records import Result as Result
from .engine.records import Run as Run
from .problems import samples as samples
from .problems import softmax as softmax

# what is drawn
from .report.drawing.figure import Figure as Figure

# a verdict on curves from anywhere
from .report.judging.judgement import assert_rate as assert_rate
from .report.judging.judgement import judge as judge
from .theory import vocabulary as vocabulary
from .theory.record import Assumption as Assumption
from .theory.record import Case as Case
from .theory.record import Condition as Condition
from .theory.record import Erratum as Erratum
from .theory.record import Form as Form
from .theory.record import Law as Law
from .theory.record import Paper as Paper
from .theory.record import Statement as Statement
from .theory.record import Theorem as Theorem

__all__: list[str]
