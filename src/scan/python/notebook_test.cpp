// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebooks: cells, magics and the lines that facts point to.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

TEST(ReadNotebook, PointsToTheLinesOfTheFile) {
  const std::string text =
      "{\n \"cells\": [\n  {\"cell_type\": \"code\", \"source\": [\n   \"import torch\\n\",\n   \"x = "
      "torch.cuda.x()\"\n  ]},\n"
      "  {\"cell_type\": \"markdown\", \"source\": [\n   \"import torch.cuda\"\n  ]},\n"
      "  {\"cell_type\": \"code\", \"source\": [\n   \"!nvidia-smi\\n\",\n   \"torch.cuda.y()\"\n  ],\n   \"outputs\": "
      "[{\"text\": \"torch.cuda.z()\"}]}\n ]\n}\n";
  EXPECT_EQ(dependenciesIn(readNotebook, "a.ipynb", text), "py-torch-cuda@5 nvidia-smi@11 py-torch-cuda@12");
}

TEST(ReadNotebook, ReadsCudaCells) {
  const FileFacts facts =
      factsOf(readNotebook, "a.ipynb",
              "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"%%cu\\n\",\n\"__global__ void k() {}\"\n]}]}");
  EXPECT_EQ(apisOf(facts), "__global__@3");
}

/// A notebook of one code cell whose lines stand from line 2 of the file on.
std::string notebookOf(const std::vector<std::string>& lines, std::string_view tail = "") {
  std::string text = "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += '"';
    for (char c : lines[i]) (text += c == '"' || c == '\\' ? "\\" : "") += c;
    text += i + 1 < lines.size() ? "\\n\",\n" : "\"\n";
  }
  return text + "]}]" + std::string(tail) + "}\n";
}

TEST(ReadNotebook, ReadsFilesThatCellsWrite) {
  const auto found = [](const std::vector<std::string>& lines) {
    return dependenciesIn(readNotebook, "a.ipynb", notebookOf(lines));
  };
  EXPECT_EQ(found({"%%writefile requirements.txt", "numpy", "cupy-cuda12x"}), "pypi-cupy@4");
  EXPECT_EQ(found({"%%writefile -a 'sub/pyproject.toml'", "[project]", "dependencies = [\"torch\"]"}), "pypi-torch@4");
  EXPECT_EQ(found({"%%file run.sh", "nvidia-smi"}), "nvidia-smi@3");
  EXPECT_EQ(found({"%%writefile a.py", "import torch", "torch.cuda.x()"}), "py-torch-cuda@4");
  EXPECT_EQ(found({"%%writefile notes.md", "import torch.cuda"}), "");
  EXPECT_EQ(found({"", "%%bash", "nvidia-smi"}), "nvidia-smi@4");
  EXPECT_EQ(found({"%%capture", "!nvidia-smi", "import torch.cuda"}), "nvidia-smi@3 py-torch-cuda@4");
}

TEST(ReadNotebook, ReadsCommandsAmongPython) {
  EXPECT_EQ(dependenciesIn(readNotebook, "a.ipynb",
                           notebookOf({"%pip install cupy-cuda12x", "!pip install \\", "  torch", "x = !nvidia-smi",
                                       "assert x != 'nvidia-smi'", "y = z == 1"})),
            "pypi-cupy@2 pypi-torch@4 nvidia-smi@5");
}

TEST(ReadNotebook, ReadsJuliaNotebooksAsJulia) {
  EXPECT_EQ(dependenciesIn(readNotebook, "a.ipynb",
                           notebookOf({"using CUDA"}, ", \"metadata\": {\"kernelspec\": {\"language\": \"julia\"}}")),
            "other-cudarc@2");
}

TEST(ReadNotebook, MovesStructureToTheLinesOfTheFile) {
  const FileFacts cell = factsOf(readNotebook, "a.ipynb", notebookOf({"%%cu", "", "__global__ void k() {}"}));
  ASSERT_EQ(cell.embedded.size(), 1u);
  EXPECT_EQ(cell.embedded[0].fileLine(2), 4u);
  const FileFacts raw =
      factsOf(readNotebook, "a.ipynb",
              notebookOf({"import cupy", "k = cupy.RawKernel('''", "__global__ void k() {}", "''', 'k')"}));
  ASSERT_EQ(raw.embedded.size(), 1u);
  EXPECT_EQ(apisOf(raw), "__global__@4");
  EXPECT_EQ(raw.embedded[0].fileLine(2), 4u);
}

TEST(ReadNotebook, KeepsLinesThatMayHoldSuppressions) {
  const FileFacts facts = factsOf(readNotebook, "a.ipynb", notebookOf({"# unwarp: ignore[W01] why", "x()", "y()"}));
  ASSERT_EQ(facts.markedLines.size(), 1u);
  EXPECT_EQ(facts.markedLines[0].text, "# unwarp: ignore[W01] why");
  EXPECT_EQ(facts.markedLines[0].line, 2u);
  EXPECT_EQ(facts.markedLines[0].next, 3u);
}

TEST(ReadNotebook, NotesTruncatedFiles) {
  const FileFacts facts =
      factsOf(readNotebook, "a.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import torch.cuda\"]}");
  EXPECT_EQ(dependenciesOf(facts), "py-torch-cuda@1");
  EXPECT_EQ(facts.notes.size(), 1u);
}

}  // namespace
}  // namespace unwarp::scan
