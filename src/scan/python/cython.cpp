// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cython declares C names in `cdef extern from "header":` blocks and then uses them. The header is a site; with such a
// header (or a cimport that the tables know) in the file, names of the API tables are too, since Cython code calls them
// like C.
#include "scan/python/python_scene.h"

namespace unwarp::scan::python {
namespace {

using knowledge::Ecosystem;
using knowledge::Knowledge;

/// The header named by `cdef extern from "..."` or `extern from '...'`, as a token, or the line's end.
std::uint32_t externHeader(const PyFile& file, const PyLine& line) {
  for (std::uint32_t i = line.first; i + 2 < line.last; ++i)
    if (file.is(i, "extern") && file.is(i + 1, "from") && file.isString(i + 2)) return i + 2;
  return line.last;
}

bool reportHeader(Scene& scene, const PyLine& line, std::uint32_t token) {
  std::string header = stringValue(scene.file.at(token));
  if (header.size() > 2 && header.front() == '<' && header.back() == '>') header = header.substr(1, header.size() - 2);
  const PyToken& place = scene.file.tokens[token];
  const std::uint32_t record = scene.context.knowledge.findHeader(header);
  if (record != Knowledge::none) scene.out.apis.push_back({record, place.line, place.column, line.guarded});
  return addDependency(scene.context, scene.out, Ecosystem::Header, header, place.line, {}, line.guarded,
                       place.column) ||
         record != Knowledge::none;
}

}  // namespace

void readCythonExterns(Scene& scene) {
  const PyFile& file = scene.file;
  bool evidence = false;
  for (const PyLine& line : file.lines) {
    const std::uint32_t header = externHeader(file, line);
    if (header < line.last) evidence |= reportHeader(scene, line, header);
    // `cpdef enum:` blocks of a .pxd list C enumerators without naming the header.
    evidence |= (file.is(line.first, "cpdef") || file.is(line.first, "cdef")) && file.is(line.first + 1, "enum");
  }
  for (const PyImport& import : scene.names.imports())
    evidence |=
        scene.file.is(scene.file.lines[import.line].first, "from") && import.dotted.find("cuda") != std::string::npos;
  if (!evidence) return;
  for (const PyLine& line : file.lines) {
    if (PyNames::isImport(file, line) || file.is(line.first, "global")) continue;
    for (std::uint32_t i = line.first; i < line.last; ++i) {
      const bool renamed =
          i == line.first && file.is(i + 1, "=") && file.is(i + 3, ".") && file.at(i + 4) == file.at(i);
      if (!file.isName(i) || renamed || (i > line.first && file.is(i - 1, "."))) continue;
      const std::uint32_t record = scene.context.knowledge.findApi(file.at(i));
      if (record == Knowledge::none || scene.context.knowledge.apis()[record].context != knowledge::Context::Any)
        continue;
      scene.out.apis.push_back({record, file.tokens[i].line, file.tokens[i].column, line.guarded});
    }
  }
}

}  // namespace unwarp::scan::python
