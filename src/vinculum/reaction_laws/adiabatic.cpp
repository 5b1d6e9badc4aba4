// Implements the adiabatic law: R_i = λ^a ω_ai + μ^a γ_aij v^j with given multipliers μ^a. Here ω_ai v^i = 0 are the
// rows, v = q', and γ_a,ij = ∂ω_aj/∂q_i − ∂ω_ai/∂q_j.
//
// For a position-level row φ(q) = 0, ω = dφ, so γ = 0 and the law equals the ideal law. A row F = 0 may be nonlinear in
// the velocities if it is homogeneous of degree k in them and independent of time. Then R = λ F_q' + μ (F_q − (F_q')˙),
// which for a linear row is the same force. With F_q'·q' = k F the second term does no work: (F_q − (F_q')˙)·q' = F' −
// k F' = 0.
//
// Source: [S] 2.18, 3.11–3.13, theorem after 3.31; theory.md §6.3.
#include <algorithm>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"
#include "vinculum/reaction_laws/kinds.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::reaction_laws {
namespace {

using expr::Expr;

constexpr LawRows kRows{Level::kPosition, Level::kVelocity, true, true};

bool is_of_positions(const Model& model, Term relation) { return model::level_of(model, relation) == Level::kPosition; }

class AdiabaticLaw final : public model::Law {
 public:
  explicit AdiabaticLaw(std::vector<Term> mu) : mu_(std::move(mu)) {}

  std::string_view word() const override { return "adiabatic"; }
  std::string text(const Model& model) const override { return "law adiabatic mu = " + list_text(model, mu_); }
  bool is_ideal() const override { return false; }
  bool has_ideal_impulses(const Model& model, ConstraintId id) const override {
    const auto adds_bounded_forces = [&](Term row) {
      return is_of_positions(model, row) || model::is_affine_in_rates(model, row);
    };
    return std::ranges::all_of(model.constraint(id).rows, adds_bounded_forces);
  }
  LawRows rows() const override { return kRows; }

  std::optional<LawChange> change(LawEquations& equations, const Model& model, ConstraintId id) const override {
    LawChange change;
    change.f.assign(model.speeds.size(), equations.graph().constant(0.0));
    for (std::size_t k = 0; k < mu_.size(); ++k) {
      const Term relation = model.constraint(id).rows[k];
      if (is_of_positions(model, relation)) continue;
      const Expr F = equations.velocity_row(relation), mu = equations.in_speeds(mu_[k]);
      const bool is_linear = model::is_affine_in_rates(model, relation);
      is_linear ? add_linear(equations, F, mu, change) : add_nonlinear(equations, F, mu, change);
    }
    return change;
  }

  RowFactors factors(const Model& model, ConstraintId id, std::size_t row) const override {
    const Term relation = model.constraint(id).rows[row];
    if (is_of_positions(model, relation)) return {};
    return {{}, mu_[row], model::is_affine_in_rates(model, relation)};
  }
  FactorNames names(const Model& model, ConstraintId id, std::size_t row) const override {
    return {ideal_names(model, id, row).lambda, "(" + model::to_text(model, mu_[row]) + ")"};
  }
  bool acts_on_coordinates(const Model& model) const override { return model::has_rheonomic_kinematics(model); }

 private:
  /// Linear rows, F = ω q': adds μ γ q' with γ q' = F_q − F_q'q q'. The term F_q't is left out if ω depends on time.
  static void add_linear(LawEquations& equations, Expr F, Expr mu, LawChange& change) {
    std::vector<Expr> gamma_v = expr::gradient(F, equations.q());
    const std::vector<Expr> omega = expr::gradient(F, equations.q_dot());
    const std::vector<Expr> omega_rate = expr::directional_derivative(omega, equations.q(), equations.q_dot());
    for (std::size_t i = 0; i < gamma_v.size(); ++i) gamma_v[i] -= omega_rate[i];
    const std::vector<Expr> force = equations.generalized(gamma_v);
    for (std::size_t r = 0; r < force.size(); ++r) change.f[r] += mu * force[r];
  }
  /// Nonlinear rows: adds μ (F_q − F_q'q q') to f and μ F_q'q' to M.
  static void add_nonlinear(LawEquations& equations, Expr F, Expr mu, LawChange& change) {
    const LawChange of_row = equations.variation(F);
    for (std::size_t r = 0; r < of_row.f.size(); ++r) change.f[r] += mu * of_row.f[r];
    if (of_row.M.empty()) return;
    change.M.resize(of_row.M.size(), equations.graph().constant(0.0));
    for (std::size_t k = 0; k < of_row.M.size(); ++k) change.M[k] += mu * of_row.M[k];
  }

  std::vector<Term> mu_;  ///< one per row
};

/// Reports that the given multiplier has no effect on any row of the constraint.
void notice_ideal(Reader& reader) {
  const Constraint& constraint = reader.constraint();
  if (!std::ranges::all_of(constraint.rows, [&](Term row) { return is_of_positions(reader.model(), row); })) return;
  diag::Diagnostic notice;
  notice.kind = diag::Kind::kLawWithoutEffect;
  notice.severity = diag::Severity::kNotice;
  notice.range = reader.range();
  notice.message = "`" + constraint.name +
                   "` is of position level, where `law adiabatic` equals `law ideal`, whatever its multiplier";
  notice.hint = "a reaction that does no work and turns the motion is `law gyroscopic H = MATRIX`";
  reader.report(std::move(notice));
}

bool read_adiabatic(Reader& reader) {
  if (!reader.has_rows(kRows)) return false;
  auto mu = reader.of_rows(*reader.argument("mu"), reader.dimensions_of_mu(), "the multiplier of an adiabatic law",
                           MayHold::kMotion);
  if (!mu) return false;
  notice_ideal(reader);
  reader.builder().set_law(reader.id(), adiabatic(std::move(*mu)));
  return true;
}

}  // namespace

LawPtr adiabatic(std::vector<Term> mu) { return std::make_shared<AdiabaticLaw>(std::move(mu)); }
Kind adiabatic_kind() {
  return {.form = {"adiabatic", "reactions with a given multiplier", {{.word = "mu", .is_list = true}}},
          .read = read_adiabatic};
}

}  // namespace vinculum::reaction_laws
