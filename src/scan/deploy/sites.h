// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the deployment readers record what they found: look-ups that try the spellings a table may use and never report
// one binding twice on one line.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan {

/// Looks up the first of `names` that is known in `ecosystem` and records it once per line; packages, images,
/// machine types and variables once per name and line. False when none is a binding.
bool addSite(const ReadContext& context, knowledge::Ecosystem ecosystem, std::initializer_list<std::string_view> names,
             std::uint32_t line, std::string_view version, FileFacts& out);

/// A package among several of one line, counted by its name whatever its ecosystem.
bool addNamedSite(const ReadContext& context, knowledge::Ecosystem ecosystem, std::string_view name, std::uint32_t line,
                  FileFacts& out);

/// Records the dependency with this id (for settings that mean the same as another spelling: `driver: nvidia` and
/// `--gpus`).
bool addSiteById(const ReadContext& context, std::string_view id, std::uint32_t line, FileFacts& out);

/// One of the names behind `module load`.
void addModule(const ReadContext& context, std::string_view module, std::uint32_t line, FileFacts& out);

/// An image reference with its tag that stands where images are not expected: a default, a build argument. Tags that
/// only mention CUDA are left alone: `//kernels:cuda_utils` is a build target.
void addTaggedImage(const ReadContext& context, std::string_view reference, std::uint32_t line, FileFacts& out);

/// A setting with its value: `AutoDetect` `nvml`.
bool addSetting(const ReadContext& context, std::string_view name, std::string_view value, std::uint32_t line,
                FileFacts& out);

/// A Slurm generic resource: `gpu:a100:4`. A count without a type binds to no vendor.
bool addGenericResource(const ReadContext& context, std::string_view resource, std::uint32_t line, FileFacts& out);

/// A whole request, `--gpus-per-node=a100:4`, that names a model.
bool addTypedResource(const ReadContext& context, std::string_view request, std::uint32_t line, FileFacts& out);

/// A GPU model a scheduler is asked for: `a100`, `NVIDIAA100_SXM4`, `v100-32gb`.
bool addGpuModel(const ReadContext& context, std::string_view model, std::uint32_t line, FileFacts& out);

/// A cloud machine or accelerator type: `p4d.24xlarge`, `nvidia-tesla-t4`.
bool addCloud(const ReadContext& context, std::string_view key, std::string_view value, std::uint32_t line,
              FileFacts& out);

/// A device file or CDI device given to a container: `/dev/nvidia0:/dev/nvidia0`, `nvidia.com/gpu=all`.
bool addDeviceFile(const ReadContext& context, std::string_view path, std::uint32_t line, FileFacts& out);

/// A Kubernetes name, label, resource, chart or device path, alone or with the key it stands under.
bool addKubernetes(const ReadContext& context, std::string_view key, std::string_view value, std::uint32_t line,
                   FileFacts& out);

/// A cache entry set on a CMake command line or in a preset: `NAME[:TYPE]=VALUE`. Entries that switch something off are
/// none.
void addCmakeEntry(const ReadContext& context, std::string_view entry, std::uint32_t line, FileFacts& out);

/// Whether a setting switches something off: `USE_CUDA=0`. A device number of 0 does not.
bool isSwitchedOff(std::string_view name, std::string_view value);

/// Whether a value switches an option off.
bool isOffValue(std::string_view value);

/// Python source inside another text: facts get `firstLine` added.
void readPythonText(const ReadContext& context, std::string_view text, std::uint32_t firstLine, FileFacts& out);

/// Last path component, without a trailing `.exe`.
std::string_view baseName(std::string_view path);

}  // namespace unwarp::scan
