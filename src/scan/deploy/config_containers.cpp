// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings that span several nodes: environments in their three spellings, commands given as word lists, playbook
// modules, device requests and package lists.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/deploy/config_reader.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

/// `NAME: value`, `- NAME=value`, `- name: NAME` with `value:`, and `NAME: {value: ...}`.
void readEnvironmentBlock(const ReadContext& context, const ConfigTree& tree, NodeIndex block, FileFacts& out) {
  for (NodeIndex c = tree[block].firstChild; c != noNode; c = tree[c].next) {
    const ConfigNode& child = tree[c];
    if (child.kind == NodeKind::Map) {
      const std::string_view name = child.key.empty() ? tree.childValue(c, "name") : child.key;
      addEnvironment(context, name, tree.childValue(c, "value"), child.line, out);
    } else if (!child.key.empty()) {
      addEnvironment(context, child.key, child.value, child.line, out);
    } else if (child.kind == NodeKind::Scalar) {
      const std::size_t equals = child.value.find('=');
      const std::string_view value =
          equals == std::string_view::npos ? std::string_view() : child.value.substr(equals + 1);
      if (child.value.find_first_of(" \t") > equals || equals == std::string_view::npos)
        addEnvironment(context, child.value.substr(0, equals), value, child.line, out);
    }
  }
}

void appendWords(const ConfigTree& tree, NodeIndex list, std::vector<ShellWord>& words) {
  for (NodeIndex c = tree[list].firstChild; c != noNode; c = tree[c].next)
    if (tree[c].kind == NodeKind::Scalar) words.push_back({std::string(tree[c].value), tree[c].valueLine, true});
}

/// A command in words. A list whose first item has blanks is a list of shell lines instead.
void readWordList(const ReadContext& context, const ConfigTree& tree, NodeIndex list, FileFacts& out) {
  const std::string_view key = tree[list].key;
  const NodeIndex parent = tree[list].parent;
  const NodeIndex first = tree[list].firstChild;
  if (first == noNode) return;
  std::vector<ShellWord> words;
  if (key == "runArgs") words = {{"docker", tree[list].line, true}, {"run", tree[list].line, true}};
  NodeIndex command = key == "args" ? tree.child(parent, "command") : noNode;
  if (key == "args" && command == noNode)  // Cloud Build: `entrypoint: bash`
    if (const NodeIndex entry = tree.child(parent, "entrypoint"); entry != noNode)
      if (tree[entry].kind == NodeKind::Scalar) command = entry;
  if (command != noNode) {
    if (tree[command].kind == NodeKind::Sequence) return;  // read with its command
    words.push_back({std::string(tree[command].value), tree[command].valueLine, true});
  }
  const std::string_view firstWord = tree[first].value;
  if (words.empty() && firstWord.starts_with("-")) words.push_back({"program", tree[list].line, true});
  if (words.empty() && firstWord.find_first_of(" \n") != std::string_view::npos) {
    for (NodeIndex c = first; c != noNode; c = tree[c].next)
      readShellText(context, tree[c].value, tree[c].valueLine, out);
    return;
  }
  appendWords(tree, list, words);
  if (key == "command") {
    const NodeIndex args = tree.child(parent, "args");
    if (args != noNode && tree[args].kind == NodeKind::Sequence) appendWords(tree, args, words);
  }
  if (!words.empty() && (words[0].text == "CMD" || words[0].text == "CMD-SHELL")) {
    const bool isShell = words[0].text == "CMD-SHELL";
    words.erase(words.begin());
    if (isShell && !words.empty()) return readShellText(context, words[0].text, words[0].line, out);
  }
  if (!words.empty()) readCommandList(context, words, out);
}

template <class Visit>
void forEachName(const ConfigTree& tree, NodeIndex node, const Visit& visit) {
  if (node == noNode) return;
  if (tree[node].kind == NodeKind::Scalar) {
    for (const std::string_view piece : split(tree[node].value, ',')) visit(trim(piece), tree[node].valueLine);
    return;
  }
  for (NodeIndex c = tree[node].firstChild; c != noNode; c = tree[c].next)
    if (tree[c].kind == NodeKind::Scalar) visit(trim(tree[c].value), tree[c].valueLine);
}

bool isSystemPackageModule(std::string_view module) {
  constexpr std::array<std::string_view, 7> modules{"apt", "yum", "dnf", "package", "zypper", "apk", "pacman"};
  return std::find(modules.begin(), modules.end(), module) != modules.end();
}

