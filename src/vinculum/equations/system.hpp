#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/equations/deferred.hpp"
#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/sparse_row.hpp"
#include "vinculum/model/law_equations.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::equations {

class Lowering;

/// One scalar constraint equation in the form that the solvers use.
struct Row {
  model::ConstraintId constraint;
  int index = 0;  ///< index of the row within that constraint, from 0
  model::Level level{};
  expr::Expr phi;         ///< the relation φ(q,t); only for position level
  expr::Expr psi;         ///< φ', or the relation ψ(q,u,t); only for position and velocity level
  expr::SparseRow A;      ///< [nu] (∂φ/∂q) G, ∂ψ/∂u or ∂χ/∂u', by the level
  expr::Expr b;           ///< right-hand side of A u' = b
  expr::SparseRow phi_q;  ///< [nq] ∂φ/∂q; only for position level
  /// For a relation φ(q, z, t) that contains states: φ, φ', … up to the derivative before the first one that depends on
  /// u, which is ψ. These conditions on q and z are 0 along the motion (theory.md §6.10).
  std::vector<expr::Expr> conditions = {};
  /// Valid if χ(q,u,u',t) is not linear in u'; then A = ∂χ/∂u' and b = A u' − χ depend on u'.
  expr::Expr chi = {};
  /// Valid for a constraint with a `when` clause: 1 while its condition is true, else 0. A, b, φ and ψ are 0 then
  expr::Expr acts = {};
  struct Relation {
    expr::SparseRow A, phi_q;
    expr::Expr b, phi, psi;
  };
  Relation while_acting = {};  ///< if `acts` is valid: A, b, φ and ψ without the condition
};

/// Residual of the relation as stated, without accelerations. Invalid for an acceleration-level row.
[[nodiscard]] inline expr::Expr relation_of(const Row& row) {
  if (!row.conditions.empty()) return row.conditions.front();
  return row.level == model::Level::kPosition ? row.phi : row.psi;
}

/// A servo constraint: it is enforced by forces Qc = Γᵀe of actuators along given directions, not along the directions
/// of its rows (theory.md §6.9).
struct DirectedReaction {
  model::ConstraintId constraint;
  int first_row = 0, row_count = 0;            ///< the constraint's rows in System::rows
  int first_effort = 0;                        ///< index of its first effort in System::effort
  std::vector<std::vector<expr::Expr>> Gamma;  ///< [actuators][nu] generalized force of one unit of effort
  std::vector<double> scale;                   ///< [actuators] typical effort of each actuator, > 0
};

/// Contribution of a reaction law to M and f. M and f of the System already include it.
using model::LawChange;

/// A friction contact (model::Slide). C, or f for a load, contains its direction s, which equals v/|v| while the
/// sliding velocity v is not 0.
struct Slide {
  model::ConstraintId constraint;         ///< invalid for a load
  int first = 0, count = 0;               ///< its components in System::slide_direction
  std::vector<expr::Expr> velocity = {};  ///< [count] sliding velocity v, function of t, q, u
  expr::Expr static_ratio = {};           ///< largest |s| in stick, function of t, q, u, z
  /// Friction bound g in ∂(C + f)/∂s = −g Jᵀ with J = ∂v/∂u, as a function of t, q, u, z. Invalid if g depends on
  /// reactions
  expr::Expr bound = {};
  /// Coefficient as stated, which must be ≥ 0, function of t, q, u, z; invalid if none is stated
  expr::Expr coefficient = {};
};

/// Equations of a model with constraints of higher order (theory.md §6.5): a linear system J x = r for the highest
/// derivatives x at a state (t, q, u, z). Here z also contains those derivatives of speeds and multipliers that are
/// states. The module higher_order writes this structure.
struct HigherOrder {
  /// One unknown function of time. All its derivatives below `order` are part of the state.
  struct Unknown {
    enum class Kind { kCoordinate, kMultiplier, kState, kMu } kind{};
    int index = 0;  ///< index of the speed, row, state or μ
    /// order of the highest derivative. For a speed it is counted from the coordinate, so u' has order 2
    int order = 0;
    std::string name;  ///< name of that derivative: "x'''", "mu(c)''"
  };
  /// One equation, which is differentiated `times` times.
  struct Equation {
    enum class Kind { kMotion, kRow, kState, kConstraint } kind{};
    int index = 0;  ///< index of the speed, row, state or μ
    int times = 0;
    std::string name;  ///< name of the equation, "the equation of motion of x" or "constraint `c`"
  };
  std::vector<Unknown> unknowns;                      ///< [n] the unknowns of J x = r
  std::vector<Equation> equations;                    ///< [n] the equations of J x = r
  std::vector<model::ConstraintId> constraint_of_mu;  ///< [number of μ] constraint of each multiplier μ
  std::vector<int> row_of_mu;                         ///< [number of μ] row of that constraint
  std::vector<expr::Expr> top;                        ///< [n] symbols of the highest derivatives
  std::vector<expr::Expr> J, r;                       ///< [n×n] by rows, [n]: functions of t, q, u, z
  /// Positions of u', z' and λ: an index into (q, u, z), or −1 − k for entry k of `top`
  std::vector<int> u_dot, z_dot, lambda;  ///< lengths [nu], [nz] and [rows]
  std::vector<expr::Expr> hidden;  ///< conditions on a state: each equation, differentiated 0 to `times` − 1 times
  std::vector<int> equation_of_hidden, times_of_hidden;
  /// [hidden × (nu + nu + nz)] by rows: derivatives of the conditions with respect to displacements along the speeds (q
  /// changes by G w), to u, and to z
  std::vector<expr::Expr> hidden_gradient;
  /// [number of μ] relations F of the constraints, functions of the state and the highest derivatives
  std::vector<expr::Expr> F;
  /// [constraints][nu] reactions, functions of the state and the highest derivatives; zeros for other laws
  std::vector<std::vector<expr::Expr>> R;
  std::vector<expr::Expr> energy;  ///< [constraints] contribution to the effective energy
  /// [2 … 2p][nq] q'', q''', … Entries are 0 beyond the derivatives that the structure uses
  std::vector<std::vector<expr::Expr>> path;
  std::vector<std::vector<expr::Expr>> mu_path;  ///< [number of μ][p + 1] μ, μ', …, μ^(p)
  std::vector<expr::Expr> not_known;  ///< symbols for derivatives of speeds that are neither states nor unknowns
  /// [2 … 2p][nq][nz] derivatives by z of those `rates` that are valid
  std::vector<std::vector<std::vector<expr::Expr>>> rate_gradients;
  /// [2 … 2p][nq] q'', q''', … as functions of the state; invalid if they depend on the highest derivatives
  std::vector<std::vector<expr::Expr>> rates;
};

