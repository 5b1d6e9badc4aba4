#include "interrupts.hpp"
#include "manual.hpp"
#include "page.hpp"

namespace vinculum::cli {
namespace {

int show(const Common& common, RunOptions options, std::string folder) {
  const auto blank = blank_page();
  if (!blank) return print(blank.error());
  int status = kRight;
  const auto model = common.load(status);
  if (!model) return status;
  print_warning(model->diagnostics().text);
  if (folder.empty()) folder = "results/" + model->name();
  const Interrupts interrupts;
  options.record = {.energy = true, .scene = true};
  const auto motion = run_watched(*model, options);
  if (!motion) return print(motion.error());
  const Error* why = motion->stopped();
  status = why != nullptr ? print(*why) : kRight;
  if (motion->t().empty()) return status;
  const int written = write_page(motion->scene(), *blank, folder);
  return status == kRight ? written : status;
}

}  // namespace

void add_show(CLI::App& app, int& status) {
  static Common common;
  static RunOptions options;
  static std::string folder;
  CLI::App* command = app.add_subcommand(
      "show", "one page to look at: the motion, the force behind every constraint, plots, equations");
  common.add_model(command);
  command->add_option("-o,--output", folder, "folder for report.html (default results/NAME)")->type_name(kFolder);
  Common::add_motion(command, options);
  common.add_set(command);
  common.add_backend(command);
  command->callback([&status] { status = show(common, options, folder); });
}

}  // namespace vinculum::cli
