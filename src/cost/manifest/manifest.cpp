// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys as a table: path, how its value is checked, where it goes. A key in no row is an error with the nearest one.
#include "cost/manifest/manifest.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/output_text.h"
#include "base/text.h"
#include "base/words.h"
#include "cost/manifest/fields.h"

namespace unwarp::cost {

namespace {

/// Bounds beyond which a number is another unit, and what to say then.
struct Bounds {
  double low, high;
  std::string_view fix;
};
constexpr Bounds share{0, 1, "a share from 0 to 1: write 0.12 for 12 %"};
constexpr Bounds years{0.25, 20, "years from 0.25 to 20: divide months by 12"};
constexpr Bounds people{0.1, 10'000, "a number of people above 0"};
constexpr Bounds count{0, 10'000'000, "a number from 0"};
constexpr Bounds positive{1e-9, 1e15, "a number above 0"};
/// In US dollars; what a GPU hour and an hour of work can cost.
constexpr Bounds gpuHour{0.05, 60, "the price of one GPU for one hour, not of a node or a month"};
constexpr Bounds workHour{1, 1000, "the full cost of one hour of work, not of a month or a year"};

/// Number formats by their first word: "fp8" of "fp8_e4m3", "int4" of "int4-awq".
constexpr std::array<std::string_view, 20> precisions{"fp64", "fp32",  "tf32",  "bf16",  "fp16", "fp8",   "mxfp8",
                                                      "int8", "fp6",   "mxfp6", "fp4",   "int4", "mxfp4", "nvfp4",
                                                      "w8a8", "w4a16", "w4a8",  "w8a16", "nf4",  "int2"};

class Reader {
 public:
  Reader(std::string file, const money::GpuNames& gpus, const money::Rates& rates, const Defaults& defaults)
      : gpus_(gpus), rates_(rates), defaults_(defaults) {
    manifest_.file = std::move(file);
  }

  Result<Manifest> read(const std::vector<Field>& fields) {
    // Rates need their date, currencies their rate, prices their currency: read in this order.
    auto rank = [](const Field& field) {
      if (field.path == "cost.as_of") return 0;
      return field.path.starts_with("cost.rates.") ? 1 : field.path == "cost.currency" ? 2 : 3;
    };
    for (int turn = 0; turn <= 3; ++turn)
      for (const Field& field : fields)
        if (error_.empty() && rank(field) == turn && isOurs(field)) set(field);
    if (!error_.empty()) return Error{error_};
    return manifest_;
  }

 private:
  void fail(const Field& field, std::string what, std::string_view fix) {
    if (error_.empty())
      error_ = toError({manifest_.file, field.line, field.path, std::move(what), std::string(fix)}).message;
  }

  /// Whether a field belongs to the manifest. unwarp.toml holds settings of the audit too, which are read elsewhere; in
  /// any other file a further table is a mistake.
  bool isOurs(const Field& field) {
    std::string_view top = split(field.path, '.')[0];
    if (top == "cost" || top == "workload") return true;
    bool settings = manifest_.file == "unwarp.toml" || manifest_.file.ends_with("/unwarp.toml");
    if (!settings) {
      std::string_view near = nearest(top, {"cost", "workload"});
      fail(field, "is no table of a manifest",
           near.empty() ? "tables are cost and workload.NAME" : "did you mean " + std::string(near) + "?");
    }
    return false;
  }

  double number(const Field& field, const Bounds& bounds) {
    auto value = parseNumber(field.value);
    if (field.quoted || !value)
      fail(field, "'" + field.value + "' is no number",
           "write it without quotes and units; " + std::string(bounds.fix));
    else if (*value < bounds.low || *value > bounds.high)
      fail(field, field.value + " cannot be right", bounds.fix);
    return value.value_or(bounds.low);
  }

  bool truth(const Field& field) {
    if (field.value != "true" && field.value != "false")
      fail(field, "'" + field.value + "' is no answer", "true or false");
    return field.value == "true";
  }

  std::string word(const Field& field, const std::vector<std::string_view>& words) {
    if (std::find(words.begin(), words.end(), field.value) != words.end()) return field.value;
    std::string known;
    for (std::string_view one : words) known += (known.empty() ? "" : ", ") + std::string(one);
    fail(field, "unknown word '" + field.value + "'", "one of " + known);
    return {};
  }

  std::string gpu(const Field& field, std::string_view text) {
    std::string_view found = gpus_.find(text);
    if (found.empty()) fail(field, gpus_.unknown(text), "names are those of `unwarp cost money --prices`");
    return std::string(found);
  }

  /// A price in the manifest's currency; bounds are checked in US dollars.
  double price(const Field& field, const Bounds& bounds) {
    std::vector<std::string_view> parts = words(field.value);
    std::string currency = parts.size() == 2 ? std::string(parts[1]) : manifest_.currency;
    auto amount = parseNumber(parts.empty() ? std::string_view() : parts[0]);
    if (amount && parts.size() == 1 && manifest_.currency != "USD") {
      // Price lists are in dollars more often than not; a factor of ninety must not hang on a guess.
      fail(field, field.value + " has no currency",
           "write \"" + field.value + " " + manifest_.currency + "\" or \"" + field.value + " USD\"");
      return 0;
    }
    if (!amount || parts.size() > 2 || !isCurrencyCode(currency)) {
      fail(field, "'" + field.value + "' is no price",
           "write 2.10, or \"196 INR\" for another currency than " + manifest_.currency);
      return 0;
    }
    if (*amount < 0) fail(field, field.value + " is negative", bounds.fix);
    auto usd = rates_.convert(*amount, currency, "USD");
    if (!usd) {
      fail(field, usd.error(), "");
      return 0;
    }
    if (*usd < bounds.low || *usd > bounds.high)
      fail(field,
           field.value + " " + (parts.size() == 2 ? "" : currency + " ") + "is USD " + significant(*usd, 3) +
               ", which cannot be right",
           std::string(bounds.fix) + "; if it is in another currency, write it behind the number");
    auto own = rates_.convert(*amount, currency, manifest_.currency);
    if (!own) fail(field, own.error(), "");
    return own ? *own : 0;
  }

  void set(const Field& field) {
    std::vector<std::string_view> keys = split(field.path, '.');
    bool takesList = field.path == "cost.targets" || (keys[0] == "workload" && keys.back() == "hot_path");
    if ((field.inList || field.emptyList) && !takesList) return fail(field, "is a list", "write one value");
    if (field.emptyList) {
      if (keys[0] == "cost") fail(field, "names no GPU", "name one, or leave the line out for the default");
      return;
    }
    if (keys[0] == "workload")
      setWorkload(field, keys);
    else if (keys.size() == 3)
      setGroup(field, keys[1], keys[2]);
    else if (keys.size() == 2)
      setCost(field, keys[1]);
    else
      fail(field, "no such key", "keys are listed by `unwarp cost init`");
  }

  using Setters = std::map<std::string_view, std::function<void()>>;
  void apply(const Field& field, std::string_view key, const Setters& setters) {
    auto found = setters.find(key);
    if (found != setters.end()) return found->second();
    std::vector<std::string_view> known;
    for (const auto& [name, setter] : setters) known.push_back(name);
    std::string_view near = nearest(key, known);
    fail(field, "unknown key",
         near.empty() ? "keys are listed by `unwarp cost init`" : "did you mean " + std::string(near) + "?");
  }

  void setCost(const Field& field, std::string_view key) {
    Manifest& m = manifest_;
    apply(field, key,
          {{"currency",
            [&] {
              if (!isCurrencyCode(field.value) || !rates_.find(field.value))
                return fail(field, "'" + field.value + "' is no currency with a known rate",
                            "USD, INR, or give units per US dollar: [cost.rates] EUR = 0.92, and [cost] as_of");
              m.currency = field.value;
            }},
           {"as_of",
            [&] {
              if (!parseDate(field.value))
                return fail(field, "'" + field.value + "' is no date of the calendar", "YYYY-MM-DD");
              m.asOf = field.value;
            }},
           {"horizon_years", [&] { m.horizonYears = number(field, years); }},
           {"discount_rate", [&] { m.discountRate = number(field, share); }},
           {"targets", [&] {
              std::string name = gpu(field, field.value);
              if (std::find(m.targets.begin(), m.targets.end(), name) != m.targets.end())
                fail(field, name + " stands twice", "name each GPU once");
              m.targets.push_back(std::move(name));
            }}});
  }

  void setGroup(const Field& field, std::string_view group, std::string_view key) {
    Manifest& m = manifest_;
    if (group == "prices") {
      std::string name = gpu(field, key);
      m.pricePerGpuHour[name] = price(field, gpuHour);
    } else if (group == "capacity") {
      std::string name = gpu(field, key);
      m.capacity[name] = number(field, count);
    } else if (group == "rates") {
      if (m.asOf.empty()) return fail(field, "is a rate without a date", "write [cost] as_of = \"YYYY-MM-DD\" too");
      m.rates.push_back(std::string(key) + "=" + field.value + "@" + m.asOf);
      if (auto set = rates_.set(m.rates.back()); !set)
        fail(field, set.error(), "write units per US dollar: EUR = 0.92");
    } else if (group == "terms") {
      apply(field, key,
            {{"tax", [&] { m.tax = number(field, share); }}, {"subsidy", [&] { m.subsidy = number(field, share); }}});
    } else if (group == "assume") {
      fail(field, "unknown assumption", "names hold a dot and stand in quotes: \"effort.skill\" = 1.2");
    } else if (group == "team") {
      apply(field, key,
            {{"engineers", [&] { m.engineers = number(field, people); }},
             {"hourly_rate", [&] { m.hourlyRate = price(field, workHour); }},
             {"mode", [&] { m.teamMode = word(field, {"tiger", "distributed"}); }}});
    } else if (group == "fleet") {
      apply(field, key, {{"gpu", [&] { m.fleetGpu = gpu(field, field.value); }}, {"gpus", [&] {
                                                                                    m.fleetGpus = number(field, count);
                                                                                  }}});
    } else if (group == "constraints") {
      apply(field, key,
            {{"regression_harness", [&] { m.harness = truth(field); }},
             {"test_parity", [&] { m.testParity = number(field, share); }},
             {"supply_lead_weeks", [&] { m.supplyLeadWeeks = number(field, count); }},
             {"lock_in_months", [&] { m.lockInMonths = number(field, count); }},
             {"sovereignty", [&] { m.sovereignty = field.value; }}});
    } else {
      fail(field, "unknown table", "team, fleet, constraints, prices, rates, terms, capacity or assume");
    }
  }

  Workload& workload(std::string_view name) {
    for (Workload& known : manifest_.workloads)
      if (known.name == name) return known;
    manifest_.workloads.emplace_back();
    manifest_.workloads.back().name = name;
    return manifest_.workloads.back();
  }

  void setWorkload(const Field& field, const std::vector<std::string_view>& keys) {
    if (keys.size() < 3) return fail(field, "a workload needs a name", "[workload.chat]");
    Workload& w = workload(keys[1]);
    if (keys.size() == 4) {
      std::map<std::string, double>* values = keys[2] == "tokens_per_s_per_gpu" ? &w.tokensPerSPerGpu
                                              : keys[2] == "relative_speed"     ? &w.relativeSpeed
                                                                                : nullptr;
      if (values == nullptr) return fail(field, "unknown table", "tokens_per_s_per_gpu or relative_speed");
      std::string name = gpu(field, keys[3]);
      (*values)[name] = number(field, positive);
      return;
    }
    apply(field, keys[2],
          {{"model", [&] { w.model = field.value; }},
           {"engine", [&] { w.engine = field.value; }},
           {"precision",
            [&] {
              w.precision = toLower(field.value);
              std::string_view first = std::string_view(w.precision).substr(0, w.precision.find_first_of("_- "));
              if (std::find(precisions.begin(), precisions.end(), first) == precisions.end())
                fail(field, "'" + field.value + "' is no number format", "such as bf16, fp16, fp8, mxfp4 or int8");
            }},
           {"state", [&] { w.greenfield = word(field, {"existing", "greenfield"}) == "greenfield"; }},
           {"distribution",
            [&] {
              auto spread = fromName<Spread>(spreadNames, word(field, {spreadNames.begin(), spreadNames.end()}));
              w.spread = spread.value_or(Spread::SingleGpu);
              w.spreadGiven = true;
            }},
           {"hot_path", [&] { w.hotPath.push_back(field.value); }},
           {"accept_other_engine", [&] { w.acceptsOtherEngine = truth(field); }},
           {"models", [&] { w.models = number(field, count); }},
           {"demand_mtokens_per_month", [&] { w.demandMTokensPerMonth = number(field, positive); }},
           {"gpu_hours_per_month", [&] { w.gpuHoursPerMonth = number(field, positive); }}});
  }

 public:
  /// [cost.assume]: names with dots, so the path behind the table is the name.
  bool assume(const Field& field) {
    constexpr std::string_view prefix = "cost.assume.";
    if (!field.path.starts_with(prefix)) return false;
    std::string name = field.path.substr(prefix.size());
    if (!defaults_.has(name)) {
      std::string_view near = nearest(name, defaults_.names());
      fail(field, "no such assumption",
           near.empty() ? "names are those of the sheet of assumptions" : "did you mean " + std::string(near) + "?");
    } else {
      manifest_.assumed.emplace_back(name, number(field, {-1, 1e9, "a number in the unit of the assumption"}));
    }
    return true;
  }

 private:
  Manifest manifest_;
  std::string error_;
  const money::GpuNames& gpus_;
  money::Rates rates_;  ///< with the buyer's own
  const Defaults& defaults_;
};

/// A string of TOML: names come from the project, which may hold anything.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

Result<Manifest> readManifest(const std::string& file, std::string_view text, const money::GpuNames& gpus,
                              const money::Rates& rates, const Defaults& defaults) {
  auto fields = readFields(file, text);
  if (!fields) return Error{fields.error()};
  Reader reader(file, gpus, rates, defaults);
  std::vector<Field> others;
  for (const Field& field : *fields)
    if (!reader.assume(field)) others.push_back(field);
  return reader.read(others);
}

std::string manifestTemplate(const KnownFacts& known) {
  std::string text =
      "# What only you know. Every line may stay out: a default then counts, and the account prints it with its "
      "source.\n"
      "[cost]\n"
      "currency = \"USD\"            # in which currency are the bills? USD, INR, EUR, ...\n"
      "# as_of = \"2026-12-01\"      # of which day are these answers?\n"
      "horizon_years = 3           # over how many years must it pay?\n"
      "# discount_rate = 0.08      # what does money cost per year? (0.12 for 12 %)\n"
      "targets = [\"MI300X\"]        # which GPUs are in question?\n\n"
      "[cost.team]\n"
      "# engineers = 2             # how many would learn the new tools?\n"
      "# hourly_rate = 90          # what does one hour of an engineer cost in full?\n"
      "mode = \"tiger\"              # one small team (tiger) or every team its part (distributed)?\n\n"
      "[cost.constraints]\n"
      "# regression_harness = false # is there a test of results that knows no vendor?\n"
      "# test_parity = 0.9         # which share of your tests passes on the other stack?\n"
      "# supply_lead_weeks = 12    # how long until the GPUs are there?\n"
      "# lock_in_months = 12       # for how long does a contract bind?\n"
      "# sovereignty = \"\"          # which law or buyer decides where data may be? (flagged, no legal advice)\n\n"
      "[cost.fleet]\n"
      "# gpu = \"H100\"              # what runs it today?\n"
      "# gpus = 8                  # how many of them?\n\n"
      "# [cost.rates]              # another currency than USD and INR: units per US dollar, on the day of as_of\n"
      "# EUR = 0.92\n\n"
      "# [cost.terms]              # on prices that you do not state\n"
      "# tax = 0.18                # which tax is added and not returned? (default: 0.18 for INR, else 0)\n"
      "# subsidy = 0.4             # which granted share is taken off before tax?\n\n"
      "[cost.prices]               # what does one GPU cost for one hour? (\"196 INR\" for another currency than USD)\n"
      "# H100 = 2.95\n"
      "# MI300X = 1.85\n\n"
      "# [cost.capacity]           # how many GPUs can be had? (for `unwarp cost --format fleet`)\n"
      "# H100 = 64\n"
      "# MI300X = 16\n\n"
      "[workload.main]\n"
      "# model = \"\"                # which model or application?\n"
      "# precision = \"bf16\"        # which number format?\n"
      "state = \"existing\"          # existing, or greenfield when nothing is written yet?\n";
  text += "distribution = \"" + (known.spread.empty() ? std::string("single-gpu") : known.spread) +
          "\" # single-gpu, one-node, multi-node-framework, multi-node-nccl or mixed-vendor?\n"
          "hot_path = [";
  for (std::size_t i = 0; i < known.libraries.size(); ++i) text += (i == 0 ? "" : ", ") + quoted(known.libraries[i]);
  text +=
      "]  # which of these can it not run without?\n"
      "# accept_other_engine = false # would another engine for the same model do?\n"
      "models = 1                  # how many models must be revalidated?\n"
      "# demand_mtokens_per_month = 1000 # how many million tokens a month? Or:\n"
      "# gpu_hours_per_month = 5840 # how many GPU hours a month today?\n";
  if (known.hasKernels) text += "# The audit found kernels of your own: their port is estimated from its findings.\n";
  return text +
         "\n# [workload.main.tokens_per_s_per_gpu] # measured on your model; without it no saving is computed\n"
         "# H100 = 3897\n"
         "# MI300X = 3482\n\n"
         "# [cost.assume]             # any number of the sheet of assumptions\n"
         "# \"effort.skill\" = 1.2\n";
}

}  // namespace unwarp::cost
