#include "command.hpp"

namespace vinculum::cli {

void add_explain(CLI::App& app, int& status) {
  static Common common;
  CLI::App* command =
      app.add_subcommand("explain", "coordinates, degrees of freedom, and which force acts where, in vectors");
  common.add_model(command);
  common.add_set(command);
  common.add_json(command);
  command->callback([&status] {
    const auto model = common.load(status);
    if (!model) return;
    print_warning(model->diagnostics().text);
    if (const auto explanation = model->explain()) {
      print(common.json ? explanation->json() : explanation->text());
    } else {
      status = print(explanation.error());
    }
  });
}

}  // namespace vinculum::cli
