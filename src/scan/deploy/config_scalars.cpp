// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single settings. The order of the questions matters: what a key says about its value comes first, then the value
// itself. The first answer ends the search, so one value is one binding.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/config_reader.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/deploy/spack_spec.h"
#include "scan/monitoring/metrics.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

constexpr int maxTextDepth = 3;
constexpr std::size_t maxNameBytes = 512;

bool isNumber(std::string_view text) {
  return text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

/// A key made of small letters and underscores, as options are called.
bool isWordKey(std::string_view key) {
  return key.size() <= 40 && key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-") == std::string_view::npos;
}

bool hasBlank(std::string_view text) {
  return text.find_first_of(" \t\n\r") != std::string_view::npos;
}

/// Keeps the lines of facts added since `first` inside the lines the value spans: escapes make more lines than the file
/// has.
void clampLines(const ConfigNode& node, std::size_t firstDependency, std::size_t firstMention, FileFacts& out) {
  const std::uint32_t last = node.valueLine + node.lineCount - 1;
  for (std::size_t i = firstDependency; i < out.dependencies.size(); ++i)
    out.dependencies[i].line = std::min(out.dependencies[i].line, last);
  for (std::size_t i = firstMention; i < out.mentions.size(); ++i)
    out.mentions[i].line = std::min(out.mentions[i].line, last);
}

void readScript(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const ConfigNode& scalar = tree[node];
  const std::size_t firstDependency = out.dependencies.size();
  const std::size_t firstMention = out.mentions.size();
  const std::string_view shell = scalar.parent == noNode ? std::string_view() : tree.childValue(scalar.parent, "shell");
  if (shell.starts_with("python"))
    readPythonText(context, scalar.value, scalar.valueLine, out);
  else
    readShellText(context, scalar.value, scalar.valueLine, out);
  clampLines(scalar, firstDependency, firstMention, out);
}

/// `--gpus all --ipc=host`, over lines where the text is a block. Quotes are those of a pipeline's expression as often
/// as of the shell (`${{ matrix.gpu && '--gpus all' || '' }}`), so they only go.
void readContainerOptionText(const ReadContext& context, const ConfigNode& scalar, FileFacts& out) {
  std::vector<ShellWord> command;
  std::uint32_t line = scalar.valueLine;
  const std::uint32_t last = scalar.valueLine + scalar.lineCount - 1;
  for (const std::string_view piece : split(scalar.value, '\n')) {
    std::string text(piece.ends_with('\\') ? piece.substr(0, piece.size() - 1) : piece);
    std::erase_if(text, [](char c) { return c == '"' || c == '\''; });
    for (const std::string_view word : words(text)) command.push_back({std::string(word), std::min(line, last), false});
    ++line;
  }
  readContainerOptions(context, command, out);
}

/// Records the CI entry called `name` when the table lists it by a pattern with `mark`: labels and actions share an
/// ecosystem, and an action is not to be taken for a label.
bool addCi(const ReadContext& context, std::string_view name, std::string_view mark, std::uint32_t line,
           std::string_view version, FileFacts& out) {
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Ci, name);
  if (record == knowledge::Knowledge::none) return false;
  if (context.knowledge.dependencies()[record].match.find(mark) == std::string_view::npos) return false;
  return addSite(context, Ecosystem::Ci, {name}, line, version, out);
}

/// `uses: owner/action@version`, with the toolkit version its inputs ask for.
void readAction(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const std::string_view value = tree[node].value;
  if (value.starts_with("docker://")) return addImage(context, value, tree[node].valueLine, out);
  const std::size_t at = value.find('@');
  std::string_view version = at == std::string_view::npos ? std::string_view() : value.substr(at + 1);
  const NodeIndex with = tree.child(tree[node].parent, "with");
  if (with != noNode && !tree.childValue(with, "cuda").empty()) version = tree.childValue(with, "cuda");
  if (!addCi(context, value.substr(0, at), "/", tree[node].valueLine, version, out))
    addCi(context, value, "/", tree[node].valueLine, version, out);
}

