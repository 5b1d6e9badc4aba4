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

/// Whether a constraint row restricts the motion, or is satisfied identically by the choice of coordinates or for
/// another reason, for given parameter values (`embedding_of_rows`).
enum class Embedding : std::uint8_t {
  kNone,       ///< an ordinary row
  kGradient,   ///< the gradient A is identically zero, so that no speed affects whether the row is satisfied
  kWhole,      ///< the row is identically satisfied: 0 = 0
  kIntegral,   ///< the row is an integral of the motion and needs no force (Structure::integrals)
  kNotActing,  ///< the `when` condition of the constraint is false: 0 = 0
};

/// True if solvers leave the row out, because A u' = b is 0 = 0 or every motion satisfies it.
[[nodiscard]] inline bool is_nothing(Embedding embedding) {
  return embedding == Embedding::kWhole || embedding == Embedding::kIntegral || embedding == Embedding::kNotActing;
}

/// True if the row restricts the velocities, with or without a force.
[[nodiscard]] inline bool restricts_speeds(Embedding embedding) {
  return embedding == Embedding::kNone || embedding == Embedding::kIntegral;
}

struct RowEvidence;

/// Embedding of each row for one set of parameter values.
struct RowJudgment {
  std::vector<Embedding> embedding;             ///< [nc] embedding of each row
  std::shared_ptr<const RowEvidence> evidence;  ///< evidence for `embedding`
};

/// Structure of the equations of a model, as far as it is known before compilation: the level of each row, which rows
/// depend on each other, the order of elimination. It follows from the expressions, and from their values at states
/// near the start with the parameter values that the model text declares. Values set later do not change it.
struct Structure {
  std::shared_ptr<const model::Model> model;
  std::shared_ptr<const equations::System> system;

  std::vector<int> position_rows;        ///< indices of the rows with φ
  std::vector<int> velocity_rows;        ///< indices of the rows with ψ, except `integrals`
  std::vector<int> integrals;            ///< indices of the rows that are integrals of the motion
  bool has_identity_kinematics = false;  ///< q' = u
  std::vector<char> gradient_varies;     ///< [nc] 1 if the gradient of the row depends on t, q or u
  RowJudgment declared;                  ///< embedding of the rows for the values that the text declares
  bool is_moved_by_multipliers = false;  ///< whether z' depends on λ or on friction directions
  bool forces_hold_reactions = false;    ///< whether C depends on λ or λ_ideal
  solve::ReactionDependence dependence;  ///< dependence of C on reactions
  std::vector<int> nonlinear;            ///< rows not linear in u'
  std::vector<int> switched;             ///< rows that act only under a condition (Row::acts)

  std::vector<expr::Expr> state_starts;     ///< [nz] functions of t and q
  std::vector<expr::Expr> start_values;     ///< [starts] right-hand sides of the start conditions, functions of t and q
  std::vector<expr::Entry> start_gradient;  ///< ∂start_values/∂q

  /// Nonlinear speeds of the model as functions of the others.
  std::vector<equations::NonlinearSpeed> nonlinear_speeds;

  solve::StaticStructure structure;      ///< structure of all rows, for the generated solver
  solve::StaticStructure of_ideal_rows;  ///< structure of the rows of ideal law, if other rows are servo constraints
  solve::StaticStructure of_positions;   ///< structure of `position_rows`, with the metric as mass matrix
  solve::StaticStructure of_velocities;  ///< structure of `velocity_rows`, with the metric as mass matrix

  /// The masses as articulated bodies. Null if they are not a suitable tree, if the elimination of M takes few
  /// operations, or if rows act on speeds without inertia of their own.
  std::shared_ptr<const equations::ArticulatedMotion> tree;

  [[nodiscard]] int nq() const { return system->nq(); }
  [[nodiscard]] int nu() const { return system->nu(); }
  [[nodiscard]] int nc() const { return system->nc(); }
  [[nodiscard]] int nz() const { return system->nz(); }
  [[nodiscard]] int slide_size() const { return static_cast<int>(system->slide_direction.size()); }
  /// Number of quantities that projection can enforce in addition to the rows: those of `conserve`, then `integrals`.
  [[nodiscard]] std::size_t level_count() const { return model->conserved.size() + integrals.size(); }
  [[nodiscard]] int effort_count() const { return static_cast<int>(system->effort.size()); }
  /// This structure with equations of the same model that were derived in another graph.
  [[nodiscard]] Structure with(std::shared_ptr<const equations::System> equations) const;
  /// Embedding of the rows for these parameter values; rows in `integrals` stay kIntegral.
  [[nodiscard]] RowJudgment judge_rows(std::span<const double> parameters) const;
  /// True if the generated code is valid for this embedding: it leaves out the same rows as for the declared values.
  [[nodiscard]] bool fits(const std::vector<Embedding>& embedding) const;
  /// True if M is used to solve for accelerations. A deferred M is used only if there are rows and no articulated
  /// bodies (`tree`).
  [[nodiscard]] bool needs_mass() const;
  /// True if accelerations are not a linear problem: C depends on reactions, or a row is not linear in u'.
  [[nodiscard]] bool is_implicit() const { return has_reaction_forces() || system->has_nonlinear_rows; }
  /// True if forces depend on reactions or on the state of friction contacts.
  [[nodiscard]] bool has_reaction_forces() const { return system->has_implicit_nonideal || !system->slides.empty(); }
  /// True if there is friction, and neither friction bounds nor other forces depend on reactions.
  [[nodiscard]] bool has_given_friction() const { return !system->slides.empty() && !forces_hold_reactions; }
  /// True if accelerations can be written as code that depends on the state alone, not on sticking contacts or on a
  /// branch of accelerations.
  [[nodiscard]] bool can_write_accelerations() const;
  /// Name of a row in messages: "parallel", "roll[2]".
  [[nodiscard]] std::string row_name(int row) const;
  /// Name of a speed in messages: "u1", "q1'".
  [[nodiscard]] const std::string& speed_name(int speed) const;
  /// SI unit of a row at a level, with a leading space: " m/s^2"; empty for a model without units.
  [[nodiscard]] std::string row_unit(int row, model::Level level) const;
};

inline void append(std::vector<expr::Expr>& all, std::span<const expr::Expr> more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The symbols t, q, u, z.
[[nodiscard]] std::vector<expr::Expr> state_symbols(const equations::System& system);
/// The symbols t, q, u, z, s, which are the inputs of motion kernels; s are the friction directions.
[[nodiscard]] std::vector<expr::Expr> motion_symbols(const equations::System& system);

/// Derives the equations of a model, including the equations of constraints of higher order.
/// \returns failures of `equations::derive` and `reaction_laws::close`; kNotUnique for laws that cannot be combined.
[[nodiscard]] Outcome<std::shared_ptr<equations::System>> derive_all(std::shared_ptr<const model::Model> model,
                                                                     std::span<equations::HeldForce> held = {});

/// Analyzes the structure of a system.
/// \param seed  seed of the random states.  \returns kNonFinite if the equations are finite at no state near the start.
[[nodiscard]] Outcome<Structure> analyse(std::shared_ptr<const equations::System> system, unsigned seed);

}  // namespace vinculum::sim
