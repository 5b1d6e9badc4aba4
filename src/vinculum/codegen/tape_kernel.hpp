#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// Runs a Program. Its instructions are put in an order of its own, in which runs of one operation are as long as what
/// waits for what allows: a run is one jump, where a jump an operation is one that the processor cannot foresee as soon
/// as there are thousands. Immutable; any number of threads, each with a workspace of its own.
class ProgramRunner {
 public:
  ProgramRunner(const Program& program, std::size_t input_count, std::size_t constant_count,
                std::vector<std::shared_ptr<const expr::Spline>> splines);

  [[nodiscard]] std::size_t workspace_size() const { return workspace_size_; }
  /// As Kernel::evaluate_at.   \param workspace [workspace_size], any content. Allocates nothing. \cost 1 to 2 ns an
  /// operation besides the functions.
  void run(double first, const double* others, const double* constants, double* outputs,
           double* workspace) const noexcept;

 private:
  struct Step {
    expr::Op op;
    std::uint8_t derivative_order;
    std::uint32_t target, first, second, third;  // places in the workspace; kTable: second is the spline
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

/// Computes the constants of a tape from its parameters: what `Kernel::prepare` is for every back end that has a tape.
class Preparation {
 public:
  explicit Preparation(const Tape& tape);
  /// \param parameters [parameter_count] \returns [constant_count]
  [[nodiscard]] std::vector<double> run(std::span<const double> parameters) const;

 private:
  std::size_t parameter_count_;
  std::vector<double> literals_;
  std::size_t hoisted_count_;
  ProgramRunner prologue_;
};

/// The tape as a Kernel: works everywhere, compiles in no time.
[[nodiscard]] std::shared_ptr<const Kernel> make_tape_kernel(const Tape& tape);

}  // namespace vinculum::codegen