bool isRunnerLabelOf(const ReadContext& context, std::string_view label, std::string_view recordId) {
  if (label.size() > maxNameBytes) return false;
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Ci, label);
  return record != knowledge::Knowledge::none && context.knowledge.dependencies()[record].id == recordId;
}

/// `[self-hosted, gpu, mi300x]`: a runner has all labels of its list. The values of a matrix are alternatives.
bool standsBesideAmdLabel(const ReadContext& context, const ConfigTree& tree, NodeIndex node) {
  if (!tree[node].key.empty() || tree.hasAncestor(node, "matrix")) return false;
  for (NodeIndex label = tree[tree[node].parent].firstChild; label != noNode; label = tree[label].next)
    if (isRunnerLabelOf(context, tree[label].value, "ci-label-amd")) return true;
  return false;
}

bool readRunner(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const std::string_view label = tree[node].value;
  if (isRunnerLabelOf(context, label, "ci-label-gpu") && standsBesideAmdLabel(context, tree, node)) return true;
  return label.size() <= maxNameBytes && addSite(context, Ecosystem::Ci, {label}, tree[node].valueLine, {}, out);
}

/// A name that a text for people has: `NOTES.txt`, `guide.md`.
bool namesProse(std::string_view key) {
  const std::string name = toLower(key);
  constexpr std::array<std::string_view, 6> ends{".md", ".txt", ".rst", ".adoc", ".html", ".tex"};
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
}

/// Every line at the outermost indentation is a setting, an item or a mark of YAML or a template; prose has others.
bool looksLikeYaml(std::string_view text) {
  std::size_t outermost = std::string_view::npos;
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    const std::size_t indent = line.find_first_not_of(" \r");
    if (indent == std::string_view::npos || line[indent] == '#') continue;
    outermost = std::min(outermost, indent);
    if (indent > outermost) continue;
    line = trim(line.substr(indent));
    if (line == "-" || line.starts_with("- ") || line.starts_with("---") || line == "...") continue;
    if (line[0] == '{' || line[0] == '}' || line[0] == ']' || line[0] == '%') continue;
    const std::size_t colon = line.find(':');
    const bool ends = colon == line.size() - 1 || (colon != std::string_view::npos && line[colon + 1] == ' ');
    const bool quoted = line[0] == '"' || line[0] == '\'';
    if (!ends || (!quoted && hasBlank(line.substr(0, colon)))) return false;
  }
  return true;
}

/// Text files inside a text: rules and manifests in a ConfigMap, scripts of a chart.
bool readEmbeddedText(const ReadContext& context, const ConfigTree& tree, NodeIndex node, int depth, FileFacts& out) {
  const ConfigNode& scalar = tree[node];
  const std::string_view key = tree.nearestKey(node);
  const std::string_view body = trim(scalar.value);
  if (!scalar.block || depth >= maxTextDepth) return false;
  if (body.starts_with("#!") || key.ends_with(".sh")) {
    if (body.substr(0, body.find('\n')).find("python") != std::string_view::npos)
      readPythonText(context, scalar.value, scalar.valueLine, out);
    else
      readScript(context, tree, node, out);
    return true;
  }
  const bool isData = tree.hasAncestor(node, "data");
  if (isData && namesProse(key)) return true;
  const bool isYaml = key.ends_with(".yaml") || key.ends_with(".yml") || body.starts_with("#cloud-config") ||
                      (isData && looksLikeYaml(scalar.value)) || key == "values" || key == "valuesContent";
  if (key.ends_with(".json")) {
    readJson(context, {out.path, scalar.value}, out);
  } else if (isYaml) {
    readConfigTree(context, parseYaml(scalar.value, scalar.valueLine), depth + 1, out);
  } else {
    return false;
  }
  return true;
}

