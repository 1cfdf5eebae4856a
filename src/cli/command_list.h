// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands. Each parses its arguments, delegates, prints; the value is the program's exit status.
#pragma once

namespace unwarp::cli {

int runAudit(int argc, char** argv);
int runAssess(int argc, char** argv);
int runCostFleet(int argc, char** argv);
int runCostGate(int argc, char** argv);
int runCostMoney(int argc, char** argv);
int runCost(int argc, char** argv);
int runCostInit(int argc, char** argv);
int runCostBacktest(int argc, char** argv);
int runCostMine(int argc, char** argv);
int runExplain(int argc, char** argv);
int runDoctor(int argc, char** argv);
int runNvcc(int argc, char** argv);
int runFatbinary(int argc, char** argv);
int runRun(int argc, char** argv);
int runToolkitPath(int argc, char** argv);

}  // namespace unwarp::cli
