#include <filesystem>
#include <string>

#include "interrupts.hpp"
#include "manual.hpp"
#include "page.hpp"

namespace vinculum::cli {
namespace {

/// Contents of a page that the user can select.
struct Content {
  SceneSamples samples = SceneSamples::kFewest;
  bool is_without_audit = false;
};

/// Runs a motion and writes its page.
int show_motion(const Model& model, RunOptions options, const Content& content, const std::string& blank,
                const std::string& folder, const FinishedRun* before) {
  const Interrupts interrupts;
  const bool is_audited = !content.is_without_audit;
  options.record = {.energy = true, .scene = true, .audit = is_audited};
  const auto motion = run_watched(model, options);
  if (!motion) return print(motion.error());
  const Error* why = motion->stopped();
  const int status = why != nullptr && !why->is_stated_end() ? print(*why) : kRight;
  if (motion->t().empty()) return status;
  if (before != nullptr && !before->was_interrupted && !before->is_of(*motion))
    print_warning("vinculum: note: this motion differs in the last bits from that of " + folder + ", which version " +
                  before->provenance.version + " has written\n");
  const int written = write_page(motion->scene(content.samples, is_audited), blank, folder);
  return status == kRight ? written : status;
}

/// Repeats the motion of finished results, from the same model text with the same options, and writes its page.
int show_results(const CLI::App& command, Common common, const Content& content, const std::string& folder) {
  for (const char* option : {"--set", "--until", "--tolerance", "--method"}) {
    if (command.count(option) > 0)
      return print_usage("`" + std::string(option) +
                         "` cannot be used with a results folder: its motion is already computed");
  }
  const auto blank = blank_page();
  if (!blank) return print(blank.error());
  const auto before = FinishedRun::read(common.model);
  if (!before) return print(before.error());
  Settings settings = before->settings;
  settings.backend = common.backend;
  if (!common.has_cache) settings.cache = "";
  const auto model = Model::load(before->provenance.file, std::move(settings));
  if (!model) return print(model.error());
  if (model->text_hash() != before->provenance.text_hash)
    return print_usage("`" + before->provenance.file + "` has changed since the run that wrote " + common.model +
                       ": `vinculum run` computes new results, `vinculum show " + before->provenance.file +
                       "` shows the new model");
  return show_motion(*model, before->options, content, *blank, folder.empty() ? common.model : folder, &*before);
}

int show(const Common& common, const RunOptions& options, const Content& content, std::string folder) {
  const auto blank = blank_page();
  if (!blank) return print(blank.error());
  int status = kRight;
  const auto model = common.load(status);
  if (!model) return status;
  print_warning(model->diagnostics().text);
  if (folder.empty()) folder = common.results_folder();
  return show_motion(*model, options, content, *blank, folder, nullptr);
}

}  // namespace

void add_show(CLI::App& app, int& status) {
  static Common common;
  static RunOptions options;
  static std::string folder;
  static Content content;
  CLI::App* command =
      app.add_subcommand("show", "write one page: the motion, the force of every constraint, plots, equations");
  command->add_option("MODEL", common.model, "model file, or a folder with results of `run`")->required();
  command->add_option("-o,--output", folder, "folder for report.html (default results/ and the model file's name)")
      ->type_name(kFolder);
  add_samples(command, content.samples);
  command->add_flag("--no-audit", content.is_without_audit,
                    "leave out the audit, which may need as much time as the run");
  Common::add_motion(command, options);
  common.add_set(command);
  common.add_backend(command);
  command->callback([&status, command] {
    std::error_code none;
    const bool is_folder = std::filesystem::is_directory(common.model, none);
    status = is_folder ? show_results(*command, common, content, folder) : show(common, options, content, folder);
  });
}

}  // namespace vinculum::cli
