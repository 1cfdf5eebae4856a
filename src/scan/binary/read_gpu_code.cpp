// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are GPU code: .cubin (ELF of EM_CUDA), .fatbin (bare containers) and .ptx (text). The bytes decide, not
// the suffix: `.ptx` is also the suffix of point clouds and photographs, which bind nothing.
// Limits: of PTX only the directives of the module head (first 64 KiB) are read; instructions are not looked up here.
#include "base/text.h"
#include "scan/binary/binary_facts.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t ptxHeadBytes = 64 * 1024;

/// The directives every PTX module begins with.
struct PtxHead {
  std::string version, target, addressBits;
  bool complete() const { return !version.empty() && !target.empty(); }
};

/// `.target sm_90a, debug` gives compute_90a.
std::string targetName(std::string_view operand) {
  operand = trim(operand.substr(0, operand.find(',')));
  return operand.starts_with("sm_") ? "compute_" + std::string(operand.substr(3)) : std::string(operand);
}

PtxHead readPtxHead(std::string_view bytes) {
  PtxHead head;
  LineReader lines(bytes.substr(0, ptxHeadBytes));
  std::string_view line;
  bool inComment = false;
  while (lines.next(line) && !(head.complete() && !head.addressBits.empty())) {
    line = trim(line);
    if (inComment || line.starts_with("/*")) {
      inComment = line.find("*/") == std::string_view::npos;
      continue;
    }
    const std::string_view operand = trim(line.substr(0, line.find("//")));
    if (operand.starts_with(".version ")) head.version = toValidUtf8(trim(operand.substr(9)));
    if (operand.starts_with(".target ")) head.target = toValidUtf8(targetName(operand.substr(8)));
    if (operand.starts_with(".address_size ")) head.addressBits = toValidUtf8(trim(operand.substr(14)));
    if (head.version.empty() && !operand.empty()) break;
  }
  return head;
}

void readPtx(const Input& input, BinaryFacts& facts) {
  const PtxHead head = readPtxHead(input.bytes);
  if (!head.complete()) return facts.note("no PTX module: .version and .target directives are missing");
  facts.addGpuFile("code.ptx", head.target);
  facts.note("PTX " + head.version + (head.addressBits.empty() ? "" : ", " + head.addressBits + "-bit addresses"));
}

}  // namespace

void readGpuCode(const ReadContext& context, const Input& input, FileFacts& out) {
  out.how = "binary";
  BinaryFacts facts(context, out);
  if (startsFatBinary(input.bytes)) return facts.addGpuCode("the file", readFatBinary(input.bytes));
  if (const auto image = ElfImage::parse(input.bytes)) {
    if (image->machine() == elfMachineCuda) return readCubin(*image, facts);
    if (image->machine() == elfMachineAmdGpu) return facts.note("AMD GPU code object");
    return readElf(context, input, out);
  }
  if (input.bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__") || input.bytes.starts_with("CCOB"))
    return facts.addOffload(readOffloadBundle(input.bytes), "the file");
  if (input.bytes.find('\0') != std::string_view::npos && input.bytes.substr(0, 4096).find('\0') < 4096)
    return facts.note("not read: no GPU code format that is known");
  readPtx(input, facts);
}

}  // namespace unwarp::scan