/// Expressions that an event of the model evaluates (model::Event, in the order of its members).
struct EventForms {
  expr::Expr condition;            ///< invalid for a timed event
  expr::Expr time;                 ///< [s] expression of parameters; invalid for an event that is not timed
  std::vector<expr::Expr> values;  ///< [actions] new values; invalid for actions that set nothing
};

/// Equations of motion as one expression graph, in the notation of theory.md §0:
///
///   q' = G u + g,   M u' = f + C + Aᵀλ + Γᵀe,   A u' = b,   z' = z_dot
///
/// λ belongs to the rows of ideal laws, e to the servo constraints. All entries are expressions of t, q, u, z and the
/// parameters; reports may also use u', λ, λ_ideal and s as symbols. Constraints with a penalty realization (theory.md
/// §6.8) have no rows here. If multipliers μ are states (Law::mu), the constraint has rows: their λ gives μ', and
/// `changes` contains the terms with μ.
struct System {
  std::shared_ptr<const model::Model> model;
  std::shared_ptr<expr::Graph> graph;

  // symbols
  expr::Expr t;
  std::vector<expr::Expr> q, u, u_dot;
  std::vector<expr::Expr> parameters;
  /// [rows] multipliers λ and their ideal parts λ_ideal, one of each per entry of `rows`
  std::vector<expr::Expr> lambda, lambda_ideal;
  std::vector<expr::Expr> effort;  ///< efforts of all servo constraints, one after the other
  /// [SystemVector][nu] Vectors of theory.md §4.4, one after another. Used only by reports; empty if no term uses them
  std::vector<expr::Expr> vectors;

  std::vector<expr::Expr> q_dot;   ///< [nq] q' = G u + g
  std::vector<expr::SparseRow> G;  ///< [nq][nu] G in q' = G u + g
  std::vector<expr::Expr> g;       ///< [nq] g in q' = G u + g
  Deferred M;                      ///< [nu×nu] mass matrix, row by row
  std::vector<expr::Expr> f;       ///< [nu] without C; also depends on s if loads are dry friction
  std::vector<expr::Expr> C;       ///< [nu] contribution of the `nonideal` clauses; zeros if there are none
  std::vector<Row> rows;
  bool has_nonideal = false;
  std::vector<DirectedReaction> directed;
  std::vector<Slide> slides;
  std::vector<expr::Expr> slide_direction;  ///< symbols s of all friction contacts, one after the other
  std::vector<EventForms> events;           ///< expressions of the events, in the order of Model::events
  std::vector<expr::Expr> z, z_dot;  ///< [nz] extra states, and their rates as functions of t, q, u, z and the actual λ
  /// [nz] names of the states of the model, then of derivatives that are states (`higher`)
  std::vector<std::string> z_names;
  std::vector<Dimension> z_dimensions;  ///< [nz] dimension of each state
  std::vector<LawChange> changes;       ///< contributions of those reaction laws that add to M or f
  /// M and f without contributions of laws whose constraints have rows. They determine the motion without these
  /// constraints. Empty if they equal M and f
  std::vector<expr::Expr> given_M, given_f;
  bool has_indefinite_mass = false;  ///< M contains a law's contribution that is symmetric but perhaps not positive
  Deferred metric;  ///< [nu×nu] metric of the projections: M without the contributions that may be not positive
  /// Equations of the constraints of higher order, if any; these constraints have no entries in `rows`
  std::shared_ptr<const HigherOrder> higher;
  /// C depends on s, λ or λ_ideal, for example by friction that depends on the actual normal force
  bool has_implicit_nonideal = false;
  bool has_nonlinear_rows = false;  ///< χ of some row is not linear in u' (Row::chi, theory.md §3.4)
  /// Indices of the four coordinates of each quaternion, whose norm has no physical meaning
  std::vector<std::array<int, 4>> quaternions;

  std::shared_ptr<Lowering> lowering;  ///< cache of `lower` and related functions; shared by copies of the System

  [[nodiscard]] int nq() const { return static_cast<int>(q.size()); }
  [[nodiscard]] int nu() const { return static_cast<int>(u.size()); }
  [[nodiscard]] int nc() const { return static_cast<int>(rows.size()); }
  [[nodiscard]] int nz() const { return static_cast<int>(z.size()); }
  /// Symbols of the highest derivatives, which are solved for together; empty if there are no constraints of higher
  /// order.
  [[nodiscard]] std::span<const expr::Expr> top() const {
    return higher ? std::span<const expr::Expr>(higher->top) : std::span<const expr::Expr>();
  }
};

}  // namespace vinculum::equations