/// Image in two parts, as Helm values have it: `repository: nvcr.io/nvidia/cuda`, `tag: 12.4.1`.
bool readRepository(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const NodeIndex parent = tree[node].parent;
  const NodeIndex tag = tree.child(parent, "tag");
  const NodeIndex keyed = tree.keyedParent(node);
  const bool inImage = keyed != noNode && isImageKey(tree[keyed].key);
  if (tag == noNode && tree.child(parent, "pullPolicy") == noNode && !inImage) return false;
  std::string reference(tree.childValue(parent, "registry"));
  if (!reference.empty()) reference += '/';
  reference += tree[node].value;
  if (tag != noNode && !tree[tag].value.empty()) reference += ":" + std::string(tree[tag].value);
  addImage(context, reference, tree[node].valueLine, out);
  return true;
}

/// `gpus: all` of a compose file.
bool readEngineSetting(const ReadContext& context, const ConfigTree& tree, NodeIndex node, std::string_view key,
                       FileFacts& out) {
  const ConfigNode& scalar = tree[node];
  const bool requests = key == "gpus" && (scalar.value == "all" || tree.hasAncestor(node, "services"));
  return requests && addSiteById(context, "cli-docker-gpus", scalar.valueLine, out);
}

/// Tuning tables set `num_warps` thousands of times: once per file says it.
bool isRecordedInFile(const ReadContext& context, std::string_view key, const FileFacts& out) {
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Config, std::string(key) + "=1");
  return std::any_of(out.dependencies.begin(), out.dependencies.end(),
                     [&](const DependencyUse& use) { return use.record == record; });
}

bool isRoleKey(std::string_view key) {
  constexpr std::array<std::string_view, 6> keys{"role", "roles", "collections", "src", "include_role", "import_role"};
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Names that bind wherever they stand as a whole value.
bool readName(const ReadContext& context, std::string_view key, const ConfigNode& scalar, FileFacts& out) {
  std::string_view value = scalar.value;
  if (value.empty() || value.size() > maxNameBytes || hasBlank(value)) return false;
  const bool isTuning = key == "num_warps" || key == "num_stages";
  if (isTuning && isRecordedInFile(context, key, out)) return true;
  // Data files hold numbers by the million; only what they are called can matter.
  if (isNumber(value)) return isWordKey(key) && addSetting(context, key, value, scalar.valueLine, out);
  if (addKubernetes(context, key, value, scalar.valueLine, out)) return true;
  // JSON patches escape the slash of a resource name.
  if (const std::size_t patched = value.find("nvidia.com~1"); patched != std::string_view::npos) {
    std::string name(value.substr(patched));
    name.replace(10, 2, "/");
    return addKubernetes(context, "", name, scalar.valueLine, out);
  }
  if (value.starts_with("/dev/nvidia")) return addDeviceFile(context, value, scalar.valueLine, out);
  const std::string_view host = value.substr(
      0, value.find_first_of(":=", value.find("://") == std::string_view::npos ? 0 : value.find("://") + 3));
  if (host.size() != value.size() && addKubernetes(context, "", host, scalar.valueLine, out)) return true;
  const std::string_view program = baseName(value);
  if (program.starts_with("nvidia-") && addSite(context, Ecosystem::Cli, {program}, scalar.valueLine, {}, out))
    return true;
  if (addSetting(context, key, value, scalar.valueLine, out)) return true;
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Config, value);
  if (record == knowledge::Knowledge::none || context.knowledge.dependencies()[record].match.starts_with("*=*="))
    return false;
  return addSite(context, Ecosystem::Config, {value}, scalar.valueLine, {}, out);
}

/// `nvidia/cuda:12.4.1-devel` under a key that says nothing, or as the value of a build argument.
void readTaggedImage(const ReadContext& context, const ConfigNode& scalar, FileFacts& out) {
  std::string_view value = scalar.value;
  if (const std::size_t equals = value.find('='); equals != std::string_view::npos) value = value.substr(equals + 1);
  addTaggedImage(context, value, scalar.valueLine, out);
}

}  // namespace

