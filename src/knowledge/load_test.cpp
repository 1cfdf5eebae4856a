// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading is strict: every kind of broken record stops it and says where. Each case changes one thing of tables that
// load.
#include "knowledge/load.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/embedded.h"
#include "base/text.h"

namespace unwarp::knowledge {

namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

Files goodFiles() {
  return {
      {"knowledge/FACTS_DATE", "2026-11-30\n"},
      {"knowledge/layers.tsv",
       "word\tlayer\tsource\tas_of\nruntime\truntime\ttest\t2026\nfalse-positive\ttooling\ttest\t2026\n"},
      {"knowledge/apis/a.tsv",
       "name\tkind\tlibrary\thip\troc\tstatus\tcontext\tcuda_since\tcuda_deprecated\tcuda_removed\thip_since\thip_"
       "removed\tnote\t"
       "source\tas_of\ncudaMalloc\tfunction\truntime\thipMalloc\t\tport\tany\t\t\t\t\t\t\ttest\t2026-11\n"},
      {"knowledge/devices.tsv",
       "target\tname\tvendor\tarch\twidth\tlds_kb\tfp8\tfp4\ttf32\tmemory_gb\tbandwidth_tbs\tfp64_tflops\tfp32_tflops\t"
       "fp16_tflops\tfp8_tflops\tfp4_tflops\ttdp_w\tevidence\tdisputed\tsource\tas_of\n"
       "gfx942\tMI300X\tAMD\tCDNA 3\t64\t64\tfnuz\tno\tyes\t\t\t\t\t\t\t\t\tread\t\ttest\t2026\n"},
      {"knowledge/dependencies.tsv",
       "id\tecosystem\tmatch\tword\tcounterpart\tstatus\tby_target\tconfirmed\tnote\tsource\tas_of\n"
       "d1\tpypi\ttorch\truntime\t\tport\tgfx942=drop-in\tyes\t\ttest\t2026-11-30\n"},
      {"knowledge/rules/W/W01-x.md",
       "+++\nid = \"W01\"\nname = \"x\"\ntitle = \"X\"\ngroup = \"W\"\nstatus = \"stable\"\nseverity = \"silent\"\n"
       "layer = \"kernels\"\napplies = [\"wave64\"]\nfix = \"review\"\nminutes = 5\ndetect = \"code\"\nprecision = "
       "\"none seen\"\n"
       "source = \"test\"\nas_of = \"2026\"\n+++\n## What it finds\n## Why it matters\n## Flagged\n## Translation\n"
       "## Not flagged\n## Limits\n## References\n"}};
}

std::string loadError(const Files& files) {
  auto loaded = Knowledge::parse({files.begin(), files.end()});
  return loaded ? std::string() : loaded.error();
}

/// The error after replacing `from` by `to` in one file.
std::string errorAfter(const std::string& file, std::string_view from, std::string_view to) {
  Files files = goodFiles();
  std::string& text = files.at("knowledge/" + file);
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return loadError(files);
}

}  // namespace

TEST(KnowledgeLoad, GoodTablesLoad) {
  EXPECT_EQ(loadError(goodFiles()), "");
}

TEST(KnowledgeLoad, TheBuiltInTablesLoad) {
  auto loaded = Knowledge::load("");
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_GT((*loaded)->apis().size(), 1000u);
  EXPECT_NE((*loaded)->findApi("cudaMalloc"), Knowledge::none);
}

