// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of brace languages without a grammar of ours: HCL (Terraform, Packer, Nomad), Groovy (Jenkins), text protocol
// buffers (Triton), Nix, workflows (Snakemake, WDL). Words, strings and here-documents with their lines; comments
// vanish. Enough to see `key = "value"`, `key: "value"`, `step 'value'` and the blocks around them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

enum class BlockTokenKind : std::uint8_t { Word, String, Text, Punctuation };

struct BlockToken {
  BlockTokenKind kind;
  std::string text;        ///< decoded; for Text the lines of a here-document or triple-quoted string
  std::uint32_t line = 0;  ///< of the first character of `text`
};

enum class BlockDialect : std::uint8_t { Hcl, Groovy, ProtocolText, Nix, Workflow };

/// Never fails: an unterminated string ends at its line, unterminated text at the end of the file.
std::vector<BlockToken> readBlockTokens(std::string_view text, BlockDialect dialect);

}  // namespace unwarp::scan
