// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modulefiles in Lua and Tcl: what they load, set and put on paths, and what they only talk about.
#include "deploy_fixture.h"

namespace unwarp::scan {
namespace {

class Modulefiles : public DeployTest {
 protected:
  static Sites lua(std::string_view text) {
    return sites(read(readModulefile, text, FileKind::Modulefile, "modulefiles/app/1.0.lua"));
  }
  static Sites tcl(std::string_view text) {
    return sites(read(readModulefile, text, FileKind::Modulefile, "modulefiles/app/1.0"));
  }
};

TEST_F(Modulefiles, OfLmod) {
  EXPECT_EQ(lua(R"(help([[
load("cuda/11") first
]])
whatis("uses cuda and nccl")
--[[ load("cuda/11") ]]
-- depends_on("cuda")
depends_on("cuda/12.4", "gcc/13",
           "nccl/2.20")
if not isloaded("cuda") then load('cuda') end
prereq(atleast("cuda", "12.0"))
always_load "gcc" "cuda/12.5"
conflict("cuda/11")
unload("cuda")
local root = "/opt/x"
setenv("CUDA_HOME", root)
pushenv("NCCL_DEBUG", "INFO")
local name = "load cuda"
)"),
            (Sites{"7 cli-module 12.4", "7 cli-module 2.20", "9 cli-module", "10 cli-module", "11 cli-module 12.5",
                   "15 env-cuda-home", "16 env-nccl"}));
}

TEST_F(Modulefiles, OfTcl) {
  EXPECT_EQ(tcl(R"(#%Module1.0
proc ModulesHelp { } {
  puts stderr "module load cuda"
}
# module load cuda
module-whatis {needs cuda}
module load gcc/13 cuda/12.4
module unload cuda
module swap cuda/11 cuda/12
prereq cuda
if { ![is-loaded cuda] } { module load cuda }
depends-on "cuda/12.2" nccl
setenv CUDA_HOME $root
conflict cuda/10
)"),
            (Sites{"7 cli-module 12.4", "9 cli-module 12", "10 cli-module", "11 cli-module", "12 cli-module 12.2",
                   "12 cli-module", "13 env-cuda-home"}));
}

TEST_F(Modulefiles, BrokenTextEnds) {
  for (const std::string_view text : {"load(", "load(\"", "[[", "[==[x", "--[[", "'", "load('cuda", "\\", "))", "{{{"})
    lua(text);
  for (const std::string_view text : {"module", "module load", "{", "module swap", "\"", "setenv"}) tcl(text);
}

}  // namespace
}  // namespace unwarp::scan
