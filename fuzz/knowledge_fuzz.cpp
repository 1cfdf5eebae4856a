// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user can hand us besides code: rule pages and tables of another knowledge folder ('A', 'B'), ignore files
// ('C'), gate expressions ('D'), suppressions ('E'). The strict loaders must refuse, never crash.
#include <cstddef>
#include <cstdint>
#include <string>

#include "audit/gate.h"
#include "audit/suppression.h"
#include "audit_bytes.h"
#include "knowledge/load.h"
#include "knowledge/table.h"
#include "scan/ignore.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  if (sizeBytes == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, sizeBytes - 1);
  switch (static_cast<std::uint8_t>(data[0] - 'A') % 5) {
    case 0:
      (void)unwarp::knowledge::loadRule({"rules/W/W01-lane-index.md", text});
      break;
    case 1: {
      auto table = unwarp::knowledge::Table::parse("t.tsv", text, {{"name", true}, {"note", false}, {"as_of", true}});
      if (table && table->rows() > 0) (void)table->where(table->rows() - 1, 2);
      break;
    }
    case 2: {
      unwarp::scan::IgnoreList list;
      list.add(text, ".gitignore");
      std::string_view by;
      for (const char* path : {"a", "build/x.o", "src/deep/er/name.cu"}) (void)list.decide(path, false, by);
      break;
    }
    case 3:
      (void)unwarp::audit::checkGate(*unwarp::audit::emptyResult(*unwarp::fuzz::scene().knowledge, {}), text);
      break;
    default: {
      unwarp::audit::Suppressions suppressions(text);
      for (std::uint32_t line = 0; line < 20; ++line) (void)suppressions.find("W01", "lane-index", "W", line);
      (void)suppressions.complaints([](std::string_view) { return true; },
                                    [](std::string_view) { return std::string(); });
    }
  }
  return 0;
}
