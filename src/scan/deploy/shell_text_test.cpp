// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shell text: what is a site and, as important, what is none.
#include <chrono>

#include "deploy_fixture.h"

namespace unwarp::scan {
namespace {

using ShellText = DeployTest;

TEST_F(ShellText, FindsCommandsWithTheirArguments) {
  EXPECT_EQ(shell("nvidia-smi\nsudo nvidia-smi mig -cgi 9 -C\n/usr/local/cuda/bin/nvcc --version\n"),
            (Sites{"1 cli-nvidia-smi", "2 cli-nvidia-smi-mig", "3 cli-nvcc"}));
}

TEST_F(ShellText, FindsCommandsBehindOperatorsKeywordsAndSubstitutions) {
  EXPECT_EQ(shell("set -e; if nvidia-smi; then\n  count=$(nvidia-smi -L | wc -l) && true || nvcc -V\nfi\n"),
            (Sites{"1 cli-nvidia-smi", "2 cli-nvcc", "2 cli-nvidia-smi"}));
  EXPECT_EQ(shell("x=`nvidia-smi -q`"), (Sites{"1 cli-nvidia-smi"}));
  EXPECT_EQ(shell("diff <(nvidia-smi) b"), (Sites{"1 cli-nvidia-smi"}));
}

TEST_F(ShellText, CountsLinesOverContinuationsAndQuotes) {
  EXPECT_EQ(shell("apt-get install -y \\\n  git \\\n  cuda-toolkit-12-4 \\\n  "
                  "libcudnn8=8.9.7.29-1+cuda12.2\nX='a\nb'\nnvcc -V\n"),
            (Sites{"3 apt-cuda-toolkit", "4 apt-cudnn 8.9.7.29-1+cuda12.2", "7 cli-nvcc"}));
}

TEST_F(ShellText, TakesTheFirstLineIntoAccount) {
  EXPECT_EQ(sites(readShellFacts("\nnvcc -V", 10)), (Sites{"11 cli-nvcc"}));
}

TEST_F(ShellText, PrintedAndSearchedTextIsNoSite) {
  EXPECT_EQ(shell("echo \"run nvidia-smi and nvcc\"\nprintf 'nvcc'\ngrep -r nvidia-smi .\n# nvcc x.cu\n"
                  "cat <<EOF\nnvidia-smi\nnvcc\nEOF\n[ \"$x\" = nvcc ] && true\n"),
            Sites{});
  EXPECT_EQ(shell("python train.py --name gpu-test # nvidia-smi\n"), Sites{});
}

TEST_F(ShellText, ReadsAssignmentsAndExports) {
  const FileFacts facts = readShellFacts(
      "export CUDA_HOME=/usr/local/cuda LC_ALL=C\nCUDA_VISIBLE_DEVICES=0 python a.py\nsetenv NCCL_DEBUG INFO\n");
  EXPECT_EQ(sites(facts), (Sites{"1 env-cuda-home", "2 env-cuda-visible", "3 env-nccl"}));
  ASSERT_EQ(facts.mentions.size(), 4u);
  EXPECT_EQ(facts.mentions[0].text, "CUDA_HOME");
  EXPECT_EQ(facts.mentions[0].value, "/usr/local/cuda");
  EXPECT_EQ(facts.mentions[3].value, "INFO");
}

TEST_F(ShellText, ASwitchThatIsOffIsNoSite) {
  EXPECT_EQ(shell("USE_CUDA=0 python setup.py install\nUSE_CUDA=1 python setup.py install\n"),
            (Sites{"2 env-use-cuda"}));
  EXPECT_EQ(shell("cmake -DUSE_CUDA=OFF ..\ncmake -DUSE_CUDA:BOOL=ON -D CMAKE_CUDA_ARCHITECTURES=80 ..\n"),
            (Sites{"2 cmake-use-cuda ON", "2 cmake-architectures 80"}));
}

TEST_F(ShellText, FindsLibraryPathsOfTheToolkit) {
  EXPECT_EQ(shell("export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH"), (Sites{"1 config-library-path"}));
}

TEST_F(ShellText, ReadsInstalls) {
  EXPECT_EQ(
      shell(
          "pip install --no-cache-dir -r req.txt 'flash-attn>=2.5' .\npython3 -m pip install flash-attn==2.6\n"
          "conda install -y -c nvidia cudatoolkit=11.8\ndnf -y install cuda-toolkit-12-2\nuv pip install flash_attn\n"),
      (Sites{"1 pypi-flash-attn >=2.5", "2 pypi-flash-attn ==2.6", "3 config-channel", "3 conda-cudatoolkit =11.8",
             "4 apt-cuda-toolkit", "5 pypi-flash-attn"}));
}

TEST_F(ShellText, ReadsDockerRunWithImageSettingsAndInnerCommand) {
  EXPECT_EQ(shell("docker run --rm -it --gpus all \\\n  -e CUDA_VISIBLE_DEVICES=1 -v $PWD:/w --runtime nvidia \\\n  "
                  "nvidia/cuda:12.4.1-base nvidia-smi\n"),
            (Sites{"1 cli-docker-gpus", "2 env-cuda-visible", "2 cli-docker-runtime", "3 image-cuda 12.4.1-base",
                   "3 cli-nvidia-smi"}));
  EXPECT_EQ(shell("docker run --rm alpine echo --gpus\ndocker build -t nvidia-thing .\n"), Sites{});
  EXPECT_EQ(shell("docker pull nvcr.io/nvidia/pytorch:24.01-py3"), (Sites{"1 image-ngc 24.01-py3"}));
}

TEST_F(ShellText, ReadsApptainerAndPyxis) {
  EXPECT_EQ(shell("singularity exec --nv docker://nvcr.io/hpc/gromacs:2023 gmx\nsrun "
                  "--container-image=nvcr.io#nvidia/nemo:24.07 hostname\n"),
            (Sites{"1 cli-apptainer-nv", "1 image-ngc 2023", "2 image-ngc 24.07"}));
}

TEST_F(ShellText, ReadsSchedulerRequestsThatNameAModel) {
  EXPECT_EQ(shell("#!/bin/bash\n#SBATCH --gres=gpu:A100:4\n#SBATCH -C \"a100&ib\"\n##SBATCH --gres=gpu:a100:1\n#SBATCH "
                  "--gres=gpu:2\n"
                  "srun --gpus-per-node=a100:4 -n 4 nsys profile ./app\nmodule load gcc/12 cuda/12.1\n"),
            (Sites{"2 cli-slurm-model", "3 cli-slurm-model", "6 cli-slurm-model", "6 cli-nsys", "7 cli-module 12.1"}));
}

TEST_F(ShellText, ReadsEveryNameOfAModuleLine) {
  EXPECT_EQ(shell("module load gcc/12 cuda/12.4 nccl/2.18\nmodule -q add cuda\nml cuda nccl\nml load cuda\nmodule swap "
                  "cuda/11 nccl\nmodule unload cuda\nml -cuda\nml unload cuda\nml spider nccl\n"),
            (Sites{"1 cli-module 12.4", "1 cli-module 2.18", "2 cli-module", "3 cli-module", "3 cli-module",
                   "4 cli-module", "5 cli-module"}));
}

TEST_F(ShellText, ReadsSeveralPackagesOfOneRecordOnALine) {
  EXPECT_EQ(shell("apt-get install -y libcudnn8 libcudnn8-dev\nexport NCCL_DEBUG=INFO NCCL_ALGO=Ring\n"),
            (Sites{"1 apt-cudnn", "1 apt-cudnn", "2 env-nccl", "2 env-nccl"}));
}

TEST_F(ShellText, ReadsVariablesHandedToAContainer) {
  EXPECT_EQ(shell("docker run -e NVIDIA_VISIBLE_DEVICES -e $OTHER a/b\n"), (Sites{"1 env-nvidia-visible"}));
}

TEST_F(ShellText, ReadsPackageManagersOfNativeCode) {
  EXPECT_EQ(shell("spack install hdf5~cuda\nspack install -j 8 hdf5+mpi+cuda cuda_arch=80 ^cuda@12.4\nspack add "
                  "nccl\nvcpkg install cuda opencv4[cuda]:x64-linux zlib\nnix-shell -p cudaPackages.cudnn hello "
                  "cudaPackages.nccl\n"),
            (Sites{"2 config-spack", "3 config-spack-nccl", "4 other-vcpkg", "4 other-vcpkg", "5 config-nix",
                   "5 config-nix"}));
}

TEST_F(ShellText, ReadsBazelOptionsInOneWordOrTwo) {
  EXPECT_EQ(shell("bazel build --config=cuda --action_env CUDA_HOME=/x --copt=-O2 //a:b\nbazel test --define "
                  "using_cuda=true //...\n"),
            (Sites{"1 cli-bazel", "1 env-cuda-home", "2 cli-bazel"}));
}

TEST_F(ShellText, ReadsLaunchersAndWrappers) {
  EXPECT_EQ(shell("mpirun -np 8 -x NCCL_ALGO=Ring --mca btl tcp ncu --set full ./a\nsudo -E env CUDA_VISIBLE_DEVICES=0 "
                  "timeout 10 nvidia-smi\n"),
            (Sites{"1 env-nccl", "1 cli-ncu", "2 env-cuda-visible", "2 cli-nvidia-smi"}));
}

TEST_F(ShellText, ReadsStringsThatHoldCommands) {
  EXPECT_EQ(shell("bash -c 'nvcc -V'\nssh -p 22 node \"nvidia-smi -L\"\nsbatch <<EOF\n#!/bin/sh\n#SBATCH "
                  "--gres=gpu:a100:1\nnvidia-smi\nEOF\n"),
            (Sites{"1 cli-nvcc", "2 cli-nvidia-smi", "5 cli-slurm-model", "6 cli-nvidia-smi"}));
}

TEST_F(ShellText, ReadsQuestionsForPrograms) {
  EXPECT_EQ(shell("if command -v nvidia-smi >/dev/null; then :; fi\nwhich nvcc\n"),
            (Sites{"1 cli-nvidia-smi", "2 cli-nvcc"}));
}

TEST_F(ShellText, BranchesOfAScriptThatAsksForRocmAreGuarded) {
  EXPECT_EQ(
      shell("if [[ $BACKEND == rocm ]]; then\n  export CUDA_VISIBLE_DEVICES=0\nelse\n  nvidia-smi\nfi\nnvcc -V\n"),
      (Sites{"2 env-cuda-visible guarded", "4 cli-nvidia-smi guarded", "6 cli-nvcc"}));
  EXPECT_EQ(shell("case $1 in\n  hip) make ;;\n  nvidia-smi|cuda) nvcc -V ;;\nesac\nnvcc -V\n"),
            (Sites{"3 cli-nvcc guarded", "5 cli-nvcc"}));
  EXPECT_EQ(shell("if [ $ARCH = amd64 ]; then nvcc -V; fi"), (Sites{"1 cli-nvcc"}));
}

TEST_F(ShellText, PrintedSettingsOfAStepAndAProfileCount) {
  EXPECT_EQ(shell("echo \"CUDA_HOME=/opt/cuda\" >> $GITHUB_ENV\necho 'export NCCL_DEBUG=WARN' >> ~/.bashrc\necho "
                  "CUDA_HOME=/x\n"),
            (Sites{"1 env-cuda-home", "2 env-nccl"}));
}

TEST_F(ShellText, ReadsConfigureOptionsAndTrainingOptions) {
  EXPECT_EQ(
      shell("./configure --with-cuda=/usr/local/cuda\n./configure --with-cuda=no\ntorchrun t.py --backend nccl\n"),
      (Sites{"1 cli-configure", "3 config-nccl"}));
}

TEST_F(ShellText, ReadsPowerShellAndCmd) {
  EXPECT_EQ(
      shell("$env:CUDA_HOME = \"C:/cuda\"\n$NCCL_DEBUG = 'x'\n$backend = nccl\ncmake .. ^\n  -DUSE_CUDA=ON ^\r\n  "
            "-DX=1\ncmake .. "
            "`\n  -DUSE_CUDA=ON\nset CUDA_HOME=x\n"),
      (Sites{"1 env-cuda-home", "3 config-nccl", "5 cmake-use-cuda ON", "8 cmake-use-cuda ON", "9 env-cuda-home"}));
}

TEST_F(ShellText, VariablesOfTheScriptAloneNeedTheVeryName) {
  EXPECT_EQ(shell("NCCL_VER=2.18\nCUDA_HOME=/x\nNCCL_DEBUG=INFO ./app\n"), (Sites{"2 env-cuda-home", "3 env-nccl"}));
}

TEST_F(ShellText, VariablesThatHoldCommandsAreRead) {
  EXPECT_EQ(shell("COMPILER=/usr/local/cuda/bin/nvcc\nPROFILE=\"nsys profile -o x\"\nEXTRA=\"$EXTRA "
                  "-DUSE_CUDA=ON\"\nTITLE=\"ncu results\"\n"),
            (Sites{"1 cli-nvcc", "2 cli-nsys", "3 cmake-use-cuda ON"}));
}

TEST_F(ShellText, SurvivesBrokenAndHostileText) {
  shell("echo 'never closed\nnvcc");
  shell("echo \"never $(closed `");
  shell("<<");
  shell("case x in");
  shell("\\");
  std::string deep;
  for (int i = 0; i < 20000; ++i) deep += "$(";
  shell(deep);
  std::string nested = "nvcc -V";
  for (int i = 0; i < 40; ++i) nested = "echo $(" + nested + ")";
  EXPECT_FALSE(readShellFacts(nested).notes.empty());
  std::string ticks(20000, '`');
  shell(ticks);
}

TEST_F(ShellText, ManyQuotesStayLinear) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "a\"b'c ${x $(y ";
  const auto begin = std::chrono::steady_clock::now();
  shell(text);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace unwarp::scan
