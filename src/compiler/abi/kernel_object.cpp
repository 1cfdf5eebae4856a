// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/abi/kernel_object.h"

#include "compiler/abi/abi.h"
#include "compiler/abi/bytes.h"

namespace unwarp::abi {
namespace {

constexpr std::string_view kMagic = "UWKERNEL";

void writeKernel(ByteWriter& out, const KernelRecord& kernel) {
  out.text(kernel.name);
  out.number(kernel.parameters.size());
  for (const KernelParameter& parameter : kernel.parameters) {
    out.number(parameter.offset);
    out.number(parameter.sizeBytes);
  }
  for (uint64_t value : {kernel.argumentBytes, kernel.staticSharedBytes, kernel.maxThreads, kernel.minBlocks,
                         uint64_t{kernel.synchronises}, uint64_t{kernel.needsFibers}, uint64_t{kernel.gridSync}}) {
    out.number(value);
  }
}

KernelRecord readKernel(ByteReader& in) {
  KernelRecord kernel;
  kernel.name = in.text();
  for (uint64_t left = in.count(); left > 0; --left) {
    KernelParameter parameter;
    parameter.offset = in.number();
    parameter.sizeBytes = in.number();
    kernel.parameters.push_back(parameter);
  }
  kernel.argumentBytes = in.number();
  kernel.staticSharedBytes = in.number();
  kernel.maxThreads = in.number();
  kernel.minBlocks = in.number();
  kernel.synchronises = in.number() != 0;
  kernel.needsFibers = in.number() != 0;
  kernel.gridSync = in.number() != 0;
  return kernel;
}

}  // namespace

std::string encode(const KernelObject& entry) {
  ByteWriter body;
  body.number(entry.kernels.size());
  for (const KernelRecord& kernel : entry.kernels) writeKernel(body, kernel);
  body.number(entry.variables.size());
  for (const VariableRecord& variable : entry.variables) {
    body.text(variable.name);
    body.number(variable.sizeBytes);
    body.number(variable.constant);
  }
  body.number(entry.compileMicroseconds);
  body.text(entry.object);
  body.text(encode(entry.lines));
  std::string payload = body.take();
  ByteWriter out;
  out.text(kMagic);
  out.number(uw::kAbiVersion);
  out.number(hashBytes(payload));
  out.text(payload);
  return out.take();
}

std::optional<KernelObject> decode(std::string_view bytes) {
  ByteReader outer(bytes);
  if (outer.text() != kMagic || outer.number() != uw::kAbiVersion) return std::nullopt;
  uint64_t hash = outer.number();
  std::string_view payload = outer.text();
  if (outer.failed() || hashBytes(payload) != hash) return std::nullopt;
  ByteReader in(payload);
  KernelObject entry;
  for (uint64_t left = in.count(); left > 0; --left) entry.kernels.push_back(readKernel(in));
  for (uint64_t left = in.count(); left > 0; --left) {
    VariableRecord variable;
    variable.name = in.text();
    variable.sizeBytes = in.number();
    variable.constant = in.number() != 0;
    entry.variables.push_back(std::move(variable));
  }
  entry.compileMicroseconds = in.number();
  entry.object = in.text();
  std::optional<LineTable> lines = decodeLines(in.text());
  if (in.failed() || !lines) return std::nullopt;
  entry.lines = std::move(*lines);
  return entry;
}

}  // namespace unwarp::abi
