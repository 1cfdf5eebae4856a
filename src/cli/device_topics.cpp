// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/device_topics.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace unwarp::cli {

namespace {

using knowledge::Device;

/// Lower-case words of a name: "A10G / RTX 3090 class (GA102)" gives a10g, rtx, 3090, class, ga102.
std::vector<std::string> wordsOf(std::string_view name) {
  std::vector<std::string> result;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) result.push_back(std::move(word));
    word.clear();
  };
  for (const char c : toLower(name)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.')
      word += c;
    else
      end();
  }
  end();
  return result;
}

bool holdsAll(const std::vector<std::string>& words, const std::vector<std::string>& asked) {
  const bool named = std::any_of(asked.begin(), asked.end(), [](const std::string& word) {
    return word.find_first_not_of("0123456789.") != std::string::npos;  // `32` alone is no name
  });
  return named && std::all_of(asked.begin(), asked.end(), [&](const std::string& word) {
           return std::find(words.begin(), words.end(), word) != words.end();
         });
}

/// Whether words that follow each other spell `asked` when written together: `rtx4090`.
bool spells(const std::vector<std::string>& words, std::string_view asked) {
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string run;
    for (std::size_t last = first; last < words.size() && run.size() < asked.size(); ++last) {
      run += words[last];
      if (last > first && run == asked) return true;
    }
  }
  return false;
}

bool anyBegins(const Device& device, std::string_view topic) {
  const auto begins = [topic](std::string_view name) {
    return name.size() > topic.size() && equalsIgnoreCase(name.substr(0, topic.size()), topic);
  };
  if (begins(device.target)) return true;
  const std::vector<std::string> words = wordsOf(device.name);
  return std::any_of(words.begin(), words.end(), begins);
}

}  // namespace

DeviceTopic findDevices(const knowledge::Knowledge& knowledge, std::string_view topic) {
  const std::vector<std::string> asked = wordsOf(topic);
  const auto matching = [&](auto&& matches) {
    std::vector<const Device*> found;
    for (const Device& device : knowledge.devices())
      if (matches(device)) found.push_back(&device);
    return found;
  };
  DeviceTopic result;
  result.named =
      matching([&](const Device& d) { return equalsIgnoreCase(d.target, topic) || equalsIgnoreCase(d.name, topic); });
  if (result.named.empty())
    result.named = matching([&](const Device& d) {
      const std::vector<std::string> words = wordsOf(d.name);
      return holdsAll(words, asked) || (asked.size() == 1 && spells(words, asked.front()));
    });
  if (result.named.empty()) result.named = matching([&](const Device& d) { return holdsAll(wordsOf(d.arch), asked); });
  constexpr std::size_t shortest = 3;  // `gf` and `rt` begin too much to be meant
  if (result.named.empty() && topic.size() >= shortest)
    result.begun = matching([&](const Device& d) { return anyBegins(d, topic); });
  return result;
}

}  // namespace unwarp::cli
