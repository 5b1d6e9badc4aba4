#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string_view>

#include "command.hpp"
#include "vinculum/base/contract.hpp"
#include "vinculum/diag/diagnostic.hpp"

namespace {

using namespace vinculum;

void add_common(CLI::App* command, cli::CommonOptions& common) {
  command->add_option("--set", common.sets, "give a parameter another value: p=2.5 or \"p=2.5 [kg]\"")
      ->allow_extra_args(false);
  command->add_flag("--json", common.json, "print JSON");
}

void add_backend(CLI::App* command, cli::CommonOptions& common) {
  static const std::map<std::string, codegen::Backend> kBackends = {{"native", codegen::Backend::kNative},
                                                                    {"tape", codegen::Backend::kTape},
                                                                    {"interpreter", codegen::Backend::kInterpreter}};
  command
      ->add_option_function<std::string>(
          "--backend", [&common](const std::string& name) { common.backend = kBackends.at(name); },
          "how the equations are evaluated: native (default), tape, interpreter; all give the same numbers")
      ->check(CLI::IsMember({"native", "tape", "interpreter"}));
  command->add_flag("!--no-cache", common.cache, "neither read nor write the cache of compiled kernels");
}

constexpr std::string_view kCommands[] = {"check", "explain", "derive", "run", "audit", "compare", "test", "format"};
// Commands of the language's contract that come with later versions.
constexpr std::string_view kLaterCommands[] = {"sweep", "export", "linearize", "view", "watch"};

// Says so when the first word is neither a command nor an option.
bool is_unknown_command(const std::string& word) {
  if (word.empty() || word.front() == '-' || std::ranges::find(kCommands, word) != std::end(kCommands)) return false;
  if (std::ranges::find(kLaterCommands, word) != std::end(kLaterCommands)) {
    fmt::print(stderr, "vinculum: `{}` is not supported by this version\n", word);
    return true;
  }
  const std::vector<std::string> names(std::begin(kCommands), std::end(kCommands));
  const std::string nearest = diag::nearest_name(word, names);
  fmt::print(stderr, "vinculum: there is no command `{}`; {}\n", word,
             nearest.empty() ? fmt::format("commands are {}", fmt::join(kCommands, ", "))
                             : fmt::format("did you mean `{}`?", nearest));
  return true;
}

// A number above zero, said in words.
std::string check_positive(const std::string& text) {
  std::size_t read = 0;
  double value = 0.0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  return read == text.size() && value > 0.0 && std::isfinite(value)
             ? ""
             : "`" + text + "` is not a positive number of seconds";
}

int dispatch(int argc, char** argv) {
  if (argc > 1 && is_unknown_command(argv[1])) return cli::kUsage;
  CLI::App app{"Vinculum: constrained motion, and the force behind every constraint", "vinculum"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("vinculum ") + VINCULUM_VERSION);
  cli::CommonOptions common;
  std::string model;

  CLI::App* check = app.add_subcommand("check", "parse, elaborate, check units; silent when right");
  check->add_option("MODEL", model, "model file")->required();
  add_common(check, common);

  CLI::App* explain =
      app.add_subcommand("explain", "coordinates, degrees of freedom, and which force acts where, in vectors");
  explain->add_option("MODEL", model, "model file")->required();
  add_common(explain, common);

  cli::DeriveOptions derive_options;
  CLI::App* derive = app.add_subcommand("derive", "the equations of motion");
  derive->add_option("MODEL", derive_options.model, "model file")->required();
  derive->add_option("--form", derive_options.form, "explicit (default), augmented, minimal")
      ->check(CLI::IsMember({"explicit", "augmented", "minimal"}));
  derive->add_option("--to", derive_options.to, "text (default), latex, c, python")
      ->check(CLI::IsMember({"text", "latex", "c", "python"}));
  derive->add_option("--set", common.sets, "give a parameter another value: p=2.5 or \"p=2.5 [kg]\"")
      ->allow_extra_args(false);

  cli::RunOptions run_options;
  CLI::App* run = app.add_subcommand("run", "simulate: a short table, CSV and JSON");
  run->add_option("MODEL", run_options.model, "model file")->required();
  run->add_option("-o,--output", run_options.folder, "results folder (default results/NAME)");
  run->add_option("--until", run_options.until, "end time in s, in place of the model's")->check(check_positive);
  run->add_option("--tolerance", run_options.tolerance, "relative tolerance, in place of the model's")
      ->check(CLI::Range(1e-15, 0.1));
  run->add_option("--method", run_options.method, "integration method, in place of the model's")
      ->check(CLI::IsMember({"dop853", "dp5", "tsit5"}));
  run->add_flag("--energy", run_options.energy,
                "energies, the power of every load and constraint and their balance, into energy.csv");
  run->add_option("--at", run_options.at, "times in s at which the JSON holds samples: 1,2,3")->delimiter(',');
  add_common(run, common);
  add_backend(run, common);

  CLI::App* audit = app.add_subcommand("audit", "run the model and check the identities of mechanics along the motion");
  audit->add_option("MODEL", model, "model file")->required();
  add_common(audit, common);
  add_backend(audit, common);

  cli::CompareCommand compare_options;
  CLI::App* compare = app.add_subcommand(
      "compare", "one model under several laws of reaction or formulations, and ladders towards a law");
  compare->add_option("MODEL", compare_options.model, "model file")->required();
  compare->add_option(
      "--laws", compare_options.laws,
      "laws, the first is the reference: \"ideal,vakonomic(mu=1),kozlov(c=2),viscous(kappa=1e1..1e4)\"; arguments "
      "are expressions of the model's language, several values or decades make a ladder; `stated`: as the file has it");
  compare->add_option("--formulations", compare_options.formulations, "explicit,augmented,minimal");
  compare->add_option("--on", compare_options.on,
                      "constraints whose law is replaced (default: all that may have every law named)");
  compare->add_option("-o,--output", compare_options.folder,
                      "folder for compare.csv, ladder.csv, compare.json and a script for gnuplot");
  compare->add_option("--until", compare_options.until, "end time in s, in place of the model's")
      ->check(check_positive);
  compare->add_option("--tolerance", compare_options.tolerance, "relative tolerance, in place of the model's")
      ->check(CLI::Range(1e-15, 0.1));
  compare->add_option("--method", compare_options.method, "integration method, in place of the model's")
      ->check(CLI::IsMember({"dop853", "dp5", "tsit5"}));
  compare
      ->add_option("--max-steps", compare_options.most_steps,
                   "a law that asks for more steps than these is not run (default 1e6)")
      ->check(CLI::Range(1.0, 1e12));
  add_common(compare, common);
  add_backend(compare, common);

  std::vector<std::string> paths;
  CLI::App* test = app.add_subcommand("test", "run the models' own expectations, and audit each motion");
  test->add_option("PATH", paths, "model files and folders of them")->required();
  add_common(test, common);
  add_backend(test, common);

  bool write = false;
  bool check_only = false;
  CLI::App* format = app.add_subcommand("format", "canonical layout");
  format->add_option("MODEL", model, "model file")->required();
  format->add_flag("-w,--write", write, "write the file itself in place of printing");
  format->add_flag("--check", check_only, "only say whether the file is in canonical layout");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "vinculum: {}\nRun with --help for more.\n", error.what());
    return cli::kUsage;
  }
  if (*check) return cli::check(model, common);
  if (*explain) return cli::explain(model, common);
  if (*derive) return cli::derive(derive_options, common);
  if (*run) return cli::run(run_options, common);
  if (*audit) return cli::audit(model, common);
  if (*compare) return cli::compare(compare_options, common);
  if (*test) return cli::test(paths, common);
  return cli::format(model, write, check_only);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const vinculum::InternalError& error) {
    fmt::print(stderr, "vinculum: a defect of the program, please report: {}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "vinculum: {}\n", error.what());
  }
  return cli::kUsage;
}
