# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random kernels whose result the documentation defines.

Where a statement stands decides what it may be. At level 'block' every thread of the block that has not exited takes
part: barriers are allowed. At 'warp' every lane of the warp does: masks of all ones are allowed. At 'lane' threads have
diverged; warp functions need a mask that names exactly the lanes that are there: one made by a ballot before the branch
(only at 32 lanes, where it holds all of them), or an active mask taken in the very statement before.

Some kernels are for devices whose lanes run in lockstep. There an active mask is defined wherever lanes are, and what a
lane stores through a volatile pointer the other lanes of its warp can read in the next statement.
"""
from __future__ import annotations

import random
from dataclasses import dataclass, replace

from program_tree import FULL, OPERATORS, Expr, Function, Kernel, Stmt, binary, const, var

LEVELS = ("lane", "warp", "block")
SHAPES = ((32, 1, 1), (64, 1, 1), (128, 1, 1), (192, 1, 1), (40, 1, 1), (1, 1, 1), (100, 1, 1), (7, 5, 1), (8, 8, 2),
          (3, 3, 5), (16, 6, 1), (33, 2, 1), (5, 1, 13), (4, 4, 4), (96, 1, 1), (31, 1, 1), (1, 70, 1), (2, 3, 11))
GRIDS = ((1, 1, 1), (2, 1, 1), (1, 2, 1), (3, 1, 1), (1, 1, 2), (2, 2, 1))
OWN_ATOMICS = ("atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor",
               "atomicInc", "atomicDec", "atomicCAS")


@dataclass(frozen=True)
class Place:
    level: str
    mask: Expr | None  # names the lanes that are here; None: no such mask is known
    depth: int = 0
    in_loop: bool = False  # a loop that diverges anyway: break and continue are allowed
    looped: bool = False  # in any loop
    steady: bool = True  # lanes that come here come together: an active mask is defined
    in_step: bool = False  # a loop whose rounds an active mask relies on: no continue
    function: bool = False

    def inside(self, **changes) -> "Place":
        """A branch of this place: lanes that skip it in a loop may be rounds ahead."""
        changes = {"depth": self.depth + 1, "steady": self.steady and not self.looped} | changes
        return replace(self, **changes)


class Generator:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.only32 = self.random.random() < 0.4
        self.lockstep = self.random.random() < 0.2
        self.meets = self.random.random() < 0.8  # else a kernel without meetings: tier T0
        self.shared = self.meets and self.random.random() < 0.7
        self.names = 0
        self.locals: dict[str, str] = {}  # of the kernel or function at hand
        self.fixed: set[str] = set()  # locals that only their own statement may assign to
        self.readable: list[str] = []  # loop counters in scope
        self.functions: list[Function] = []
        self.outputs = self.random.randint(2, 5)

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    # Expressions

    def variables(self, kind: str) -> list[str]:
        return [name for name, own in self.locals.items() if own == kind]

    def u(self, depth: int = 2) -> Expr:
        if depth <= 0 or self.chance(0.15):
            return self.leaf()
        d = depth - 1
        match self.random.randrange(14):
            case 0 | 1 | 2 | 3:
                return binary(self.pick("add", "sub", "mul", "xor", "and", "or"), self.u(d), self.u(d))
            case 4:
                return binary(self.pick("shl", "shr", "sar"), self.u(d), self.u(d))
            case 5:
                return binary(self.pick("div", "rem"), self.u(d), self.u(d))
            case 6:
                return binary(self.pick("umin", "umax"), self.u(d), self.u(d))
            case 7:
                return Expr("select", "u", (self.condition(d), self.u(d), self.u(d)))
            case 8:
                return Expr(self.pick("popc", "clz", "ffs"), "u", (self.u(d),))
            case 9:
                return Expr(self.pick("low", "high", "popcll"), "u", (self.l(d),))
            case 10:
                return Expr("bits", "u", (self.f(d),))
            case 11:
                return Expr("array", "u", (self.u(d),))
            case 12:
                return Expr("input", "u", (self.u(d),))
            case _:
                return self.condition(d)

    def leaf(self) -> Expr:
        names = self.variables("u") + self.readable + ["t", "lane", "b"] * 2
        if self.in_function:
            names = self.variables("u") + self.readable + ["x", "y"]
        if self.chance(0.3):
            return const(self.pick(0, 1, 2, 3, 5, 7, 16, 31, 32, 33, 63, 64, 255, 0x7FFFFFFF, 0x80000000, FULL,
                                   self.random.getrandbits(32)))
        return var(self.random.choice(names))

    def l(self, depth: int) -> Expr:
        names = self.variables("l")
        if depth <= 0 or self.chance(0.2):
            return var(self.random.choice(names), "l") if names else Expr("wide", "l", (self.leaf(), self.leaf()))
        if self.chance(0.3):
            return Expr("wide", "l", (self.u(depth - 1), self.u(depth - 1)))
        return binary(self.pick("add", "sub", "mul", "xor", "and", "or", "shl", "shr"), self.l(depth - 1),
                      self.l(depth - 1))

    def f(self, depth: int) -> Expr:
        names = self.variables("f")
        if depth <= 0 or self.chance(0.2):
            return var(self.random.choice(names), "f") if names else Expr("tofloat", "f", (self.leaf(),))
        if self.chance(0.3):
            return Expr(self.pick("tofloat", "sfloat"), "f", (self.u(depth - 1),))
        if self.chance(0.1):
            return Expr("fselect", "f", (self.condition(depth - 1), self.f(depth - 1), self.f(depth - 1)))
        return binary(self.pick("add", "sub", "mul"), self.f(depth - 1), self.f(depth - 1))

    def condition(self, depth: int) -> Expr:
        kind = self.random.randrange(6)
        if kind == 5 and depth > 0:
            return Expr(self.pick("both", "either"), "u", (self.condition(depth - 1), self.condition(depth - 1)))
        if kind == 0:
            return Expr(self.pick("lt", "le", "eq"), "u", (self.f(depth), self.f(depth)))
        if kind == 1:
            return Expr(self.pick("lt", "ne"), "u", (self.l(depth), self.l(depth)))
        if kind == 2:
            return binary("eq", binary("and", self.u(depth), const(self.pick(1, 2, 3, 4))), const(0))
        return Expr(self.pick("lt", "le", "ne", "slt"), "u", (self.u(depth), self.u(depth)))

    def any_type(self, kind: str, depth: int) -> Expr:
        return {"u": self.u, "l": self.l, "f": self.f}[kind](depth)

    def target(self, kind: str = "u") -> str:
        return self.random.choice([name for name in self.variables(kind) if name not in self.fixed])

    def own(self, prefix: str) -> str:
        """A new local that no other statement assigns to."""
        name = self.fresh(prefix)
        self.locals[name] = "u"
        self.fixed.add(name)
        return name

    # Statements

    def body(self, place: Place, size: int) -> list[Stmt]:
        made: list[Stmt] = []
        for _ in range(size):
            for s in self.statement(place):
                made.append(s)
                if s.name in self.locals:
                    made.append(self.remember(s.name))
        return made

    def remember(self, name: str) -> Stmt:
        """Folds a variable into the thread's hash, so that no wrong value is overwritten unseen."""
        kind = self.locals[name]
        word = {"u": lambda: var(name), "f": lambda: Expr("bits", "u", (var(name, "f"),)),
                "l": lambda: binary("xor", Expr("low", "u", (var(name, "l"),)), Expr("high", "u", (var(name, "l"),)))}[kind]()
        return Stmt("set", "hash", args=(binary("add", binary("mul", var("hash"), const(31)), word),))

    def statement(self, place: Place) -> list[Stmt]:
        choices = [(self.assignment, 6), (self.store, 2)]
        if not place.function:
            choices += [(self.own_atomic, 1), (self.accumulate, 1)]
        if place.depth < 3:
            choices += [(self.branch, 3), (self.for_loop, 2), (self.switch, 1)]
        if self.functions:
            choices.append((self.call, 1))
        if place.in_loop:
            choices.append((self.leave, 2))
        if self.meets:
            if place.mask is not None:
                choices.append((self.warp_function, 5))
                if place.depth < 2 and self.only32:
                    choices += [(self.voted_branch, 2), (self.rounds, 1)]
            elif (place.steady or self.lockstep) and not place.function:
                choices.append((self.active_function, 3))
            if place.level != "lane" and place.depth < 2:
                choices.append((self.uniform_branch, 2))
            if place.level != "lane" and not place.function:
                choices.append((self.halves, 2))
            if self.shared and not place.function:
                if place.level == "block":
                    choices += [(self.exchange, 2), (self.block_vote, 2), (self.shared_sum, 1), (self.spin_barrier, 1)]
                if place.level != "lane":
                    choices.append((self.warp_exchange, 1))
                    if self.lockstep:
                        choices.append((self.volatile_exchange, 3))
        makers, weights = zip(*choices)
        return self.random.choices(makers, weights)[0](place)

    def assignment(self, place: Place) -> list[Stmt]:
        if self.chance(0.15):
            return [Stmt("array", args=(self.u(1), self.u(2)))]
        kind = self.random.choices("ulf", (5, 2, 2))[0]
        return [Stmt("set", self.target(kind), args=(self.any_type(kind, 3),))]

    def store(self, place: Place) -> list[Stmt]:
        if place.function:
            return self.assignment(place)
        return [Stmt("out", value=self.random.randrange(self.outputs), args=(self.u(2),))]

    def own_atomic(self, place: Place) -> list[Stmt]:
        op = self.random.choice(OWN_ATOMICS)
        a = tuple(self.u(1) for _ in range(2 if op == "atomicCAS" else 1))
        return [Stmt("own", self.target(), op, a, value=self.random.randrange(self.outputs))]

    def accumulate(self, place: Place) -> list[Stmt]:
        return [Stmt("accumulate", op="acc", args=(self.u(2),), value=self.random.randrange(16))]

    def branch(self, place: Place) -> list[Stmt]:
        inner = place.inside(level="lane", mask=None)
        other = self.body(inner, self.random.randint(1, 3)) if self.chance(0.5) else []
        body = self.body(inner, self.random.randint(1, 3))
        if not place.function and self.chance(0.12):
            body.append(Stmt("return"))
        elif place.function and self.chance(0.2) and place.level == "lane" and not self.meeting:
            body.append(Stmt("result", args=(self.u(1),)))
        return [Stmt("if", args=(self.condition(2),), body=body, other=other)]

    def switch(self, place: Place) -> list[Stmt]:
        inner = place.inside(level="lane", mask=None, in_loop=False, steady=False)
        cases = [Stmt("case", self.pick("", "", "falls"), body=self.body(inner, self.random.randint(0, 2)))
                 for _ in range(self.random.randint(2, 4))]
        return [Stmt("switch", args=(self.u(2),), body=cases, value=len(cases) + self.random.randint(0, 1))]

    def uniform_branch(self, place: Place) -> list[Stmt]:
        """A branch that all lanes of a warp, or all threads of a block, take together."""
        before: list[Stmt] = []
        if place.level == "block" and self.chance(0.5):
            condition, level = binary("and", var("b"), const(1)), "block"
        elif not place.function and self.chance(0.4):
            condition, level = binary("eq", binary("and", var("q"), const(1)), const(self.pick(0, 1))), "warp"
        else:
            name = self.own("v")
            before = [Stmt("warp", name, self.pick("any", "all"), (const(FULL), self.condition(1)))]
            condition, level = var(name), "warp"
        inner = place.inside(level=level, in_loop=False, steady=place.steady)
        body = self.body(inner, self.random.randint(1, 3))
        other = self.body(inner, self.random.randint(1, 2)) if self.chance(0.5) else []
        return [*before, Stmt("if", args=(condition,), body=body, other=other)]

    def for_loop(self, place: Place) -> list[Stmt]:
        name = self.fresh("i")
        uniform = place.mask is not None and self.chance(0.6)
        inner = place.inside(in_loop=not uniform, looped=True, in_step=place.steady and not place.looped)
        if not uniform:
            inner = replace(inner, level="lane", mask=None)
        count = const(self.random.randint(1, 3)) if uniform else self.u(2)
        self.readable.append(name)
        body = self.body(inner, self.random.randint(1, 3))
        self.readable.remove(name)
        return [Stmt("for", name, args=(count,), body=body, value=self.random.randint(2, 4))]

    def leave(self, place: Place) -> list[Stmt]:
        return [Stmt("if", args=(self.condition(1),), body=[Stmt("break" if place.in_step else self.pick("break", "continue"))])]

    def call(self, place: Place) -> list[Stmt]:
        plain = [f for f in self.functions if not f.meets]
        allowed = self.functions if place.level != "lane" else plain
        if len(plain) > 1 and self.chance(0.3):
            first, second = self.random.sample(plain, 2)
            return [Stmt("callpointer", self.target(), f"{first.name} {second.name}", (self.u(1), self.u(1), self.u(1)))]
        if not allowed:
            return self.assignment(place)
        return [Stmt("call", self.target(), self.random.choice(allowed).name, (self.u(2), self.u(1)))]

    # Warp functions

    def warp_call(self, mask: Expr) -> Stmt:
        kind = self.random.choices(("shfl", "vote", "match", "reduce", "sync"), (5, 4, 2, 2, 1))[0]
        if kind == "shfl":
            type = self.random.choices("ulf", (4, 2, 2))[0]
            form = self.pick("idx", "up", "down", "xor")
            width = self.pick(0, 0, 2, 4, 8, 16, 32)
            operand = self.u(2) if form == "idx" and self.chance(0.5) else const(self.pick(0, 1, 2, 3, 4, 8, 15, 16, 31))
            return Stmt("warp", self.target(type), f"shfl:{form}:{width}:{type}",
                        (mask, self.any_type(type, 2), operand))
        if kind == "vote":
            return Stmt("warp", self.target(), self.pick("ballot", "all", "any"), (mask, self.condition(2)))
        if kind == "match":
            return Stmt("warp", self.target(), self.pick("matchany", "matchall"),
                        (mask, binary("and", self.u(2), const(self.pick(0, 1, 3)))))
        if kind == "reduce":
            form = self.pick("add", "min", "max", "and", "or", "xor")
            sign = "s" if form in ("add", "min", "max") and self.chance(0.5) else "u"
            return Stmt("warp", self.target(), f"reduce:{form}:{sign}", (mask, self.u(2)))
        return Stmt("warp", op="sync", args=(mask,))

    def warp_function(self, place: Place) -> list[Stmt]:
        if self.chance(0.1) and (place.steady or self.lockstep) and not place.function:
            return [Stmt("warp", self.target(), "active", (const(0),))]
        return [self.warp_call(place.mask)]

    def active_function(self, place: Place) -> list[Stmt]:
        name = self.own("m")
        call = self.warp_call(var(name))
        while call.op.startswith(("reduce", "match")) and not self.only32:
            call = self.warp_call(var(name))
        return [Stmt("warp", name, "active", (const(0),)), call]

    def halves(self, place: Place) -> list[Stmt]:
        """Sixteen lanes of a warp, named by constants."""
        call = self.warp_call(Expr("select", "u", (binary("and", var("lane"), const(16)), const(0xFFFF0000),
                                                   const(0xFFFF))))
        if call.op.startswith("shfl"):
            call.op = ":".join([*call.op.split(":")[:2], "16", call.op.split(":")[3]])
        if call.op.startswith(("reduce", "match")) and not self.only32:
            return self.assignment(place)
        return [Stmt("warp", op="sync", args=(const(FULL),)), call]

    def voted_branch(self, place: Place) -> list[Stmt]:
        """A ballot whose lanes go on together, knowing each other."""
        name, condition = self.own("g"), self.own("v")
        ballot = [Stmt("set", condition, args=(self.condition(2),)),
                  Stmt("warp", name, "ballot", (place.mask, var(condition)))]
        inner = place.inside(level="lane", mask=var(name), in_loop=False)
        body = self.body(inner, self.random.randint(1, 4))
        return [*ballot, Stmt("if", args=(var(condition),), body=body)]

    def rounds(self, place: Place) -> list[Stmt]:
        name = self.fresh("r")
        inner = place.inside(level="lane", mask=var(name + "m"), in_loop=False, looped=True, steady=False)
        body = self.body(inner, self.random.randint(1, 3))
        return [Stmt("rounds", name, args=(self.u(2), place.mask), body=body, value=self.random.randint(2, 4))]

    # Shared memory

    def exchange(self, place: Place) -> list[Stmt]:
        return [Stmt("exchange", self.target(), args=(self.u(2), self.u(2)))]

    def warp_exchange(self, place: Place) -> list[Stmt]:
        return [Stmt("warpexchange", self.target(), args=(self.u(2), self.u(2)))]

    def volatile_exchange(self, place: Place) -> list[Stmt]:
        return [Stmt("volatileexchange", self.target(), args=(self.u(2), self.u(2)))]

    def spin_barrier(self, place: Place) -> list[Stmt]:
        return [Stmt("spinbarrier", self.target(), args=(self.u(2), self.u(2)))]

    def block_vote(self, place: Place) -> list[Stmt]:
        if self.chance(0.2):
            return [Stmt("barrier")]
        return [Stmt("blockvote", self.target(), self.pick("count", "and", "or"), (self.condition(2),))]

    def shared_sum(self, place: Place) -> list[Stmt]:
        index = self.random.randrange(16)
        add = Stmt("accumulate", op="sacc", args=(self.u(2),), value=index)
        if self.chance(0.5):
            add = Stmt("if", args=(self.condition(2),), body=[add])
        return [add, Stmt("sharedsum", self.target(), value=index)]

    # Functions and kernels

    def scope(self, in_function: bool) -> None:
        self.in_function = in_function
        self.fixed = {"hash"}
        self.readable = []
        prefix = "e" if in_function else "a"
        self.locals = {f"{prefix}{kind}{i}": kind for kind in "ulf"
                       for i in range(self.random.randint(1, 2) + (kind == "u"))} | {"hash": "u"}

    def first_values(self) -> list[Stmt]:
        """Gives each local a value of its thread's own."""
        base = binary("xor", var("x"), var("y")) if self.in_function else var("t")
        made = []
        for i, (name, kind) in enumerate(list(self.locals.items())):
            word = Expr("input", "u", (binary("add", binary("mul", base, const(i + 1)), const(17 * i)),))
            if kind == "l":
                word = Expr("wide", "l", (word, binary("sub", base, const(i))))
            elif kind == "f":
                word = Expr("sfloat", "f", (Expr("sar", "u", (word, const(20))),))
            made.append(Stmt("set", name, args=(word,)))
        return made

    def function(self, name: str) -> Function:
        self.scope(in_function=True)
        self.meeting = self.meets and self.chance(0.4)
        level, mask = ("warp", const(FULL)) if self.meeting else ("lane", None)
        place = Place(level, mask, depth=1, steady=False, function=True)
        body = self.first_values() + self.body(place, self.random.randint(1, 4))
        return Function(name, body, binary("xor", self.u(2), var("hash")), self.locals, self.chance(0.4), self.meeting)

    def kernel(self, name: str) -> Kernel:
        for i in range(self.random.randint(0, 3)):
            self.functions.append(self.function(f"{name}f{i}"))
        self.scope(in_function=False)
        body = self.first_values() + self.body(Place("block", const(FULL)), self.random.randint(3, 9))
        for i in range(self.outputs):
            body.append(Stmt("out", value=i, args=(self.u(3) if i else var("hash"),)))
        return Kernel(name, body, self.locals, self.functions, self.pick(*GRIDS), self.pick(*SHAPES), self.shared,
                      self.only32, self.lockstep, self.outputs)
