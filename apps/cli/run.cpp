#include "command.hpp"
#include "interrupts.hpp"
#include "manual.hpp"
#include "page.hpp"

namespace vinculum::cli {
namespace {

/// The same motion once more, sampled as a drawing needs it: looking changes nothing of it.
int report(const Model& model, RunOptions options, const std::string& blank, const std::string& folder, bool is_quiet) {
  options.record = {.energy = true, .scene = true};
  options.into = nullptr;
  const auto motion = model.run(options);
  if (!motion) return print(motion.error());
  return motion->t().empty() ? kRight : write_page(motion->scene(), blank, folder, is_quiet);
}

int run(const Common& common, RunOptions options, std::string folder, Formats formats, bool has_page) {
  const auto blank = has_page ? blank_page() : std::string();
  if (!blank) return print(blank.error());
  int status = kRight;
  const auto model = common.load(status);
  if (!model) return status;
  print_warning(model->diagnostics().text);
  if (folder.empty()) folder = "results/" + model->name();
  const Interrupts interrupts;
  auto results = Results::open(folder, formats);
  if (!results) return print(results.error());
  options.into = &*results;
  const auto motion = run_watched(*model, options);
  if (!motion) return print(motion.error());
  const auto files = motion->write(*results);
  const bool is_written = files && !files->empty();
  print(common.json ? motion->json()
                    : motion->text() + (is_written ? "wrote " + folder + "/" + listed(*files) + "\n" : ""));
  const Error* why = motion->stopped();
  status = why != nullptr ? print(*why) : kRight;
  if (!files) return print(files.error());
  const int page = has_page ? report(*model, options, *blank, folder, common.json) : kRight;
  return status == kRight ? page : status;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  static Common common;
  static RunOptions options;
  static std::string folder;
  static Formats formats;
  static bool has_page = false;
  CLI::App* command = app.add_subcommand("run", "simulate: a short table, CSV and JSON");
  common.add_model(command);
  command->add_option("-o,--output", folder, "results folder (default results/NAME)")->type_name(kFolder);
  Common::add_motion(command, options);
  command->add_flag("--energy", options.record.energy,
                    "energies, the power of every load and constraint and their balance, into energy.csv");
  command->add_flag("--parquet", formats.parquet, "also trajectory.parquet and, with --energy, energy.parquet");
  command->add_flag("--report", has_page, "also the page of `show`, report.html, into the results folder");
  command->add_option("--at", options.at, "times in s that text and JSON show beside the end: 1,2,3")->delimiter(',');
  command->add_option("--max-steps", options.most_steps,
                      "the run ends behind so many steps (default: as many as it takes)");
  common.add_set(command);
  common.add_json(command);
  common.add_backend(command);
  command->callback([&status] { status = run(common, options, folder, formats, has_page); });
}

}  // namespace vinculum::cli
