#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <vinculum/tools.hpp>
#include <vinculum/vinculum.hpp>

/// The command `vinculum`: one file per subcommand. It is the only code of the project that prints, and it uses only
/// the public API.
namespace vinculum::cli {

/// Exit statuses (docs/language.md).
inline constexpr int kRight = 0;
inline constexpr int kWrong = 1;  ///< the model, the motion or an expectation has an error
inline constexpr int kUsage = 2;  ///< wrong usage, or the output cannot be written
inline constexpr int kInterrupted = 130;

/// Arguments that several subcommands accept.
struct Common {
  std::string model;              ///< path of the model file
  std::vector<std::string> sets;  ///< texts of `--set`, such as "p=2.5 [kg]"
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
  /// \returns nothing after printing an error, if a `--set` has the wrong form.
  [[nodiscard]] std::optional<Settings> settings() const;
  /// Loads the model and prints its warnings. If that fails, prints the reason, sets the status and returns nothing.
  [[nodiscard]] std::optional<Model> load(int& status) const;
  /// Default folder for results. It is named after the model's file, because models in several files may have the same
  /// name.
  [[nodiscard]] std::string results_folder() const;
};

/// Runs a model, and shows progress and warnings about slow runs on stderr. Stops if the user requests it (Interrupts).
[[nodiscard]] Result<Trajectory> run_watched(const Model& model, RunOptions options);

/// One function per subcommand: declares the subcommand with its options and its action, which sets the status.
using Add = void(CLI::App& app, int& status);
Add add_check, add_explain, add_derive, add_run, add_audit, add_compare, add_linearize, add_equilibrium, add_test,
    add_format, add_import, add_show, add_watch;

/// Protects the standard streams. Call it once, before any file is opened and any text is printed.
void guard_streams();
/// Prints on stdout and flushes. \throws std::system_error if stdout is closed or full.
void print(std::string_view text);
int print_usage(std::string_view text);  ///< prints on stderr, after the program's name. \returns kUsage
/// Prints an error. With `json`, diagnostics are printed as JSON on stdout; everything else goes to stderr.
/// \returns the status for the command
int print(const Error& error, bool json = false);
void print_warning(std::string_view text);  ///< prints on stderr, without additions
/// The names of a list in an option: "a, b[1,2]" is two names.
[[nodiscard]] std::vector<std::string> words_of(const std::string& list);
/// The names as a list in text: "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

}  // namespace vinculum::cli
