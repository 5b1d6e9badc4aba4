#pragma once

#include <vector>

#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::solve {

/// Answer of a motion with efforts: Q = Aᵀλ + Γᵀe = M u − r_f.
struct AugmentedSolution {
  Vector u;       ///< [nu]
  Vector lambda;  ///< [nc] 0 for rows kept by efforts
  Vector effort;  ///< [efforts]
};

/// The augmented formulation (theory.md §7): motion, multipliers and efforts as one linear system,
///
///   [ M  −A_iᵀ  −Γᵀ ] [u]   [r_f]        A_i rows of ideal law, A_d rows kept by efforts e
///   [ A_i  0     0  ] [λ] = [r_b]
///   [ A_d  0     0  ] [e]
///
/// solved by pivoted QR of the whole, in which the rank is decided: a second route beside ConstrainedSolve, with which
/// it shares neither factor nor metric. Redundant rows are allowed; M may be semidefinite. If the rows do not determine
/// all efforts (more efforts than rows, or rows kept by efforts that depend on other rows), Σ (e/scale)² is least.
/// `solve` does not allocate; `factor` does where that begins or ends to be so. One object a thread.
/// Source: theory.md §6.9, §7; [UP].
class AugmentedSolve {
 public:
  /// \param is_directed [nc] 1 for rows kept by efforts.  \param effort_scale [efforts] > 0.
  AugmentedSolve(int nu, std::vector<char> is_directed, Vector effort_scale);

  /// As ConstrainedSolve.
  void set_certainty(ConstVector certainty) { certainty_ = certainty; }
  /// As in ConstrainedSolve.
  void set_doubt(ConstVector doubt) { doubt_ = doubt; }
  /// \param M [nu×nu] lower triangle.  \param A [nc×nu].  \param Gamma [efforts×nu].  \param defect  relative distance
  /// of the state from its constraints: no rank is decided finer.
  /// \returns kUndetermined, kNonFinite, or kInconsistent where the efforts cannot keep their rows here (`rows`).
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A, ConstMatrix Gamma, double defect) {
    return factor(M, M, A, Gamma, defect);
  }
  /// For M that may be indefinite, as μ F_q'q' of a law makes it (theory.md §6.4).
  /// \param metric [nu×nu] positive semidefinite: units of the speeds, and what is without inertia, follow from it.
  /// \returns as above, and kSingularByMultipliers where M is singular on the kernel of A.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix metric, ConstMatrix A, ConstMatrix Gamma,
                                     double defect);
  /// \returns kInconsistent with the rows that contradict each other.
  [[nodiscard]] Outcome<void> solve(ConstVector r_f, ConstVector r_b, AugmentedSolution& solution);

 private:
  [[nodiscard]] int equations() const { return nu_ + nc_; }
  [[nodiscard]] int unknowns() const { return nu_ + ideal_count_ + effort_count_; }
  [[nodiscard]] Failure contradiction(int k, double missed) const;
  /// K in scaled unknowns and rows.
  void fill(ConstMatrix M, ConstMatrix A, ConstMatrix Gamma);
  /// Places for P with or without the condition of least effort.
  void make_places(bool has_least_effort);
  /// P: K, or K under the condition of least effort.
  void border();
  /// Whether the rows leave efforts open, and the rank that P has if only rows depend on each other.
  struct Expected {
    bool has_least_effort;
    int rank;
  };
  [[nodiscard]] Expected expected(ConstMatrix A, double doubt);

  int nu_, nc_, ideal_count_, effort_count_;
  std::vector<char> is_directed_;
  Vector effort_scale_;
  bool has_least_effort_ = false;  ///< the rows leave efforts open
  double consistency_ = 0.0;
  Vector certainty_;  ///< [nc]
  Vector doubt_;      ///< [nc]
  Vector s_, d_, c_;  ///< scales of u [nu], rows [nc], efforts [efforts]
  Vector W_;          ///< [nc] weights of semidefinite_weights
  Matrix H_;          ///< [nu×nu] M + AᵀWA
  numeric::Cholesky determined_;
  numeric::PivotedQr rank_of_rows_;  ///< scaled Aᵀ
  Matrix K_;                         ///< [equations×unknowns] scaled
  Matrix P_;                         ///< K, or [0 0 K1ᵀ; 0 w K2ᵀ; K1 K2 0] for the least effort
  numeric::PivotedQr qr_{0, 0};      ///< of Pᵀ
  Vector right_, left_over_, x_, y_, dx_;
};

}  // namespace vinculum::solve
