# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a random kernel computes, by the documentation alone: a warp is a list of lanes that run each statement together
and come together again at the end of every branch and loop, which is what lockstep means and what lanes that run on
their own must give wherever the result is defined. Nothing here is shared with the compiler or the runtime.

Written from the CUDA Programming Guide (warp functions, barriers, atomic functions), the PTX description of `shfl` and,
for 64 lanes, section 7 of the design: a literal mask of 32 ones is the whole warp, other masks are zero-extended, votes,
matches and reductions count only lanes that the mask names, results keep their low 32 lanes, a shuffle takes data from
whoever takes part, and a lane that does not take part gives all ones.
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Generator

from program_tree import ACCUMULATORS, ARRAY, FULL, INPUTS, OPERATORS, Expr, Function, Kernel, Stmt, input_words

M64 = (1 << 64) - 1
UNTOUCHED = 0xABABABAB
NAN = float("nan")
Values = list
Evaluate = Callable[[dict, list[int]], Values]


def single(x: float) -> float:
    return ctypes.c_float(x).value


def bits_of(x: float) -> int:
    return 0x7FC00000 if x != x else int.from_bytes(bytes(ctypes.c_float(x)), "little")


def signed(x: int) -> int:
    return x - (1 << 32) if x >> 31 else x


def add_float(x: float, y: float) -> float:
    return single(x + y)


U32 = {
    "add": lambda x, y: (x + y) & FULL, "sub": lambda x, y: (x - y) & FULL, "mul": lambda x, y: x * y & FULL,
    "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
    "shl": lambda x, y: x << (y & 31) & FULL, "shr": lambda x, y: x >> (y & 31),
    "sar": lambda x, y: signed(x) >> (y & 31) & FULL,
    "div": lambda x, y: x // (y | 1), "rem": lambda x, y: x % (y | 1),
    "umin": min, "umax": max,
    "lt": lambda x, y: int(x < y), "le": lambda x, y: int(x <= y), "eq": lambda x, y: int(x == y),
    "ne": lambda x, y: int(x != y), "slt": lambda x, y: int(signed(x) < signed(y)),
    "wide": lambda x, y: x << 32 | y, "both": lambda x, y: int(bool(x and y)), "either": lambda x, y: int(bool(x or y)),
}
U64 = {
    "add": lambda x, y: (x + y) & M64, "sub": lambda x, y: (x - y) & M64, "mul": lambda x, y: x * y & M64,
    "and": lambda x, y: x & y, "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
    "shl": lambda x, y: x << (y & 63) & M64, "shr": lambda x, y: x >> (y & 63),
}
FLOAT = {"add": add_float, "sub": lambda x, y: single(x - y), "mul": lambda x, y: single(x * y)}
UNARY = {
    "popc": int.bit_count, "popcll": int.bit_count, "clz": lambda x: 32 - x.bit_length(),
    "ffs": lambda x: (x & -x).bit_length(), "low": lambda x: x & FULL, "high": lambda x: x >> 32, "bits": bits_of,
    "tofloat": lambda x: single(float(x)), "sfloat": lambda x: single(float(signed(x))),
}
ATOMIC = {
    "add": U32["add"], "min": min, "max": max, "or": U32["or"], "xor": U32["xor"], "and": U32["and"],
}


def own_atomic(op: str, old: int, a: list[int]) -> int:
    """The new value of a word that no other thread touches."""
    match op:
        case "atomicAdd":
            return (old + a[0]) & FULL
        case "atomicSub":
            return (old - a[0]) & FULL
        case "atomicExch":
            return a[0]
        case "atomicMin":
            return min(old, a[0])
        case "atomicMax":
            return max(old, a[0])
        case "atomicAnd":
            return old & a[0]
        case "atomicOr":
            return old | a[0]
        case "atomicXor":
            return old ^ a[0]
        case "atomicInc":
            return 0 if old >= a[0] else old + 1
        case "atomicDec":
            return a[0] if old == 0 or old > a[0] else old - 1
        case "atomicCAS":
            return a[1] if old == a[0] else old
    raise ValueError(op)


class Flow:
    """Where lanes went that do not reach the next statement."""

    def __init__(self, returned: set[int]):
        self.returned = returned
        self.gone: set[int] = set()  # left the loop


