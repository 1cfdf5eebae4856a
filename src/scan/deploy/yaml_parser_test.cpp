// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tolerant YAML reader: shape and lines.
#include <gtest/gtest.h>

#include <chrono>

#include "scan/deploy/config_tree.h"

namespace unwarp::scan {
namespace {

/// All scalars as "line path=value", items by their number.
std::vector<std::string> scalars(const ConfigTree& tree) {
  std::vector<std::string> result;
  const auto path = [&](NodeIndex node) {
    std::string text;
    while (tree[node].parent != 0 && tree[node].parent != noNode) {
      std::string step(tree[node].key);
      if (step.empty()) {
        int index = 0;
        for (NodeIndex c = tree[tree[node].parent].firstChild; c != node; c = tree[c].next) ++index;
        step = std::to_string(index);
      }
      text = text.empty() ? step : step + "/" + text;
      node = tree[node].parent;
    }
    return text;
  };
  for (NodeIndex i = 1; i < tree.nodes().size(); ++i)
    if (tree[i].kind == NodeKind::Scalar)
      result.push_back(std::to_string(tree[i].valueLine) + " " + path(i) + "=" + std::string(tree[i].value));
  return result;
}

using Lines = std::vector<std::string>;

TEST(YamlParser, ReadsMapsSequencesAndNesting) {
  EXPECT_EQ(
      scalars(parseYaml("a: 1\nb:\n  c: x # note\n  d:\n  - e\n  - f: g\n    h: i\nj:\n- k\n- - l\n  - m\n")),
      (Lines{"1 a=1", "3 b/c=x", "5 b/d/0=e", "6 b/d/1/f=g", "7 b/d/1/h=i", "9 j/0=k", "10 j/1/0=l", "11 j/1/1=m"}));
}

TEST(YamlParser, ReadsQuotesFlowsAndProperties) {
  EXPECT_EQ(
      scalars(parseYaml(
          "a: \"x # y\" # z\n'b c': 'it''s'\nd: [1, \"2\", {e: f, g: [h]}]\ni: &anchor\n  j: !!str k\nl: *anchor\n")),
      (Lines{"1 a=x # y", "2 b c=it's", "3 d/0=1", "3 d/1=2", "3 d/2/e=f", "3 d/2/g/0=h", "5 i/j=k", "6 l=*anchor"}));
}

TEST(YamlParser, ReadsFlowsOverLines) {
  EXPECT_EQ(scalars(parseYaml("a: [\n  b, # c\n  d\n]\ne: {\n  f: g,\n  h: i }\nj: k\n")),
            (Lines{"2 a/0=b", "3 a/1=d", "6 e/f=g", "7 e/h=i", "8 j=k"}));
}

TEST(YamlParser, KeepsBlockScalarsAsTheyStand) {
  const ConfigTree tree = parseYaml("run: |\n  a: b\n\n  # c\nnext: >-\n  d\n  e\nlast: f\n");
  EXPECT_EQ(scalars(tree), (Lines{"2 run=  a: b\n\n  # c", "6 next=d \\\ne", "8 last=f"}));
}

TEST(YamlParser, JoinsPlainScalarsOverLines) {
  EXPECT_EQ(scalars(parseYaml("- docker run\n    --gpus all\n- x\n")),
            (Lines{"1 0=docker run \\\n--gpus all", "3 1=x"}));
}

TEST(YamlParser, ToleratesTemplates) {
  EXPECT_EQ(scalars(parseYaml(
                "{{- if .Values.gpu }}\nimage: \"{{ .Values.image }}:{{ .Values.tag }}\"\nlimits:\n  {{- toYaml . | "
                "nindent 2 }}\n"
                "  nvidia.com/gpu: {{ .Values.count }}\n{{ .Values.key }}: v\n{{- end }}\nx: {{ include \"a\" . }}\n")),
            (Lines{"2 image={{ .Values.image }}:{{ .Values.tag }}", "5 limits/nvidia.com/gpu={{ .Values.count }}",
                   "6 {{ .Values.key }}=v", "8 x={{ include \"a\" . }}"}));
}

TEST(YamlParser, SeparatesDocuments) {
  const ConfigTree tree = parseYaml("%YAML 1.2\n---\na: 1\n---\nb: 2\n...\n");
  EXPECT_EQ(scalars(tree), (Lines{"3 a=1", "5 b=2"}));
  EXPECT_NE(tree[tree[0].firstChild].next, noNode);
}

TEST(YamlParser, AColonInsideQuotesOrAddressesIsNoKey) {
  EXPECT_EQ(scalars(parseYaml("- echo \"a: b\"\n- https://x.org\n- c:d\n")),
            (Lines{"1 0=echo \"a: b\"", "2 1=https://x.org", "3 2=c:d"}));
}

TEST(YamlParser, SurvivesBrokenAndHostileText) {
  for (const std::string_view text : {"a: [", "a: {b", "a: \"", "a: '", "- - -", ":", ": :", "a: |", "a: >\n", "\t\tx",
                                      "{{", "- {", "a: &", "? b", "a: ]"})
    parseYaml(text);
  const auto begin = std::chrono::steady_clock::now();
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "a: [";
  parseYaml(deep);
  std::string lines;
  for (int i = 0; i < 50000; ++i) lines += "a: [\n";
  parseYaml(lines);
  std::string plain = "a: b\n";
  for (int i = 0; i < 50000; ++i) plain += "  c\n";
  parseYaml(plain);
  std::string quotes;
  for (int i = 0; i < 50000; ++i) quotes += "a: \"b\n";
  parseYaml(quotes);
  std::string dashes(20000, '-');
  for (std::size_t i = 1; i < dashes.size(); i += 2) dashes[i] = ' ';
  parseYaml(dashes);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(JsonTree, MakesTheSameShape) {
  EXPECT_EQ(scalars(parseJsonTree("{\n \"a\": {\"b\": [\"c\", {\"d\": true}]},\n \"e\": \"f\"\n}")),
            (Lines{"2 a/b/0=c", "2 a/b/1/d=true", "3 e=f"}));
  EXPECT_TRUE(scalars(parseJsonTree("[1, 2, 3]")).empty());
}

}  // namespace
}  // namespace unwarp::scan
