#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/equations/chain_motion.hpp"
#include "vinculum/equations/rate_space.hpp"
#include "vinculum/equations/sampling.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/verify/invariants/values_at_states.hpp"

/// Tests that decide whether a quantity is an invariant.
namespace vinculum::sim::invariants {

/// One summand of the rate of a quantity.
struct Contribution {
  std::string if_not_zero;  ///< reason to report if the value is not zero: "force on P works"
  expr::Expr value;         ///< expression in the symbols of a report: t, q, u, z, u', λ, λ_ideal, efforts
  bool jumps = false;  ///< the contribution is also nonzero at isolated instants (jumps), which `value` does not show
};

struct Verdict {
  bool holds = false;
  std::vector<std::string> reasons;  ///< contributions that are not zero, if `holds` is false
  bool is_balance = false;           ///< contributions are not zero, but their sum is
  bool is_by_form = false;           ///< every contribution is 0 by its form; no state was evaluated
};

/// Evaluates expressions of a System at random states on the constraints, with the accelerations and reactions there.
class Probe {
 public:
  /// \param system  System of the same model; nodes are added to its graph.
  Probe(const Binding& bound, equations::System& system);

  [[nodiscard]] bool is_able() const { return samples_.size() >= 2; }
  /// Whether no matrix of the equations has branches.
  [[nodiscard]] bool is_analytic_model();
  /// Returns the total derivative of `value` along the equations of motion.
  [[nodiscard]] expr::Expr rate(expr::Expr value) const;
  /// Whether a function of the state is 0 at all sampled states, relative to the magnitude of the terms of its total
  /// derivative.
  [[nodiscard]] bool vanishes(expr::Expr value) const;
  /// Whether the total derivative of `value` is 0 relative to its summands ∂/∂x x', with x the components of the state.
  /// Only states are used at which no exponential of the equations has underflowed; nullopt if there is no such state.
  [[nodiscard]] std::optional<bool> is_constant(expr::Expr value) const;
  /// Whether `value` differs from one of `others` only by a factor or a constant.
  [[nodiscard]] bool is_among(expr::Expr value, const std::vector<expr::Expr>& others) const;

  /// Contributions to d/dt (q'·∂L/∂q' − L) = Σ Q·q' − ∂L/∂t, one per cause.
  [[nodiscard]] std::vector<Contribution> powers();
  /// Contributions to d/dt ∂L/∂q' = ∂L/∂q + Σ Q, along one coordinate q, one per cause.
  [[nodiscard]] std::vector<Contribution> forces_along(model::CoordinateId coordinate);
  /// Whether the rows of a constraint are homogeneous in the velocities, of any degree.
  [[nodiscard]] bool is_homogeneous(model::ConstraintId constraint) const;
  /// Whether a function is 0 by its form.
  [[nodiscard]] bool is_zero_by_form(expr::Expr value) const;
  /// Whether a function that is linear in the velocities is 0 for all velocities that the constraint rows permit.
  [[nodiscard]] bool is_held_at_zero(expr::Expr value) const;
  [[nodiscard]] Contribution& of_constraint(std::vector<Contribution>& powers, model::ConstraintId constraint) const;
  /// Evaluates all given contributions in one pass. Must precede the verdicts that need them.
  void look_at(const std::vector<std::vector<Contribution>>& parts);
  [[nodiscard]] Verdict judge_powers(const std::vector<Contribution>& parts) { return judge(parts, power_sizes_); }
  [[nodiscard]] Verdict judge_forces(const std::vector<Contribution>& parts, model::CoordinateId along) {
    return judge(parts, sizes(along));
  }

 private:
  /// Generalized forces along the speeds of one load (without potentials) or constraint.
  struct Force {
    std::string name;
    std::vector<expr::Expr> Q;
    std::optional<model::ConstraintId> constraint;
  };
  void find_forces();
  void add_states_near_the_start(Dynamics& dynamics);
  /// A state with its accelerations and reactions.
  struct Known {
    Sample sample;
    Vector noise;  ///< [nu] change of u' caused by rounding errors of the state
  };
  [[nodiscard]] static std::optional<Known> known(Dynamics& dynamics, double t, Vector y);
  void add(Dynamics& dynamics, double t, Vector y);
  /// Whether Σ ∂/∂x x' is 0 relative to its summands, with x the components of the state.
  [[nodiscard]] bool is_stationary(const std::vector<expr::Expr>& gradient, const Sample& sample,
                                   const Vector& noise) const;
  /// Returns all expressions that determine the motion.
  [[nodiscard]] std::vector<expr::Expr> equations() const;
  [[nodiscard]] std::vector<double> numbers_of(const Sample& sample) const;
  [[nodiscard]] static bool vanishes_at_states(const ValuesAtStates::Known& value, const std::vector<double>& sizes,
                                               bool are_exact);
  /// Whether A·u = k ψ follows from the form of the row, for some degree k (Euler's theorem), and no point or frame
  /// moves due to time alone. Then A·u = 0 at all states that satisfy the row.
  [[nodiscard]] bool is_homogeneous(const equations::Row& row) const;
  /// Returns the power λ A·q' of ideal rows at states on the constraints. It is −λ φ_t for a position row, and λ (A·q'
  /// − ψ) for a velocity row, which is 0 at every state if the row is homogeneous.
  [[nodiscard]] expr::Expr ideal_power(model::ConstraintId constraint, const std::vector<expr::Expr>& along) const;
  [[nodiscard]] std::vector<double> at(const Sample& sample, std::span<const expr::Expr> values) const;
  /// [samples] Σ |Q_r w_r| over all forces and f. w is u, or the components of ∂q'/∂u for the one given coordinate.
  [[nodiscard]] std::vector<double> sizes(std::optional<model::CoordinateId> along);
  /// Whether an expression that is 0 at some states is 0 everywhere. It must have no branches. If it contains
  /// reactions, the equations must have no branches either, since a branch may cause an impulse.
  [[nodiscard]] bool is_same_everywhere(expr::Expr value) {
    return equations::is_analytic(value) && (!values_->of(value).is_of_reactions || is_analytic_model());
  }
  /// Whether states are exact up to their last digits, because no constraints require a projection.
  [[nodiscard]] bool is_free() const { return system_.rows.empty() && !system_.higher && system_.slides.empty(); }
  [[nodiscard]] Verdict judge(const std::vector<Contribution>& parts, const std::vector<double>& sizes);

  const Binding& bound_;
  const model::Model& model_;
  equations::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<Sample> samples_;
  std::optional<ValuesAtStates> values_;  ///< values at the samples
  std::vector<Vector> noise_;             ///< [samples] `Known::noise`
  std::vector<Known> resting_;            ///< states at rest, at which inertia terms are zero and do not mask forces
  std::vector<char> is_awake_;            ///< [samples] whether no exponential of the equations has underflowed
  std::vector<double> power_sizes_;       ///< [samples] Σ of the magnitudes of all powers [W]
  std::vector<Force> forces_;
  std::vector<std::vector<double>> forces_at_states_;  ///< [samples] f and all forces, for each speed in turn
  equations::RateSpace rates_;
  /// Derivatives of the kinetic energy T, and of the potential or Lagrangian of each load, with the sign that they have
  /// in L.
  struct Slope {
    std::string name;
    bool is_lagrangian = false;
    expr::Expr by_time;
    std::vector<expr::Expr> by_place;
    bool jumps_in_time = false;
  };
  [[nodiscard]] const std::vector<Slope>& slopes();
  std::vector<Slope> slopes_;
  std::optional<bool> is_analytic_;
};

}  // namespace vinculum::sim::invariants
