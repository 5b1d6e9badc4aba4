#include "command.hpp"

namespace vinculum::cli {

void add_explain(CLI::App& app, int& status) {
  static Common common;
  static ExplainOptions options;
  CLI::App* command = app.add_subcommand(
      "explain", "show coordinates, degrees of freedom, and the force of every constraint in vectors");
  common.add_model(command);
  common.add_set(command);
  common.add_json(command);
  command->add_flag("--geometry", options.geometry,
                    "also print M, A, B, T, N at the start, and the scaled accelerations");
  CLI::Option* along =
      command->add_flag("--along", options.along,
                        "also compute variations along the motion, and report whether they stay virtual displacements");
  command
      ->add_option("--until", options.until, "end time of the variations in s (default: the end of the model's `run`)")
      ->needs(along);
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
