// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats of 8 and 4 bits and TF32: which of them a GPU has, and in which dialect, is a column of
// knowledge/devices.tsv. A detector does not know the targets, so it says with each site which devices are concerned.
#include "audit/rules/number_formats.h"

#include <algorithm>
#include <array>
#include <string>

#include "audit/rules/patterns.h"
#include "audit/rules/token_queries.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using scan::Function;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// fp8, e4m3, Float8; not ue4m3, the unsigned scale format, which is the same everywhere.
bool isFp8Word(std::string_view word) {
  return (containsIgnoreCase(word, "fp8") || containsIgnoreCase(word, "e4m3") || containsIgnoreCase(word, "float8")) &&
         !containsIgnoreCase(word, "ue4m3") && !containsIgnoreCase(word, "fnuz");
}

bool speaksOfFp8(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.isIdentifier(t) && isFp8Word(facts.at(t))) return true;
  }
  return false;
}

/// Whether the number stands near fp8: in its statement, on its line, or in the name or parameters of its function.
bool isNearFp8(const SourceFacts& facts, TokenIndex t) {
  TokenIndex begin = t, end = t + 1;
  while (begin > 0 && facts.line(begin - 1) == facts.line(t) && t - begin < 64) --begin;
  while (end < facts.tokens.size() && facts.line(end) == facts.line(t) && end - t < 64) ++end;
  if (speaksOfFp8(facts, {begin, end})) return true;
  if (facts.tokens[t].directive) return false;
  TokenRange statement = facts.statement(t);
  if (statement.end - statement.begin < 128 && speaksOfFp8(facts, statement)) return true;
  const Function* function = facts.enclosing(t);
  return function && (isFp8Word(function->name) || speaksOfFp8(facts, function->parameters) ||
                      speaksOfFp8(facts, function->qualifiers));
}

bool isMaximum(std::string_view text) {
  return text == "448" || text == "448.f" || text == "448.0f" || text == "448.0" || text == "448." || text == "448.F" ||
         text == "448.0F" || text == "448f";
}

bool isNanPattern(const SourceFacts& facts, TokenIndex t) {
  std::string_view text = facts.at(t);
  if (!equalsIgnoreCase(text, "0x7f") && !equalsIgnoreCase(text, "0x7fu")) return false;
  return (t > 0 && isComparison(facts.at(t - 1))) || isComparison(facts.at(t + 1));
}

bool isE4m3Word(std::string_view word) {
  return word == "__nv_fp8_e4m3" || word == "__nv_fp8x2_e4m3" || word == "__nv_fp8x4_e4m3";
}

/// The variable comes from a parameter that is e4m3 already, through at most a few locals.
bool comesFromE4m3(const SourceFacts& facts, std::string_view name, TokenIndex use) {
  const Function* function = facts.enclosing(use);
  for (int steps = 0; function && steps < 4 && !name.empty(); ++steps) {
    TokenIndex declaration = declarationOf(facts, name, use);
    if (declaration == noToken) return false;
    TokenRange type = typeBefore(facts, declaration);
    for (TokenIndex t = type.begin; t < type.end; ++t)
      if (isE4m3Word(facts.at(t))) return true;
    if (!function->body.contains(declaration)) return false;
    TokenRange initialiser = initialiserOf(facts, declaration);
    name = namedVariable(facts, initialiser);
    use = declaration;
  }
  return false;
}

/// The first use of each 8-bit or 4-bit format in a file: which GPUs compute in it says knowledge/devices.tsv.
void reportMissingFormats(const SourceFacts& facts, Hits& hits) {
  struct Format {
    std::string_view name, lacking;
  };
  static constexpr std::array<Format, 12> formats{{{"__nv_fp8_e4m3", "fp8-none"},
                                                   {"__nv_fp8x2_e4m3", "fp8-none"},
                                                   {"__nv_fp8x4_e4m3", "fp8-none"},
                                                   {"__nv_fp8_e5m2", "fp8-none"},
                                                   {"__nv_fp8x2_e5m2", "fp8-none"},
                                                   {"__nv_fp8x4_e5m2", "fp8-none"},
                                                   {"CUDA_R_8F_E4M3", "fp8-none"},
                                                   {"CUDA_R_8F_E5M2", "fp8-none"},
                                                   {"__nv_fp4_e2m1", "no-fp4"},
                                                   {"__nv_fp4x2_e2m1", "no-fp4"},
                                                   {"__nv_fp4x4_e2m1", "no-fp4"},
                                                   {"CUDA_R_4F_E2M1", "no-fp4"}}};
  for (const Format& format : formats) {
    for (TokenIndex t : facts.named(format.name)) {
      if (!isLive(facts, t) || facts.tokens[t].directive || (t > 0 && facts.is(t - 1, "case"))) continue;
      hits.addWhere(format.lacking, t,
                    std::string(format.name) + ": this GPU has no " + (format.lacking == "no-fp4" ? "FP4" : "FP8") +
                        " arithmetic: conversions run in software, matrix products lack it");
      break;
    }
  }
}

}  // namespace

