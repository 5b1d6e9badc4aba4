#include "vinculum/codegen/tape_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::codegen {
namespace {

using expr::Op;

/// A program without slots: each value is identified by the instruction that computes it.
struct Values {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// [instructions] the instruction that computes each operand; kNone: it is not computed by an instruction
  std::vector<std::array<std::uint32_t, 3>> operands;
  std::vector<std::uint32_t> outputs;

  explicit Values(const Program& program) : operands(program.instructions.size()) {
    std::vector<std::uint32_t> writer(program.slot_count, kNone);
    const auto made_by = [&](const Operand& operand) {
      return operand.space == Operand::Space::kSlot ? writer[operand.index] : kNone;
    };
    for (std::size_t i = 0; i < operands.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) operands[i][k] = made_by(program.instructions[i].operands[k]);
      writer[program.instructions[i].target] = static_cast<std::uint32_t>(i);
    }
    for (const Operand& output : program.outputs) outputs.push_back(made_by(output));
  }
};

/// Order of the instructions in which equal operations are adjacent. As long as instructions with the current operation
/// are ready, they are taken in the order in which they became ready. Then the operation with the most ready
/// instructions is next.
std::vector<std::uint32_t> order_by_runs(const Program& program, const Values& values) {
  const std::size_t n = values.operands.size();
  std::vector<std::uint32_t> waits(n, 0), first_user(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::uint32_t operand : values.operands[i]) {
      if (operand == Values::kNone) continue;
      ++waits[i];
      ++first_user[operand + 1];
    }
  }
  for (std::size_t i = 0; i < n; ++i) first_user[i + 1] += first_user[i];
  std::vector<std::uint32_t> users(first_user[n]), filled(first_user.begin(), first_user.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::uint32_t operand : values.operands[i]) {
      if (operand != Values::kNone) users[filled[operand]++] = static_cast<std::uint32_t>(i);
    }
  }
  struct Ready {
    std::vector<std::uint32_t> queue;
    std::size_t next = 0;
    [[nodiscard]] std::size_t count() const { return queue.size() - next; }
  };
  std::vector<Ready> ready(expr::operation_table().size());
  const auto is_ready = [&](std::uint32_t i) {
    ready[static_cast<std::size_t>(program.instructions[i].op)].queue.push_back(i);
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    if (waits[i] == 0) is_ready(i);
  }
  std::vector<std::uint32_t> order;
  order.reserve(n);
  while (order.size() < n) {
    Ready& run = *std::ranges::max_element(ready, {}, &Ready::count);
    while (run.count() > 0) {
      const std::uint32_t i = run.queue[run.next++];
      order.push_back(i);
      for (std::uint32_t k = first_user[i]; k < first_user[i + 1]; ++k) {
        if (--waits[users[k]] == 0) is_ready(users[k]);
      }
    }
  }
  return order;
}

/// The program with its instructions in the order of `order_by_runs`.
Program in_runs(const Program& program) {
  const Values values(program);
  const std::vector<std::uint32_t> order = order_by_runs(program, values);
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t at = 0; at < order.size(); ++at) place[order[at]] = at;
  Program result;
  result.instructions.reserve(order.size());
  for (const std::uint32_t i : order) {
    Instruction& instruction = result.instructions.emplace_back(program.instructions[i]);
    instruction.target = place[i];
    for (std::size_t k = 0; k < 3; ++k) {
      if (values.operands[i][k] != Values::kNone) instruction.operands[k].index = place[values.operands[i][k]];
    }
  }
  result.outputs = program.outputs;
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    if (values.outputs[i] != Values::kNone) result.outputs[i].index = place[values.outputs[i]];
  }
  share_slots(result);
  return result;
}

