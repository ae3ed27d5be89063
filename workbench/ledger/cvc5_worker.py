"""A process that reads lines ["<SMT-LIB text>", seconds, options] and writes cvc5's answer: sat, unsat or unknown.

It ends by itself where cvc5 does not keep its limit, so that no question outlives the process that asked it.
"""

import json
import signal
import sys

import cvc5


def answer(text: str, seconds: float, options: dict[str, str]) -> str:
    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in options.items():
        solver.setOption(name, value)
    solver.setOption("tlimit-per", str(max(1, int(1000 * seconds))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "statement")
    symbols, result = parser.getSymbolManager(), "unknown"
    try:
        while not (command := parser.nextCommand()).isNull():
            result = command.invoke(solver, symbols).strip() or result
    except RuntimeError:
        return "unknown"
    return result if result in ("sat", "unsat") else "unknown"


def main() -> None:
    for line in sys.stdin:
        text, seconds, options = json.loads(line)
        end_in(2 * seconds + 5)
        print(answer(text, seconds, options), flush=True)
        end_in(0)


def end_in(seconds: float) -> None:
    """Ends this process by a signal that it has no handler for; 0: no longer. Nothing on Windows."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