void detectFp8Dialect(const SourceFacts& facts, Hits& hits) {
  TokenIndex lastStatement = noToken;
  for (TokenIndex t : facts.numbers) {
    bool maximum = isMaximum(facts.at(t));
    if (!maximum && !isNanPattern(facts, t)) continue;
    if (!isLive(facts, t) || !isNearFp8(facts, t)) continue;
    TokenIndex statement = facts.statement(t).begin;
    if (statement == lastStatement) continue;
    lastStatement = statement;
    hits.addWhere("fp8-fnuz", t,
                  maximum ? "448 is the largest e4m3 value of the OCP dialect only: gfx942 stops at 240"
                          : "0x7f is a NaN in the OCP dialect only: gfx942 has one NaN, 0x80");
  }
  for (std::string_view word : {"__nv_fp8_e4m3", "__nv_fp8x2_e4m3", "__nv_fp8x4_e4m3"}) {
    for (TokenIndex t : facts.named(word)) {
      bool pointer = facts.is(t + 1, "*") || (facts.is(t + 1, "const") && facts.is(t + 2, "*"));
      TokenIndex before = t > 1 && facts.is(t - 1, "const") ? t - 2 : t - 1;
      TokenIndex close = facts.is(t + 1, "const") ? t + 3 : t + 2;
      bool cast = t > 1 && pointer &&
                  ((facts.is(before, "<") && before > 0 && facts.is(before - 1, "reinterpret_cast")) ||
                   (facts.is(before, "(") && facts.is(close, ")") && facts.match[before] == close));
      // The operand: `(&v.x)` behind a named cast, what follows a C cast.
      TokenIndex operand = close + 1;
      while (facts.is(operand, "(") || facts.is(operand, "&") || facts.is(operand, "*")) ++operand;
      if (cast && comesFromE4m3(facts, facts.at(operand), t)) continue;  // the dialect travels with the type
      if (cast && isLive(facts, t) && !facts.tokens[t].directive)
        hits.addWhere("fp8-fnuz", t, "raw bytes read as e4m3: gfx942 decodes the same byte to half the value");
    }
  }
  reportMissingFormats(facts, hits);
}

void detectReducedPrecision(const SourceFacts& facts, Hits& hits) {
  for (std::string_view word :
       {"CUBLAS_TF32_TENSOR_OP_MATH", "CUBLAS_COMPUTE_32F_FAST_TF32", "CUBLAS_COMPUTE_32F_FAST_16F",
        "CUBLAS_COMPUTE_32F_FAST_16BF", "CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION", "setAllowTF32CuBLAS",
        "setAllowTF32CuDNN", "setFloat32MatmulPrecision"}) {
    for (TokenIndex t : facts.named(word)) {
      bool listed = t > 0 && (facts.is(t - 1, "case") || facts.is(t - 1, "define") || isComparison(facts.at(t - 1)) ||
                              isComparison(facts.at(t + 1)));
      bool declared = word.starts_with("set") && !facts.is(t - 1, ".") && !facts.is(t - 1, "->");
      if (!isLive(facts, t) || listed || declared) continue;
      const std::string shown(word);
      if (word.find("TF32") == std::string_view::npos) {
        hits.add(t, shown + ": reduced-precision mode that AMD GPUs ignore or round differently");
        continue;
      }
      hits.addWhere("no-tf32", t, shown + ": no TF32 of its own here: ignored or emulated, so errors and times differ");
      hits.addWhere("tf32", t, shown + ": the reduced mode of this GPU has larger errors than TF32");
    }
  }
}

}  // namespace unwarp::audit