TEST(KnowledgeLoad, EachBrokenRecordIsNamedWithLineAndColumn) {
  struct Case {
    std::string file;
    std::string_view from, to, error;
  };
  for (const Case& c : {
           Case{"layers.tsv", "word\t", "term\t", "layers.tsv:1: column 1 must be 'word'"},
           Case{"layers.tsv", "as_of\n", "as_of\tmore\n", "layers.tsv:1: unknown column 'more'"},
           Case{"layers.tsv", "\truntime\ttest", "\trunning\ttest", "layers.tsv:2: layer: unknown word 'running'"},
           Case{"layers.tsv", "false-positive", "runtime", "layers.tsv:3: word: 'runtime' stands there twice"},
           Case{"apis/a.tsv", "\tport\t", "\tported\t", "a.tsv:2: status: unknown word 'ported'"},
           Case{"apis/a.tsv", "\tany\t", "\tsome\t", "a.tsv:2: context: unknown word 'some'"},
           Case{"apis/a.tsv", "\tfunction\t", "\tfun\t", "a.tsv:2: kind: unknown word 'fun'"},
           Case{"apis/a.tsv", "\truntime\t", "\tmystery\t", "a.tsv:2: library: 'mystery' is not in layers.tsv"},
           Case{"apis/a.tsv", "\ttest\t", "\t\t", "a.tsv:2: source: must not be empty"},
           Case{"apis/a.tsv", "2026-11\n", "2026-13\n", "a.tsv:2: as_of: must be YYYY"},
           Case{"apis/a.tsv", "2026-11\n", "2026-11\n\n", "a.tsv:3: 1 cells, expected 15"},
           Case{"apis/a.tsv", "cudaMalloc\t", "cudaMalloc\t\t", "a.tsv:2: 16 cells, expected 15"},
           Case{"dependencies.tsv", "\tpypi\t", "\tpypy\t", "dependencies.tsv:2: ecosystem: unknown word 'pypy'"},
           Case{"dependencies.tsv", "\tyes\t", "\tmaybe\t", "dependencies.tsv:2: confirmed: unknown word 'maybe'"},
           Case{"dependencies.tsv", "\ttorch\t", "\ttorch | *\t",
                "dependencies.tsv:2: match: holds a pattern of nothing"},
           Case{"dependencies.tsv", "gfx942=drop-in", "gfx942", "dependencies.tsv:2: by_target: must be TARGET=STATUS"},
           Case{"dependencies.tsv",
                "gfx942=", "gfx924=", "dependencies.tsv:2: by_target: 'gfx924' is not in devices.tsv"},
           Case{"devices.tsv", "\t64\t64\t", "\t48\t64\t", "devices.tsv:2: width: must be 32, 64 or 0"},
           Case{"devices.tsv", "\t64\t64\t", "\t64\tbig\t", "devices.tsv:2: lds_kb: must be a whole number"},
           Case{"devices.tsv", "\tfnuz\t", "\tfnzu\t", "devices.tsv:2: fp8: unknown word 'fnzu'"},
           Case{"FACTS_DATE", "2026-11-30", "soon", "FACTS_DATE: missing, or not a date"},
       }) {
    std::string error = errorAfter(c.file, c.from, c.to);
    EXPECT_NE(error.find(c.error), std::string::npos) << error << " instead of " << c.error;
  }
}

TEST(KnowledgeLoad, EachBrokenRulePageIsNamedWithItsLine) {
  struct Case {
    std::string_view from, to, error;
  };
  for (const Case& c : {
           Case{"+++\nid", "id", "W01-x.md:1: must start with TOML"},
           Case{"id = \"W01\"", "id = W01", "W01-x.md:2: "},
           Case{"id = \"W01\"\n", "", "W01-x.md:1: id is missing or empty"},
           Case{"\"silent\"", "\"loud\"", "W01-x.md:7: severity unknown word 'loud'"},
           Case{"\"wave64\"", "\"wave46\"", "W01-x.md:9: applies unknown word 'wave46'"},
           Case{"[\"wave64\"]", "5", "W01-x.md:9: applies must be a string or a list"},
           Case{"[\"wave64\"]", "[]", "W01-x.md:9: applies is missing or empty"},
           Case{"\"review\"", "\"later\"", "W01-x.md:10: fix unknown word 'later'"},
           Case{"minutes = 5", "minutes = -5", "W01-x.md:11: minutes must be a whole number"},
           Case{"\"code\"", "\"facts\"", "W01-x.md:12: detect is facts, but none of"},
           Case{"\"code\"", "\"depth\"", "W01-x.md:12: detect and status must both"},
           Case{"precision", "precison", "precison is no key of a rule page"},
           Case{"as_of = \"2026\"", "as_of = \"today\"", "as_of must be YYYY"},
           Case{"group = \"W\"", "group = \"M\"", "id must start with the group"},
           Case{"## Limits\n", "", "body has section 'References' where 'Limits' is expected"},
       }) {
    std::string error = errorAfter("rules/W/W01-x.md", c.from, c.to);
    EXPECT_NE(error.find(c.error), std::string::npos) << error << " instead of " << c.error;
  }
}

TEST(KnowledgeLoad, NamesAreUnique) {
  Files files = goodFiles();
  files["knowledge/rules/W/W02-x.md"] = files["knowledge/rules/W/W01-x.md"];
  EXPECT_NE(loadError(files).find("id 'W01' twice"), std::string::npos);
  std::string& page = files["knowledge/rules/W/W02-x.md"];
  page.replace(page.find("W01"), 3, "W02");
  EXPECT_NE(loadError(files).find("name 'x' is taken"), std::string::npos);
}

TEST(KnowledgeLoad, StrangeFilesAreRefused) {
  Files files = goodFiles();
  files["x"] = "";
  EXPECT_NE(loadError(files).find("not a file of knowledge/"), std::string::npos);
  EXPECT_NE(loadError({}), "");
}

class KnowledgeFolder : public ::testing::Test {
 protected:
  KnowledgeFolder() : root_(::testing::TempDir() + "unwarp-knowledge-XXXXXX") {
    EXPECT_NE(mkdtemp(root_.data()), nullptr);
  }
  ~KnowledgeFolder() override { fs::remove_all(root_); }
  void write(const Files& files) {
    for (const auto& [name, text] : files) {
      fs::path path = root_ + name.substr(std::string("knowledge").size());
      fs::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary) << text;
    }
  }
  std::string error() {
    auto loaded = Knowledge::load(root_);
    return loaded ? std::string() : loaded.error();
  }
  std::string root_;
};

