// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/nvcc/image_tool.h"

#include <dlfcn.h>

#include <cstdio>
#include <optional>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "compiler/abi/device_image.h"
#include "compiler/nvcc/stubs.h"
#include "compiler/nvcc/tools.h"

namespace unwarp::nvcc {
namespace {

struct Request {
  std::string create, symbols, source, stubs, unit, retain;
  std::vector<std::pair<std::string, std::string>> inputs;  // kind and file, with the architecture beside them
  std::vector<uint64_t> architectures;
  bool relocatable = false;
  bool text = false;
};

// "kind=bitcode,sm=80,file=a.bc": the file comes last and may hold commas.
bool addInput(Request& request, std::string_view value) {
  size_t file = value.find("file=");
  if (file == std::string_view::npos) return false;
  std::string kind;
  uint64_t architecture = 0;
  for (std::string_view part : split(value.substr(0, file), ',')) {
    if (part.starts_with("kind=")) kind = part.substr(5);
    if (part.starts_with("sm=")) architecture = static_cast<uint64_t>(parseDecimal(part.substr(3)).value_or(0));
  }
  request.inputs.emplace_back(kind, value.substr(file + 5));
  request.architectures.push_back(architecture);
  return !kind.empty();
}

std::optional<Request> parseRequest(const std::vector<std::string>& arguments) {
  Request request;
  for (std::string_view argument : arguments) {
    std::string_view value = argument.substr(std::min(argument.find('='), argument.size() - 1) + 1);
    bool good = true;
    if (argument.starts_with("--create=")) {
      request.create = value;
    } else if (argument.starts_with("--symbols=")) {
      request.symbols = value;
    } else if (argument.starts_with("--source=")) {
      request.source = value;
    } else if (argument.starts_with("--stubs=")) {
      request.stubs = value;
    } else if (argument.starts_with("--retain=")) {
      request.retain = value;
    } else if (argument.starts_with("--unit=")) {
      request.unit = value;
    } else if (argument.starts_with("--image3=")) {
      good = addInput(request, value);
    } else if (argument == "--device-c") {
      request.relocatable = true;
    } else if (argument == "--text") {
      request.text = true;
    } else {
      good = argument == "-64";
    }
    if (!good) {
      complain("fatbinary: unknown argument '" + std::string(argument) + "'");
      return std::nullopt;
    }
  }
  bool images = !request.create.empty() && !request.inputs.empty();
  if (images || !request.retain.empty() || (!request.stubs.empty() && !request.unit.empty())) return request;
  complain(
      "fatbinary: needs --create=IMAGE and --image3=kind=...,sm=...,file=..., or --stubs=OBJECT and --unit=NAME, or "
      "--retain=OBJECT");
  return std::nullopt;
}

bool load(const Request& request, abi::DeviceImage& image) {
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const auto& [kind, path] = request.inputs[i];
    Result<FileBytes> bytes = FileBytes::open(path);
    if (!bytes) return complain(bytes.error()) == 0;
    if (kind == "bitcode") {
      image.images.push_back({request.architectures[i], std::string(bytes->view())});
      continue;
    }
    auto other = abi::decodeImage(bytes->view());
    if (!other) return complain("'" + path + "' holds device code that another compiler made") == 0;
    image.relocatable |= other->relocatable;
    image.source = other->source;
    for (abi::ArchitectureImage& one : other->images) image.images.push_back(std::move(one));
  }
  return true;
}

// The C library or Unwarp provides a device function of this name, or it is no name to look for.
bool isProvided(const std::string& name) {
  // Ours and the compiler's own names, operators new and delete, the device's part of the runtime's interface, and
  // static variables: clang refers to one by its plain name when the host learns of it only later in the file.
  for (const char* prefix : {"__", "_Znw", "_Zna", "_Zdl", "_Zda", "_ZL", "_ZN12_GLOBAL__N_1", "cuda", "llvm."}) {
    if (name.starts_with(prefix)) return true;
  }
  if (name.starts_with("_Z")) return false;
  return dlsym(RTLD_DEFAULT, name.c_str()) != nullptr;  // this program is linked with the same two libraries
}

std::string quotedSymbol(std::string_view name) {
  return "\"__device__." + std::string(name) + "\"";
}

// Names of `extern __shared__` arrays: undefined in every file, and defined by each launch. Only the text form of a
// module tells them from device variables; it prints variables first, so that the functions need not be waited for.
std::set<std::string> sharedArrays(const std::string& bitcode) {
  std::set<std::string> names;
  Printed module = printedByTool({UNWARP_LLVM_FOLDER "/bin/llvm-dis", bitcode, "-o", "-"}, Stream::output, "\ndefine ");
  LineReader lines(module.text);
  std::string_view line;
  while (lines.next(line)) {
    size_t end = line.find(" = external ");
    if (line.starts_with("@") && end != std::string_view::npos && line.find("addrspace(3)") != std::string_view::npos)
      names.emplace(line.substr(1, end - 1));
  }
  return names;
}

// For each device symbol a host symbol: the host linker then finds members of archives that only device code needs, and
// says "undefined reference" where NVIDIA's device linker would.
std::string mirror(std::string_view names, const std::string& bitcode) {
  std::string text;
  std::optional<std::set<std::string>> shared;
  LineReader lines(names);
  std::string_view line;
  while (lines.next(line)) {
    std::vector<std::string_view> parts = words(line);
    if (parts.size() < 2) continue;
    std::string name(parts.back());
    char kind = parts[parts.size() - 2][0];
    std::string symbol = quotedSymbol(name);
    if (kind == 'U') {
      if (isProvided(name)) continue;
      if (!shared) shared = sharedArrays(bitcode);
      if (shared->contains(name)) continue;
      text += ".pushsection .unwarp.device_references,\"\",@progbits\n.quad " + symbol + "\n.popsection\n";
    } else if (kind == 'T' || kind == 'D' || kind == 'B' || kind == 'R') {
      text += ".globl " + symbol + "\n.hidden " + symbol + "\n.set " + symbol + ", 1\n";
    } else if (kind == 'W' || kind == 'V') {
      text += ".weak " + symbol + "\n.hidden " + symbol + "\n.set " + symbol + ", 1\n";
    }
  }
  return text;
}

}  // namespace

int complain(const std::string& message) {
  std::fprintf(stderr, "nvcc fatal   : %s\n", message.c_str());
  return 1;
}

int runImageTool(const std::vector<std::string>& arguments) {
  std::optional<Request> request = parseRequest(arguments);
  if (!request) return 1;
  if (!request->retain.empty()) return retainEntries(request->retain);
  if (!request->stubs.empty()) return separateStubs(request->stubs, request->unit);
  abi::DeviceImage image;
  image.relocatable = request->relocatable;
  image.source = request->source;
  if (!load(*request, image)) return 1;
  if (!request->symbols.empty()) {
    Printed names = printedByTool({UNWARP_LLVM_FOLDER "/bin/llvm-nm", request->inputs[0].second}, Stream::output);
    if (names.status != 0) return complain("fatbinary: cannot list the symbols of '" + request->inputs[0].second + "'");
    Result<Done> written = writeFileAtomic(request->symbols, mirror(names.text, request->inputs[0].second));
    if (!written) return complain(written.error());
  }
  Result<Done> written = writeFileAtomic(request->create, request->text ? abi::encodeText(image) : abi::encode(image));
  return written ? 0 : complain(written.error());
}

}  // namespace unwarp::nvcc
