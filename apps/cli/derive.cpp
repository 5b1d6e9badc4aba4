#include "command.hpp"

namespace vinculum::cli {
namespace {

Result<std::string> written(const Derivation& derivation, const std::string& to) {
  if (to == "c") return derivation.c();
  if (to == "python") return derivation.python();
  return to == "latex" ? derivation.latex() : derivation.text();
}

}  // namespace

void add_derive(CLI::App& app, int& status) {
  static Common common;
  static std::string form = "explicit", to = "text", additional = "speeds";
  CLI::App* command = app.add_subcommand("derive", "the equations of motion");
  common.add_model(command);
  command->add_option("--form", form, "explicit (default), augmented, minimal")
      ->check(CLI::IsMember({"explicit", "augmented", "minimal"}));
  command->add_option("--to", to, "text (default), latex, c, python")
      ->check(CLI::IsMember({"text", "latex", "c", "python"}));
  command
      ->add_option("--additional", additional,
                   "additional motion variables, whose equations give the multipliers of the minimal form: speeds "
                   "(default), vanishing, absolute")
      ->check(CLI::IsMember({"speeds", "vanishing", "absolute"}));
  common.add_set(command);
  command->callback([&status] {
    const auto model = common.load(status);
    if (!model) return;
    print_warning(model->diagnostics().text);
    const auto derivation = model->derive(*find_formulation(form), *find_additional(additional));
    const auto text = derivation ? written(*derivation, to) : Unexpected<Error>{derivation.error()};
    if (text) {
      print(*text);
    } else {
      print(text.error());
      status = kWrong;
    }
  });
}

}  // namespace vinculum::cli
