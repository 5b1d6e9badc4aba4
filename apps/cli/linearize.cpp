#include "command.hpp"
#include "manual.hpp"
#include "search_arguments.hpp"

namespace vinculum::cli {
namespace {

struct AskedSystem {
  LinearizeOptions options;
  SearchArguments search;
  PeriodicOptions periodic;
  std::string sweep;  ///< "v=1..10:19"
  std::optional<double> at;
  std::string inputs, outputs, folder;
  bool has_equilibrium = false;
  bool has_period = false;
};

/// The state of the motion at the time that was asked for.
Result<State> state_at(const Model& model, double at) {
  RunOptions run;
  run.until = at;
  run.at = {at};
  const auto motion = run_watched(model, run);
  if (!motion) return Unexpected<Error>{motion.error()};
  if (motion->stopped() != nullptr) return Unexpected<Error>{*motion->stopped()};
  const auto instant = motion->at(at);
  if (!instant) return Unexpected<Error>{instant.error()};
  return instant->state;
}

/// Prints a linear system or a periodic motion, and writes its files.
template <class Described>
int report(const Described& described, const Common& common, const std::string& folder, std::optional<Results>& to) {
  print(common.json ? described.json() : described.text());
  if (!to) return kRight;
  const auto files = described.write(*to);
  if (!files) return print(files.error());
  if (!common.json) print("\nwrote " + folder + "/" + listed(*files) + "\n");
  return kRight;
}

int linearize(const Common& common, AskedSystem wanted) {
  int status = kRight;
  const auto model = common.load(status);
  if (!model) return status;
  print_warning(model->diagnostics().text);
  LinearizeOptions& options = wanted.options;
  options.inputs = words_of(wanted.inputs);
  options.outputs = words_of(wanted.outputs);
  std::optional<Results> results;
  if (!wanted.folder.empty()) {
    auto opened = Results::open(wanted.folder);
    if (!opened) return print(opened.error());
    results = *std::move(opened);
  }
  if (!wanted.sweep.empty()) {
    auto sweep = RootLocusOptions::parse(*model, wanted.sweep);
    if (!sweep) return print(sweep.error());
    sweep->equilibrium = wanted.has_equilibrium;
    sweep->search = wanted.search.options();
    const auto locus = model->root_locus(*sweep);
    return locus ? report(*locus, common, wanted.folder, results) : print(locus.error());
  }
  if (wanted.at) {
    const auto state = state_at(*model, *wanted.at);
    if (!state) return print(state.error());
    options.state = *state;
  }
  if (wanted.has_equilibrium) {
    EquilibriumOptions search = wanted.search.options();
    search.near = options.state;
    const auto found = model->equilibrium(search);
    if (!found) return print(found.error());
    options.state = *found;
  }
  if (wanted.has_period) {
    wanted.periodic.state = options.state;
    const auto motion = model->periodic_motion(wanted.periodic);
    return motion ? report(*motion, common, wanted.folder, results) : print(motion.error());
  }
  const auto system = model->linearize(options);
  return system ? report(*system, common, wanted.folder, results) : print(system.error());
}

}  // namespace

void add_linearize(CLI::App& app, int& status) {
  static Common common;
  static AskedSystem asked;
  CLI::App* command = app.add_subcommand(
      "linearize",
      "linear system near the start, a state of the motion or an equilibrium: A, B, C, D, modes, stability");
  common.add_model(command);
  command->add_option("--at", asked.at, "linearize the state that the motion has at this time in s");
  CLI::Option* equilibrium =
      command->add_flag("--equilibrium", asked.has_equilibrium, "first search an equilibrium near that state");
  for (CLI::Option* option : asked.search.add(command)) option->needs(equilibrium);
  CLI::Option* period =
      command->add_option("--period", asked.periodic.period,
                          "multipliers of the motion that begins at that state and has this period in "
                          "s, instead of a linear system");
  command->add_flag("--orbit", asked.periodic.search, "first search a periodic motion near it")->needs(period);
  command->add_option("--tolerance", asked.periodic.tolerance, "of the integration over the period, default 1e-12")
      ->needs(period);
  command->add_option("--inputs", asked.inputs, "columns of B and D: names of inputs and parameters, such as \"F,k\"")
      ->excludes(period);
  command->add_option("--outputs", asked.outputs, "rows of C and D: names of outputs, such as \"T,R\"")
      ->excludes(period);
  command
      ->add_option("--sweep", asked.sweep,
                   "eigenvalues at several values of a parameter, such as \"v=1..10:19\", and where stability changes")
      ->excludes(period)
      ->excludes(command->get_option("--at"))
      ->excludes(command->get_option("--inputs"))
      ->excludes(command->get_option("--outputs"));
  command->add_option("-o,--output", asked.folder, "folder for A.csv, B.csv, C.csv, D.csv, modes.csv and linear.json")
      ->type_name(kFolder);
  common.add_set(command);
  common.add_json(command);
  common.add_backend(command);
  command->callback([&status, period] {
    asked.has_period = period->count() > 0;
    status = linearize(common, asked);
  });
}

}  // namespace vinculum::cli
