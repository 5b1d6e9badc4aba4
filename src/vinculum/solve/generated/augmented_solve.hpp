#pragma once

#include <vector>

#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::solve {

/// Solution of a motion with efforts: Q = Aᵀλ + Γᵀe = M u − r_f.
struct AugmentedSolution {
  Vector u;       ///< [nu] accelerations
  Vector lambda;  ///< [nc] 0 for rows of servo constraints
  Vector effort;  ///< [efforts] e
};

/// Augmented formulation (theory.md §7): motion, multipliers and efforts from one linear system,
///
///   [ M  −A_iᵀ  −Γᵀ ] [u]   [r_f]        A_i: rows of ideal law, A_d: rows of servo constraints with efforts e
///   [ A_i  0     0  ] [λ] = [r_b]
///   [ A_d  0     0  ] [e]
///
/// solved by a pivoted QR of the whole matrix, which decides the rank. The solver shares neither factor nor metric with
/// ConstrainedSolve, so the two check each other. Redundant rows are allowed; M may be semidefinite. If the rows do not
/// determine all efforts (more efforts than rows, or servo rows that depend on other rows), Σ (e/scale)² is minimized.
/// `solve` does not allocate. `factor` allocates if efforts become determined or undetermined. One object per thread.
/// Source: theory.md §6.9, §7; [UP].
class AugmentedSolve {
 public:
  /// \param is_directed [nc] 1 for rows of servo constraints.  \param effort_scale [efforts] > 0.
  AugmentedSolve(int nu, std::vector<char> is_directed, Vector effort_scale);

  /// Sets the row weights [nc], see ConstrainedSolve.
  void set_certainty(ConstVector certainty) { certainty_ = certainty; }
  /// Sets the uncertainty of the right-hand sides [nc], see ConstrainedSolve.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// \param M [nu×nu] lower triangle.  \param A [nc×nu].  \param Gamma [efforts×nu].
  /// \param defect  largest relative constraint violation of the state; rank decisions use a tolerance of at least
  /// this.
  /// \returns kUndetermined, kNonFinite, or kInconsistent if the efforts cannot enforce their rows here (`rows`).
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A, ConstMatrix Gamma, double defect) {
    return factor(M, M, A, Gamma, defect);
  }
  /// `factor` for an M that may be indefinite because of a law's term μ F_q'q' (theory.md §6.4).
  /// \param metric [nu×nu] positive semidefinite; defines the units of the speeds and the speeds without inertia.
  /// \returns the failures of the other overload, or kSingularByMultipliers if M is singular on the kernel of A.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix metric, ConstMatrix A, ConstMatrix Gamma,
                                     double defect);
  /// \returns kInconsistent with the rows that contradict each other.
  [[nodiscard]] Outcome<void> solve(ConstVector r_f, ConstVector r_b, AugmentedSolution& solution);

 private:
  [[nodiscard]] int equations() const { return nu_ + nc_; }
  [[nodiscard]] int unknowns() const { return nu_ + ideal_count_ + effort_count_; }
  [[nodiscard]] Failure contradiction(int k, double missed) const;
  /// Writes K with scaled unknowns and rows.
  void fill(ConstMatrix M, ConstMatrix A, ConstMatrix Gamma);
  /// Allocates P with or without the least-effort condition.
  void make_places(bool has_least_effort);
  /// Fills P_ with K or, if efforts are undetermined, with K bordered by the least-effort condition.
  void border();
  /// Whether the rows leave efforts undetermined, and the rank of P if only rows depend on each other.
  struct Expected {
    bool has_least_effort;
    int rank;
  };
  [[nodiscard]] Expected expected(ConstMatrix A, double doubt);

  int nu_, nc_, ideal_count_, effort_count_;
  std::vector<char> is_directed_;
  Vector effort_scale_;
  bool has_least_effort_ = false;  ///< the rows leave efforts undetermined
  double consistency_ = 0.0;
  Vector certainty_;  ///< [nc] row weights
  Vector doubt_;      ///< [nc] uncertainties of the right-hand sides
  Vector s_, d_, c_;  ///< scales of u [nu], rows [nc], efforts [efforts]
  Vector W_;          ///< [nc] weights of `semidefinite_weights`
  Matrix H_;          ///< [nu×nu] M + AᵀWA
  numeric::Cholesky determined_;
  numeric::PivotedQr rank_of_rows_;  ///< factors of the scaled Aᵀ
  Matrix K_;                         ///< [equations×unknowns] the matrix of the system, scaled
  Matrix P_;                         ///< K, or [0 0 K1ᵀ; 0 w K2ᵀ; K1 K2 0] for the least effort
  numeric::PivotedQr qr_{0, 0};      ///< factors of Pᵀ
  Vector right_, left_over_, x_, y_, dx_;
};

}  // namespace vinculum::solve
