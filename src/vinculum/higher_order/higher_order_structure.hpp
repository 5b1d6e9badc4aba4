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

/// Internal to the files of higher_order.
namespace vinculum::reaction_laws {

/// Builds the equations of a model with constraints of higher order, their structure, and System::higher.
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
  /// Derivatives of an unknown function, as symbols. For a coordinate the list begins with its speed, so `first_order`
  /// is 1.
  struct Function {
    const JetSpace::Jet* jet;
    int first_order;
    [[nodiscard]] expr::Expr at(int order) const { return (*jet)[static_cast<std::size_t>(order - first_order)]; }
  };

  /// Where the rate of a derivative is recorded: component `at` of `rates`. Also order, name and dimension of the rate.
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
  /// Failure that names the constraints of higher order among the given equations, or all of them if there are none.
  [[nodiscard]] Failure singular(const std::vector<int>& equations, const std::string& message) const;

  equations::System& system_;
  const model::Model& model_;
  expr::Graph& graph_;
  JetSpace jets_;
  std::shared_ptr<equations::HigherOrder> higher_;
  std::vector<Function> functions_;                   ///< [n]
  std::vector<std::vector<expr::Expr>> derivatives_;  ///< [n][times] derivatives of the equations
  std::vector<JetSpace::Variation> variations_;       ///< [number of μ]
  std::vector<expr::Expr> F_;                         ///< [number of μ]
  /// Symbols of derivatives, and their replacements: states, highest derivatives, zeros.
  std::vector<expr::Expr> raw_, final_;
  std::vector<expr::Expr> raw_top_;
};

/// Names as a list in text: "`a`, `b` and `c`".
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& names);

}  // namespace vinculum::reaction_laws
