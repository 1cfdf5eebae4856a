// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark results, price lists and bills from files: what a file is, its content says, never its name. A file that
// is none of the known formats is an error when it was named, and a note when it lay in a folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cost/money/gpu_names.h"
#include "cost/money/measurement.h"

namespace unwarp::cost::money {

/// The format of a whole file by its content, or nothing.
std::optional<Format> recognise(std::string_view text);

/// Reads `text` as what it is. `sidecar` is a small TOML file that states what benchmark files leave out (gpu, gpus,
/// model, precision, engine, engine_version, workload, isl, osl, accuracy, accuracy_gate, date), empty for none; where
/// the benchmark says otherwise, that is an error. Errors carry file, line, field and fix.
struct Document {
  std::string file;
  std::string_view text;
  std::string sidecarFile;
  std::string_view sidecar;
};
Result<Ingested> ingestText(const Document& document, const GpuNames& gpus);

/// A file, or all files of a folder in the order of their paths. The sidecar of `a/run.json` is `a/run.json.toml`, else
/// `a/run.toml`.
Result<Ingested> ingest(const std::string& path, const GpuNames& gpus);

/// Moves what `part` holds behind what `all` holds.
void append(Ingested& all, Ingested&& part);

}  // namespace unwarp::cost::money
