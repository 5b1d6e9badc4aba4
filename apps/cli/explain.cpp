#include "command.hpp"

namespace vinculum::cli {

void add_explain(CLI::App& app, int& status) {
  static Common common;
  static ExplainOptions options;
  CLI::App* command =
      app.add_subcommand("explain", "coordinates, degrees of freedom, and which force acts where, in vectors");
  common.add_model(command);
  common.add_set(command);
  common.add_json(command);
  command->add_flag("--geometry", options.geometry,
                    "also M, A, B, T, N at the start, and the scaled accelerations with their right angles");
  CLI::Option* along = command->add_flag(
      "--along", options.along, "also variations along the motion, and whether they stay virtual displacements");
  command->add_option("--until", options.until, "how far along, in s (default: the model's `run`)")->needs(along);
  command->callback([&status] {
    const auto model = common.load(status);
    if (!model) return;
    print_warning(model->diagnostics().text);
    if (const auto explanation = model->explain(options)) {
      print(common.json ? explanation->json() : explanation->text());
    } else {
      status = print(explanation.error());
    }
  });
}

}  // namespace vinculum::cli
