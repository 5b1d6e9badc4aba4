#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::codegen {

/// Compiled evaluation of many expressions at once. Immutable; threads may share it, because the caller provides all
/// scratch memory.
///
/// Every back end (interpreter, tape, native) gives the same bits. Each operation has the result of
/// `expr::evaluate_operation`, is rounded once, and keeps its place in the order of the graph. Operations are neither
/// contracted nor reassociated.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Evaluates all outputs. The first input is a separate argument, because it is often the time, while the other
  /// inputs are the array of the state.
  /// \param first      first input
  /// \param others     [input_count − 1] other inputs
  /// \param constants  [constant_count] result of `prepare`
  /// \param outputs    [output_count] receives the values
  /// \param workspace  [workspace_size] scratch memory with any content
  /// \pre the arrays do not overlap.   \cost allocates nothing
  virtual void evaluate_at(double first, const double* others, const double* constants, double* outputs,
                           double* workspace) const noexcept = 0;
  /// Evaluates all outputs for inputs in one array.   \param inputs  [input_count]
  void evaluate(const double* inputs, const double* constants, double* outputs, double* workspace) const noexcept {
    const bool has_any = input_count() > 0;
    evaluate_at(has_any ? inputs[0] : 0.0, has_any ? inputs + 1 : nullptr, constants, outputs, workspace);
  }
  /// Computes the subexpressions that depend only on parameters. Call it once per set of parameter values.
  /// \returns [constant_count]
  [[nodiscard]] virtual std::vector<double> prepare(std::span<const double> parameters) const = 0;
  [[nodiscard]] virtual std::size_t input_count() const = 0;
  [[nodiscard]] virtual std::size_t output_count() const = 0;
  [[nodiscard]] virtual std::size_t constant_count() const = 0;
  [[nodiscard]] virtual std::size_t workspace_size() const = 0;
  [[nodiscard]] virtual std::size_t operation_count() const = 0;  ///< number of operations per evaluation
};

/// Specification of a kernel: outputs as expressions of inputs and parameters. Parameters are inputs that stay constant
/// over many evaluations.
struct KernelSpec {
  std::string name;
  std::vector<expr::Expr> inputs;      ///< symbols of the inputs
  std::vector<expr::Expr> parameters;  ///< symbols of the parameters
  std::vector<expr::Expr> outputs;
};

enum class Backend { kInterpreter, kTape, kNative };
[[nodiscard]] std::string_view to_string(Backend backend);

struct CompileOptions {
  Backend backend = Backend::kNative;
  /// Folder of the cache of compiled kernels; empty: no cache. The folder is created if it does not exist. The total
  /// size of its files is limited.
  std::string cache_folder;
  /// compile native code only for kernels that are evaluated often; they run as tapes until then
  bool when_used = false;
};

/// How the kernels were created, for reports and benchmarks.
struct CompileReport {
  Backend backend = Backend::kTape;  ///< back end that the kernels use
  bool from_cache = false;
  double seconds = 0.0;
  std::string note;  ///< reason why native code was requested but is not available
};

/// Creates the kernels; native ones are compiled as one module. If this build or machine has no native back end, tapes
/// are used and `note` gives the reason.   \pre all symbols in `outputs` are inputs or parameters
[[nodiscard]] std::vector<std::shared_ptr<const Kernel>> compile(std::span<const KernelSpec> specs,
                                                                 const CompileOptions& options,
                                                                 CompileReport* report = nullptr);

/// Whether this build can generate native code on this machine, that is, the compiler module exists and can be loaded.
[[nodiscard]] bool is_native_available();

/// Default folder of the cache of compiled kernels: `$VINCULUM_CACHE`, otherwise `$XDG_CACHE_HOME/vinculum`, otherwise
/// `~/.cache/vinculum`; empty if none of these is set.
[[nodiscard]] std::string default_cache_folder();

}  // namespace vinculum::codegen