class TapeKernel final : public Kernel {
 public:
  explicit TapeKernel(const Tape& tape)
      : input_count_(tape.input_count),
        output_count_(tape.main.outputs.size()),
        constant_count_(tape.constant_count()),
        operation_count_(tape.main.instructions.size()),
        preparation_(tape),
        main_(tape.main, tape.input_count, tape.constant_count(), tape.splines) {}

  void evaluate_at(double first, const double* others, const double* constants, double* outputs,
                   double* workspace) const noexcept override {
    main_.run(first, others, constants, outputs, workspace);
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

// The workspace contains inputs, constants and slots, one after another, so that every operand is an index into one
// array.
ProgramRunner::ProgramRunner(const Program& program, std::size_t input_count, std::size_t constant_count,
                             std::vector<std::shared_ptr<const expr::Spline>> splines)
    : input_count_(input_count), constant_count_(constant_count), splines_(std::move(splines)) {
  const Program ordered = in_runs(program);
  const std::size_t first_slot = input_count + constant_count;
  workspace_size_ = first_slot + ordered.slot_count;
  const auto place = [&](const Operand& operand) {
    std::size_t base = 0;
    if (operand.space == Operand::Space::kConstant) base = input_count;
    if (operand.space == Operand::Space::kSlot) base = first_slot;
    return static_cast<std::uint32_t>(base + operand.index);
  };
  steps_.reserve(ordered.instructions.size());
  for (const Instruction& instruction : ordered.instructions) {
    Step step;
    step.op = instruction.op;
    step.derivative_order = instruction.derivative_order;
    step.target = static_cast<std::uint32_t>(first_slot + instruction.target);
    step.first = place(instruction.operands[0]);
    step.second = instruction.op == Op::kTable ? instruction.table : place(instruction.operands[1]);
    step.third = place(instruction.operands[2]);
    steps_.push_back(step);
    if (runs_.empty() || runs_.back().op != step.op) runs_.push_back({step.op, 0});
    ++runs_.back().count;
  }
  for (const Operand& output : ordered.outputs) outputs_.push_back(place(output));
}

void ProgramRunner::run(double first, const double* others, const double* constants, double* outputs,
                        double* workspace) const noexcept {
  double* const w = workspace;
  if (input_count_ > 0) w[0] = first;
  if (input_count_ > 1) std::memcpy(w + 1, others, (input_count_ - 1) * sizeof(double));
  if (constant_count_ > 0) std::memcpy(w + input_count_, constants, constant_count_ * sizeof(double));
  const Step* step = steps_.data();
  for (const Run& run : runs_) {
    const auto each = [&](const auto& value) {
      for (const Step* const end = step + run.count; step != end; ++step) w[step->target] = value(*step);
    };
    switch (run.op) {
      case Op::kAdd: each([w](const Step& s) { return w[s.first] + w[s.second]; }); break;
      case Op::kSubtract: each([w](const Step& s) { return w[s.first] - w[s.second]; }); break;
      case Op::kMultiply: each([w](const Step& s) { return w[s.first] * w[s.second]; }); break;
      case Op::kDivide: each([w](const Step& s) { return w[s.first] / w[s.second]; }); break;
      case Op::kNegate: each([w](const Step& s) { return -w[s.first]; }); break;
      case Op::kSquareRoot: each([w](const Step& s) { return std::sqrt(w[s.first]); }); break;
      case Op::kTable:
        each([&](const Step& s) { return splines_[s.second]->evaluate(w[s.first], s.derivative_order); });
        break;
      default: each([w](const Step& s) { return expr::evaluate_operation(s.op, w[s.first], w[s.second], w[s.third]); });
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
  const bool has_any = !parameters.empty();
  prologue_.run(has_any ? parameters[0] : 0.0, has_any ? parameters.data() + 1 : nullptr, literals_.data(),
                constants.data() + literals_.size(), workspace.data());
  return constants;
}

std::shared_ptr<const Kernel> make_tape_kernel(const Tape& tape) { return std::make_shared<TapeKernel>(tape); }

}  // namespace vinculum::codegen
