#include "vinculum/equations/classify.hpp"

#include "vinculum/equations/sampling.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::Level;

constexpr std::uint64_t kSeedOfClasses = 19880131;

std::string text_of(const RowClass& row, Level level) {
  if (level == Level::kPosition) return row.is_rheonomic ? "holonomic, rheonomic" : "holonomic, scleronomic";
  const char* linearity = row.linearity == Linearity::kLinear   ? "linear"
                          : row.linearity == Linearity::kAffine ? "affine"
                                                                : "nonlinear";
  const std::string where = level == Level::kVelocity ? " in velocity" : " in acceleration";
  std::string text = level == Level::kAcceleration                   ? "acceleration level, "
                     : row.integrability == Integrability::kByItself ? "semi-holonomic, "
                     : row.integrability == Integrability::kInSet    ? "semi-holonomic together with other rows, "
                                                                     : "nonholonomic, ";
  text += linearity + where;
  if (level == Level::kVelocity) text += row.is_acatastatic ? ", acatastatic" : ", catastatic";
  return text + (row.is_rheonomic ? ", rheonomic" : ", scleronomic");
}

}  // namespace

std::vector<RowClass> classify(System& system) {
  std::vector<Expr> symbols = system.q;
  for (const auto* more : {&system.u, &system.u_dot, &system.z, &system.parameters}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  symbols.push_back(system.t);
  const Sampler sampler(symbols, kSeedOfClasses);
  const auto vanishes = [&sampler](Expr expression) { return sampler.is_generically_zero(expression); };
  const std::vector<Expr> rest(system.u.size(), system.graph->constant(0.0));

  const std::vector<Integrability> semiholonomic = find_semiholonomic_rows(system);
  std::vector<RowClass> classes;
  for (const Row& row : system.rows) {
    RowClass result;
    result.integrability = semiholonomic[classes.size()];
    result.is_holonomic = row.level == Level::kPosition;
    // The relation is χ = A u' − b at acceleration level, and φ or ψ as stated at the other levels.
    std::vector<Expr> relation;
    if (row.level == Level::kAcceleration) {
      relation = row.A.values();
      relation.push_back(row.b);
    } else {
      relation.push_back(row.level == Level::kPosition ? row.phi : row.psi);
    }
    for (const Expr& part : relation) result.is_rheonomic |= !vanishes(expr::derivative(part, system.t));

    const std::vector<Expr> A = row.A.values();
    if (row.level != Level::kPosition) {
      std::vector<Expr> rates = system.u;
      rates.insert(rates.end(), system.u_dot.begin(), system.u_dot.end());
      for (const expr::Entry& second : expr::sparse_jacobian(A, rates)) result.is_dynamical |= !vanishes(second.value);
    }
    if (row.level == Level::kAcceleration) {
      result.linearity = vanishes(row.b) ? Linearity::kLinear : Linearity::kAffine;
    } else {
      result.is_acatastatic = !vanishes(expr::substitute({&row.psi, 1}, system.u, rest)[0]);
      result.linearity = result.is_acatastatic ? Linearity::kAffine : Linearity::kLinear;
      for (const expr::Entry& second : expr::sparse_jacobian(A, system.u)) {
        if (!vanishes(second.value)) result.linearity = Linearity::kNonlinear;
      }
    }
    result.text = text_of(result, row.level);
    const model::Term relation_stated =
        system.model->constraint(row.constraint).rows[static_cast<std::size_t>(row.index)];
    if (model::holds_state(relation_stated)) result.text = "functional, kept as " + result.text;
    classes.push_back(std::move(result));
  }
  return classes;
}

}  // namespace vinculum::equations
