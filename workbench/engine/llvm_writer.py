"""Writes LLVM's text of one function: values, loops, memory. Each value is computed once, and as far outside as it can.

A `Value` is one number that all lanes share, or one vector of lanes per part. An operation on numbers is scalar; where
a number meets vectors it is spread over the lanes. A *scope* is the body of a loop or of a condition. An operation
without side effects is written into the outermost scope that has all its arguments, and only once there: so the text
has no common subexpressions and no loop invariants, and LLVM need not look for them. What is under a condition stays
there, since it may be needed rarely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from workbench.engine.graph import BOOL, FLOAT, INT

POINTER = "p"
TYPES = {FLOAT: "double", INT: "i64", BOOL: "i1", POINTER: "ptr"}
SUFFIXES = {FLOAT: "f64", INT: "i64"}


@dataclass(frozen=True)
class Value:
    """names: a register or a constant for each part. lanes: entries of each. depth: number of the scope it is from."""

    names: tuple[str, ...]
    dtype: str
    lanes: int = 1
    depth: int = 0

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def number(self) -> int | None:
        """The integer that this is, if it is known."""
        if self.lanes > 1 or self.dtype != INT or self.name.startswith("%"):
            return None
        return int(self.name)


@dataclass
class _Scope:
    """lines: text, and lists of text that are still growing; the last of them is ``tail``."""

    floor: int  # operations inside stay in this scope or deeper
    lines: list[Any] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    values: dict[tuple[Any, ...], Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines.append(self.tail)


def integer(number: int) -> Value:
    return Value((str(number),), INT)


def vector(dtype: str, lanes: int) -> str:
    """The type of ``lanes`` numbers."""
    return TYPES[dtype] if lanes == 1 else f"<{lanes} x {TYPES[dtype]}>"


class Writer:
    """contract: may LLVM fuse a * b + c?"""

    def __init__(self, contract: bool = False) -> None:
        self.flags = "contract " if contract else ""
        self.declarations: dict[str, None] = {}
        self._rooms: list[str] = []
        self._scopes = [_Scope(0)]
        self._count = 0
        self._label = "entry"

    def text(self) -> list[str]:
        """The lines of the body, without its end."""
        return ["entry:", *self._rooms, *_flat(self._scopes[0].lines)]

    @property
    def depth(self) -> int:
        return len(self._scopes) - 1

    # ------------------------------------------------------------------------------------------- values
    def spread(self, value: Value, lanes: int, parts: int) -> Value:
        """The value in every lane of every part."""
        if value.lanes == lanes:
            return (
                value
                if len(value.names) == parts
                else Value(value.names * parts, value.dtype, lanes, value.depth)
            )
        if not value.name.startswith("%"):
            names = (f"splat ({TYPES[value.dtype]} {value.name})",) * parts
            return Value(names, value.dtype, lanes)
        kind = vector(value.dtype, lanes)
        first = self.pure(
            f"insertelement {kind} poison, {TYPES[value.dtype]} {{0}}, i64 0", value.dtype, value
        )
        form = f"shufflevector {kind} {{0}}, {kind} poison, <{lanes} x i32> zeroinitializer"
        one = self.pure(form, value.dtype, first)
        return Value(one.names * parts, value.dtype, lanes, one.depth)

    def pure(self, form: str, dtype: str, *args: Value, under: int = 0) -> Value:
        """The outcome of an instruction without side effects.

        form: its text, with {0}, {1} ... for the arguments, {f}, {i}, {b}, {p} for the types of the lanes, and
        {of} for the lanes in an intrinsic's name. under: the depth of what else the form names.
        """
        lanes = max((a.lanes for a in args), default=1)
        parts = max((len(a.names) for a in args if a.lanes == lanes), default=1)
        args = tuple(self.spread(a, lanes, parts) for a in args)
        home = max([self._scopes[-1].floor, under, *(a.depth for a in args)])
        scope, key = self._scopes[home], (form, *(a.names for a in args))
        if key not in scope.values:
            types = {kind: vector(kind, lanes) for kind in TYPES}
            of = "" if lanes == 1 else f"v{lanes}"
            names = []
            for part in range(parts):
                names.append(self._register())
                text = form.format(*(a.names[part] for a in args), **types, of=of)
                scope.tail.append(f"{names[-1]} = {text}")
            scope.values[key] = Value(tuple(names), dtype, lanes, home)
        return scope.values[key]

    def arithmetic(self, op: str, a: Value, b: Value) -> Value:
        return self.pure(f"{op} {self.flags}{{f}} {{0}}, {{1}}", FLOAT, a, b)

    def intrinsic(self, name: str, dtype: str, *args: Value) -> Value:
        """An intrinsic on floats."""
        lanes = max(a.lanes for a in args)
        of = ("" if lanes == 1 else f"v{lanes}") + "f64"
        kind = vector(FLOAT, lanes)
        self.declarations[f"declare {kind} @llvm.{name}.{of}({', '.join([kind] * len(args))})"] = None
        words = ", ".join(f"{{f}} {{{n}}}" for n in range(len(args)))
        return self.pure(f"call {self.flags}{{f}} @llvm.{name}.{{of}}f64({words})", dtype, *args)

    def add(self, a: Value, b: Value) -> Value:
        """The sum of two indices."""
        if a.number is not None and b.number is not None:
            return integer(a.number + b.number)
        if b.number == 0:
            return a
        return b if a.number == 0 else self.pure("add {i} {0}, {1}", INT, a, b)

    def times(self, a: Value, n: int) -> Value:
        """An index n times."""
        if a.number is not None:
            return integer(a.number * n)
        return a if n == 1 else self.pure("mul {i} {0}, {1}", INT, a, integer(n))

    # ------------------------------------------------------------------------------------------- memory
    def room(self, kind: str, count: int = 1) -> Value:
        """A pointer to memory for ``count`` things of a type, on the stack."""
        name = self._register()
        self._rooms.append(f"{name} = alloca {kind if count == 1 else f'[{count} x {kind}]'}, align 64")
        return Value((name,), POINTER)

    def at(self, base: Value, index: Value, kind: str) -> Value:
        """Pointers to things of a type, counted from ``base``."""
        if index.number == 0:
            return base
        if index.lanes > 1:
            form = f"getelementptr {kind}, ptr {base.name}, {{i}} {{0}}"
            return self.pure(form, POINTER, index, under=base.depth)
        return self.pure(f"getelementptr {kind}, ptr {{0}}, i64 {{1}}", POINTER, base, index)

    def load(self, place: Value, dtype: str, lanes: int, align: int = 8) -> Value:
        """A vector from each pointer; memory may change, so that it is read here."""
        names = []
        for pointer in place.names:
            names.append(self._register())
            self.effect(f"{names[-1]} = load {vector(dtype, lanes)}, ptr {pointer}, align {align}")
        return Value(tuple(names), dtype, lanes, self.depth)

    def constant(self, place: Value, dtype: str) -> Value:
        """A number that nobody changes."""
        return self.pure(f"load {TYPES[dtype]}, ptr {{0}}, align 8", dtype, place)

    def store(self, place: Value, value: Value, lanes: int, align: int = 8) -> None:
        value = self.spread(value, lanes, len(place.names))
        for pointer, name in zip(place.names, value.names, strict=True):
            self.effect(f"store {vector(value.dtype, lanes)} {name}, ptr {pointer}, align {align}")

    def gather(self, place: Value, dtype: str) -> Value:
        """The number at every lane's own pointer."""
        kind, of = vector(dtype, place.lanes), f"v{place.lanes}{SUFFIXES[dtype]}"
        pointers, mask = vector(POINTER, place.lanes), vector(BOOL, place.lanes)
        name = f"@llvm.masked.gather.{of}.v{place.lanes}p0"
        self.declarations[f"declare {kind} {name}({pointers}, i32, {mask}, {kind})"] = None
        names = []
        for pointer in place.names:
            names.append(self._register())
            always = f"{mask} splat (i1 true), {kind} poison"
            self.effect(f"{names[-1]} = call {kind} {name}({pointers} {pointer}, i32 8, {always})")
        return Value(tuple(names), dtype, place.lanes, self.depth)

    def scatter(self, place: Value, value: Value, condition: Value) -> None:
        """Stores a number at every lane's own pointer, where the condition holds."""
        lanes, parts = place.lanes, len(place.names)
        value, condition = self.spread(value, lanes, parts), self.spread(condition, lanes, parts)
        kind, of = vector(value.dtype, lanes), f"v{lanes}{SUFFIXES[value.dtype]}"
        pointers, mask = vector(POINTER, lanes), vector(BOOL, lanes)
        name = f"@llvm.masked.scatter.{of}.v{lanes}p0"
        self.declarations[f"declare void {name}({kind}, {pointers}, i32, {mask})"] = None
        for pointer, number, holds in zip(place.names, value.names, condition.names, strict=True):
            self.effect(f"call void {name}({kind} {number}, {pointers} {pointer}, i32 8, {mask} {holds})")

    # -------------------------------------------------------------------------------------------- control
    @contextmanager
    def loop(self, first: Value, end: Value, step: int = 1, hint: str = "") -> Iterator[Value]:
        """``for n in range(first, end, step)``; hint: metadata of the loop."""
        number = self._number()
        if first.number is not None and end.number is not None:
            assert first.number < end.number, "a loop that makes no iteration"
            enter = f"br label %loop{number}"
        else:
            goes = self.pure("icmp slt i64 {0}, {1}", BOOL, first, end)
            enter = f"br i1 {goes.name}, label %loop{number}, label %end{number}"
        before = self._label
        with self._scope(enter, f"loop{number}") as scope:
            phi, after = f"%n{number}", f"%m{number}"
            start: list[str] = [""]
            scope.lines.insert(1, start)
            yield Value((phi,), INT, 1, self.depth)
            self.effect(f"{after} = add nsw i64 {phi}, {step}")
            self.effect(f"%c{number} = icmp slt i64 {after}, {end.name}")
            self.effect(f"br i1 %c{number}, label %loop{number}, label %end{number}{hint}")
            start[0] = f"{phi} = phi i64 [ {first.name}, %{before} ], [ {after}, %{self._label} ]"
        self._begin(f"end{number}")

    @contextmanager
    def going(self, limit: Value | None) -> Iterator[tuple[Value, Any]]:
        """A loop that ends after ``limit`` iterations, if not before: (its counter, how to go on only if ...)."""
        number, before = self._number(), self._label
        with self._scope(f"br label %loop{number}", f"loop{number}", pin=True) as scope:
            phi, after = f"%n{number}", f"%m{number}"
            start: list[str] = [""]
            scope.lines.insert(1, start)
            counter = Value((phi,), INT, 1, self.depth)

            def only_if(condition: Value) -> None:
                inside = f"on{self._number()}"
                self.effect(f"br i1 {condition.name}, label %{inside}, label %end{number}")
                self._begin(inside)

            if limit is not None:
                only_if(self.pure("icmp slt i64 {0}, {1}", BOOL, counter, limit))
            yield counter, only_if
            self.effect(f"{after} = add nsw i64 {phi}, 1")
            self.effect(f"br label %loop{number}")
            start[0] = f"{phi} = phi i64 [ 0, %{before} ], [ {after}, %{self._label} ]"
        self._begin(f"end{number}")

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        number = self._number()
        enter = f"br i1 {condition.name}, label %then{number}, label %end{number}"
        with self._scope(enter, f"then{number}", pin=True):
            yield
            self.effect(f"br label %end{number}")
        self._begin(f"end{number}")

    def either(self, condition: Value, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        """One of two numbers, of which only that one is computed."""
        number, ends = self._number(), []
        self.effect(f"br i1 {condition.name}, label %yes{number}, label %no{number}")
        for label, make in (("yes", yes), ("no", no)):
            with self._scope("", f"{label}{number}", pin=True):
                value = make()
                self.effect(f"br label %end{number}")
            ends.append((value, self._label))
        self._begin(f"end{number}")
        phi = self._register()
        cases = ", ".join(f"[ {value.name}, %{label} ]" for value, label in ends)
        self.effect(f"{phi} = phi double {cases}")
        return Value((phi,), FLOAT, 1, self.depth)

    def effect(self, line: str) -> None:
        """A line that belongs here."""
        self._scopes[-1].tail.append(line)

    @contextmanager
    def _scope(self, enter: str, label: str, pin: bool = False) -> Iterator[_Scope]:
        """The lines from a branch to ``label`` on; what is invariant is written before the branch."""
        outer = self._scopes[-1]
        scope = _Scope(len(self._scopes) if pin else outer.floor)
        scope.lines.insert(0, [enter, f"{label}:"] if enter else [f"{label}:"])
        outer.lines.append(scope.lines)
        self._scopes.append(scope)
        self._label = label
        yield scope
        self._scopes.pop()
        outer.tail = []
        outer.lines.append(outer.tail)

    def _begin(self, label: str) -> None:
        self._label = label
        self.effect(f"{label}:")

    def _number(self) -> int:
        self._count += 1
        return self._count

    def _register(self) -> str:
        return f"%v{self._number()}"


def _flat(lines: list[Any]) -> Iterator[str]:
    for line in lines:
        if isinstance(line, str):
            yield line
        else:
            yield from _flat(line)
