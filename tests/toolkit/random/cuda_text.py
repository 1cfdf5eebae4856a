# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels as CUDA C++: kernels and device functions, and a main that stores all outputs in one file."""
from __future__ import annotations

from program_tree import ACCUMULATORS, ARRAY, FULL, INPUTS, OPERATORS, Expr, Function, Kernel, Stmt, input_words

TYPES = {"u": "unsigned", "l": "unsigned long long", "f": "float"}
INFIX = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
COMPARES = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}
PROLOGUE = """#include <cstdio>
#include <cstdlib>
#include <vector>
typedef unsigned long long u64;
__device__ __forceinline__ unsigned bitsOf(float x) {
  unsigned bits = 0x7fc00000u;
  if (x == x) __builtin_memcpy(&bits, &x, 4);
  return bits;
}
__device__ __forceinline__ float floatOf(unsigned bits) { float x; __builtin_memcpy(&x, &bits, 4); return x; }
typedef unsigned (*Plain)(const unsigned*, unsigned, unsigned);
"""


def expression(e: Expr) -> str:
    a = [expression(x) for x in e.args]
    if e.op == "const":
        return f"{e.value}u"
    if e.op == "var":
        return e.name
    if e.op in COMPARES:
        return f"(unsigned)({a[0]} {COMPARES[e.op]} {a[1]})"
    if e.op in INFIX:
        return f"({a[0]} {INFIX[e.op]} {a[1]})"
    wide = "63" if e.type == "l" else "31"
    forms = {
        "shl": lambda: f"({a[0]} << ((unsigned){a[1]} & {wide}))",
        "shr": lambda: f"({a[0]} >> ((unsigned){a[1]} & {wide}))",
        "sar": lambda: f"((unsigned)((int){a[0]} >> ({a[1]} & 31)))",
        "div": lambda: f"({a[0]} / ({a[1]} | 1u))",
        "rem": lambda: f"({a[0]} % ({a[1]} | 1u))",
        "both": lambda: f"(unsigned)({a[0]} && {a[1]})",
        "either": lambda: f"(unsigned)({a[0]} || {a[1]})",
        "slt": lambda: f"(unsigned)((int){a[0]} < (int){a[1]})",
        "select": lambda: f"({a[0]} ? {a[1]} : {a[2]})",
        "popc": lambda: f"(unsigned)__popc({a[0]})",
        "popcll": lambda: f"(unsigned)__popcll({a[0]})",
        "clz": lambda: f"(unsigned)__clz((int){a[0]})",
        "ffs": lambda: f"(unsigned)__ffs((int){a[0]})",
        "umin": lambda: f"min({a[0]}, {a[1]})",
        "umax": lambda: f"max({a[0]}, {a[1]})",
        "low": lambda: f"((unsigned){a[0]})",
        "high": lambda: f"((unsigned)({a[0]} >> 32))",
        "wide": lambda: f"(((u64){a[0]} << 32) | {a[1]})",
        "bits": lambda: f"bitsOf({a[0]})",
        "tofloat": lambda: f"((float){a[0]})",
        "sfloat": lambda: f"((float)(int){a[0]})",
        "fselect": lambda: f"({a[0]} ? {a[1]} : {a[2]})",
        "input": lambda: f"in[{a[0]} & {INPUTS - 1}]",
        "array": lambda: f"arr[{a[0]} & {ARRAY - 1}]",
    }
    return forms[e.op]()


def atomic_name(index: int) -> str:
    return "atomic" + OPERATORS[index % 8].capitalize()


