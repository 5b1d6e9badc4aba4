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

/// One scalar constraint as the solver sees it.
struct Row {
  model::ConstraintId constraint;
  int index = 0;  ///< row of that constraint, from 0
  model::Level level{};
  expr::Expr phi;         ///< φ(q,t): position level only
  expr::Expr psi;         ///< φ' or ψ(q,u,t): position and velocity level
  expr::SparseRow A;      ///< [nu]  (∂φ/∂q) G, ∂ψ/∂u or ∂χ/∂u'
  expr::Expr b;           ///< A u' = b
  expr::SparseRow phi_q;  ///< [nq] ∂φ/∂q: position level only
  /// For a relation φ(q, z, t) with states: its derivatives φ, φ', … below the one that is the row ψ, free of u
  /// (theory.md §6.10). They are conditions on q and z, 0 along the motion.
  std::vector<expr::Expr> conditions = {};
  expr::Expr chi = {};  ///< valid where χ(q,u,u',t) is not linear in u': A = ∂χ/∂u' and b = A u' − χ then hold u'
  /// Valid for a constraint with a `when` clause: 1 while its condition is true, else 0, as A, b, φ and ψ are then.
  expr::Expr acts = {};
  struct Relation {
    expr::SparseRow A, phi_q;
    expr::Expr b, phi, psi;
  };
  Relation while_acting = {};  ///< with `acts`: the same without the condition
};

/// Residual of the relation as stated, free of accelerations; not valid for a row of acceleration level.
[[nodiscard]] inline expr::Expr relation_of(const Row& row) {
  if (!row.conditions.empty()) return row.conditions.front();
  return row.level == model::Level::kPosition ? row.phi : row.psi;
}

/// A constraint kept by forces along given directions instead of its own (theory.md §6.9): Qc = Γᵀ e.
struct DirectedReaction {
  model::ConstraintId constraint;
  int first_row = 0, row_count = 0;            ///< in System::rows
  int first_effort = 0;                        ///< in System::effort
  std::vector<std::vector<expr::Expr>> Gamma;  ///< [actuators][nu] generalized force of one unit of effort
  std::vector<double> scale;                   ///< [actuators] > 0
};

/// What the law of a constraint has added to M and f, which hold it.
using model::LawChange;

/// A friction contact (model::Slide): C, or f of a load, holds s, which stands for v/|v| while v is not 0.
struct Slide {
  model::ConstraintId constraint;         ///< not valid for a load
  int first = 0, count = 0;               ///< components in System::slide_direction
  std::vector<expr::Expr> velocity = {};  ///< [count] v, of t, q, u
  expr::Expr static_ratio = {};           ///< of t, q, u, z: |s| ≤ static_ratio at rest
  /// g of ∂(C + f)/∂s = −g Jᵀ, J = ∂v/∂u, where that holds no reactions: of t, q, u, z. Not valid else.
  expr::Expr bound = {};
  expr::Expr coefficient = {};  ///< stated one, to be ≥ 0: of t, q, u, z. Not valid: none
};

/// Highest derivatives of a model with constraints of higher order (theory.md §6.5): unknowns of J x = r at a state (t,
/// q, u, z), where z holds derivatives of speeds and of multipliers as well. Written by higher_order.
struct HigherOrder {
  /// One unknown function of the time; the state is what is below its derivative `order`.
  struct Unknown {
    enum class Kind { kCoordinate, kMultiplier, kState, kMu } kind{};
    int index = 0;     ///< speed, row, state, or number of the μ
    int order = 0;     ///< of the highest derivative; of a speed, whose coordinate counts: u' has 2
    std::string name;  ///< of that derivative: "x'''", "mu(c)''"
  };
  /// One equation, to be differentiated `times`.
  struct Equation {
    enum class Kind { kMotion, kRow, kState, kConstraint } kind{};
    int index = 0;  ///< speed, row, state, or number of the μ
    int times = 0;
    std::string name;  ///< "the equation of motion of x", "constraint `c`"
  };
  std::vector<Unknown> unknowns;                      ///< [n]
  std::vector<Equation> equations;                    ///< [n]
  std::vector<model::ConstraintId> constraint_of_mu;  ///< [number of μ]
  std::vector<int> row_of_mu;                         ///< [number of μ] row of that constraint
  std::vector<expr::Expr> top;                        ///< [n] symbols of the highest derivatives
  std::vector<expr::Expr> J, r;                       ///< [n×n] row by row, [n]: of t, q, u, z
  /// Where u', z' and λ are found: a component of (q, u, z), or −1 − k for the highest derivative k.
  std::vector<int> u_dot, z_dot, lambda;  ///< [nu], [nz], [rows]
  std::vector<expr::Expr> hidden;  ///< what a state satisfies: equations with fewer than their `times` derivatives
  std::vector<int> equation_of_hidden, times_of_hidden;
  std::vector<expr::Expr> hidden_gradient;  ///< [hidden × (nu + nu + nz)] row by row, by motions G du of q, by u and z
  std::vector<expr::Expr> F;                ///< [number of μ] of state and highest derivatives
  std::vector<std::vector<expr::Expr>> R;   ///< [constraints][nu] reactions, of state and highest derivatives; zeros
  std::vector<expr::Expr> energy;           ///< [constraints] share of the effective energy
  std::vector<std::vector<expr::Expr>> path;     ///< [2 … 2p][nq] q'', q''', …; 0 beyond what the structure asks for
  std::vector<std::vector<expr::Expr>> mu_path;  ///< [number of μ][p + 1] μ, μ', …, μ^(p)
  std::vector<expr::Expr> not_known;             ///< symbols of derivatives of speeds that are neither
  std::vector<std::vector<std::vector<expr::Expr>>> rate_gradients;  ///< [2 … 2p][nq][nz] by z, of the valid ones
  std::vector<std::vector<expr::Expr>>
      rates;  ///< [2 … 2p][nq] q'', q''', … of state; not valid where they hold what is none
};

