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

TEST(ReadNotebook, NotesTruncatedFiles) {
  const FileFacts facts =
      factsOf(readNotebook, "a.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import torch.cuda\"]}");
  EXPECT_EQ(dependenciesOf(facts), "py-torch-cuda@1");
  EXPECT_EQ(facts.notes.size(), 1u);
}

}  // namespace
}  // namespace unwarp::scan
