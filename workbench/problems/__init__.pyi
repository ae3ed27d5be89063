# The problems that are ready for use, by the module that defines each (see `workbench.homes.on_demand`).
from .constrained import BallQuadratic as BallQuadratic
from .constrained import SimplexQuadratic as SimplexQuadratic
from .finite_sum import LeastSquares as LeastSquares
from .finite_sum import Logistic as Logistic
from .finite_sum import QuadraticSum as QuadraticSum
from .online import DriftingQuadratic as DriftingQuadratic
from .saddle import BilinearSaddle as BilinearSaddle
from .saddle import CosineSaddle as CosineSaddle
from .saddle import LogarithmSaddle as LogarithmSaddle
from .saddle import QuadraticSaddle as QuadraticSaddle
from .saddle import StrongSaddle as StrongSaddle
from .scalar_bilevel import ScalarBilevel as ScalarBilevel
from .single_level import Cosh as Cosh
from .single_level import DiagonalQuadratic as DiagonalQuadratic
from .single_level import Huber as Huber
from .single_level import Logarithm as Logarithm
from .single_level import PseudoHuber as PseudoHuber
from .single_level import Quadratic as Quadratic
from .vector_bilevel import VectorBilevel as VectorBilevel

__all__: list[str]