class Block:
    """One block of threads; a frame maps each variable to its values, one for each thread of the block."""

    def __init__(self, kernel: Kernel, width: int, number: int, out: list[int], acc: list[int]):
        self.kernel, self.width, self.number = kernel, width, number
        self.out, self.acc = out, acc
        self.threads = kernel.threads()
        self.words = input_words()
        self.functions = {f.name: f for f in kernel.functions}
        self.shared = [self.words[t & 255] for t in range(self.threads)]
        self.shared_acc = self.words[:ACCUMULATORS]
        self.compiled: dict[Expr, Evaluate] = {}

    # Expressions

    def value(self, e: Expr, frame: dict, lanes: list[int]) -> Values:
        found = self.compiled.get(e)
        if found is None:
            found = self.compiled[e] = self.compile(e)
        return found(frame, lanes)

    def compile(self, e: Expr) -> Evaluate:
        if e.op == "const":
            return lambda frame, lanes: [e.value] * len(lanes)
        if e.op == "var":
            return lambda frame, lanes: [frame[e.name][t] for t in lanes]
        if e.op in ("select", "fselect"):
            return lambda frame, lanes: [y if c else z for c, y, z in zip(*(self.value(x, frame, lanes) for x in e.args))]
        if e.op == "input":
            return lambda frame, lanes: [self.words[x & (INPUTS - 1)] for x in self.value(e.args[0], frame, lanes)]
        if e.op == "array":
            return lambda frame, lanes: [frame["arr"][t][x & (ARRAY - 1)]
                                         for t, x in zip(lanes, self.value(e.args[0], frame, lanes))]
        if e.op in UNARY:
            one = UNARY[e.op]
            return lambda frame, lanes: [one(x) for x in self.value(e.args[0], frame, lanes)]
        # Comparisons give an unsigned, whatever they compare.
        compares = e.op in ("lt", "le", "eq", "ne")
        two = (U32 if compares or e.op == "wide" else {"u": U32, "l": U64, "f": FLOAT}[e.type])[e.op]
        return lambda frame, lanes: [two(x, y) for x, y in
                                     zip(self.value(e.args[0], frame, lanes), self.value(e.args[1], frame, lanes))]

    # Statements: each gives the lanes that reach the next one; a `yield` is a barrier of the block.

    def run(self, body: list[Stmt], frame: dict, lanes: list[int], flow: Flow) -> Generator:
        for s in body:
            if not lanes:
                break
            lanes = yield from self.statement(s, frame, lanes, flow)
        return lanes

    def statement(self, s: Stmt, frame: dict, lanes: list[int], flow: Flow) -> Generator:
        match s.kind:
            case "if":
                c = self.value(s.args[0], frame, lanes)
                yes = yield from self.run(s.body, frame, [t for t, x in zip(lanes, c) if x], flow)
                no = yield from self.run(s.other, frame, [t for t, x in zip(lanes, c) if not x], flow)
                return sorted(yes + no)
            case "switch":
                label = dict(zip(lanes, [x % s.value for x in self.value(s.args[0], frame, lanes)]))
                done = [t for t in lanes if label[t] >= len(s.body)]
                falling: list[int] = []
                for i, case in enumerate(s.body):
                    here = sorted(falling + [t for t in lanes if label[t] == i])
                    left = yield from self.run(case.body, frame, here, flow)
                    falling, done = (left, done) if case.name else ([], done + left)
                return sorted(done + falling)
            case "for" | "rounds":
                return (yield from self.loop(s, frame, lanes, flow))
            case "break":
                flow.gone.update(lanes)
                return []
            case "continue":
                return []  # the loop counts them in again
            case "return":
                flow.returned.update(lanes)
                return []
            case "result":
                frame["result"].update(zip(lanes, self.value(s.args[0], frame, lanes)))
                flow.returned.update(lanes)
                return []
            case "call" | "callpointer":
                yield from self.call(s, frame, lanes)
            case "barrier":
                yield ("plain", [])
            case "blockvote":
                answer = yield (s.op, self.value(s.args[0], frame, lanes))
                self.assign(s.name, frame, lanes, [answer] * len(lanes))
            case "exchange":
                self.store_shared(lanes, self.value(s.args[0], frame, lanes))
                yield ("plain", [])
                self.assign(s.name, frame, lanes,
                            [self.shared[x % self.threads] for x in self.value(s.args[1], frame, lanes)])
                yield ("plain", [])
            case "spinbarrier":
                self.store_shared(lanes, self.value(s.args[0], frame, lanes))
                yield ("plain", [])
                self.assign(s.name, frame, lanes,
                            [self.shared[x % self.threads] for x in self.value(s.args[1], frame, lanes)])
                yield ("plain", [])
            case "sharedsum":
                yield ("plain", [])
                self.assign(s.name, frame, lanes, [self.shared_acc[s.value]] * len(lanes))
                yield ("plain", [])
            case _:
                self.simple(s, frame, lanes)
        return lanes

    def loop(self, s: Stmt, frame: dict, lanes: list[int], flow: Flow) -> Generator:
        count = dict(zip(lanes, [x % (s.value + 1) for x in self.value(s.args[0], frame, lanes)]))
        masks = self.value(s.args[1], frame, lanes) if s.kind == "rounds" else []
        whole = s.kind == "rounds" and self.is_whole(s.args[1])
        inside = Flow(flow.returned)
        counter = frame.setdefault(s.name, [0] * self.threads)
        mask = frame.setdefault(s.name + "m", [0] * self.threads)
        self.assign(s.name + "m", frame, lanes, masks)
        alive, number = lanes, 0
        while True:
            alive = [t for t in alive if t not in inside.gone and t not in flow.returned]
            if s.kind == "rounds" and alive:
                votes = self.warp_values("ballot", alive, [mask[t] for t in alive],
                                         [int(number < count[t]) for t in alive], [], whole and number == 0)
                self.assign(s.name + "m", frame, alive, votes)
            alive = [t for t in alive if number < count[t]]
            if not alive:
                return [t for t in lanes if t not in flow.returned]
            for t in alive:
                counter[t] = number
            yield from self.run(s.body, frame, alive, inside)
            number += 1

    def call(self, s: Stmt, frame: dict, lanes: list[int]) -> Generator:
        a = [self.value(x, frame, lanes) for x in s.args]
        if s.kind == "call":
            groups = [(s.op, lanes, a[0], a[1])]
        else:
            first, second = s.op.split()
            groups = []
            for name, bit in ((first, 1), (second, 0)):
                chosen = [i for i, x in enumerate(a[0]) if x & 1 == bit]
                groups.append((name, [lanes[i] for i in chosen], [a[1][i] for i in chosen], [a[2][i] for i in chosen]))
        for name, members, x, y in groups:
            if members:
                result = yield from self.invoke(self.functions[name], members, x, y)
                self.assign(s.name, frame, members, result)

    def invoke(self, f: Function, lanes: list[int], x: list[int], y: list[int]) -> Generator:
        frame: dict = {name: [0] * self.threads for name in ("x", "y", *f.locals)}
        frame["arr"] = [[0] * ARRAY for _ in range(self.threads)]
        frame["result"] = {}
        self.assign("x", frame, lanes, x)
        self.assign("y", frame, lanes, y)
        rest = yield from self.run(f.body, frame, lanes, Flow(set()))
        frame["result"].update(zip(rest, self.value(f.result, frame, rest)))
        return [frame["result"][t] for t in lanes]

    def assign(self, name: str, frame: dict, lanes: list[int], values: Values) -> None:
        column = frame[name]
        for t, x in zip(lanes, values):
            column[t] = x

    def store_shared(self, lanes: list[int], values: list[int]) -> None:
        for t, x in zip(lanes, values):
            self.shared[t] = x

    def slot(self, t: int, index: int) -> int:
        return (self.number * self.threads + t) * self.kernel.outputs + index

    def simple(self, s: Stmt, frame: dict, lanes: list[int]) -> None:
        a = [self.value(x, frame, lanes) for x in s.args]
        match s.kind:
            case "set":
                self.assign(s.name, frame, lanes, a[0])
            case "array":
                for t, i, x in zip(lanes, a[0], a[1]):
                    frame["arr"][t][i & (ARRAY - 1)] = x
            case "out":
                for t, x in zip(lanes, a[0]):
                    self.out[self.slot(t, s.value)] = x
            case "own":
                for i, t in enumerate(lanes):
                    place = self.slot(t, s.value)
                    frame[s.name][t] = self.out[place]
                    self.out[place] = own_atomic(s.op, self.out[place], [x[i] for x in a])
            case "accumulate":
                target = self.acc if s.op == "acc" else self.shared_acc
                for x in a[0]:
                    target[s.value] = ATOMIC[OPERATORS[s.value % 8]](target[s.value], x)
            case "warpexchange" | "volatileexchange":
                self.store_shared(lanes, a[0])
                first = lanes[0] // self.width * self.width
                count = min(self.width, self.threads - first)
                self.assign(s.name, frame, lanes, [self.shared[first + x % count] for x in a[1]])
            case "warp":
                values = self.warp_values(s.op, lanes, a[0], a[1] if len(a) > 1 else [], a[2] if len(a) > 2 else [],
                                          self.is_whole(s.args[0]))
                if s.op != "sync":
                    self.assign(s.name, frame, lanes, values)
            case _:
                raise ValueError(s.kind)

    # Warp functions

    @staticmethod
    def is_whole(mask: Expr) -> bool:
        return mask.op == "const" and mask.value == FULL

    def warp_values(self, op: str, lanes: list[int], masks: list[int], values: Values, operands: list[int],
                    whole: bool) -> Values:
        base = lanes[0] // self.width * self.width
        values = values or [0] * len(lanes)
        result: dict[int, object] = {}
        for mask in dict.fromkeys(masks):
            members = [i for i, m in enumerate(masks) if m == mask]
            group = {lanes[i] - base: i for i in members}
            named = {n: i for n, i in group.items() if whole or mask == 0 or mask >> n & 1}
            for n, i in group.items():
                result[i] = self.one_lane(op, n, i, group, named, values, operands)
        return [result[i] for i in range(len(lanes))]

    def one_lane(self, op: str, n: int, i: int, group: dict[int, int], named: dict[int, int], values: Values,
                 operands: list[int]) -> object:
        kind, *rest = op.split(":")
        lanes_with = lambda test: sum(1 << m for m, j in named.items() if test(values[j])) & FULL
        match kind:
            case "shfl":
                source = group.get(self.source(rest[0], n, operands[i], int(rest[1]) or self.width))
                return values[source] if source is not None else {"u": FULL, "l": M64, "f": NAN}[rest[2]]
            case "ballot":
                return lanes_with(bool)
            case "all":
                return int(all(values[j] for j in named.values()))
            case "any":
                return int(any(values[j] for j in named.values()))
            case "matchany":
                return lanes_with(lambda x: x == values[i])
            case "matchall":
                same = len({values[j] for j in named.values()}) == 1
                return (lanes_with(lambda x: True) + 1) & FULL if same else 0
            case "reduce":
                return self.reduced(rest[0], [values[j] for j in named.values()], rest[1] == "s")
            case "active":
                return lanes_with(lambda x: True)
            case "sync":
                return 0
        raise ValueError(op)

    def source(self, form: str, lane: int, operand: int, width: int) -> int:
        """The lane that a shuffle reads; `width` is the size of a segment."""
        first = lane - lane % width
        last = first + width - 1
        match form:
            case "idx":
                return first + operand % width
            case "up":
                return lane - operand if lane - operand >= first else lane
            case "down":
                return lane + operand if lane + operand <= last else lane
            case "xor":
                return lane ^ operand if lane ^ operand <= last else lane
        raise ValueError(form)

    @staticmethod
    def reduced(form: str, values: list[int], is_signed: bool) -> int:
        read = signed if is_signed else int
        total = values[0]
        for x in values[1:]:
            match form:
                case "min":
                    total = min(total, x, key=read)
                case "max":
                    total = max(total, x, key=read)
                case _:
                    total = U32[form](total, x)
        return total

    # The block

    def warp(self, first: int, frame: dict) -> Generator:
        lanes = list(range(first, min(first + self.width, self.threads)))
        yield from self.run(self.kernel.body, frame, lanes, Flow(set()))

    def finish(self) -> None:
        frame: dict = {name: [0] * self.threads for name in self.kernel.locals}
        frame["arr"] = [[0] * ARRAY for _ in range(self.threads)]
        everyone = range(self.threads)
        frame |= {"t": list(everyone), "lane": [t % self.width for t in everyone], "q": [t // 64 for t in everyone],
                  "b": [self.number] * self.threads, "T": [self.threads] * self.threads}
        waiting = [(self.warp(first, frame), None) for first in range(0, self.threads, self.width)]
        while waiting:
            arrived = []
            for warp, answer in waiting:
                try:
                    arrived.append((warp, warp.send(answer)))
                except StopIteration:
                    pass
            kinds = {kind for _, (kind, _) in arrived}
            if len(kinds) > 1:
                raise RuntimeError("the generator put a barrier where threads diverge")
            votes = [x for _, (_, values) in arrived for x in values]
            answer = {"count": sum(map(bool, votes)), "and": int(all(votes)), "or": int(any(votes))}.get(
                next(iter(kinds), "plain"), None)
            waiting = [(warp, answer) for warp, _ in arrived]


def expected(kernel: Kernel, width: int) -> list[int]:
    """The words that the kernel leaves: outputs, then accumulators."""
    out = [UNTOUCHED] * (kernel.words() - ACCUMULATORS)
    acc = input_words()[:ACCUMULATORS]
    for number in range(kernel.blocks()):
        Block(kernel, width, number, out, acc).finish()
    return out + acc
