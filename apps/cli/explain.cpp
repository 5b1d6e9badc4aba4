#include "command.hpp"

namespace vinculum::cli {

void add_explain(CLI::App& app, int& status) {
  static Common common;
  static bool geometry = false;
  CLI::App* command =
      app.add_subcommand("explain", "coordinates, degrees of freedom, and which force acts where, in vectors");
  common.add_model(command);
  common.add_set(command);
  common.add_json(command);
  command->add_flag("--geometry", geometry,
                    "also M, A, B, T, N at the start, and the scaled accelerations with their right angles");
  command->callback([&status] {
    const auto model = common.load(status);
    if (!model) return;
    print_warning(model->diagnostics().text);
    if (const auto explanation = model->explain({.geometry = geometry})) {
      print(common.json ? explanation->json() : explanation->text());
    } else {
      status = print(explanation.error());
    }
  });
}

}  // namespace vinculum::cli
