#include "vinculum/codegen/tape_kernel.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::codegen {
namespace {

using expr::Op;

class TapeKernel final : public Kernel {
 public:
  explicit TapeKernel(const Tape& tape)
      : input_count_(tape.input_count),
        output_count_(tape.main.outputs.size()),
        constant_count_(tape.constant_count()),
        operation_count_(tape.main.instructions.size()),
        preparation_(tape),
        main_(tape.main, tape.input_count, tape.constant_count(), tape.splines) {}

  void evaluate(const double* inputs, const double* constants, double* outputs, double* workspace) const noexcept override {
    main_.run(inputs, constants, outputs, workspace);
  }
  [[nodiscard]] std::vector<double> prepare(std::span<const double> parameters) const override {
    return preparation_.run(parameters);
  }
  [[nodiscard]] std::size_t input_count() const override { return input_count_; }
  [[nodiscard]] std::size_t output_count() const override { return output_count_; }
  [[nodiscard]] std::size_t constant_count() const override { return constant_count_; }
  [[nodiscard]] std::size_t workspace_size() const override { return main_.workspace_size(); }
  [[nodiscard]] std::size_t operation_count() const override { return operation_count_; }

 private:
  std::size_t input_count_, output_count_, constant_count_, operation_count_;
  Preparation preparation_;
  ProgramRunner main_;
};

}  // namespace

// The workspace holds inputs, constants, slots, one after the other: one address for every operand.
ProgramRunner::ProgramRunner(const Program& program, std::size_t input_count, std::size_t constant_count,
                             std::vector<std::shared_ptr<const expr::Spline>> splines)
    : input_count_(input_count),
      constant_count_(constant_count),
      workspace_size_(input_count + constant_count + program.slot_count),
      splines_(std::move(splines)) {
  const std::size_t first_slot = input_count + constant_count;
  const auto place = [&](const Operand& operand) {
    std::size_t base = 0;
    if (operand.space == Operand::Space::kConstant) base = input_count;
    if (operand.space == Operand::Space::kSlot) base = first_slot;
    return static_cast<std::uint32_t>(base + operand.index);
  };
  for (const Instruction& instruction : program.instructions) {
    Step step;
    step.op = static_cast<std::uint16_t>(instruction.op);
    step.derivative_order = instruction.derivative_order;
    step.target = static_cast<std::uint32_t>(first_slot + instruction.target);
    step.first = place(instruction.operands[0]);
    step.second = instruction.op == Op::kTable ? instruction.table : place(instruction.operands[1]);
    step.third = place(instruction.operands[2]);
    steps_.push_back(step);
  }
  for (const Operand& output : program.outputs) outputs_.push_back(place(output));
}

void ProgramRunner::run(const double* inputs, const double* constants, double* outputs, double* workspace) const noexcept {
  double* const w = workspace;
  if (input_count_ > 0) std::memcpy(w, inputs, input_count_ * sizeof(double));
  if (constant_count_ > 0) std::memcpy(w + input_count_, constants, constant_count_ * sizeof(double));
  for (const Step& step : steps_) {
    const double a = w[step.first];
    double& target = w[step.target];
    switch (static_cast<Op>(step.op)) {
      case Op::kAdd: target = a + w[step.second]; break;
      case Op::kSubtract: target = a - w[step.second]; break;
      case Op::kMultiply: target = a * w[step.second]; break;
      case Op::kDivide: target = a / w[step.second]; break;
      case Op::kNegate: target = -a; break;
      case Op::kSquareRoot: target = std::sqrt(a); break;
      case Op::kTable: target = splines_[step.second]->evaluate(a, step.derivative_order); break;
      default: target = expr::evaluate_operation(static_cast<Op>(step.op), a, w[step.second], w[step.third]);
    }
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs[i] = w[outputs_[i]];
}

Preparation::Preparation(const Tape& tape)
    : parameter_count_(tape.parameter_count),
      literals_(tape.literals),
      hoisted_count_(tape.prologue.outputs.size()),
      prologue_(tape.prologue, tape.parameter_count, tape.literals.size(), tape.splines) {}

std::vector<double> Preparation::run(std::span<const double> parameters) const {
  VINCULUM_EXPECTS(parameters.size() == parameter_count_);
  std::vector<double> constants(literals_);
  constants.resize(literals_.size() + hoisted_count_);
  std::vector<double> workspace(prologue_.workspace_size());
  prologue_.run(parameters.data(), literals_.data(), constants.data() + literals_.size(), workspace.data());
  return constants;
}

std::shared_ptr<const Kernel> make_tape_kernel(const Tape& tape) { return std::make_shared<TapeKernel>(tape); }

}  // namespace vinculum::codegen
