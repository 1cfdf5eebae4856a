// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bindings that sit in literals: `device="cuda"`, `.to("cuda:0")`, `backend="nccl"`, `num_warps=8`, compiler flags of
// extension builds and the requirement lists of setup.py. A literal counts only in its role (keyword, argument, key),
// never because of its words: log texts and docstrings mention CUDA all the time.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/python/python_scene.h"

namespace unwarp::scan::python {
namespace {

using knowledge::Ecosystem;

constexpr std::array<std::string_view, 7> deviceMethods{"to",   "device",   "set_default_device", "autocast",
                                                        "type", "to_empty", "Generator"};
constexpr std::array<std::string_view, 6> backendKeywords{"backend",      "process_group_backend", "ddp_backend",
                                                          "dist_backend", "distributed_backend",   "nccl_backend"};
constexpr std::array<std::string_view, 4> requirementKeywords{"install_requires", "setup_requires", "tests_require",
                                                              "extras_require"};

/// One line under inspection.
class LiteralReader {
 public:
  LiteralReader(Scene& scene, const PyLine& line) : scene_(scene), file_(scene.file), line_(line) {}

  void run() {
    const GuardMark mark(scene_.out, line_.guarded);
    for (std::uint32_t i = line_.first; i < line_.last; ++i) {
      if (file_.isString(i))
        string(i);
      else if (file_.is(i, ".") && file_.isName(i + 1))
        attribute(i + 1);
    }
    if (assignsFlags()) flags(line_.first, line_.last);
  }

 private:
  std::string value(std::uint32_t token) const { return stringValue(file_.at(token)); }

  void add(Ecosystem ecosystem, std::string_view name, std::uint32_t token) {
    const PyToken& place = file_.tokens[token];
    addDependency(scene_.context, scene_.out, ecosystem, name, place.line, {}, line_.guarded, place.column);
  }

  static bool isCudaDevice(std::string_view text) { return text == "cuda" || text.starts_with("cuda:"); }

  /// The keyword or variable that takes the literal at `token`: `name = "..."`, or the key in `"name": "..."`.
  std::string_view roleOf(std::uint32_t token) const {
    if (token < line_.first + 2) return {};
    if (file_.is(token - 1, "=") && file_.isName(token - 2)) {
      const bool annotated = token >= line_.first + 4 && file_.is(token - 3, ":") && file_.isName(token - 4);
      return file_.at(annotated ? token - 4 : token - 2);
    }
    if (file_.is(token - 1, ":") && file_.isString(token - 2)) return openString(file_.at(token - 2)).body;
    return {};
  }

  bool isArgumentOf(std::uint32_t token, std::string_view callee) const {
    return token >= line_.first + 2 && file_.is(token - 1, "(") && file_.is(token - 2, callee);
  }

  void string(std::uint32_t token) {
    const std::string_view raw = openString(file_.at(token)).body;
    if (raw.size() > 400) return;
    if (isCudaDevice(raw)) return device(token);
    const std::string_view role = roleOf(token);
    if (raw == "nccl") return backend(token, role);
    if (raw.ends_with("ExecutionProvider")) {
      if (token > line_.first || line_.last - line_.first > 1) add(Ecosystem::Config, raw, token);
      return;
    }
    if (isImageRole(role) || isArgumentOf(token, "from_registry"))
      return addImage(scene_.context, raw, file_.tokens[token].line, scene_.out);
    if (role == "attn_implementation" && raw.starts_with("flash_attention_")) return attention(token, raw);
    if (!role.empty() && raw.size() <= 64 && setting(token, role, raw)) return;
    if (isMachineRole(role) || isArgumentOf(token, "InstanceType")) return add(Ecosystem::Cloud, raw, token);
    if (raw.starts_with("arch=compute_") || raw.starts_with("-gencode")) return architecture(token);
    if (raw == "nvcc" && file_.is(token + 1, ":")) return flags(token + 2, valueEnd(token + 2));
    if (raw == "nvcc" && file_.is(token + 1, "]")) return flags(token + 2, line_.last);
    if (scene_.isBuildScript && file_.is(token - 1, "[") && token > line_.first) return list(token);
    const bool loaded = isArgumentOf(token, "CDLL") || isArgumentOf(token, "LoadLibrary");  // read with its call
    if (scene_.usesCtypes && !loaded && raw.starts_with("lib") && raw.find(".so") != std::string_view::npos)
      library(token, raw);
  }

