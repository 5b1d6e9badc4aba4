#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <vinculum/tools.hpp>
#include <vinculum/vinculum.hpp>

/// The command `vinculum`: one file per subcommand. It is the only code of the project that prints, and it uses the
/// public API only.
namespace vinculum::cli {

/// Exit statuses (docs/language.md).
inline constexpr int kRight = 0;
inline constexpr int kWrong = 1;  ///< the model, the motion or an expectation is wrong
inline constexpr int kUsage = 2;  ///< wrong usage, or the output cannot be written
inline constexpr int kInterrupted = 130;

/// Arguments that several subcommands have.
struct Common {
  std::string model;              ///< path of the model file
  std::vector<std::string> sets;  ///< "p=2.5 [kg]"
  bool json = false;
  Backend backend = Backend::kNative;
  bool has_cache = true;

  void add_model(CLI::App* command);
  void add_set(CLI::App* command);
  void add_json(CLI::App* command);
  void add_backend(CLI::App* command);
  /// Adds the options of a motion that override the model's `run`; Options is RunOptions or CompareOptions.
  template <class Options>
  static void add_motion(CLI::App* command, Options& options) {
    command->add_option("--until", options.until, "end time in s, instead of the model's");
    command->add_option("--tolerance", options.tolerance, "relative tolerance, instead of the model's");
    command->add_option("--method", options.method,
                        "integration method, instead of the model's: dop853, dp5, tsit5, radau");
  }
  /// \returns nothing if a `--set` has the wrong form, which is printed.
  [[nodiscard]] std::optional<Settings> settings() const;
  /// The model, after printing its warnings. If there is none, prints the reason and sets the status.
  [[nodiscard]] std::optional<Model> load(int& status) const;
  /// Default folder for results: named after the file, because models in several files may have the same name.
  [[nodiscard]] std::string results_folder() const;
};

/// Runs a model, shows progress and warnings about slow runs on stderr, and stops on request of the user (Interrupts).
[[nodiscard]] Result<Trajectory> run_watched(const Model& model, RunOptions options);

/// One function per subcommand: declares its options, its action and the status that it sets.
using Add = void(CLI::App& app, int& status);
Add add_check, add_explain, add_derive, add_run, add_audit, add_compare, add_test, add_format, add_show, add_watch;

/// Protects the standard streams. Call it once, before anything is opened or printed.
void guard_streams();
/// Prints on stdout and flushes. \throws std::system_error if stdout is closed or full.
void print(std::string_view text);
int print_usage(std::string_view text);  ///< prints on stderr, after the program's name. \returns kUsage
/// Prints an error: diagnostics as JSON on stdout if requested, everything else on stderr. \returns status
int print(const Error& error, bool json = false);
void print_warning(std::string_view text);  ///< prints on stderr, unchanged
/// "a, b and c"
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

}  // namespace vinculum::cli
