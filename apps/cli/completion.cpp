#include "manual.hpp"

namespace vinculum::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (std::string& name : names_of(*option)) names.push_back(std::move(name));
  }
  return names;
}

/// A branch of a `case` in the script, which completes the value of an option.
std::string answer_of_bash(const std::string& command, const CLI::Option& option) {
  std::vector<std::string> places;
  for (const std::string& name : names_of(option)) places.push_back("\"" + command + " " + name + "\"");
  if (places.empty() || value_of(option).empty()) return "";
  const auto words = choices_of(option);
  const std::string answer = !words.empty() ? "compgen -W \"" + joined(words, " ") + "\" -- \"$word\""
                             : option.get_type_name() == kFolder ? "compgen -d -- \"$word\""
                             : option.get_type_name() == kFile   ? "compgen -f -- \"$word\""
                                                                 : "";
  return "    " + joined(places, "|") + ") " + (answer.empty() ? "" : "mapfile -t COMPREPLY < <(" + answer + "); ") +
         "return ;;\n";
}

/// Text within single quotes of a shell, inside a specification of zsh's `_arguments` or `_describe`.
std::string said_to_zsh(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

/// Specification of an option, such as "'*--set[give …]:TEXT: '", one line per name of the option.
std::string specification_of_zsh(const CLI::Option& option) {
  const auto names = names_of(option);
  const std::string begin = "        ";
  if (names.empty()) return begin + "'*:" + said_to_zsh(option.get_name(true)) + ":_files -g \"*.vin(-.)\"' \\\n";
  const auto words = choices_of(option);
  std::string value;
  if (!value_of(option).empty()) {
    value = ":" + said_to_zsh(words.empty() ? option.get_type_name() : names.back()) + ":";
    value += !words.empty()                      ? "(" + joined(words, " ") + ")"
             : option.get_type_name() == kFolder ? "_files -/"
             : option.get_type_name() == kFile   ? "_files"
                                                 : " ";
  }
  const std::string help = "[" + said_to_zsh(option.get_description()) + "]" + value + "'";
  if (option.get_items_expected_max() > 1) return begin + "'*" + names.back() + help + " \\\n";
  if (names.size() == 1) return begin + "'" + names[0] + help + " \\\n";
  return begin + "'(" + joined(names, " ") + ")'{" + joined(names, ",") + "}'" + help + " \\\n";
}

}  // namespace

std::string completion_of_bash(const CLI::App& app) {
  std::string values, options;
  std::vector<std::string> first;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    first.push_back(name);
    for (const CLI::Option* option : command->get_options()) values += answer_of_bash(name, *option);
    options += "      " + name + ") mapfile -t COMPREPLY < <(compgen -W \"" + joined(options_of(*command), " ") +
               "\" -- \"$word\") ;;\n";
  }
  for (std::string& name : options_of(app)) first.push_back(std::move(name));
  return "# Completion of vinculum for bash, as `vinculum --completion bash` prints it.\n"
         "_vinculum() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"" +
         joined(first, " ") +
         "\" -- \"$word\")\n"
         "    return\n"
         "  fi\n"
         "  case \"$command $before\" in\n" +
         values +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    case \"$command\" in\n" +
         options +
         "    esac\n"
         "    return\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -f -X '!*.vin' -- \"$word\"; compgen -d -- \"$word\")\n"
         "}\n"
         "complete -o filenames -F _vinculum vinculum\n";
}

std::string completion_of_zsh(const CLI::App& app) {
  std::string commands, cases, options;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += "    '" + command->get_name() + ":" + said_to_zsh(command->get_description()) + "'\n";
    cases += "    " + command->get_name() + ")\n      _arguments \\\n";
    for (const CLI::Option* option : command->get_options()) cases += specification_of_zsh(*option);
    cases += "        && return\n      ;;\n";
  }
  for (const CLI::Option* option : app.get_options()) options += specification_of_zsh(*option);
  return "#compdef vinculum\n"
         "# Completion of vinculum for zsh, as `vinculum --completion zsh` prints it.\n"
         "_vinculum() {\n"
         "  local -a commands=(\n" +
         commands +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    _arguments \\\n" +
         options +
         "        && return\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "_vinculum \"$@\"\n";
}

}  // namespace vinculum::cli
