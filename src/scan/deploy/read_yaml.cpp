// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML and JSON files: into a tree, then by the meaning of their keys. A YAML file that is a conda environment under
// another name goes to that reader. Lock files of npm list thousands of packages none of which can bind to CUDA by
// itself: skipped, with a note.
#include "base/text.h"
#include "scan/deploy/config_reader.h"
#include "scan/deploy/sites.h"
#include "scan/deploy/template_text.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

bool isCondaEnvironment(const ConfigTree& tree) {
  const NodeIndex document = tree[0].firstChild;
  if (document == noNode) return false;
  const NodeIndex dependencies = tree.child(document, "dependencies");
  return dependencies != noNode && tree[dependencies].kind == NodeKind::Sequence &&
         tree.child(document, "channels") != noNode;
}

}  // namespace

void readConfigTree(const ReadContext& context, const ConfigTree& tree, int depth, FileFacts& out) {
  const auto count = static_cast<NodeIndex>(tree.nodes().size());
  for (NodeIndex node = 1; node < count; ++node) {
    readConfigKey(context, tree, node, out);
    readConfigContainer(context, tree, node, out);
    if (tree[node].kind == NodeKind::Scalar) readConfigScalar(context, tree, node, depth, out);
  }
}

void readYaml(const ReadContext& context, const Input& input, FileFacts& out) {
  const ConfigTree tree = parseYaml(input.bytes);
  if (!tree.complete) out.notes.push_back("collections nested too deep were not read");
  if (isCondaEnvironment(tree)) return readCondaEnv(context, input, out);
  readConfigTree(context, tree, 0, out);
  // Agents with a folder per integration: the folder says which.
  if (const std::size_t last = input.path.rfind('/'); last != std::string_view::npos && last > 0)
    addSite(context, knowledge::Ecosystem::Config, {input.path.substr(input.path.rfind('/', last - 1) + 1)}, 1, {},
            out);
  readTemplateLines(context, input.bytes, out);
}

void readToml(const ReadContext& context, const Input& input, FileFacts& out) {
  const ConfigTree tree = parseTomlTree(input.bytes);
  if (!tree.complete) out.notes.push_back("not valid TOML throughout, faulty lines were passed over");
  readConfigTree(context, tree, 0, out);
  // Agents name their plug-ins by tables: `[[inputs.nvidia_smi]]`, which may be empty.
  LineReader lines(input.bytes);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (!line.starts_with('[')) continue;
    const std::size_t first = line.find_first_not_of('['), end = std::min(line.find(']'), line.size());
    if (first < end)
      addSite(context, knowledge::Ecosystem::Config, {line.substr(first, end - first)}, lines.number(), {}, out);
  }
}

void readJson(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::string_view name = baseName(input.path);
  if (name == "package-lock.json" || name == "npm-shrinkwrap.json") {
    out.notes.push_back("npm lock file: package.json beside it is read instead");
    return;
  }
  const ConfigTree tree = parseJsonTree(input.bytes);
  if (!tree.complete) out.notes.push_back("no valid JSON: read up to the first error");
  readConfigTree(context, tree, 0, out);
}

}  // namespace unwarp::scan
