// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vocabulary of deployment files: which keys hold what. Names are those of the formats' own documentation.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/text.h"
#include "scan/deploy/config_reader.h"
#include "scan/deploy/sites.h"

namespace unwarp::scan {
namespace {

using Keys = std::unordered_set<std::string_view>;

}  // namespace

bool isProseKey(std::string_view key) {
  static const Keys keys{"description", "Description",  "title",        "summary",     "help",          "message",
                         "comment",     "comments",     "doc",          "docs",        "documentation", "notes",
                         "note",        "displayName",  "display_name", "text",        "body",          "abstract",
                         "license",     "homepage",     "url",          "runbook_url", "content",       "markdown",
                         "about",       "label_format", "legendFormat", "question",    "answer",        "msg",
                         "fail_msg",    "success_msg",  "example",      "examples",    "pattern",       "regex"};
  return keys.contains(key);
}

bool isImageKey(std::string_view key) {
  static const Keys keys{"container", "containers",   "from",          "base",
                         "docker",    "docker_image", "container_uri", "DOCKER_IMAGE"};
  if (keys.contains(key)) return true;
  const std::string lower = toLower(key);
  return lower.ends_with("image") || lower.ends_with("images") || lower.ends_with("image_uri") ||
         lower.ends_with("imagename") || lower.ends_with("image_name");
}

bool isEnvironmentKey(std::string_view key) {
  static const Keys keys{"env",
                         "environment",
                         "environments",
                         "variables",
                         "containerEnv",
                         "remoteEnv",
                         "environment_variables",
                         "environmentVariables",
                         "envVars",
                         "env_vars",
                         "envs",
                         "extraEnv",
                         "extraEnvVars",
                         "global_env",
                         "ENV",
                         "Environment",
                         "build_args",
                         "buildArgs",
                         "build-args",
                         "runtime_env_vars",
                         "pod_env",
                         "Variables"};
  return keys.contains(key);
}

bool isScriptKey(std::string_view key) {
  static const Keys keys{"run",
                         "script",
                         "before_script",
                         "after_script",
                         "before_install",
                         "install",
                         "after_success",
                         "bash",
                         "sh",
                         "pwsh",
                         "powershell",
                         "command",
                         "commands",
                         "cmd",
                         "cmds",
                         "entrypoint",
                         "shell",
                         "raw",
                         "win_shell",
                         "runcmd",
                         "bootcmd",
                         "postCreateCommand",
                         "onCreateCommand",
                         "updateContentCommand",
                         "postStartCommand",
                         "postAttachCommand",
                         "initializeCommand",
                         "setup",
                         "inline",
                         "user_data",
                         "userData",
                         "UserData",
                         "setup_commands",
                         "head_setup_commands",
                         "worker_setup_commands",
                         "initialization_commands",
                         "start_ray_commands",
                         "worker_start_ray_commands",
                         "head_start_ray_commands",
                         "pre_build",
                         "prebuild",
                         "inlineScript",
                         "overrideBootstrapCommand",
                         "preBootstrapCommands",
                         "before_all",
                         "before-all",
                         "test-command",
                         "build_script",
                         "test_script",
                         "install_script",
                         "args"};
  return keys.contains(key) || keys.contains(moduleName(key));
}

bool isWordListKey(std::string_view key) {
  static const Keys keys{"command",           "args", "entrypoint", "cmd",     "test",       "Cmd",  "Entrypoint",
                         "postCreateCommand", "argv", "runArgs",    "Command", "EntryPoint", "exec", "launch_command"};
  return keys.contains(key);
}

bool isRunnerLabel(const ConfigTree& tree, NodeIndex node, FileKind kind) {
  static const Keys always{"runs-on",      "runs_on",        "runner_label", "runner_labels",
                           "runner-label", "resource_class", "vmImage"};
  static const Keys inMatrix{"os", "runner", "runners", "machine", "label", "labels", "platform", "host"};
  const std::string_view key = tree.nearestKey(node);
  if (always.contains(key)) return true;
  if (key == "labels" || key == "group") return tree.hasAncestor(node, "runs-on");
  if (inMatrix.contains(key)) return tree.hasAncestor(node, "matrix");
  if (key == "queue") return tree.hasAncestor(node, "agents");
  if (key == "image") return tree.hasAncestor(node, "machine");  // CircleCI
  if (key == "pool" || key == "demands") return true;
  if (key == "name") return kind == FileKind::AzurePipelines && tree.hasAncestor(node, "pool");
  if (key != "tags") return false;
  // `tags` names runners in GitLab jobs only; elsewhere they are words about the content.
  const NodeIndex list = tree[node].key.empty() ? tree[node].parent : node;
  const NodeIndex job = tree[list].parent;
  const bool isJob =
      tree.child(job, "script") != noNode || tree.child(job, "stage") != noNode || tree.child(job, "extends") != noNode;
  return kind == FileKind::GitlabCi || (isJob && tree[job].kind == NodeKind::Map);
}

bool isQueryKey(std::string_view key) {
  static const Keys keys{
      "expr",          "query",       "expression",  "definition",           "promql",       "metric",
      "metrics",       "metric_name", "metricName",  "seriesQuery",          "metricsQuery", "triggerQuery",
      "source_labels", "field",       "measurement", "metricsQueryTemplate", "metric_names"};
  return keys.contains(key);
}

bool isMachineKey(std::string_view key) {
  const std::string lower = toLower(key);
  constexpr auto parts = std::to_array<std::string_view>({"instance", "machine", "vmsize", "vm_size", "accelerator",
                                                          "sku", "gpu_type", "gputype", "nodetype", "node_type", "gpus",
                                                          "capacity", "image", "shape", "flavor"});
  // `amiFamily`, `source_ami`; a family of anything else has the letters too.
  if (lower.starts_with("ami") || lower.find("_ami") != std::string::npos) return true;
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

bool isSpackSpec(const ConfigTree& tree, NodeIndex node, std::string_view path) {
  static const Keys keys{"specs", "spec", "variants", "require", "prefer", "any_of", "one_of", "packages"};
  // An environment says so at its root; the package configuration of a site only by its name.
  const bool isEnvironment = tree.hasAncestor(node, "spack");
  if (!isEnvironment && baseName(path) != "packages.yaml") return false;
  return keys.contains(tree.nearestKey(node)) || tree.hasAncestor(node, "definitions") ||
         tree.hasAncestor(node, "specs");
}

bool isContainerOptions(const ConfigTree& tree, NodeIndex node) {
  const std::string key = toLower(tree.nearestKey(node));
  if (key != "options") {
    // `docker_args`, `containerOptions`, `extra-docker-opts`: names that projects and plug-ins give to the same thing.
    const bool names = key.find("docker") != std::string::npos || key.find("container") != std::string::npos;
    return names && (key.ends_with("options") || key.ends_with("opts") || key.ends_with("args") ||
                     key.ends_with("arguments") || key.ends_with("flags"));
  }
  const NodeIndex holder = tree[tree[node].key.empty() ? tree[node].parent : node].parent;
  return tree.child(holder, "image") != noNode || tree.hasAncestor(node, "container") ||
         tree.hasAncestor(node, "services");
}

std::string_view moduleName(std::string_view key) {
  for (const std::string_view collection : {"ansible.builtin.", "ansible.windows.", "community.general."})
    if (key.starts_with(collection)) return key.substr(collection.size());
  return key;
}

}  // namespace unwarp::scan
