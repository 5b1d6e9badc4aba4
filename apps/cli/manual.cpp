#include "manual.hpp"

#include <sstream>
#include <vinculum/vinculum.hpp>

namespace vinculum::cli {
namespace {

/// Text quoted for troff: dashes do not become hyphens, and no line becomes a request.
std::string troff(const std::string& text) {
  std::string safe;
  bool is_at_start = true;
  for (const char c : text) {
    if (is_at_start && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else if (c == '`')
      safe += "\\(ga";
    else
      safe += c;
    is_at_start = c == '\n';
  }
  return safe;
}

void add_option(std::string& page, const CLI::Option& option) {
  page += ".TP\n";
  if (option.get_positional()) {
    page += "\\fI" + troff(option.get_name(true)) + "\\fR\n";
  } else {
    std::string names;
    for (const std::string& name : names_of(option))
      names += (names.empty() ? "\\fB" : ", \\fB") + troff(name) + "\\fR";
    const std::string value = value_of(option);
    page += names + (value.empty() ? "" : " \\fI" + troff(value) + "\\fR") + "\n";
  }
  page += troff(option.get_description()) + "\n";
}

constexpr const char* kBehindTheCommands =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nThe model, the motion and every expectation are right.\n"
    ".TP\n.B 1\nThe model, the motion or an expectation is wrong.\n"
    ".TP\n.B 2\nThe command was called wrongly, or its results cannot be written.\n"
    ".TP\n.B 130\nThe run was interrupted; the results so far are written and marked.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B VINCULUM_CACHE\nThe folder of compiled kernels, instead of \\fIvinculum\\fR in \\fBXDG_CACHE_HOME\\fR or "
    "\\fI~/.cache\\fR.\n"
    ".SH FILES\n"
    ".TP\n.I results/NAME\nThe results of a run of NAME.vin without \\-o: trajectory.csv, events.csv, result.json.\n"
    ".SH EXAMPLES\n"
    ".nf\nvinculum check pendulum.vin\nvinculum run pendulum.vin \\-\\-until 10 \\-\\-set \"m=2 [kg]\"\n"
    "vinculum derive pendulum.vin \\-\\-form minimal \\-\\-to latex\n.fi\n";

}  // namespace

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // such as "TEXT:{native,tape}"
  const std::size_t open = type.find('{'), close = type.rfind('}');
  std::vector<std::string> words;
  if (open == type.npos || close == type.npos) return words;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  std::string words;
  for (const std::string& word : choices_of(option)) words += (words.empty() ? "" : "|") + word;
  return words.empty() ? option.get_type_name() : words;
}

std::string manual(const CLI::App& app) {
  const std::string title = app.get_description();  // such as "Vinculum: constrained motion, …"
  std::string page = ".TH VINCULUM 1 \"\" \"Vinculum " + std::string(version()) + "\" \"User Commands\"\n";
  page += ".SH NAME\nvinculum \\- " + troff(title.substr(title.find(": ") + 2)) + "\n";
  page += ".SH SYNOPSIS\n";
  std::string commands = ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    std::string operands;
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional()) operands += " \\fI" + troff(option->get_name(true)) + "\\fR";
    }
    page += ".B vinculum " + troff(command->get_name()) + "\n[\\fIOPTIONS\\fR]" + operands + "\n.br\n";
    commands += ".SS " + troff(command->get_name()) + "\n" + troff(command->get_description()) + ".\n";
    for (const CLI::Option* option : command->get_options()) add_option(commands, *option);
  }
  page +=
      ".SH DESCRIPTION\n.B vinculum\nreads a model of a mechanism, derives its equations, computes its motion and the "
      "force of every constraint.\n";
  page += ".SH OPTIONS\n";
  for (const CLI::Option* option : app.get_options()) add_option(page, *option);
  return page + commands + kBehindTheCommands;
}

}  // namespace vinculum::cli
