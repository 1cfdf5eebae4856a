# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The typed tree of a random kernel. The generator builds it, cuda_text.py prints it as CUDA C++, interpreter.py runs it.

Types: 'u' is unsigned (32 bits), 'l' is unsigned long long, 'f' is float. A node holds only what both readers need, so a
change in meaning has to be made in both of them, by hand, from the documentation: that is the point of the test.
"""
from __future__ import annotations

from dataclasses import dataclass, field

FULL = 0xFFFFFFFF


@dataclass(slots=True, eq=False)
class Expr:
    op: str
    type: str
    args: tuple["Expr", ...] = ()
    name: str = ""
    value: int = 0


@dataclass(slots=True, eq=False)
class Stmt:
    """kind says which of the fields are used; see CudaText.statement, which lists all kinds."""

    kind: str
    name: str = ""
    op: str = ""
    args: tuple[Expr, ...] = ()
    body: list["Stmt"] = field(default_factory=list)
    other: list["Stmt"] = field(default_factory=list)
    value: int = 0


@dataclass(slots=True, eq=False)
class Function:
    name: str
    body: list[Stmt]
    result: Expr
    locals: dict[str, str]
    no_inline: bool = False
    meets: bool = False


@dataclass(slots=True, eq=False)
class Kernel:
    name: str
    body: list[Stmt]
    locals: dict[str, str]
    functions: list[Function]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: bool
    only32: bool
    lockstep: bool  # has a meaning only where the lanes of a warp run together
    outputs: int

    def runs(self, width: int, lockstep: bool) -> bool:
        return (width == 32 or not self.only32) and (lockstep or not self.lockstep)

    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    def blocks(self) -> int:
        return self.grid[0] * self.grid[1] * self.grid[2]

    def words(self) -> int:
        """Words of output: `outputs` for each thread, then the accumulators."""
        return self.threads() * self.blocks() * self.outputs + ACCUMULATORS


INPUTS = 256  # words of input that all kernels share
ACCUMULATORS = 16  # words per grid, and per block in shared memory
OPERATORS = ("add", "min", "max", "or", "xor", "and", "add", "max")  # of accumulator i: OPERATORS[i % 8]
ARRAY = 8  # words of a thread's local array


def input_words() -> list[int]:
    state, words = 12345, []
    for _ in range(INPUTS):
        state = (state * 1664525 + 1013904223) & FULL
        words.append(state ^ (state >> 15))
    return words


def const(value: int) -> Expr:
    return Expr("const", "u", value=value)


def var(name: str, type: str = "u") -> Expr:
    return Expr("var", type, name=name)


def binary(op: str, left: Expr, right: Expr) -> Expr:
    return Expr(op, left.type, (left, right))
