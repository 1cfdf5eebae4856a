// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the settings of a YAML or JSON file mean to the audit. One reader for compose files, CI pipelines, Kubernetes
// objects, Helm values, playbooks, monitoring rules and dashboards: keys such as `image`, `env`, `run`, `runs-on`,
// `expr` mean the same wherever they stand, and files of several kinds meet in one (a ConfigMap that holds alert
// rules). Prose (descriptions, titles) is never looked at. Values are looked up whole, so a word inside a name is no
// binding.
#pragma once

#include <string_view>

#include "scan/deploy/config_tree.h"
#include "scan/facts.h"

namespace unwarp::scan {

/// Reads all of `tree`. `depth` counts texts inside texts (YAML in a ConfigMap) and is bounded.
void readConfigTree(const ReadContext&, const ConfigTree& tree, int depth, FileFacts& out);

// config_scalars.cpp
/// One scalar by its key.
void readConfigScalar(const ReadContext&, const ConfigTree& tree, NodeIndex node, int depth, FileFacts& out);
/// A key that is a name of its own: `nvidia.com/gpu`, an environment variable, a playbook module.
void readConfigKey(const ReadContext&, const ConfigTree& tree, NodeIndex node, FileFacts& out);

// config_containers.cpp
/// One map or sequence by its key: environments, commands given as lists, device requests, packages.
void readConfigContainer(const ReadContext&, const ConfigTree& tree, NodeIndex node, FileFacts& out);

// config_keys.cpp: what keys mean
bool isProseKey(std::string_view key);
bool isImageKey(std::string_view key);
bool isEnvironmentKey(std::string_view key);
/// Keys whose text (or each item) is shell.
bool isScriptKey(std::string_view key);
/// Keys whose items are the words of one command.
bool isWordListKey(std::string_view key);
/// Whether a scalar is the label of a CI runner: by its key, or by its key and the pipeline around it.
bool isRunnerLabel(const ConfigTree& tree, NodeIndex node, FileKind kind);
bool isQueryKey(std::string_view key);
bool isMachineKey(std::string_view key);
/// Whether a scalar is a spec of Spack: in an environment or a package configuration.
bool isSpackSpec(const ConfigTree& tree, NodeIndex node, std::string_view path);
/// Whether a scalar holds options for the container engine: `options` of a job's container or service.
bool isContainerOptions(const ConfigTree& tree, NodeIndex node);
/// `apt` of `ansible.builtin.apt`.
std::string_view moduleName(std::string_view key);

}  // namespace unwarp::scan
