// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of no format we know: data, media, prose, serialised models. Words in them bind nothing, but GPU code can hide
// in any of them (a pickled kernel cache, a model with compiled plug-ins), and its container has a magic word that
// nothing else starts with. All bytes are looked at.
#include <cstring>

#include "scan/binary/binary_facts.h"
#include "scan/binary/fat_binary.h"
#include "scan/readers.h"

namespace unwarp::scan {

void readBytes(const ReadContext& context, const Input& input, FileFacts& out) {
  out.how = "bytes";
  constexpr std::string_view magic("\x50\xed\x55\xba", 4);
  std::string_view rest = input.bytes;
  for (;;) {
    const void* hit = memmem(rest.data(), rest.size(), magic.data(), magic.size());
    if (hit == nullptr) return;
    rest.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(hit) - rest.data()));
    if (startsFatBinary(rest)) break;
    rest.remove_prefix(1);
  }
  BinaryFacts facts(context, out);
  facts.addGpuCode("the file", readFatBinary(rest));
}

}  // namespace unwarp::scan
