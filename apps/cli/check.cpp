#include "command.hpp"

namespace vinculum::cli {

void add_check(CLI::App& app, int& status) {
  static Common common;
  CLI::App* command = app.add_subcommand("check", "check the model; prints nothing if it is right");
  common.add_model(command);
  common.add_set(command);
  common.add_json(command);
  command->callback([&status] {
    const auto model = common.load(status);
    if (!model) return;
    if (common.json) {
      print(model->diagnostics().json);
    } else {
      print_warning(model->diagnostics().text);
    }
  });
}

}  // namespace vinculum::cli
