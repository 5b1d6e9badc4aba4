#include "command.hpp"
#include "search_arguments.hpp"

namespace vinculum::cli {

void add_equilibrium(CLI::App& app, int& status) {
  static Common common;
  static SearchArguments search;
  CLI::App* command = app.add_subcommand("equilibrium", "find an equilibrium or a steady motion near the start");
  common.add_model(command);
  search.add(command);
  common.add_set(command);
  common.add_json(command);
  common.add_backend(command);
  command->callback([&status] {
    const auto model = common.load(status);
    if (!model) return;
    print_warning(model->diagnostics().text);
    const auto found = model->equilibrium(search.options());
    if (!found) {
      status = print(found.error());
      return;
    }
    const Report shown = model->describe_state(*found);
    print(common.json ? shown.json() : shown.text());
  });
}

}  // namespace vinculum::cli