/// Equations of motion as one expression graph, in the letters of theory.md §0:
///
///   q' = G u + g,   M u' = f + C + Aᵀλ + Γᵀe,   A u' = b,   z' = z_dot      (λ over the rows of ideal law, e over the
///   directed ones)
///
/// Everything is an expression of t, q, u, z and the parameters; reports may use u', λ, λ_ideal and s as symbols too.
/// Constraints that are realised (theory.md §6.8) have no rows here. Where multipliers μ are states (Law::mu) rows are
/// kept: the λ that the solve finds gives μ', and `changes` holds what μ adds.
struct System {
  std::shared_ptr<const model::Model> model;
  std::shared_ptr<expr::Graph> graph;

  // symbols
  expr::Expr t;
  std::vector<expr::Expr> q, u, u_dot;
  std::vector<expr::Expr> parameters;
  std::vector<expr::Expr> lambda, lambda_ideal;  ///< [rows] of `rows`, realised constraints have none
  std::vector<expr::Expr> effort;                ///< of all directed reactions, one after the other
  /// [SystemVector][nu] of theory.md §4.4, one after the other: for reports alone, and empty where no term asks for
  /// them.
  std::vector<expr::Expr> vectors;

  std::vector<expr::Expr> q_dot;   ///< [nq] G u + g
  std::vector<expr::SparseRow> G;  ///< [nq][nu]
  std::vector<expr::Expr> g;       ///< [nq]
  Deferred M;                      ///< [nu×nu] row by row
  std::vector<expr::Expr> f;       ///< [nu] without C; of s too where loads are dry friction
  std::vector<expr::Expr> C;       ///< [nu] non-ideal part, zeros where there is none
  std::vector<Row> rows;
  bool has_nonideal = false;
  std::vector<DirectedReaction> directed;
  std::vector<Slide> slides;
  std::vector<expr::Expr> slide_direction;  ///< s of all slides, one after the other: symbols
  std::vector<expr::Expr> z, z_dot;         ///< [nz] extra states and their rates in t, q, u, z and the actual λ
  std::vector<std::string> z_names;         ///< [nz] those of the model, then derivatives that are states (`higher`)
  std::vector<Dimension> z_dimensions;      ///< [nz]
  std::vector<LawChange> changes;           ///< of the constraints whose laws add to M or f
  /// M and f without what laws of constraints that have rows add to them: of the motion without these constraints.
  /// Empty where that is M and f.
  std::vector<expr::Expr> given_M, given_f;
  bool has_indefinite_mass = false;  ///< M holds what a law has added: symmetric, not positive
  Deferred metric;                   ///< [nu×nu] M without what need not be positive: what projections measure by
  std::shared_ptr<const HigherOrder> higher;  ///< where constraints of higher order are; they have no rows here
  bool has_implicit_nonideal =
      false;                        ///< C holds λ, the actual one (friction with the true normal force), λ_ideal, or s
  bool has_nonlinear_rows = false;  ///< some row's χ is not linear in u' (Row::chi, theory.md §3.4)
  std::vector<std::array<int, 4>> quaternions;  ///< coordinates whose norm is a gauge

  std::shared_ptr<Lowering> lowering;  ///< memory of `lower` and its like; shared by copies of the System

  [[nodiscard]] int nq() const { return static_cast<int>(q.size()); }
  [[nodiscard]] int nu() const { return static_cast<int>(u.size()); }
  [[nodiscard]] int nc() const { return static_cast<int>(rows.size()); }
  [[nodiscard]] int nz() const { return static_cast<int>(z.size()); }
  /// Highest derivatives that are found at once, 0 without `higher`.
  [[nodiscard]] std::span<const expr::Expr> top() const {
    return higher ? std::span<const expr::Expr>(higher->top) : std::span<const expr::Expr>();
  }
};

}  // namespace vinculum::equations
