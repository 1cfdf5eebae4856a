// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that travel inside the program, put there by unwarp_embed() of cmake/embed.cmake. Each function is defined by a
// source generated in the build folder of the library that embeds the files; a program that does not link that library
// does not carry them.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace unwarp::embedded {

/// Path relative to the top source folder ("knowledge/layers.tsv"), then the file's bytes.
using File = std::pair<std::string_view, std::string_view>;

/// The fact tables and rule pages under knowledge/, ordered by path.
std::span<const File> knowledgeFiles();
/// Style sheet and script of the HTML report, under src/report/assets/, ordered by path.
std::span<const File> reportAssets();
/// The JSON schemas under docs/schema/, ordered by path.
std::span<const File> schemaFiles();
/// The published JSON Schemas under docs/schema/, ordered by path.
std::span<const File> schemaFiles();

}  // namespace unwarp::embedded
