#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// Executes a Program. Instructions are reordered, as far as dependencies allow, so that equal operations are adjacent.
/// Each group of equal operations costs one indirect jump. With one jump per operation, the processor could not predict
/// the jumps of a program with thousands of operations. Immutable; any number of threads may use it, each with its own
/// workspace.
class ProgramRunner {
 public:
  ProgramRunner(const Program& program, std::size_t input_count, std::size_t constant_count,
                std::vector<std::shared_ptr<const expr::Spline>> splines);

  [[nodiscard]] std::size_t workspace_size() const { return workspace_size_; }
  /// Evaluates the program, with arguments as in Kernel::evaluate_at.   \param workspace  [workspace_size], any content
  /// \cost 1 to 2 ns per operation, plus elementary functions; allocates nothing
  void run(double first, const double* others, const double* constants, double* outputs,
           double* workspace) const noexcept;

 private:
  struct Step {
    expr::Op op;
    std::uint8_t derivative_order;
    std::uint32_t target, first, second, third;  // indices into the workspace; for kTable `second` is the spline
  };
  struct Run {
    expr::Op op;
    std::uint32_t count;
  };
  std::size_t input_count_, constant_count_, workspace_size_;
  std::vector<Step> steps_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> outputs_;
  std::vector<std::shared_ptr<const expr::Spline>> splines_;
};

/// Computes the constants of a tape from its parameters. Every back end that uses tapes implements Kernel::prepare with
/// this class.
class Preparation {
 public:
  explicit Preparation(const Tape& tape);
  /// \param parameters  [parameter_count]   \returns [constant_count]
  [[nodiscard]] std::vector<double> run(std::span<const double> parameters) const;

 private:
  std::size_t parameter_count_;
  std::vector<double> literals_;
  std::size_t hoisted_count_;
  ProgramRunner prologue_;
};

/// Kernel that executes the tape. It is available on every machine and needs no compile time.
[[nodiscard]] std::shared_ptr<const Kernel> make_tape_kernel(const Tape& tape);

}  // namespace vinculum::codegen
