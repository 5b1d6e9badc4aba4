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

/// By what invariants are told from other quantities.
namespace vinculum::sim::invariants {

/// One summand of a rate.
struct Contribution {
  std::string if_not_zero;  ///< "force on P works"
  expr::Expr value;         ///< of everything a report knows: t, q, u, z, u', λ, λ_ideal, efforts
  bool jumps = false;       ///< it is not zero at instants that `value` does not tell
};

struct Verdict {
  bool holds = false;
  std::vector<std::string> reasons;  ///< where it does not
  bool is_balance = false;           ///< of parts each of which does something
  bool is_by_form = false;           ///< every part is 0 by its form: no state was asked
};

/// Expressions of a System at random states on the constraints, with the accelerations and reactions that go with them.
class Probe {
 public:
  /// \param system  of the same model; its graph grows.
  Probe(const Binding& bound, equations::System& system);

  [[nodiscard]] bool is_able() const { return samples_.size() >= 2; }
  /// Whether no matrix of the equations has branches.
  [[nodiscard]] bool is_analytic_model();
  /// Total derivative along the equations of motion.
  [[nodiscard]] expr::Expr rate(expr::Expr value) const;
  /// Whether a function of the state vanishes at all states, against the size of its own terms in a total derivative.
  [[nodiscard]] bool vanishes(expr::Expr value) const;
  /// Whether the total derivative vanishes against its summands ∂/∂x x', at the states where no exponential of the
  /// equations is asleep; nothing where there is no such state.
  [[nodiscard]] std::optional<bool> is_constant(expr::Expr value) const;
  /// Whether it differs from one of these by a factor or a constant alone.
  [[nodiscard]] bool is_among(expr::Expr value, const std::vector<expr::Expr>& others) const;

  /// d/dt (q'·∂L/∂q' − L) = Σ Q·q' − ∂L/∂t, by who does it.
  [[nodiscard]] std::vector<Contribution> powers();
  /// d/dt ∂L/∂q' = ∂L/∂q + Σ Q along q, likewise.
  [[nodiscard]] std::vector<Contribution> forces_along(model::CoordinateId coordinate);
  /// Whether the rows of a constraint are homogeneous in the velocities, of any degree.
  [[nodiscard]] bool is_homogeneous(model::ConstraintId constraint) const;
  /// Whether a function vanishes by its form.
  [[nodiscard]] bool is_zero_by_form(expr::Expr value) const;
  /// Whether a function that is linear in the velocities vanishes for all velocities that the rows admit.
  [[nodiscard]] bool is_held_at_zero(expr::Expr value) const;
  [[nodiscard]] Contribution& of_constraint(std::vector<Contribution>& powers, model::ConstraintId constraint) const;
  /// Looks at all of these in one pass, for verdicts to come.
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
    Vector noise;  ///< [nu] of u': by what it differs where the state differs by rounding
  };
  [[nodiscard]] static std::optional<Known> known(Dynamics& dynamics, double t, Vector y);
  void add(Dynamics& dynamics, double t, Vector y);
  /// Whether ∂/∂x x' adds up to nothing beside its summands.
  [[nodiscard]] bool is_stationary(const std::vector<expr::Expr>& gradient, const Sample& sample,
                                   const Vector& noise) const;
  /// Everything that the motion follows from.
  [[nodiscard]] std::vector<expr::Expr> equations() const;
  [[nodiscard]] std::vector<double> numbers_of(const Sample& sample) const;
  [[nodiscard]] static bool vanishes_at_states(const ValuesAtStates::Known& value, const std::vector<double>& sizes,
                                               bool are_exact);
  /// Whether A·u = k ψ by its form, of some degree k, where nothing moves by the time alone (Euler): then A·u = 0
  /// wherever the row holds.
  [[nodiscard]] bool is_homogeneous(const equations::Row& row) const;
  /// λ A·q' of ideal rows, on the constraints: −λ φ_t, and λ (A·q' − ψ), which needs no motion to vanish where a row is
  /// homogeneous.
  [[nodiscard]] expr::Expr ideal_power(model::ConstraintId constraint, const std::vector<expr::Expr>& along) const;
  [[nodiscard]] std::vector<double> at(const Sample& sample, std::span<const expr::Expr> values) const;
  /// [samples] of Σ |Q_r w_r| over all forces and f, with w = u or what ∂q'/∂u has of one coordinate.
  [[nodiscard]] std::vector<double> sizes(std::optional<model::CoordinateId> along);
  /// Whether what holds at some states holds at all: of reactions the equations tell, which give impulses where they
  /// turn.
  [[nodiscard]] bool is_same_everywhere(expr::Expr value) {
    return equations::is_analytic(value) && (!values_->of(value).is_of_reactions || is_analytic_model());
  }
  /// Whether states have no error but their last places: no constraints that they are projected onto.
  [[nodiscard]] bool is_free() const { return system_.rows.empty() && !system_.higher && system_.slides.empty(); }
  [[nodiscard]] Verdict judge(const std::vector<Contribution>& parts, const std::vector<double>& sizes);

  const Binding& bound_;
  const model::Model& model_;
  equations::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<Sample> samples_;
  std::optional<ValuesAtStates> values_;  ///< at the samples
  std::vector<Vector> noise_;             ///< [samples]
  std::vector<Known> resting_;            ///< states at rest, where inertia hides nothing of what forces do
  std::vector<char> is_awake_;            ///< [samples] whether no exponential of the equations is saturated there
  std::vector<double> power_sizes_;       ///< [samples] [W]
  std::vector<Force> forces_;
  std::vector<std::vector<double>> forces_at_states_;  ///< [samples] f and all forces, speed by speed
  equations::RateSpace rates_;
  /// Slope of T and of the potential or Lagrangian function of each load, all signed as in L.
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
