// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Price lists: gpuhunt's catalog (one row per instance offer, USD per instance and hour) and infracost's breakdown (one
// entry per component of planned infrastructure). Both price machines; we want GPUs, so counts divide, and what has no
// GPU is somebody else's price. A component without price or quantity is unknown, which is not zero: it is told.
#include <cmath>

#include "base/text.h"
#include "cost/money/reading.h"

namespace unwarp::cost::money {

void readGpuhunt(const CsvTable& table, Reading& reading) {
  std::size_t without = 0, unknown = 0;
  std::string example;
  for (std::size_t row = 0; row < table.rows() && !reading.fault(); ++row) {
    auto count = reading.amount(table, row, "gpu_count");
    if (!count || *count == 0) {
      ++without;
      continue;
    }
    auto price = reading.amount(table, row, "price");
    if (!price || *price == 0)
      return reading.fail(table.line(row), "price", "is missing or 0 for a GPU offer",
                          "write USD per instance and hour");
    std::string name(table.cell(row, "gpu_name"));
    std::string withMemory = name;
    if (auto memory = reading.amount(table, row, "gpu_memory")) withMemory += " " + compact(*memory, 4) + "GB";
    std::string_view gpu = reading.gpus().find(withMemory);
    if (gpu.empty()) {
      ++unknown;
      example = name;
      continue;
    }
    std::string provider(table.cell(row, "provider"));
    Price offer;
    offer.gpu = gpu;
    offer.basis = toLower(table.cell(row, "spot")) == "true" ? "spot" : "on-demand";
    offer.low = offer.high = *price / *count;
    offer.currency = "USD";
    offer.status = "agreed";
    offer.note = (provider.empty() ? "" : provider + " ") + std::string(table.cell(row, "instance_name")) + ", " +
                 std::string(table.cell(row, "location"));
    offer.source = reading.file() + ":" + std::to_string(table.line(row));
    reading.out().prices.push_back(std::move(offer));
  }
  if (without > 0) reading.out().notes.push_back(reading.file() + ": " + std::to_string(without) + " rows without GPU");
  if (unknown > 0)
    reading.out().notes.push_back(reading.file() + ": " + std::to_string(unknown) +
                                  " rows not read: " + reading.gpus().unknown(example));
}

namespace {

/// Adds up what an infracost entry says and checks that its parts give its total.
class Breakdown {
 public:
  Breakdown(Reading& reading, std::string currency) : reading_(reading), currency_(std::move(currency)) {}

  /// Monthly cost of a resource with its components and those below it.
  double resource(const JsonNode& node, int depth = 0) {
    double sum = 0;
    std::string name = reading_.text(node, "name");
    if (const JsonNode* components = node.find("costComponents"))
      for (const JsonNode& component : components->children) sum += this->component(component, name);
    if (const JsonNode* inner = node.find("subresources"); inner != nullptr && depth < 8)
      for (const JsonNode& child : inner->children) sum += resource(child, depth + 1);
    checkTotal(node, "monthlyCost", sum);
    return sum;
  }
  void checkTotal(const JsonNode& node, std::string_view field, double sum) {
    auto total = reading_.amount(node, field);
    if (total && std::abs(*total - sum) > 0.01 + 1e-6 * *total)
      reading_.fail(node.find(field)->line, std::string(field),
                    "is " + significant(*total, 6) + " but its parts sum to " + significant(sum, 6),
                    "keep the file as infracost wrote it");
  }
  std::size_t unknown() const { return unknown_; }

 private:
  double component(const JsonNode& node, const std::string& resource) {
    auto price = reading_.amount(node, "price"), monthly = reading_.amount(node, "monthlyCost");
    if (!price || !monthly) ++unknown_;
    auto quantity = reading_.amount(node, "monthlyQuantity");
    if (price && quantity && monthly && std::abs(*price * *quantity - *monthly) > 0.01 + 0.01 * *monthly)
      reading_.fail(node.find("monthlyCost")->line, "monthlyCost",
                    "is " + significant(*monthly, 6) + " but price x quantity is " + significant(*price * *quantity, 6),
                    "keep the file as infracost wrote it");
    std::string name = reading_.text(node, "name");
    const GpuNames::Instance* instance = reading_.gpus().instance(name);
    if (price && *price > 0 && instance != nullptr && toLower(reading_.text(node, "unit")).starts_with("hour")) {
      Price offer;
      offer.gpu = instance->gpu;
      offer.basis = toLower(name).find("spot") != std::string::npos       ? "spot"
                    : toLower(name).find("reserved") != std::string::npos ? "reserved"
                                                                          : "on-demand";
      offer.low = offer.high = *price / instance->gpus;
      offer.currency = currency_;
      offer.status = "agreed";
      offer.note = resource;
      offer.source = reading_.file() + ":" + std::to_string(node.line);
      reading_.out().prices.push_back(std::move(offer));
    }
    return monthly.value_or(0);
  }

  Reading& reading_;
  std::string currency_;
  std::size_t unknown_ = 0;
};

}  // namespace

void readInfracost(const JsonNode& root, Reading& reading) {
  std::string currency = reading.text(root, "currency");
  if (!isCurrencyCode(currency))
    return reading.fail(root.line, "currency", currency.empty() ? "is missing" : "'" + currency + "' is no currency",
                        "write three capital letters such as USD");
  Breakdown breakdown(reading, currency);
  double all = 0;
  for (const JsonNode& project : root.find("projects")->children) {
    const JsonNode* part = project.find("breakdown");
    const JsonNode* resources = part == nullptr ? nullptr : part->find("resources");
    if (resources == nullptr) continue;
    double sum = 0;
    for (const JsonNode& resource : resources->children) sum += breakdown.resource(resource);
    breakdown.checkTotal(*part, "totalMonthlyCost", sum);
    all += sum;
  }
  breakdown.checkTotal(root, "totalMonthlyCost", all);
  if (breakdown.unknown() > 0)
    reading.out().notes.push_back(reading.file() + ": " + std::to_string(breakdown.unknown()) +
                                  " components have no price or quantity: unknown, not zero");
}

}  // namespace unwarp::cost::money