void readConfigScalar(const ReadContext& context, const ConfigTree& tree, NodeIndex node, int depth, FileFacts& out) {
  const ConfigNode& scalar = tree[node];
  const std::string_view key = tree.nearestKey(node);
  if (isProseKey(key) || scalar.value.empty()) return;
  if (isSpackSpec(tree, node, out.path)) return addSpackSpec(context, scalar.value, scalar.valueLine, out);
  const bool isItem = scalar.key.empty();
  if (readEmbeddedText(context, tree, node, depth, out)) return;
  if (key == "uses") return readAction(context, tree, node, out);
  if (key == "repository" && readRepository(context, tree, node, out)) return;
  if (isQueryKey(key)) addMetrics(context, scalar.value, scalar.valueLine, out);
  if (isItem && isWordListKey(key)) return;  // read as one command
  if (isScriptKey(key) && !(key == "shell" && !scalar.block && !hasBlank(scalar.value)))
    return readScript(context, tree, node, out);
  const std::size_t before = out.dependencies.size();
  if (isImageKey(key)) addImage(context, scalar.value, scalar.valueLine, out);
  if (out.dependencies.size() != before) return;
  if (readEngineSetting(context, tree, node, key, out)) return;
  if (isContainerOptions(tree, node)) return readContainerOptionText(context, scalar, out);
  if (isRunnerLabel(tree, node, out.kind) && readRunner(context, tree, node, out)) return;
  const bool isRole = isRoleKey(key) || (key == "name" && isRoleKey(moduleName(tree.nearestKey(tree[node].parent))));
  if (isRole && addCloud(context, "role", scalar.value, scalar.valueLine, out)) return;
  const NodeIndex holder = isItem ? tree[tree[node].parent].parent : tree[node].parent;
  const bool isMachine = isMachineKey(key) || (key == "values" && isMachineKey(tree.childValue(holder, "key")));
  if (isMachine && addCloud(context, key, scalar.value, scalar.valueLine, out)) return;
  if (readName(context, key, scalar, out)) return;
  readTaggedImage(context, scalar, out);
}

void readConfigKey(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const ConfigNode& named = tree[node];
  std::string_view key = named.key;
  if (key.empty() || key.size() > maxNameBytes) return;
  const bool isZero = named.kind == NodeKind::Scalar && isOffValue(named.value);
  for (const std::string_view prefix : {"requests.", "limits."})
    if (key.starts_with(prefix)) key.remove_prefix(prefix.size());
  if (!isZero && key.find_first_of("./") != std::string_view::npos) {
    // `cloud.google.com/gke-accelerator: nvidia-tesla-t4` says more than its key.
    const bool hasText = named.kind == NodeKind::Scalar && !named.value.empty() && !isNumber(named.value);
    if (!hasText || !addKubernetes(context, key, named.value, named.line, out))
      addKubernetes(context, "", key, named.line, out);
  }
  if (key.starts_with("nvidia.") && key.find('/') == std::string_view::npos)
    addSite(context, Ecosystem::Cloud, {key}, named.line, {}, out);
  if (key.find('/') != std::string_view::npos || key.starts_with("spark."))
    addSite(context, Ecosystem::Config, {key}, named.line, {}, out);
  const std::string_view version = named.kind == NodeKind::Scalar ? named.value : std::string_view();
  if (tree.hasAncestor(node, "matrix"))
    addCi(context, "matrix." + std::string(key), "matrix.", named.line, version, out);
  // A known variable under a key that does not say "environment" (a ConfigMap, a parameter file).
  const NodeIndex above = tree.keyedParent(node);
  if (named.kind != NodeKind::Scalar || hasBlank(key) || (above != noNode && isEnvironmentKey(tree[above].key))) return;
  const bool capital = key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
  if (capital && context.knowledge.findDependency(Ecosystem::Env, key) != knowledge::Knowledge::none)
    addEnvironment(context, key, named.value, named.line, out);
}

}  // namespace unwarp::scan