  /// Keywords and keys by which operators and SDKs take a container image.
  static bool isImageRole(std::string_view role) {
    return role == "image" || role.ends_with("_image") || role.ends_with("image_uri") || role.ends_with("imageName");
  }

  /// Keywords and keys by which SDKs of clouds take a kind of machine.
  static bool isMachineRole(std::string_view role) {
    const std::string lower = toLower(role);
    return lower == "instance_type" || lower == "instancetype" || lower == "machine_type" || lower == "machinetype" ||
           lower == "vm_size" || lower == "accelerator_type" || lower == "node_type_id";
  }

  void device(std::uint32_t token) {
    if (!scene_.usesTorch) return;
    const std::string_view role = roleOf(token);
    const bool named = role.starts_with("device") || role.ends_with("device") || role == "map_location";
    const bool argument = std::any_of(deviceMethods.begin(), deviceMethods.end(),
                                      [&](std::string_view method) { return isArgumentOf(token, method); });
    if (named || argument) add(Ecosystem::Python, "torch.cuda", token);
  }

  void backend(std::uint32_t token, std::string_view role) {
    const bool named = std::find(backendKeywords.begin(), backendKeywords.end(), role) != backendKeywords.end();
    if (named || isArgumentOf(token, "init_process_group")) add(Ecosystem::Config, "backend=nccl", token);
  }

  /// A keyword or key with a value that the tables know: `tree_method="gpu_hist"`.
  bool setting(std::uint32_t token, std::string_view role, std::string_view value) {
    const std::string text = std::string(role) + "=" + std::string(value);
    const std::uint32_t record = scene_.context.knowledge.findDependency(Ecosystem::Config, text);
    if (record == knowledge::Knowledge::none) return false;
    add(Ecosystem::Config, text, token);
    return true;
  }

  void attention(std::uint32_t token, std::string_view value) {
    const std::uint32_t record =
        scene_.context.knowledge.findDependencyById("flash-attn-" + std::string(value.substr(16)));
    const PyToken& place = file_.tokens[token];
    if (record != knowledge::Knowledge::none)
      scene_.out.dependencies.push_back({record, place.line, place.column, {}, line_.guarded, std::string(value)});
  }

  /// `-gencode` says nothing without its `arch=`, which is a literal of its own more often than not.
  void architecture(std::uint32_t token) {
    const std::string text = value(token);
    if (line_.last - line_.first == 1) return;
    if (text != "-gencode") addCompilerFlag(scene_.context, text, file_.tokens[token].line, scene_.out);
  }

  /// The end of a dictionary value that starts at `first`: the comma or bracket behind it.
  std::uint32_t valueEnd(std::uint32_t first) const {
    std::uint32_t i = first;
    while (i < line_.last && !file_.is(i, ",") && !file_.is(i, "}"))
      i = file_.match[i] > i ? std::min(file_.match[i], line_.last) + 1 : i + 1;
    return std::min(i, line_.last);
  }

  bool assignsFlags() const {
    if (!file_.isName(line_.first)) return false;
    const std::string name = toLower(file_.at(line_.first));
    const bool known = name.find("nvcc") != std::string::npos || name.find("cuda_cflags") != std::string::npos ||
                       name.find("cuda_flags") != std::string::npos;
    const bool method =
        file_.is(line_.first + 1, ".") && (file_.is(line_.first + 2, "append") || file_.is(line_.first + 2, "extend"));
    return known && (method || file_.is(line_.first + 1, "=") || file_.is(line_.first + 1, "+="));
  }

