#include <algorithm>

#include "command.hpp"
#include "interrupts.hpp"
#include "manual.hpp"
#include "page.hpp"
#include "progress.hpp"

namespace vinculum::cli {
namespace {

struct Asked {
  CompareOptions options;
  std::string formulations, on, restitution, folder;
  bool has_page = false;
};

/// Repeats the motions with the samples that a drawing needs, and writes their page.
int report(const Model& model, CompareOptions options, const std::string& blank, const std::string& folder,
           bool is_quiet) {
  options.scene = true;
  options.progress = {};
  const auto comparison = model.compare(options);
  return comparison ? write_page(comparison->scene(), blank, folder, is_quiet) : print(comparison.error());
}

int compare(const Common& common, Asked asked) {
  CompareOptions& options = asked.options;
  for (const std::string& word : words_of(asked.formulations)) {
    const auto formulation = find_formulation(word);
    const std::vector<std::string> names{"explicit", "augmented", "minimal"};
    if (!formulation) {
      const std::string nearest = nearest_name(word, names);
      return print_usage("there is no formulation `" + word + "`; " +
                         (nearest.empty() ? "there are " + listed(names) : "did you mean `" + nearest + "`?"));
    }
    options.formulations.push_back(*formulation);
  }
  options.on = words_of(asked.on);
  options.restitution = words_of(asked.restitution);
  const auto blank = asked.has_page ? blank_page() : std::string();
  if (!blank) return print(blank.error());
  if (asked.has_page && asked.folder.empty()) return print_usage("`--report` writes a page: add `-o FOLDER`");
  int status = kRight;
  const auto model = common.load(status);
  if (!model) return status;
  const Interrupts interrupts;
  std::optional<Results> results;
  if (!asked.folder.empty()) {
    auto opened = Results::open(asked.folder);
    if (!opened) return print(opened.error());
    results = *std::move(opened);
  }
  const auto comparison = [&] {
    Progress progress;
    options.progress = [&progress](std::string_view variant, double t, double until) {
      progress.show(t, until, std::string(variant) + ": ");
    };
    options.is_interrupted = &Interrupts::is_asked;
    return model->compare(options);
  }();
  if (!comparison) return print(comparison.error());
  print_warning(comparison->diagnostics().text);
  print(common.json ? comparison->json() : comparison->text());
  if (results) {
    const auto files = comparison->write(*results);
    if (!files) return print(files.error());
    if (!common.json)
      print("wrote " + asked.folder + "/" + listed(*files) + "; draw them by `gnuplot compare.gp` there\n");
  }
  if (asked.has_page) {
    if (const int page = report(*model, options, *blank, asked.folder, common.json); page != kRight) return page;
  }
  return std::ranges::all_of(comparison->variants(), &Comparison::Variant::has_motion) ? kRight : kWrong;
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  static Common common;
  static Asked asked;
  CompareOptions& options = asked.options;
  CLI::App* command = app.add_subcommand(
      "compare", "compare the motions of one model with several reaction laws, laws of impacts or formulations");
  common.add_model(command);
  command->add_option("--laws", options.laws,
                      "laws; the first is the reference: \"ideal,NAME(p=1),NAME(p=1e1..1e4)\". Names are those of the "
                      "clause `law`, arguments are expressions of the model language, several values or decades form a "
                      "ladder, and `stated` leaves the clauses of the file");
  command->add_option("--formulations", asked.formulations, "explicit,augmented,minimal");
  command->add_option("--restitution", asked.restitution,
                      "laws of impacts; the first is the reference: \"energetic,newton,poisson sequential\". Names are "
                      "those of the clause `restitution`, and `stated` leaves the clauses of the file");
  command->add_option("--on", asked.on,
                      "constraints whose law is replaced (default: all that may have every law of the list)");
  command
      ->add_option("-o,--output", asked.folder,
                   "folder for compare.csv, ladder.csv, compare.json and a script for gnuplot")
      ->type_name(kFolder);
  command->add_flag("--report", asked.has_page,
                    "also write a page, report.html, that shows all motions in one drawing");
  Common::add_motion(command, options);
  command->add_option("--max-steps", options.most_steps,
                      "do not run a law that needs more steps than this (default 1e6)");
  common.add_set(command);
  common.add_json(command);
  common.add_backend(command);
  command->callback([&status] { status = compare(common, asked); });
}

}  // namespace vinculum::cli
