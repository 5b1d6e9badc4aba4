#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <vinculum/vinculum.hpp>

/// The command `vinculum`: one file a subcommand, the only code of the project that prints. It knows nothing of the
/// library but its door.
namespace vinculum::cli {

/// Exit statuses (language.md).
inline constexpr int kRight = 0;
inline constexpr int kWrong = 1;  ///< the model, the motion or an expectation is wrong
inline constexpr int kUsage = 2;  ///< of the command; also what it writes has no place to go
inline constexpr int kInterrupted = 130;

/// What several subcommands take.
struct Common {
  std::string model;              ///< the file
  std::vector<std::string> sets;  ///< "p=2.5 [kg]"
  bool json = false;
  Backend backend = Backend::kNative;
  bool has_cache = true;

  void add_model(CLI::App* command);
  void add_set(CLI::App* command);
  void add_json(CLI::App* command);
  void add_backend(CLI::App* command);
  /// What may be asked of a motion in place of what the model's `run` says: RunOptions or CompareOptions.
  template <class Options>
  static void add_motion(CLI::App* command, Options& options) {
    command->add_option("--until", options.until, "end time in s, in place of the model's");
    command->add_option("--tolerance", options.tolerance, "relative tolerance, in place of the model's");
    command->add_option("--method", options.method,
                        "integration method, in place of the model's: dop853, dp5, tsit5, radau");
  }
  /// \returns nothing where `--set` is not of its form, which is printed.
  [[nodiscard]] std::optional<Settings> settings() const;
  /// The model and its warnings; prints why there is none, and sets the status.
  [[nodiscard]] std::optional<Model> load(int& status) const;
  /// Where results go unless stated: named after the file, as models in several files may have one name.
  [[nodiscard]] std::string results_folder() const;
};

/// A run that shows its progress on stderr, says there why it is slow, and ends where the user asks (Interrupts).
[[nodiscard]] Result<Trajectory> run_watched(const Model& model, RunOptions options);

/// One of each a subcommand: declares it, with what it does and the status that it leaves.
using Add = void(CLI::App& app, int& status);
Add add_check, add_explain, add_derive, add_run, add_audit, add_compare, add_test, add_format, add_show, add_watch;

/// Once, before anything is opened or printed.
void guard_streams();
/// On stdout, at once. \throws std::system_error where stdout is closed or full.
void print(std::string_view text);
int print_usage(std::string_view text);  ///< on stderr, after the program's name. \returns kUsage
/// An error where it belongs: diagnostics as JSON on stdout where asked for, everything else on stderr. \returns status
int print(const Error& error, bool json = false);
void print_warning(std::string_view text);  ///< on stderr, as it is
/// "a, b and c"
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

}  // namespace vinculum::cli
