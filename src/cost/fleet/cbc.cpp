// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/fleet/cbc.h"

#include <CbcModel.hpp>
#include <CoinMessageHandler.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>

namespace unwarp::cost::fleet {

namespace {

/// `program` as CBC's linear relaxation with its integer columns marked.
void load(const LinearProgram& program, OsiClpSolverInterface& solver) {
  CoinPackedMatrix matrix(false, 0, 0);
  matrix.setDimensions(0, static_cast<int>(program.columns.size()));
  std::vector<double> rowLow, rowHigh;
  double infinity = solver.getInfinity();
  for (const LinearRow& row : program.rows) {
    CoinPackedVector terms;
    for (auto [column, factor] : row.terms) terms.insert(static_cast<int>(column), factor);
    matrix.appendRow(terms);
    rowLow.push_back(row.low < -infinity ? -infinity : row.low);
    rowHigh.push_back(row.high > infinity ? infinity : row.high);
  }
  solver.loadProblem(matrix, program.low.data(), program.high.data(), program.objective.data(), rowLow.data(),
                     rowHigh.data());
  for (std::size_t i = 0; i < program.integer.size(); ++i)
    if (program.integer[i]) solver.setInteger(static_cast<int>(i));
}

}  // namespace

std::optional<Plan> runCbc(const Problem& problem) {
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  load(linearProgram(problem), solver);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  model.setAllowableGap(0);
  model.setAllowableFractionGap(0);
  model.branchAndBound();
  const double* solution = model.bestSolution();
  if (solution == nullptr || !model.isProvenOptimal()) return std::nullopt;
  std::vector<std::size_t> pool;
  std::size_t pools = problem.pools.size();
  for (std::size_t w = 0; w < problem.workloads.size(); ++w)
    for (std::size_t g = 0; g < pools; ++g)
      if (solution[w * pools + g] > 0.5) pool.push_back(g);
  if (pool.size() != problem.workloads.size()) return std::nullopt;
  return planOf(problem, pool);  // costs from whole numbers, without the solver's tolerances
}

}  // namespace unwarp::cost::fleet
