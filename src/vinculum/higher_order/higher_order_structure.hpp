#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/equations/sampling.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/higher_order/jet_space.hpp"

/// This header is internal to the module higher_order.
namespace vinculum::reaction_laws {

/// Writes the equations of a model with constraints of higher order, analyzes them by Pryce's Σ-method, and sets
/// System::higher. `run` calls the steps in order; the first failure ends it.
class HigherOrderStructure {
 public:
  explicit HigherOrderStructure(equations::System& system)
      : system_(system),
        model_(*system.model),
        graph_(*system.graph),
        jets_(system),
        higher_(std::make_shared<equations::HigherOrder>()) {}

  std::optional<Failure> run() {
    write_equations();
    if (auto failure = analyse()) return failure;
    name_states();
    if (auto failure = write_top()) return failure;
    write_hidden();
    write_rates();
    if (auto failure = judge_regularity()) return failure;
    write_reports();
    system_.higher = higher_;
    return std::nullopt;
  }

 private:
  /// Symbols of the derivatives of an unknown function of time. `first_order` is the order of the first symbol: 1 for a
  /// coordinate, whose list begins with its speed, otherwise 0.
  struct Function {
    const JetSpace::Jet* jet;
    int first_order;
    [[nodiscard]] expr::Expr at(int order) const { return (*jet)[static_cast<std::size_t>(order - first_order)]; }
  };

  /// Where the rate of a derivative is recorded: component `at` of the list `rates`. `order`, `name` and `dimension`
  /// describe this rate.
  struct Place {
    std::vector<int>* rates;
    std::size_t at;
    int order;
    std::string name;
    Dimension dimension;
  };

  [[nodiscard]] equations::Sampler sampler_of_jets() const;
  void write_equations();
  std::optional<Failure> analyse();
  int order_in(expr::Expr equation, std::size_t unknown, const equations::Sampler& sampler);
  [[nodiscard]] Place place_of(const equations::HigherOrder::Unknown& unknown);
  [[nodiscard]] int component_of_state(std::size_t state) const {
    return system_.nq() + system_.nu() + static_cast<int>(state);
  }
  void name_states();
  std::optional<Failure> write_top();
  void write_hidden();
  void write_rates();
  std::optional<Failure> judge_regularity() const;
  void write_reports();
  [[nodiscard]] int highest_order() const;
  std::vector<expr::Expr> settled(std::span<const expr::Expr> values) const {
    return expr::substitute(values, raw_, final_);
  }
  expr::Expr settled(expr::Expr value) const { return settled({&value, 1})[0]; }
  expr::Expr equation_at(std::size_t i, int times);
  /// Failure that names the constraints of higher order among the given equations. If none of these equations belongs
  /// to such a constraint, it names all constraints of higher order of the model.
  [[nodiscard]] Failure singular(const std::vector<int>& equations, const std::string& message) const;

  equations::System& system_;
  const model::Model& model_;
  expr::Graph& graph_;
  JetSpace jets_;
  std::shared_ptr<equations::HigherOrder> higher_;
  std::vector<Function> functions_;                   ///< [n] the unknowns
  std::vector<std::vector<expr::Expr>> derivatives_;  ///< [n][≥ 1] each equation and its time derivatives
  std::vector<JetSpace::Variation> variations_;       ///< [number of μ] forces and energies of the constraints
  std::vector<expr::Expr> F_;                         ///< [number of μ] constraints F = 0 of higher order
  /// Symbols of derivatives in `jets_`, and their replacements: states, unknowns (highest derivatives), zeros.
  std::vector<expr::Expr> raw_, final_;
  std::vector<expr::Expr> raw_top_;  ///< [n] symbols in `jets_` of the highest derivatives
};

/// Names as a list in text: "`a`, `b` and `c`".
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names);

}  // namespace vinculum::reaction_laws
