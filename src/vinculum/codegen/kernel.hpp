#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::codegen {

/// Compiled evaluation of many expressions at once. Immutable and shared between threads: all scratch is the caller's.
///
/// Every back end (interpreter, tape, native) gives the same bits: operations are those of `expr::evaluate_operation`,
/// each rounded once, in the order of the graph; nothing is contracted or reassociated.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// \param first     the first input, and \param others [input_count − 1] the rest: a time and a state that stays
  /// where
  ///                  it is.   \param constants [constant_count] from `prepare`
  /// \param outputs   [output_count]    \param workspace [workspace_size], any content.   Allocates nothing.
  /// \pre the arrays do not overlap.
  virtual void evaluate_at(double first, const double* others, const double* constants, double* outputs,
                           double* workspace) const noexcept = 0;
  /// The same.   \param inputs  [input_count]
  void evaluate(const double* inputs, const double* constants, double* outputs, double* workspace) const noexcept {
    const bool has_any = input_count() > 0;
    evaluate_at(has_any ? inputs[0] : 0.0, has_any ? inputs + 1 : nullptr, constants, outputs, workspace);
  }
  /// What depends on the parameters only, computed once for a set of parameter values. \returns [constant_count]
  [[nodiscard]] virtual std::vector<double> prepare(std::span<const double> parameters) const = 0;
  [[nodiscard]] virtual std::size_t input_count() const = 0;
  [[nodiscard]] virtual std::size_t output_count() const = 0;
  [[nodiscard]] virtual std::size_t constant_count() const = 0;
  [[nodiscard]] virtual std::size_t workspace_size() const = 0;
  [[nodiscard]] virtual std::size_t operation_count() const = 0;  ///< per evaluation
};

/// What to compute from what. Parameters are inputs that stay fixed over many evaluations.
struct KernelSpec {
  std::string name;
  std::vector<expr::Expr> inputs;      ///< symbols
  std::vector<expr::Expr> parameters;  ///< symbols
  std::vector<expr::Expr> outputs;
};

enum class Backend { kInterpreter, kTape, kNative };
[[nodiscard]] std::string_view to_string(Backend backend);

struct CompileOptions {
  Backend backend = Backend::kNative;
  /// Folder of the cache of compiled kernels; empty: none. Created when missing; never grows without bound.
  std::string cache_folder;
  bool when_used = false;  ///< native code only for what is evaluated often; until then tapes
};

/// How the kernels came about, for reports and benches.
struct CompileReport {
  Backend backend = Backend::kTape;  ///< what was really taken
  bool from_cache = false;
  double seconds = 0.0;
  std::string note;  ///< why native code was not available, when it was asked for
};

/// Compiles several kernels in one go (one native module). Without a native back end in this build or on this machine
/// the tape is taken and `note` says so. \pre all symbols in `outputs` are inputs or parameters.
[[nodiscard]] std::vector<std::shared_ptr<const Kernel>> compile(std::span<const KernelSpec> specs,
                                                                 const CompileOptions& options,
                                                                 CompileReport* report = nullptr);

/// Whether this build can make native code on this machine (the module is there and loads).
[[nodiscard]] bool is_native_available();

/// The folder compiled kernels are cached in by default: `$VINCULUM_CACHE`, else `$XDG_CACHE_HOME/vinculum`, else
/// `~/.cache/vinculum`; empty when none of these is set.
[[nodiscard]] std::string default_cache_folder();

}  // namespace vinculum::codegen
