#include "command.hpp"

namespace vinculum::cli {

void add_audit(CLI::App& app, int& status) {
  static Common common;
  static RunOptions options;
  static bool is_listed = false;
  CLI::App* command =
      app.add_subcommand("audit", "run the model and check the identities of mechanics along its motion");
  common.add_model(command);
  Common::add_motion(command, options);
  common.add_set(command);
  common.add_json(command);
  command->add_flag("--list", is_listed, "print every identity with its worst residual and the place of this residual");
  common.add_backend(command);
  command->callback([&status] {
    const auto model = common.load(status);
    if (!model) return;
    print_warning(model->diagnostics().text);
    options.record.audit = true;
    const auto motion = model->run(options);
    if (!motion) {
      status = print(motion.error());
      return;
    }
    const Audit audit = motion->audit();
    print(common.json ? audit.json() : is_listed ? audit.list() : audit.text());
    if (const Error* why = motion->stopped(); why != nullptr && !why->is_stated_end()) print(*why);
    status = audit.holds() ? kRight : kWrong;
  });
}

}  // namespace vinculum::cli
