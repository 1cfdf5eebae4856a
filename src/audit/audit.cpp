// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run(): walk the tree, read files on a few threads, join. Workers take the next file from a counter; what they keep of
// a file is small, so the memory of an audit is the result's, not the tree's. The order of the result is that of the
// sorted paths, whichever worker was faster.
#include "audit/audit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <thread>

#include "audit/file_outcome.h"
#include "audit/join.h"
#include "base/file.h"
#include "base/text.h"
#include "base/version.h"
#include "scan/dispatch.h"
#include "scan/lexer.h"
#include "scan/own_report.h"
#include "scan/source_facts.h"
#include "scan/walk.h"

namespace unwarp::audit {

namespace {

class Sweep {
 public:
  Sweep(const knowledge::Knowledge& knowledge, const RuleEngine& engine, const Options& options,
        const std::vector<std::string>& files)
      : knowledge_(knowledge), engine_(engine), options_(options), files_(files), outcomes_(files.size()) {
    struct stat status;
    rootIsFile_ = stat(options.root.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
  }

  void run(unsigned threads) {
    if (options_.progress != nullptr) options_.progress->filesTotal = files_.size();
    std::vector<std::thread> workers;
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, files_.size()));
    try {
      for (unsigned i = 1; i < threads; ++i) workers.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that run do the work.
    }
    work();
    for (std::thread& worker : workers) worker.join();
  }

  /// All outcomes in the order of paths (archive members follow their archive).
  std::vector<FileOutcome> take(std::vector<result::Skipped>& skipped) {
    std::vector<FileOutcome> all;
    all.reserve(files_.size());
    for (Slot& slot : outcomes_) {
      if (slot.skipped) skipped.push_back(std::move(*slot.skipped));
      for (FileOutcome& outcome : slot.outcomes) all.push_back(std::move(outcome));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const FileOutcome& a, const FileOutcome& b) { return a.entry.path < b.entry.path; });
    return all;
  }

 private:
  struct Slot {
    std::vector<FileOutcome> outcomes;
    std::optional<result::Skipped> skipped;
  };

  void work() {
    scan::LexedFile scratch;
    scan::ReadContext context{knowledge_, &scratch};
    for (;;) {
      std::size_t i = next_.fetch_add(1);
      if (i >= files_.size()) return;
      readOne(context, i);
      if (options_.progress != nullptr) options_.progress->filesDone.fetch_add(1, std::memory_order_relaxed);
    }
  }

  static void skip(Slot& slot, const std::string& path, std::string_view reason) {
    slot.skipped = {pathText(path), toValidUtf8(reason)};
  }

  /// Whoever reads it as it was at the start; a file that shrinks meanwhile is named.
  static void noteTorn(Slot& slot) {
    for (FileOutcome& outcome : slot.outcomes)
      outcome.entry.notes.emplace_back("the file was cut short while it was read");
  }

  void readOne(const scan::ReadContext& context, std::size_t i) {
    std::string real =
        rootIsFile_ ? options_.root : options_.root + (options_.root.ends_with('/') ? "" : "/") + files_[i];
    Result<FileBytes> bytes = FileBytes::open(real);
    Slot& slot = outcomes_[i];
    if (!bytes) return skip(slot, files_[i], bytes.error());
    std::string_view view = bytes->view();
    if (scan::isOwnReport(view)) return skip(slot, files_[i], scan::earlierReport);
    scan::readFile(context, real, {files_[i], view}, [&](scan::FileFacts&& facts) {
      bool member = facts.path != files_[i];
      slot.outcomes.push_back(
          judgeFile(engine_, knowledge_, options_.targets, std::move(facts), member ? std::string_view() : view));
    });
    if (bytes->torn()) noteTorn(slot);
  }

  const knowledge::Knowledge& knowledge_;
  const RuleEngine& engine_;
  const Options& options_;
  const std::vector<std::string>& files_;
  std::vector<Slot> outcomes_;
  std::atomic<std::size_t> next_{0};
  bool rootIsFile_ = false;
};

std::string unknownTarget(const knowledge::Knowledge& knowledge, const std::vector<std::string>& targets) {
  for (const std::string& target : targets) {
    const knowledge::Device* device = knowledge.findDevice(target);
    if (device != nullptr && device->vendor == "AMD") continue;
    std::vector<std::string_view> known;
    for (const knowledge::Device& d : knowledge.devices())
      if (d.vendor == "AMD") known.push_back(d.target);
    std::string_view near = nearest(target, known);
    std::string message = "unknown target '" + target + "'";
    if (!near.empty()) message += "; did you mean " + std::string(near) + "?";
    return message + " (`unwarp explain devices` lists them)";
  }
  return {};
}

}  // namespace

Result<result::AuditResult> run(const knowledge::Knowledge& knowledge, const Options& options) {
  struct stat status;
  if (stat(options.root.c_str(), &status) != 0) return Error{options.root + ": no such file or folder"};
  std::string bad = unknownTarget(knowledge, options.targets);
  if (!bad.empty()) return Error{bad};
  Result<RuleEngine> engine = RuleEngine::create(knowledge, options);
  if (!engine) return Error{engine.error()};

  scan::WalkResult tree = scan::walk(options.root, {options.useIgnoreFiles, options.exclude, options.skipRealPaths});
  if (!tree.fault.empty()) return Error{tree.fault};
  unsigned threads = options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  Sweep sweep(knowledge, *engine, options, tree.files);
  sweep.run(threads);

  result::AuditResult out;
  out.toolVersion = version;
  out.root = toValidUtf8(options.root);
  out.targets = options.targets;
  out.rulesOff = rulesOff(knowledge, options);
  for (auto& [path, reason] : tree.skipped) out.skipped.push_back({pathText(path), toValidUtf8(reason)});
  std::vector<FileOutcome> outcomes = sweep.take(out.skipped);
  std::sort(out.skipped.begin(), out.skipped.end(),
            [](const auto& a, const auto& b) { return std::tie(a.path, a.reason) < std::tie(b.path, b.reason); });
  join(knowledge, std::move(outcomes), out);
  return out;
}

Result<result::AuditResult> emptyResult(const knowledge::Knowledge& knowledge, const Options& options) {
  if (std::string bad = unknownTarget(knowledge, options.targets); !bad.empty()) return Error{bad};
  if (auto checked = checkRuleNames(knowledge, options); !checked) return Error{checked.error()};
  result::AuditResult out;
  out.rulesOff = rulesOff(knowledge, options);
  join(knowledge, {}, out);
  return out;
}

std::vector<RuleHit> auditText(const knowledge::Knowledge& knowledge, std::string_view path, std::string_view bytes) {
  Options options;
  options.preview = true;
  Result<RuleEngine> engine = RuleEngine::create(knowledge, options);
  std::vector<std::string> targets;
  for (const knowledge::Device& device : knowledge.devices())
    if (device.vendor == "AMD" && std::find(targets.begin(), targets.end(), device.target) == targets.end())
      targets.emplace_back(device.target);
  std::vector<RuleHit> result;
  scan::ReadContext context{knowledge, nullptr};
  scan::readFile(context, std::string(path), {path, bytes}, [&](scan::FileFacts&& facts) {
    for (const result::Finding& finding : judgeFile(*engine, knowledge, targets, std::move(facts), bytes).findings)
      result.push_back({finding.rule, finding.site.line});
  });
  return result;
}

}  // namespace unwarp::audit
