# What a problem of one's own is written with, by the module that defines each (see `workbench.homes.on_demand`).
from .arrays import backends as backends
from .arrays.data_matrix import Csr as Csr
from .arrays.data_matrix import csr as csr
from .arrays.data_matrix import largest_square as largest_square
from .arrays.data_matrix import sampled_rows as sampled_rows
from .arrays.data_matrix import times as times
from .arrays.data_matrix import transposed_times as transposed_times
from .arrays.noise import Pareto as Pareto
from .arrays.noise import Student as Student
from .arrays.random import Draws as Draws
from .arrays.sets import Box as Box
from .arrays.sets import Copies as Copies
from .arrays.sets import L1Ball as L1Ball
from .arrays.sets import L2Ball as L2Ball
from .arrays.sets import Product as Product
from .arrays.sets import Simplex as Simplex
from .arrays.sets import cut_lmo as cut_lmo
from .problems import downloads as downloads
from .problems import real as real
from .problems.datasets import Part as Part
from .problems.datasets import binary as binary
from .problems.datasets import digits_in_three as digits_in_three
from .problems.output import output as output
from .problems.rows import HalfSquaredNorm as HalfSquaredNorm
from .problems.rows import Rows as Rows
from .problems.rows import logistic_minimizer as logistic_minimizer
from .problems.vector_bilevel import D_X as D_X
from .problems.vector_bilevel import D_Y as D_Y

__all__: list[str]
