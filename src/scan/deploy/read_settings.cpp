// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of plain `key = value` lines: jobs of HTCondor, supervisord's programs, git's list of submodules. Keys mean
// what they mean in other deployment files.
#include "base/text.h"
#include "scan/deploy/config_reader.h"
#include "scan/deploy/sites.h"
#include "scan/python/requirement.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

template <class Visit>
void eachSetting(std::string_view text, const Visit& visit) {
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    visit(trim(line.substr(0, equals)), trim(line.substr(equals + 1)), lines.number());
  }
}

/// `environment = "CUDA_VISIBLE_DEVICES=0 A=b"`, or with `;` between them.
void readEnvironment(const ReadContext& context, std::string_view value, std::uint32_t line, FileFacts& out) {
  for (std::string_view part : split(value, value.find(',') == std::string_view::npos ? ';' : ',')) {
    for (std::string_view word : words(part)) {
      while (!word.empty() && (word.front() == '"' || word.front() == '\'')) word.remove_prefix(1);
      while (!word.empty() && (word.back() == '"' || word.back() == '\'')) word.remove_suffix(1);
      const std::size_t equals = word.find('=');
      if (equals != std::string_view::npos)
        addEnvironment(context, word.substr(0, equals), word.substr(equals + 1), line, out);
    }
  }
}

}  // namespace

void readCondorJob(const ReadContext& context, const Input& input, FileFacts& out) {
  eachSetting(input.bytes, [&](std::string_view key, std::string_view value, std::uint32_t line) {
    const std::string name = toLower(key);
    if (isImageKey(name))
      addImage(context, value, line, out);
    else if (name == "environment" || name == "env")
      readEnvironment(context, value, line, out);
    else
      addSetting(context, name, value, line, out);
  });
}

void readProcessList(const ReadContext& context, const Input& input, FileFacts& out) {
  eachSetting(input.bytes, [&](std::string_view key, std::string_view value, std::uint32_t line) {
    if (key == "command")
      readShellText(context, value, line, out);
    else if (key == "environment")
      readEnvironment(context, value, line, out);
  });
}

void readSubmodules(const ReadContext& context, const Input& input, FileFacts& out) {
  eachSetting(input.bytes, [&](std::string_view key, std::string_view value, std::uint32_t line) {
    if (key == "url") python::addPackageAddress(context, value, line, out);
  });
}

}  // namespace unwarp::scan