  /// All literals of a range that look like flags. Ranges of one line follow each other, so each literal is seen once.
  void flags(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = std::max(first, flagsDone_); i < last; ++i) {
      if (!file_.isString(i)) continue;
      const std::string text = value(i);
      const bool dash = text.starts_with("-") && text != "-gencode" && text != "--generate-code";
      if (dash && !text.starts_with("-gencode"))
        addCompilerFlag(scene_.context, text, file_.tokens[i].line, scene_.out);
    }
    flagsDone_ = std::max(flagsDone_, last);
  }

  /// A list in a build script: requirements or libraries, by its keyword.
  void list(std::uint32_t token) {
    const std::uint32_t open = token - 1, close = closingBracket(file_, open, line_.last);
    const std::string_view role = roleOf(open);
    const bool requirements =
        std::find(requirementKeywords.begin(), requirementKeywords.end(), role) != requirementKeywords.end() ||
        inExtras(open);
    for (std::uint32_t i = token; i < close && (requirements || role == "libraries" || role == "LIBS"); ++i) {
      if (!file_.isString(i)) continue;
      if (requirements)
        addRequirement(scene_.context, value(i), file_.tokens[i].line, scene_.out, line_.guarded);
      else
        add(Ecosystem::Lib, "lib" + value(i) + ".so", i);
    }
  }

  /// Whether the list at `open` is a value of `extras_require={"x": [...]}`.
  bool inExtras(std::uint32_t open) {
    if (extras_ == 0) {
      extras_ = line_.last;
      for (std::uint32_t i = line_.first; i + 2 < line_.last; ++i)
        if (file_.is(i, "extras_require") && file_.is(i + 1, "=") && file_.is(i + 2, "{")) extras_ = i + 2;
    }
    return extras_ < open && open < closingBracket(file_, extras_, line_.last);
  }

  void library(std::uint32_t token, std::string_view raw) {
    if (line_.last - line_.first == 1) return;
    add(Ecosystem::Lib, raw.substr(0, raw.find(".so") + 3), token);
  }

  /// `.cuda()` on a tensor or module.
  void attribute(std::uint32_t token) {
    if (!scene_.usesTorch || !file_.is(token, "cuda") || !file_.is(token + 1, "(")) return;
    std::uint32_t root = token - 1;  // the first name of a plain dotted path: `torch.cuda(...)` is no method call
    while (root > line_.first && (file_.is(root, ".") || file_.is(root - 1, "."))) --root;
    if (file_.isName(root) && scene_.names.meaning(file_.at(root)) == "torch") return;
    add(Ecosystem::Python, "torch.cuda", token);
  }

  Scene& scene_;
  const PyFile& file_;
  const PyLine& line_;
  std::uint32_t flagsDone_ = 0;
  std::uint32_t extras_ = 0;
};

/// `num_warps=8` of a Triton configuration or launch: a number written for one width of warp.
void reportTuning(Scene& scene, const PyLine& line) {
  const PyFile& file = scene.file;
  for (std::uint32_t i = line.first; i + 2 < line.last; ++i) {
    if (!file.is(i, "num_warps") && !file.is(i, "num_stages")) continue;
    if (!file.is(i + 1, "=") || file.tokens[i + 2].kind != PyTokenKind::Number || i == line.first) continue;
    const PyToken& place = file.tokens[i];
    const std::string value(file.at(i + 2));
    const std::string setting = std::string(file.at(i)) + "=" + value;
    addDependency(scene.context, scene.out, Ecosystem::Config, setting, place.line, {}, line.guarded, place.column);
    scene.out.mentions.push_back(
        {MentionKind::Python, std::string(file.at(i)), value, place.line, place.column, line.guarded});
  }
}

}  // namespace

void reportLiterals(Scene& scene, const PyLine& line) {
  LiteralReader(scene, line).run();
  if (scene.usesTriton) reportTuning(scene, line);
}

}  // namespace unwarp::scan::python
