// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dotted names against the tables. A use is looked up with its whole path and then with shorter ones, so that
// `torch.version.cuda.split` still is `torch.version.cuda`. Two packages need evidence before their name counts: `apex`
// and `warp` are names of other packages too. FlashAttention's generations share a name; the functions and modules used
// tell them apart.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/python/python_guards.h"
#include "scan/python/python_scene.h"

namespace unwarp::scan::python {
namespace {

using knowledge::Ecosystem;
using knowledge::Knowledge;

constexpr int longestPath = 12;
constexpr std::size_t valueLimit = 240;

constexpr std::array<std::string_view, 12> apexParts{"amp",        "optimizers",         "parallel", "normalization",
                                                     "contrib",    "transformer",        "mlp",      "fused_dense",
                                                     "fp16_utils", "multi_tensor_apply", "pyprof",   "RNN"};
constexpr std::array<std::string_view, 22> warpParts{
    "kernel", "func",         "launch",      "init",       "array",          "sim",        "fem", "types",
    "config", "optim",        "render",      "from_torch", "to_torch",       "zeros",      "tid", "vec3",
    "mat33",  "ScopedDevice", "ScopedTimer", "struct",     "capture_launch", "synchronize"};

/// Families whose settings and conditions rules look at, whether or not a record names them.
constexpr std::array<std::string_view, 13> mentionFamilies{"torch.cuda",
                                                           "torch.backends",
                                                           "torch.version",
                                                           "torch.set_float32_matmul_precision",
                                                           "torch.float8_e4m3fn",
                                                           "torch.distributed.init_process_group",
                                                           "torch.use_deterministic_algorithms",
                                                           "torch.utils.cpp_extension",
                                                           "torch.compile",
                                                           "triton",
                                                           "cupy",
                                                           "numba.cuda",
                                                           "pycuda"};

std::string_view component(std::string_view dotted, std::size_t index) {
  std::size_t begin = 0;
  for (; index > 0; --index) {
    const std::size_t dot = dotted.find('.', begin);
    if (dot == std::string_view::npos) return {};
    begin = dot + 1;
  }
  return dotted.substr(begin, dotted.find('.', begin) - begin);
}

bool isWithin(std::string_view dotted, std::string_view family) {
  return dotted.starts_with(family) && (dotted.size() == family.size() || dotted[family.size()] == '.');
}

bool isMentionFamily(std::string_view dotted) {
  return std::any_of(mentionFamilies.begin(), mentionFamilies.end(),
                     [dotted](std::string_view name) { return isWithin(dotted, name); });
}

bool hasComponent(std::string_view dotted, std::initializer_list<std::string_view> words) {
  for (std::string_view part : split(dotted, '.'))
    if (std::find(words.begin(), words.end(), part) != words.end()) return true;
  return false;
}

bool isFlashAttention(std::string_view dotted) {
  const std::string_view root = component(dotted, 0);
  return root == "flash_attn" || root == "flash_attn_interface" || root == "flash_attn_3" ||
         root == "flash_attn_2_cuda" || root == "flash_attn_cuda" || root == "flashattn_hopper" ||
         root == "flash_attn_3_cuda" || root == "flashattn_hopper_cuda";
}

/// The generation that one dotted name gives away, or 0.
int flashGeneration(std::string_view dotted) {
  if (!isFlashAttention(dotted)) return 0;
  const std::string_view root = component(dotted, 0);
  if (root == "flash_attn" && component(dotted, 1) == "cute") return 4;
  if (root == "flash_attn_2_cuda") return 2;
  if (root == "flash_attn_cuda") return 1;
  if (root != "flash_attn" || hasComponent(dotted, {"hopper", "flash_attn_interface_hopper"})) return 3;
  if (hasComponent(dotted, {"flash_attn_triton", "flash_attn_triton_og"})) return 0;
  if (hasComponent(dotted, {"flash_attn_unpadded_func", "flash_attn_unpadded_qkvpacked_func",
                            "flash_attn_unpadded_kvpacked_func", "flash_attn_unpadded_qkvpacked_split_func",
                            "flash_attention", "FlashAttention", "FlashMHA"}))
    return 1;
  if (hasComponent(
          dotted, {"flash_attn_func", "flash_attn_varlen_func", "flash_attn_qkvpacked_func", "flash_attn_kvpacked_func",
                   "flash_attn_varlen_qkvpacked_func", "flash_attn_varlen_kvpacked_func", "flash_attn_with_kvcache"}))
    return 2;
  return 0;
}

std::uint32_t flashRecord(const Scene& scene, std::string_view dotted) {
  int generation = flashGeneration(dotted);
  if (generation == 0) generation = scene.flashAttention;
  if (generation == 0) return Knowledge::none;
  return scene.context.knowledge.findDependencyById("flash-attn-" + std::to_string(generation));
}

/// Records of namesakes and of AMD's own packages say what a name is; neither binds to CUDA.
bool isBinding(const knowledge::Dependency& record) {
  return !record.falsePositive && !record.counterpart.starts_with("already AMD");
}

/// The record for a dotted path or the longest part of it, or none.
std::uint32_t findRecord(const Scene& scene, std::string_view dotted) {
  const std::string_view root = component(dotted, 0);
  if (root == "apex" && !scene.usesApex) return Knowledge::none;
  if ((root == "warp" || root == "wp") && !scene.usesWarp) return Knowledge::none;
  if (isFlashAttention(dotted))
    if (const std::uint32_t record = flashRecord(scene, dotted); record != Knowledge::none) return record;
  for (int i = 0; i < longestPath && !dotted.empty(); ++i) {
    const std::uint32_t record = scene.context.knowledge.findDependency(Ecosystem::Python, dotted);
    if (record != Knowledge::none)
      return isBinding(scene.context.knowledge.dependencies()[record]) ? record : Knowledge::none;
    const std::size_t dot = dotted.rfind('.');
    if (dot == std::string_view::npos) break;
    dotted = dotted.substr(0, dot);
  }
  return Knowledge::none;
}

void addRecord(Scene& scene, std::uint32_t record, std::uint32_t token, bool guarded, std::string_view name) {
  const PyToken& place = scene.file.tokens[token];
  scene.out.dependencies.push_back({record, place.line, place.column, {}, guarded, std::string(name)});
}

bool isComparison(std::string_view text) {
  return text == "==" || text == "!=" || text == "<" || text == ">" || text == "<=" || text == ">=" || text == "in" ||
         text == "is" || text == "not";
}

/// What the mention's value says: arguments of a call, else the right-hand side; a comparison that follows is kept with
/// its operator.
std::string valueOf(const PyFile& file, const PyLine& line, const PyUse& use) {
  std::uint32_t next = use.last;
  std::string value;
  if (file.is(next, "=") && use.first == line.first) return textOf(file, next + 1, line.last, valueLimit);
  if (file.is(next, "(")) {
    const std::uint32_t close = closingBracket(file, next, line.last);
    value = textOf(file, next + 1, close, valueLimit);
    next = std::min(close + 1, line.last);
  }
  std::uint32_t compare = next;
  while (compare < line.last && file.is(compare, "["))
    compare = std::min(closingBracket(file, compare, line.last) + 1, line.last);
  if (compare >= line.last || !isComparison(file.at(compare))) return value;
  std::uint32_t end = compare + 1;
  const std::uint32_t limit =
      std::min(line.last, compare + 64);  // a hostile chain of comparisons must not cost its square
  while (end < limit && !file.is(end, ":") && !file.is(end, "and") && !file.is(end, "or") && !file.is(end, ",") &&
         !file.is(end, ")") && !file.is(end, "else"))
    end = file.is(end, "(") || file.is(end, "[") ? std::min(closingBracket(file, end, line.last) + 1, line.last)
                                                 : end + 1;
  if (!value.empty()) value += ' ';
  return value + textOf(file, next, end, valueLimit);
}

}  // namespace

void judgeNamesakes(Scene& scene) {
  std::array<bool, 5> seen{};
  const auto look = [&](std::string_view dotted) {
    seen[static_cast<std::size_t>(flashGeneration(dotted))] = true;
    const std::string_view root = component(dotted, 0), part = component(dotted, 1);
    if (root == "apex") scene.usesApex |= std::find(apexParts.begin(), apexParts.end(), part) != apexParts.end();
    if (root == "warp") scene.usesWarp |= std::find(warpParts.begin(), warpParts.end(), part) != warpParts.end();
  };
  for (const PyImport& import : scene.names.imports()) look(import.dotted);
  PyUse use;
  for (const PyLine& line : scene.file.lines)
    for (std::uint32_t token = line.first; token < line.last; ++token)
      if (scene.names.useAt(token, line, use)) look(use.dotted);
  if (std::count(seen.begin() + 1, seen.end(), true) != 1) return;
  for (int generation = 1; generation <= 4; ++generation)
    if (seen[static_cast<std::size_t>(generation)]) scene.flashAttention = generation;
}

void reportImports(Scene& scene) {
  for (const PyImport& import : scene.names.imports()) {
    const std::uint32_t record = findRecord(scene, import.dotted);
    if (record == Knowledge::none) continue;
    const PyToken& place = scene.file.tokens[import.token];
    const bool guarded = scene.file.lines[import.line].guarded;
    addRecord(scene, record, import.token, guarded, import.dotted);
    scene.out.mentions.push_back({MentionKind::Python, import.dotted, {}, place.line, place.column, guarded});
  }
}

bool reportUse(Scene& scene, const PyLine& line, const PyUse& use) {
  const std::uint32_t record = findRecord(scene, use.dotted);
  const bool family = isMentionFamily(use.dotted);
  if (record == Knowledge::none && !family) return false;
  const bool guarded = line.guarded || isBehindPlatformTest(scene.file, line, use.first);
  if (record != Knowledge::none) addRecord(scene, record, use.first, guarded, use.dotted);
  const PyToken& place = scene.file.tokens[use.first];
  scene.out.mentions.push_back(
      {MentionKind::Python, use.dotted, valueOf(scene.file, line, use), place.line, place.column, guarded});
  return record != Knowledge::none;
}

void reportCapabilityMethods(Scene& scene, const PyLine& line) {
  const PyFile& file = scene.file;
  for (std::uint32_t i = line.first + 1; i + 1 < line.last; ++i) {
    const bool method = file.is(i, "has_device_capability") || file.is(i, "is_device_capability") ||
                        file.is(i, "get_device_capability");
    if (!method || !file.is(i - 1, ".") || !file.is(i + 1, "(")) continue;
    std::uint32_t first = i - 1;
    std::string dotted = "." + std::string(file.at(i));
    while (first > line.first && file.isName(first - 1)) {
      dotted.insert(0, file.at(--first));
      if (first <= line.first || !file.is(first - 1, ".")) break;
      dotted.insert(0, ".");
      --first;
    }
    PyUse use;
    const bool imported = file.isName(first) && scene.names.useAt(first, line, use);
    if (imported && (isMentionFamily(use.dotted) || findRecord(scene, use.dotted) != Knowledge::none)) continue;
    const bool guarded = line.guarded || isBehindPlatformTest(file, line, first);
    const PyToken& place = file.tokens[first];
    scene.out.mentions.push_back({MentionKind::Python, imported ? use.dotted : dotted,
                                  valueOf(file, line, {first, i + 1, {}}), place.line, place.column, guarded});
  }
}

}  // namespace unwarp::scan::python
