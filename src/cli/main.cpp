// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unwarp COMMAND ...: find the command, hand over.
#include <csignal>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/version.h"
#include "cli/command_list.h"
#include "cli/flags.h"
#include "cli/output.h"

int main(int argc, char** argv) {
  using namespace unwarp;
  // The toolkit's bin/nvcc and bin/fatbinary are links to this program.
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);
  if (name == "nvcc") return cli::runNvcc(argc - 1, argv + 1);
  if (name == "fatbinary") return cli::runFatbinary(argc - 1, argv + 1);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is noticed where we write
  if (argc < 2) {
    cli::printOut(cli::helpText(nullptr));
    return 2;
  }
  std::string_view word = argv[1];
  const bool asksVersion = word == "--version" || word == "-V" || word == "version";
  const bool asksHelp = word == "--help" || word == "-h" || word == "help";
  // `cost gate` is a command of its own beside `cost PATH`: its name has two words.
  auto pairAt = [&](int at) {
    return argc > at + 1 ? cli::findCommand(argv[at] + std::string(" ") + argv[at + 1]) : nullptr;
  };
  const cli::Command* asked = asksHelp ? pairAt(2) : nullptr;
  if (const int most = asksVersion ? 2 : asked ? 4 : asksHelp ? 3 : argc; argc > most)
    return cli::fail("one argument too many for `unwarp " + std::string(word) + "`: '" + argv[most] + "'");
  if (asksVersion) return cli::printOut("unwarp " + std::string(version) + "\n") ? 0 : 2;
  if (asksHelp) {
    if (argc > 2 && std::string_view(argv[2]) == "configuration")
      return cli::printOut(cli::configurationText()) ? 0 : 2;
    if (asked == nullptr && argc > 2) asked = cli::findCommand(argv[2]);
    if (argc > 2 && asked == nullptr) return cli::fail("no command '" + std::string(argv[2]) + "'");
    return cli::printOut(cli::helpText(asked)) ? 0 : 2;
  }
  if (const cli::Command* command = pairAt(1)) return command->run(argc - 3, argv + 3);
  if (const cli::Command* command = cli::findCommand(word)) return command->run(argc - 2, argv + 2);
  std::vector<std::string_view> names;
  for (const cli::Command& command : cli::commands()) names.push_back(command.name);
  std::string_view near = nearest(word, names);
  return cli::fail("no command '" + std::string(word) + "'" +
                   (near.empty() ? "; `unwarp --help` lists them" : "; did you mean " + std::string(near) + "?"));
}