/// `apt: {name: [...]}`, `pip: {name: torch, version: 2.0}`; `loop` of the task when the name is a template.
void readPackageModule(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const std::string_view module = moduleName(tree[node].key);
  const bool isPip = module == "pip";
  const auto add = [&](std::string_view name, std::uint32_t line) {
    if (name.empty() || name.starts_with("{{")) return;
    if (isPip)
      addRequirement(context, name, line, out);
    else
      addSystemPackage(context, name, line, out);
  };
  if (tree[node].kind == NodeKind::Scalar) {
    // apt: name=nvidia-driver-535 state=present
    for (const std::string_view word : words(tree[node].value))
      if (word.starts_with("name=") || word.starts_with("pkg="))
        add(word.substr(word.find('=') + 1), tree[node].valueLine);
    return;
  }
  const NodeIndex name = tree.child(node, "name");
  const std::string_view version = tree.childValue(node, "version");
  if (isPip && name != noNode && tree[name].kind == NodeKind::Scalar && !version.empty())
    return add(std::string(tree[name].value) + "==" + std::string(version), tree[name].valueLine);
  for (const std::string_view key : {"name", "pkg", "package", "deb"}) forEachName(tree, tree.child(node, key), add);
  if (isPip && tree[node].kind == NodeKind::Sequence) forEachName(tree, node, add);
  for (const std::string_view key : {"loop", "with_items"}) forEachName(tree, tree.child(tree[node].parent, key), add);
}

/// Packages listed for cloud-init, Travis or an action that installs them.
void readPackageList(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const NodeIndex above = tree.keyedParent(node);
  const std::string_view parent = above == noNode ? std::string_view() : tree[above].key;
  const bool snap = tree[node].key != "packages";  // the parts of a snap
  if (above != noNode && parent != "apt" && parent != "with" && !snap) return;
  forEachName(tree, node, [&](std::string_view names, std::uint32_t line) {
    for (const std::string_view name : words(names)) addSystemPackage(context, name, line, out);
  });
}

/// Images that kustomize puts in the place of others: `- name: app`, `newName: nvidia/cuda`, `newTag: 12.4.1`.
void readReplacedImages(const ReadContext& context, const ConfigTree& tree, NodeIndex list, FileFacts& out) {
  for (NodeIndex c = tree[list].firstChild; c != noNode; c = tree[c].next) {
    const NodeIndex newName = tree.child(c, "newName");
    const NodeIndex name = newName != noNode ? newName : tree.child(c, "name");
    const std::string_view tag = tree.childValue(c, "newTag");
    const std::string_view digest = tree.childValue(c, "digest");
    if (name == noNode || (newName == noNode && tag.empty() && digest.empty())) continue;
    std::string reference(tree[name].value);
    if (!tag.empty()) reference += ":" + std::string(tag);
    if (!digest.empty()) reference += "@" + std::string(digest);
    addImage(context, reference, tree[name].valueLine, out);
  }
}

/// A device request that asks for the capability only: `capabilities: [gpu]` without a driver means the NVIDIA one.
void readDeviceRequest(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  if (!tree.childValue(tree[node].parent, "driver").empty() || !tree.hasAncestor(node, "devices")) return;
  for (NodeIndex c = tree[node].firstChild; c != noNode; c = tree[c].next)
    if (tree[c].value == "gpu") addSiteById(context, "cli-docker-gpus", tree[c].valueLine, out);
}

}  // namespace

void readConfigContainer(const ReadContext& context, const ConfigTree& tree, NodeIndex node, FileFacts& out) {
  const ConfigNode& container = tree[node];
  const std::string_view key = container.key;
  const std::string_view module = moduleName(key);
  if (isSystemPackageModule(module) || module == "pip") readPackageModule(context, tree, node, out);
  if (key == "packages" || key == "stage-packages" || key == "build-packages")
    readPackageList(context, tree, node, out);
  if (container.kind == NodeKind::Scalar) {
    // `build-args: |` and `env: |` hold one setting a line.
    if (isEnvironmentKey(key) && container.block) readShellText(context, container.value, container.valueLine, out);
    return;
  }
  if (container.kind != NodeKind::Map && container.kind != NodeKind::Sequence) return;
  const NodeIndex above = tree.keyedParent(node);
  const bool isBuildArguments = key == "args" && above != noNode && tree[above].key == "build";
  if (isEnvironmentKey(key) || isBuildArguments) {
    readEnvironmentBlock(context, tree, node, out);
  } else if (container.kind == NodeKind::Sequence && isWordListKey(key)) {
    readWordList(context, tree, node, out);
  } else if (container.kind == NodeKind::Sequence && key == "images") {
    readReplacedImages(context, tree, node, out);
  } else if (key == "capabilities") {
    readDeviceRequest(context, tree, node, out);
  } else if (container.kind == NodeKind::Sequence &&
             (key == "pip_packages" || key == "packages_to_install" || key == "python_packages")) {
    forEachName(tree, node,
                [&](std::string_view name, std::uint32_t line) { addRequirement(context, name, line, out); });
  }
}

}  // namespace unwarp::scan
