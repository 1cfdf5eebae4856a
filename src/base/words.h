// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's closed vocabularies. Each list is written once; names are what files and JSON show.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace unwarp {

enum class Status : std::uint8_t { DropIn, Port, Partial, None, Unknown };
inline constexpr std::array<std::string_view, 5> statusNames{"drop-in", "port", "partial", "none", "unknown"};

enum class Severity : std::uint8_t { Silent, Crash, Hang, Compile, Perf, Info };
inline constexpr std::array<std::string_view, 6> severityNames{"silent", "crash", "hang", "compile", "perf", "info"};

enum class Evidence : std::uint8_t { Ast, Lexical, Manifest, Binary };
inline constexpr std::array<std::string_view, 4> evidenceNames{"ast", "lexical", "manifest", "binary"};

enum class Layer : std::uint8_t {
  Runtime,
  Dnn,
  Math,
  Algorithms,
  Communication,
  Kernels,
  Framework,
  Specialised,
  Deployment,
  Tooling
};
inline constexpr std::array<std::string_view, 10> layerNames{"runtime",       "dnn",     "math",      "algorithms",
                                                             "communication", "kernels", "framework", "specialised",
                                                             "deployment",    "tooling"};

/// Why a rule was not applied: it needs the depth analysis, the user left it out, the user chose others, it is in
/// preview, it concerns none of the targets.
enum class OffReason : std::uint8_t { Depth, Ignored, NotSelected, Preview, Target };
inline constexpr std::array<std::string_view, 5> offReasonNames{"depth", "ignored", "not-selected", "preview",
                                                                "target"};

/// Where a setting comes from, weakest first.
enum class Origin : std::uint8_t { Default, UserFile, ProjectFile, Environment, CommandLine };
inline constexpr std::array<std::string_view, 5> originNames{"default", "user-file", "project-file", "environment",
                                                             "command-line"};

template <class Enum, std::size_t N>
constexpr std::string_view nameOf(const std::array<std::string_view, N>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}
inline constexpr std::string_view name(Status s) {
  return nameOf(statusNames, s);
}
inline constexpr std::string_view name(Severity s) {
  return nameOf(severityNames, s);
}
inline constexpr std::string_view name(Evidence e) {
  return nameOf(evidenceNames, e);
}
inline constexpr std::string_view name(Layer l) {
  return nameOf(layerNames, l);
}
inline constexpr std::string_view name(OffReason r) {
  return nameOf(offReasonNames, r);
}
inline constexpr std::string_view name(Origin o) {
  return nameOf(originNames, o);
}

/// The value called `word`, or nothing.
template <class Enum, std::size_t N>
constexpr std::optional<Enum> fromName(const std::array<std::string_view, N>& names, std::string_view word) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == word) return static_cast<Enum>(i);
  return std::nullopt;
}

/// Worst first when statuses of several targets meet: none, unknown, partial, port, drop-in.
inline constexpr int badness(Status s) {
  constexpr std::array<int, 5> order{0, 1, 2, 4, 3};
  return order[static_cast<std::size_t>(s)];
}

}  // namespace unwarp
