# The public names, by the module that defines each (see `workbench.homes.on_demand`).
from . import asymptotics as asymptotics
from . import vocabulary as vocabulary
from .asymptotics import exponent as exponent
from .extrema import Max as Max
from .extrema import Min as Min
from .indicator import IsPositive as IsPositive
from .indicator import IsZero as IsZero
from .indicator import ratio as ratio
from .record import Assumption as Assumption
from .record import Case as Case
from .record import Condition as Condition
from .record import Definition as Definition
from .record import Erratum as Erratum
from .record import Form as Form
from .record import Law as Law
from .record import Paper as Paper
from .record import Schedule as Schedule
from .record import Statement as Statement
from .record import Theorem as Theorem
from .record import expansion as expansion
from .special import Gamma as Gamma
from .special import PowerSum as PowerSum

__all__: list[str]