class CudaText:
    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        self.types = kernel.locals

    def block(self, body: list[Stmt], depth: int) -> str:
        return "".join("  " * depth + line + "\n" for s in body for line in self.statement(s).split("\n"))

    def braces(self, body: list[Stmt]) -> str:
        return "{\n" + self.block(body, 1) + "}"

    def statement(self, s: Stmt) -> str:
        a = [expression(x) for x in s.args]
        match s.kind:
            case "set":
                return f"{s.name} = {a[0]};"
            case "array":
                return f"arr[{a[0]} & {ARRAY - 1}] = {a[1]};"
            case "if":
                tail = f" else {self.braces(s.other)}" if s.other else ""
                return f"if ({a[0]}) {self.braces(s.body)}{tail}"
            case "switch":  # s.body holds the cases; those named "falls" go on into the next one
                cases = "".join(f"  case {i}:\n" + self.block(case.body, 2) + ("" if case.name else "    break;\n")
                                for i, case in enumerate(s.body))
                return f"switch ({a[0]} % {s.value}u) {{\n{cases}}}"
            case "for":  # at most s.value rounds; s.name counts them
                return (f"for (unsigned {s.name}n = {a[0]} % {s.value + 1}u, {s.name} = 0; {s.name} < {s.name}n; "
                        f"++{s.name}) {self.braces(s.body)}")
            case "rounds":  # a loop whose lanes name each other: s.name is their mask in each round, args: count, mask
                n = s.name
                head = f"unsigned {n}n = {a[0]} % {s.value + 1}u, {n}m = {a[1]};\nfor (unsigned {n}i = 0; ; ++{n}i) "
                lead = f"  {n}m = __ballot_sync({n}m, {n}i < {n}n);\n  if ({n}i >= {n}n) break;\n"
                return "{\n" + head + "{\n" + lead + self.block(s.body, 1) + "}\n}"
            case "break" | "continue" | "return":
                return f"{s.kind};"
            case "result":
                return f"return {a[0]};"
            case "out":
                return f"out[self * {self.kernel.outputs} + {s.value}] = {a[0]};"
            case "own":
                return f"{s.name} = {s.op}(&out[self * {self.kernel.outputs} + {s.value}], {', '.join(a)});"
            case "accumulate":
                return f"{atomic_name(s.value)}(&{s.op}[{s.value}], {a[0]});"
            case "sharedsum":  # reads what the block accumulated
                return f"__syncthreads();\n{s.name} = sacc[{s.value}];\n__syncthreads();"
            case "barrier":
                return "__syncthreads();"
            case "blockvote":
                return f"{s.name} = (unsigned)__syncthreads_{s.op}({a[0]});"
            case "exchange":
                return f"sh[t] = {a[0]};\n__syncthreads();\n{s.name} = sh[{a[1]} % T];\n__syncthreads();"
            case "volatileexchange":  # right only where the lanes of a warp run together
                return ("{ volatile unsigned* row = sh; " + f"row[t] = {a[0]}; {s.name} = row[t - lane + {a[1]} % "
                        "min((unsigned)warpSize, T - (t - lane))]; __syncwarp(); }")
            case "spinbarrier":  # an exchange whose threads wait for each other by looking
                return (f"{{ unsigned live = __syncthreads_count(1);\n  sh[t] = {a[0]};\n  __threadfence_block();\n"
                        "  atomicAdd(&turn, 1u);\n  while (*(volatile unsigned*)&turn < live) {}\n  __threadfence_block();\n"
                        f"  {s.name} = sh[{a[1]} % T];\n  __syncthreads();\n  atomicSub(&turn, 1u);\n  __syncthreads(); }}")
            case "warpexchange":
                return (f"sh[t] = {a[0]};\n__syncwarp();\n{s.name} = sh[t - lane + {a[1]} % min((unsigned)warpSize, "
                        f"T - (t - lane))];\n__syncwarp();")
            case "call":
                return f"{s.name} = {s.op}(in, {', '.join(a)});"
            case "callpointer":
                first, second = s.op.split()
                return "{ Plain p = " + f"({a[0]} & 1u) ? {first} : {second}; {s.name} = p(in, {a[1]}, {a[2]}); " + "}"
            case "warp":
                return self.warp(s, a)
        raise ValueError(s.kind)

    def warp(self, s: Stmt, a: list[str]) -> str:
        kind, *rest = s.op.split(":")
        match kind:
            case "shfl":  # shfl:form:width, args: mask, value, operand
                form = "" if rest[0] == "idx" else "_" + rest[0]
                width = f", {rest[1]}" if rest[1] != "0" else ""
                return f"{s.name} = __shfl{form}_sync({a[0]}, {a[1]}, {a[2]}{width});"
            case "ballot" | "all" | "any":
                return f"{s.name} = (unsigned)__{kind}_sync({a[0]}, {a[1]});"
            case "matchany":
                return f"{s.name} = __match_any_sync({a[0]}, {a[1]});"
            case "matchall":
                return "{ int same = 0; " + f"{s.name} = __match_all_sync({a[0]}, {a[1]}, &same) + (unsigned)same; " + "}"
            case "reduce":
                value = f"(int){a[1]}" if rest[1] == "s" else a[1]
                return f"{s.name} = (unsigned)__reduce_{rest[0]}_sync({a[0]}, {value});"
            case "active":
                return f"{s.name} = __activemask();"
            case "sync":
                return f"__syncwarp({a[0]});"
        raise ValueError(s.op)

    def locals(self, names: dict[str, str]) -> str:
        return "".join(f"  {TYPES[kind]} {name} = 0;\n" for name, kind in names.items())

    def function(self, f: Function) -> str:
        attribute = "__noinline__" if f.no_inline else ""
        return (f"__device__ {attribute} unsigned {f.name}(const unsigned* in, unsigned x, unsigned y) {{\n"
                f"  unsigned arr[{ARRAY}] = {{}};\n" + self.locals(f.locals) + self.block(f.body, 1) +
                f"  return {expression(f.result)};\n}}\n")

    def text(self) -> str:
        k = self.kernel
        parts = [self.function(f) for f in k.functions]
        parts.append(f"__global__ void {k.name}(const unsigned* in, unsigned* out, unsigned* acc) {{\n"
                     "  const unsigned T = blockDim.x * blockDim.y * blockDim.z;\n"
                     "  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
                     "  const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n"
                     "  const unsigned lane = t % warpSize, q = t / 64, self = b * T + t;\n"
                     f"  unsigned arr[{ARRAY}] = {{}};\n" + self.locals(k.locals))
        if k.shared:
            parts.append(f"  __shared__ unsigned sh[{k.threads()}], sacc[{ACCUMULATORS}], turn;\n"
                         "  sh[t] = in[t & 255];\n  if (t == 0) turn = 0;\n"
                         f"  for (unsigned i = t; i < {ACCUMULATORS}; i += T) sacc[i] = in[i];\n  __syncthreads();\n")
        parts.append(self.block(k.body, 1) + "}\n")
        return "".join(parts)


