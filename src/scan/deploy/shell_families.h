// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which commands mean what to the audit: the names known to the shell reader, by family. Everything else is a Program,
// looked up in the knowledge tables with its arguments.
#pragma once

#include <cstdint>
#include <string_view>

namespace unwarp::scan {

/// What to do with a command.
enum class ShellFamily : std::uint8_t {
  Program,      ///< looked up by name
  Prints,       ///< prints, searches or tests text: its words are no commands
  Setting,      ///< export and its kin
  Setenv,       ///< NAME VALUE as two words
  Wrapper,      ///< runs the command behind its options
  Locates,      ///< asks where a program is
  ShellString,  ///< runs a string as commands
  Python,
  Pip,
  Conda,
  SystemPackages,
  Container,
  Apptainer,
  Cluster,
  Cloud,
  Scheduler,
  Launcher,
  Module,
  Cmake,
  Make,
  Links,  ///< names library files
};

/// The family of a command without its folder.
ShellFamily shellFamilyOf(std::string_view name);

}  // namespace unwarp::scan
