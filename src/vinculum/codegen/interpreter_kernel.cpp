#include "vinculum/codegen/interpreter_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::codegen {
namespace {

using expr::Expr;
using expr::Graph;
using expr::Op;
using expr::Subgraph;

class InterpreterKernel final : public Kernel {
 public:
  explicit InterpreterKernel(const KernelSpec& spec)
      : input_count_(spec.inputs.size()), parameter_count_(spec.parameters.size()) {
    if (spec.outputs.empty()) return;
    const Graph& graph = spec.outputs[0].graph();
    const Subgraph subgraph(spec.outputs);
    for (std::size_t i = 0; i < subgraph.size(); ++i) {
      const Graph::Node& node = graph.node(subgraph[i]);
      Step step;
      step.op = node.op;
      step.value = node.value;
      if (node.op == Op::kSymbol) find_symbol(spec, subgraph[i], step);
      if (node.op == Op::kTable) {
        step.spline = graph.shared_spline(expr::TableId(node.payload));
        step.derivative_order = node.derivative_order;
      }
      for (int k = 0; k < 3; ++k) {
        step.operands[k] = node.operands[k].is_valid() ? subgraph.position(node.operands[k]) : 0;
      }
      if (expr::operation_info(node.op).arity > 0) ++operation_count_;
      steps_.push_back(step);
    }
    for (const Expr& output : spec.outputs) outputs_.push_back(subgraph.position(output.node()));
  }

  void evaluate_at(double first_input, const double* others, const double* constants, double* outputs,
                   double* workspace) const noexcept override {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const double first = workspace[step.operands[0]];
      switch (step.op) {
        case Op::kConstant: workspace[i] = step.value; break;
        case Op::kSymbol:
          workspace[i] = step.is_parameter  ? constants[step.symbol]
                         : step.symbol == 0 ? first_input
                                            : others[step.symbol - 1];
          break;
        case Op::kTable: workspace[i] = step.spline->evaluate(first, step.derivative_order); break;
        default:
          workspace[i] =
              expr::evaluate_operation(step.op, first, workspace[step.operands[1]], workspace[step.operands[2]]);
      }
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) outputs[i] = workspace[outputs_[i]];
  }

  [[nodiscard]] std::vector<double> prepare(std::span<const double> parameters) const override {
    VINCULUM_EXPECTS(parameters.size() == parameter_count_);
    return {parameters.begin(), parameters.end()};
  }
  [[nodiscard]] std::size_t input_count() const override { return input_count_; }
  [[nodiscard]] std::size_t output_count() const override { return outputs_.size(); }
  [[nodiscard]] std::size_t constant_count() const override { return parameter_count_; }
  [[nodiscard]] std::size_t workspace_size() const override { return steps_.size(); }
  [[nodiscard]] std::size_t operation_count() const override { return operation_count_; }

 private:
  struct Step {
    Op op{};
    int derivative_order = 0;
    bool is_parameter = false;
    std::size_t symbol = 0;
    std::uint32_t operands[3] = {};
    double value = 0.0;
    std::shared_ptr<const expr::Spline> spline;
  };

  static void find_symbol(const KernelSpec& spec, expr::NodeId id, Step& step) {
    const auto index_in = [&](const std::vector<Expr>& symbols) -> std::optional<std::size_t> {
      const auto at = std::find_if(symbols.begin(), symbols.end(), [&](const Expr& e) { return e.node() == id; });
      if (at == symbols.end()) return std::nullopt;
      return static_cast<std::size_t>(at - symbols.begin());
    };
    if (const auto input = index_in(spec.inputs)) {
      step.symbol = *input;
    } else if (const auto parameter = index_in(spec.parameters)) {
      step.symbol = *parameter;
      step.is_parameter = true;
    } else {
      throw InternalError(fmt::format("kernel {}: the symbol {} is neither input nor parameter", spec.name,
                                      spec.outputs[0].graph().symbol_name(id)));
    }
  }

  std::size_t input_count_, parameter_count_, operation_count_ = 0;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> outputs_;
};

}  // namespace

std::shared_ptr<const Kernel> make_interpreter_kernel(const KernelSpec& spec) {
  return std::make_shared<InterpreterKernel>(spec);
}

}  // namespace vinculum::codegen