def program(kernels: list[Kernel]) -> str:
    """A whole program; Arguments: the file that gets the outputs of all kernels in order, the width, 1 for lockstep."""
    words = ", ".join(f"{word}u" for word in input_words())
    parts = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// A random program.\n", PROLOGUE]
    parts += [CudaText(k).text() for k in kernels]
    parts.append(f"static const unsigned input[{INPUTS}] = {{{words}}};\n"
                 "template <class K> void run(FILE* file, K kernel, dim3 grid, dim3 block, unsigned outputs) {\n"
                 "  unsigned count = grid.x * grid.y * grid.z * block.x * block.y * block.z * outputs;\n"
                 f"  std::vector<unsigned> host(count + {ACCUMULATORS}, 0xababababu);\n"
                 f"  for (unsigned i = 0; i < {ACCUMULATORS}; ++i) host[count + i] = input[i];\n"
                 "  unsigned *in, *out;\n"
                 "  cudaMalloc(&in, sizeof input);\n  cudaMalloc(&out, host.size() * 4);\n"
                 "  cudaMemcpy(in, input, sizeof input, cudaMemcpyHostToDevice);\n"
                 "  cudaMemcpy(out, host.data(), host.size() * 4, cudaMemcpyHostToDevice);\n"
                 "  kernel<<<grid, block>>>(in, out, out + count);\n"
                 "  cudaError_t error = cudaGetLastError();\n  if (error == cudaSuccess) error = cudaDeviceSynchronize();\n"
                 '  if (error != cudaSuccess) { fprintf(stderr, "%s\\n", cudaGetErrorString(error)); exit(3); }\n'
                 "  cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);\n"
                 "  cudaFree(in);\n  cudaFree(out);\n"
                 "  fwrite(host.data(), 4, host.size(), file);\n}\n"
                 "int main(int, char** arguments) {\n"
                 '  FILE* file = fopen(arguments[1], "wb");\n'
                 "  int width = atoi(arguments[2]), lockstep = atoi(arguments[3]);\n")
    for k in kernels:
        guard = ("if (width == 32) " if k.only32 else "") + ("if (lockstep) " if k.lockstep else "")
        grid, block = (f"dim3({d[0]}, {d[1]}, {d[2]})" for d in (k.grid, k.block))
        parts.append(f"  {guard}run(file, {k.name}, {grid}, {block}, {k.outputs});\n")
    parts.append("  return fclose(file) != 0 || width == 0 || lockstep < 0;\n}\n")
    return "".join(parts)