TEST_F(KnowledgeFolder, ANewerOneReplacesTheBuiltInOne) {
  Files files = goodFiles();
  files["knowledge/FACTS_DATE"] = "2999-01-01\n";
  files["knowledge/README.md"] = "not a table";
  write(files);
  EXPECT_EQ(error(), "");
}

TEST_F(KnowledgeFolder, AnOlderOneIsRefused) {
  Files files = goodFiles();
  files["knowledge/FACTS_DATE"] = "2001-01-01\n";
  write(files);
  EXPECT_NE(error().find("older than the built-in one"), std::string::npos);
}

TEST_F(KnowledgeFolder, AnIncompleteOneIsRefused) {
  for (std::string name :
       {"apis/a.tsv", "dependencies.tsv", "devices.tsv", "layers.tsv", "rules/W/W01-x.md", "FACTS_DATE"}) {
    Files files = goodFiles();
    files["knowledge/FACTS_DATE"] = "2999-01-01\n";
    write(files);
    fs::remove(root_ + "/" + name);
    EXPECT_NE(error().find("lacks"), std::string::npos) << name;
  }
  fs::remove_all(root_);
  EXPECT_NE(error().find("does not exist"), std::string::npos);
}

TEST(KnowledgeLookup, DependenciesAreFoundByTheirEcosystemsRules) {
  Files files = goodFiles();
  std::string& table = files["knowledge/dependencies.tsv"];
  for (std::string_view row :
       {"a\tpypi\tFlash_Attn | nvidia-*", "b\tpypi\tnvidia-nccl-*", "c\tcli\tdocker run --gpus *", "d\tenv\tCUDA_HOME",
        "e\tlib\t*cublas*", "f\tlib\tlibcublasLt.so"})
    table += std::string(row) + "\truntime\t\tport\t\tyes\t\ttest\t2026\n";
  auto loaded = Knowledge::parse({files.begin(), files.end()});
  ASSERT_TRUE(loaded) << loaded.error();
  auto found = [&](Ecosystem ecosystem, std::string_view name) {
    std::uint32_t record = (*loaded)->findDependency(ecosystem, name);
    return record == Knowledge::none ? std::string_view() : (*loaded)->dependencies()[record].id;
  };
  EXPECT_EQ(found(Ecosystem::Pypi, "FLASH.attn"), "a");
  EXPECT_EQ(found(Ecosystem::Pypi, "flash--attn"), "a");
  EXPECT_EQ(found(Ecosystem::Pypi, "nvidia-cublas-cu12"), "a");
  EXPECT_EQ(found(Ecosystem::Pypi, "nvidia_nccl_cu12"), "b");
  EXPECT_EQ(found(Ecosystem::Cli, "docker  run\t--gpus all"), "c");
  EXPECT_EQ(found(Ecosystem::Env, "cuda_home"), "");
  EXPECT_EQ(found(Ecosystem::Lib, "libcublasLt.so"), "f");
  EXPECT_EQ(found(Ecosystem::Lib, "libcublas.so"), "e");
  for (std::string_view odd : {"", " ", "\t", "---"}) EXPECT_EQ(found(Ecosystem::Pypi, odd), "");
  EXPECT_EQ(found(Ecosystem::Lib, std::string(1'000'000, 'x')), "");
  EXPECT_EQ((*loaded)->dependencies()[0].statusOn("gfx942"), Status::DropIn);
  EXPECT_EQ((*loaded)->dependencies()[0].statusOn("gfx1100"), Status::Port);
}

TEST(KnowledgeLookup, InstructionsAreFoundByTheirLongestPrefix) {
  Files files = goodFiles();
  std::string& table = files["knowledge/apis/a.tsv"];
  for (std::string_view name : {"mma", "mma.sync"})
    table += std::string(name) + "\tinstruction\truntime\t\t\tnone\tasm\t\t\t\t\t\t\ttest\t2026\n";
  auto loaded = Knowledge::parse({files.begin(), files.end()});
  ASSERT_TRUE(loaded) << loaded.error();
  auto found = [&](std::string_view name) {
    std::uint32_t record = (*loaded)->findInstruction(name);
    return record == Knowledge::none ? std::string_view() : (*loaded)->apis()[record].name;
  };
  EXPECT_EQ(found("mma.sync.aligned"), "mma.sync");
  EXPECT_EQ(found("mma.x"), "mma");
  EXPECT_EQ(found("mm"), "");
  EXPECT_EQ(found("."), "");
  EXPECT_EQ(found(""), "");
}

}  // namespace unwarp::knowledge
