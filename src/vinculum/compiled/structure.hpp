#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/equations/nonlinear_speeds.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::sim {

/// What the choice of coordinates leaves of a row, with given values of the parameters (`embedding_of_rows`).
enum class Embedding : std::uint8_t {
  kNone,      ///< a row like any other
  kGradient,  ///< no speed has a part in it, at no state: what is left of it holds or does not
  kWhole,     ///< 0 = 0: the coordinates hold it by themselves
  kIntegral,  ///< no matter of coordinates: the motion keeps it by itself, and it needs no force (Structure::integrals)
  kNotActing,  ///< of a constraint whose `when` condition is false: 0 = 0
};

/// Whether solvers leave out such a row: A u' = b is 0 = 0, or every motion satisfies it.
[[nodiscard]] inline bool is_nothing(Embedding embedding) {
  return embedding == Embedding::kWhole || embedding == Embedding::kIntegral || embedding == Embedding::kNotActing;
}

/// Whether it restricts the velocities, with or without a force.
[[nodiscard]] inline bool restricts_speeds(Embedding embedding) {
  return embedding == Embedding::kNone || embedding == Embedding::kIntegral;
}

struct RowEvidence;

/// What the coordinates leave of each row with one set of parameter values.
struct RowJudgment {
  std::vector<Embedding> embedding;             ///< [nc]
  std::shared_ptr<const RowEvidence> evidence;  ///< of `embedding`
};

/// What the equations of a model are like, known before anything is compiled: which rows lie at which level, which of
/// them depend on each other, in which order they are eliminated. Found from the graph, and at states near the start
/// with the values that the model's text declares: values set from outside change none of it.
struct Structure {
  std::shared_ptr<const model::Model> model;
  std::shared_ptr<const equations::System> system;

  std::vector<int> position_rows;        ///< rows with φ
  std::vector<int> velocity_rows;        ///< rows with ψ, but for `integrals`
  std::vector<int> integrals;            ///< rows that the motion keeps by itself (integral_rows)
  bool has_identity_kinematics = false;  ///< q' = u
  std::vector<char> gradient_varies;     ///< [nc] the row's gradient depends on t, q or u
  RowJudgment declared;                  ///< with the values that the text declares
  bool is_moved_by_multipliers = false;  ///< z' holds λ, or directions of friction
  bool forces_hold_reactions = false;    ///< C holds λ or λ_ideal
  solve::ReactionDependence dependence;  ///< of C on reactions
  std::vector<int> nonlinear;            ///< rows not linear in u'
  std::vector<int> switched;             ///< rows that act only at times (Row::acts)

  std::vector<expr::Expr> state_starts;     ///< [nz] of t and q
  std::vector<expr::Expr> start_values;     ///< [starts] right sides of the start conditions, of t and q
  std::vector<expr::Entry> start_gradient;  ///< ∂start_values/∂q

  std::vector<equations::NonlinearSpeed> nonlinear_speeds;  ///< those of the model over the others

  solve::StaticStructure structure;      ///< of all rows
  solve::StaticStructure of_ideal_rows;  ///< where others are kept by efforts
  solve::StaticStructure of_positions;   ///< of `position_rows`, in the metric
  solve::StaticStructure of_velocities;  ///< of `velocity_rows`, in the metric

  /// The masses as articulated bodies; null where they are no such tree, where M is quickly eliminated, and where rows
  /// move what has no inertia of its own.
  std::shared_ptr<const equations::ArticulatedMotion> tree;

  [[nodiscard]] int nq() const { return system->nq(); }
  [[nodiscard]] int nu() const { return system->nu(); }
  [[nodiscard]] int nc() const { return system->nc(); }
  [[nodiscard]] int nz() const { return system->nz(); }
  [[nodiscard]] int slide_size() const { return static_cast<int>(system->slide_direction.size()); }
  /// Number of quantities that projection keeps in addition to the rows: those of `conserve`, then `integrals`.
  [[nodiscard]] std::size_t level_count() const { return model->conserved.size() + integrals.size(); }
  [[nodiscard]] int effort_count() const { return static_cast<int>(system->effort.size()); }
  /// The same with equations of the same model in a graph of their own.
  [[nodiscard]] Structure with(std::shared_ptr<const equations::System> equations) const;
  /// Which rows the coordinates hold with these values; `integrals` keep their place.
  [[nodiscard]] RowJudgment judge_rows(std::span<const double> parameters) const;
  /// Whether generated code leaves out the same rows with this embedding as with the declared values.
  [[nodiscard]] bool fits(const std::vector<Embedding>& embedding) const;
  /// Whether M is solved with: where it is deferred, neither a tree without rows nor articulated bodies ask for it.
  [[nodiscard]] bool needs_mass() const;
  /// Whether accelerations are no linear problem: C holds reactions, or a row is not linear in u'.
  [[nodiscard]] bool is_implicit() const { return has_reaction_forces() || system->has_nonlinear_rows; }
  /// Whether forces depend on reactions, or on what friction contacts do.
  [[nodiscard]] bool has_reaction_forces() const { return system->has_implicit_nonideal || !system->slides.empty(); }
  /// Whether there is friction, and none of its bounds, nor any other force, depends on reactions.
  [[nodiscard]] bool has_given_friction() const { return !system->slides.empty() && !forces_hold_reactions; }
  /// Whether accelerations are a function of the state that can be written out: nothing sticks, no branch is followed.
  [[nodiscard]] bool can_write_accelerations() const;
  /// How messages name a row: "parallel", "roll[2]".
  [[nodiscard]] std::string row_name(int row) const;
  /// How messages name a speed: "u1", "q1'".
  [[nodiscard]] const std::string& speed_name(int speed) const;
  /// SI unit of a row at a level, with a space before it: " m/s^2"; empty for a model without units.
  [[nodiscard]] std::string row_unit(int row, model::Level level) const;
};

inline void append(std::vector<expr::Expr>& all, std::span<const expr::Expr> more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// t, q, u, z.
[[nodiscard]] std::vector<expr::Expr> state_symbols(const equations::System& system);
/// t, q, u, z, s: what kernels of the motion are functions of, s the directions of friction.
[[nodiscard]] std::vector<expr::Expr> motion_symbols(const equations::System& system);

/// The equations of a model, those of constraints of higher order among them.
/// \returns as `equations::derive` and `reaction_laws::close`; kNotUnique for laws that cannot be solved together.
[[nodiscard]] Outcome<std::shared_ptr<equations::System>> derive_all(std::shared_ptr<const model::Model> model,
                                                                     std::span<equations::HeldForce> held = {});

/// \param seed  of the states at which it is found.  \returns kNonFinite where no state near the start has finite
/// equations.
[[nodiscard]] Outcome<Structure> analyse(std::shared_ptr<const equations::System> system, unsigned seed);

}  // namespace vinculum::sim
