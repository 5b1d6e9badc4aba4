#pragma once

#include <string>
#include <vector>

#include "vinculum/codegen/kernel.hpp"

/// The command `vinculum`: one file a subcommand, the only code of the project that prints.
namespace vinculum::cli {

/// Exit statuses (language.md).
inline constexpr int kRight = 0;
inline constexpr int kWrong = 1;  ///< the model, the motion or an expectation is wrong
inline constexpr int kUsage = 2;

/// Options that several subcommands share.
struct CommonOptions {
  std::vector<std::string> sets;  ///< "p=2.5 [kg]"
  bool json = false;
  codegen::Backend backend = codegen::Backend::kNative;
  bool cache = true;  ///< use the cache of compiled kernels
};

struct RunOptions {
  std::string model;
  std::string folder;      ///< empty: results/NAME
  double until = 0.0;      ///< [s] 0: the model's own
  double tolerance = 0.0;  ///< 0: the model's own
  std::string method;      ///< empty: the model's own
  std::vector<double> at;  ///< [s]
  bool energy = false;     ///< writes energy.csv
};

struct DeriveOptions {
  std::string model;
  std::string form = "explicit";  ///< explicit, augmented, minimal
  std::string to = "text";        ///< text, latex, c, python
};

struct CompareCommand {
  std::string model;
  std::string laws;          ///< "ideal,kozlov(c=2)"; empty: formulations are compared
  std::string formulations;  ///< "explicit,minimal"
  std::string on;            ///< names of constraints; empty: all that may have every law
  std::string folder;        ///< empty: no files
  double until = 0.0;        ///< [s] 0: the model's own
  double tolerance = 0.0;    ///< 0: the model's own
  std::string method;        ///< empty: the model's own
  double most_steps = 0.0;   ///< 0: compare::CompareOptions'
};

int check(const std::string& model, const CommonOptions& common);
int explain(const std::string& model, const CommonOptions& common);
int derive(const DeriveOptions& options, const CommonOptions& common);
int run(const RunOptions& options, const CommonOptions& common);
int audit(const std::string& model, const CommonOptions& common);
int compare(const CompareCommand& options, const CommonOptions& common);
int test(const std::vector<std::string>& paths, const CommonOptions& common);
int format(const std::string& model, bool write, bool check_only);

}  // namespace vinculum::cli
