#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "command.hpp"
#include "manual.hpp"

namespace vinculum::cli {
namespace {

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// Prints an error and returns true if the first word is neither a command nor an option.
bool is_unknown_command(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = commands_of(app);
  if (word.empty() || word.front() == '-' || std::ranges::find(names, word) != names.end()) return false;
  const std::string nearest = nearest_name(word, names);
  print_usage("there is no command `" + word + "`; " +
              (nearest.empty() ? "commands are " + listed(names) : "did you mean `" + nearest + "`?"));
  return true;
}

/// Adds options such as `--man`, which print a text and end the command, as `--version` does.
void add_texts(CLI::App& app) {
  const auto answer = [](const std::string& text) { throw CLI::CallForVersion(text, CLI::ExitCodes::Success); };
  app.add_flag_callback("--man", [&app, answer] { answer(manual(app)); }, "print the manual page, for `man -l -`");
  app.add_option_function<std::string>(
         "--completion",
         [&app, answer](const std::string& shell) {
           answer(shell == "bash" ? completion_of_bash(app) : completion_of_zsh(app));
         },
         "print the script that completes words in a shell")
      ->check(CLI::IsMember({"bash", "zsh"}));
}

/// Rewrites the message of CLI11 about a word that an option cannot convert: "Could not convert: --until = abc".
std::string no_number(const std::string& said) {
  const std::size_t option = said.find("--"), word = said.find(" = ");
  if (option == std::string::npos || word == std::string::npos || word < option) return said;
  return "`" + said.substr(word + 3) + "` is not a number: " + said.substr(option, word - option) + " needs one";
}

int dispatch(int argc, char** argv) {
  CLI::App app{"Vinculum: constrained motion, and the force of every constraint", "vinculum"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "vinculum " + std::string(version()));
  add_texts(app);
  int status = kRight;
  for (Add* add : {add_check, add_explain, add_derive, add_run, add_show, add_watch, add_audit, add_compare,
                   add_linearize, add_equilibrium, add_test, add_format, add_import})
    add(app, status);
  if (argc < 2) return print_usage("a command is needed: " + listed(commands_of(app)) + "\nRun with --help for more.");
  if (is_unknown_command(app, argv[1])) return kUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ConversionError& error) {
    return print_usage(no_number(error.what()) + "\nRun with --help for more.");
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version, --man, --completion
      std::ostringstream out;
      app.exit(error, out, out);
      print(out.str());
      return kRight;
    }
    return print_usage(std::string(error.what()) + "\nRun with --help for more.");
  }
  return status;
}

}  // namespace
}  // namespace vinculum::cli

int main(int argc, char** argv) {
  using namespace vinculum;
  cli::guard_streams();
  try {
    return cli::dispatch(argc, argv);
  } catch (const std::system_error& error) {
    // The reader of the output, such as `head`, has read all that it wants: no error to report.
    if (error.code() == std::errc::broken_pipe) return cli::kUsage;
    return cli::print_usage(error.what());
  } catch (const std::logic_error& error) {
    return cli::print_usage(std::string("a defect of the program, please report: ") + error.what());
  } catch (const std::exception& error) {
    return cli::print_usage(error.what());
  }
}
