#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/laws/directed.hpp"
#include "vinculum/laws/friction.hpp"
#include "vinculum/laws/gauss.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/sim/plant/dynamics.hpp"
#include "vinculum/sim/plant/tier_q.hpp"
#include "vinculum/solve/augmented_solve.hpp"
#include "vinculum/solve/reduced_solve.hpp"

namespace vinculum::sim {

/// Scratch and state behind `Dynamics`; not for other rooms.
struct Dynamics::Impl {
  explicit Impl(std::shared_ptr<const CompiledModel> model);

  /// Rows that a projection works on, with what tier Q needs for them.
  struct RowSet {
    RowSet(const std::vector<int>& of, int nu);
    std::vector<int> rows;
    TierQ solver;
    Matrix A;
    Vector defect;     ///< −φ or −ψ
    Vector magnitude;  ///< [rows] Σ_j |∂φ/∂q_j| s_j or Σ_j |A_j| s_j: what a relative violation is relative to
    solve::Solution solution;
  };

  /// Rows kept by efforts beside those of ideal law.
  struct Directed {
    explicit Directed(const dynamics::System& system);
    laws::DirectedSolve solve;
    TierQ ideal;  ///< of the rows of ideal law
    Matrix A;     ///< of these
    laws::DirectedSolution solution;
  };
  /// The augmented formulation.
  struct Augmented {
    explicit Augmented(const dynamics::System& system);
    solve::AugmentedSolve solve;
    solve::AugmentedSolution solution;
  };
  /// The minimal formulation: independent speeds among those that ψ = 0 ties, and independent accelerations among all
  /// rows.
  struct Minimal {
    explicit Minimal(const CompiledModel& compiled);
    solve::ReducedSolve speeds, accelerations;
    Matrix A;  ///< rows with ψ
    Vector psi, u;
    Vector y;  ///< state with its dependent speeds solved for
  };

  /// Slides at rest or in motion: the response of their velocities, for those that stick.
  struct Sticking {
    explicit Sticking(const CompiledModel& compiled);
    FrictionState state;     ///< as it was set
    Vector v, beta;          ///< [ns] velocities, v' − J u'
    Matrix J;                ///< [ns × nu]
    Vector s;                ///< [ns] directions in force, 0 of those that stick
    Matrix U, L;             ///< [nu × ns], [nc × ns] u' and λ of a unit force against each component
    Matrix K;                ///< [ns × ns] J U
    Matrix T;                ///< [ns × ns] its first `size` columns: directions in which those that stick could move
    std::vector<int> owner;  ///< of these columns: the slide
    int size = 0;
    bool has_any = false;
    numeric::FullPivotLu lu;      ///< of Tᵀ K T
    Vector along, force;          ///< [ns]
    Vector right;                 ///< [nc + ns] b and −beta
    Vector total;                 ///< [nu]
    Vector lambda, lambda_ideal;  ///< [nc] the latter without any friction
    std::vector<double> result, workspace;
  };

  /// Forces stated by reactions, and rows that are not linear in u'.
  struct Implicit {
    explicit Implicit(const CompiledModel& compiled);
    laws::FrictionSolve friction;
    laws::GaussSolve gauss;
    laws::FrictionSolve::Respond respond;
    laws::FrictionSolve::Evaluate evaluate_force;
    laws::GaussSolve::Evaluate evaluate_rows;
    const Matrices* at = nullptr;                  ///< where rows are evaluated
    std::vector<double> input, result, workspace;  ///< of their report kernels
    Vector force;
    solve::Solution solution;
    std::optional<Sticking> sticking;
  };

  /// Invariants kept at their levels of the start (conserve.hpp).
  struct Levels {
    explicit Levels(const CompiledModel& compiled);
    int count;
    TierQ solver;               ///< of (w, δu), over position rows, rows with ψ, invariants
    Vector start, now, missed;  ///< [count]
    Vector largest;             ///< [count] longest gradient so far, in typical changes
    double rate = 1.0;          ///< ω [1/s]
    Matrix metric;              ///< [2nu × 2nu]
    Matrix A;                   ///< [rows × 2nu]
    Matrix by_place, by_speed;  ///< [count × nu]
    Matrix psi_by_place;        ///< [rows with ψ × nu]
    Vector defect, force, change_q;
    solve::Solution solution;
  };
  void read_levels(double t, const double* y);
  /// \pre `matrices` at the state.
  void measure_levels();
  /// \pre y on the constraints. \returns the largest correction relative to `set_scale`.
  [[nodiscard]] Outcome<double> keep_levels(double t, double* y);
  /// Highest derivatives where constraints are of higher order, and what a state satisfies.
  struct Higher {
    explicit Higher(const CompiledModel& compiled);
    const dynamics::HigherOrder& structure;
    int n, hidden, columns;  ///< unknowns; equations of a state; nu + nu + nz
    numeric::FullPivotLu lu, normal;
    Matrix J;
    Vector r, x, correction;  ///< [n]
    Vector row_scale, column_scale;
    Matrix H;                   ///< [hidden × columns]
    Vector violation, weights;  ///< [hidden]
    Vector step, size;          ///< [columns]
  };
  /// J and r, and their factors' matrix equilibrated.
  void read_top(double t, const double* y);
  [[nodiscard]] Outcome<void> solve_top(double t, const double* y);
  [[nodiscard]] Failure singular_top(double t) const;
  [[nodiscard]] Failure non_finite_top(double t, const double* y) const;
  [[nodiscard]] Outcome<void> derivative_of_higher(double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<double> project_hidden(double t, double* y);
  [[nodiscard]] Outcome<void> report_of_higher(double t, const double* y, Sample& sample);

  void make_implicit();
  /// Multipliers (and u' in `implicit->solution`) by the factor at hand, whatever sticks.
  [[nodiscard]] Outcome<void> respond_freely(ConstVector r_f, ConstVector r_b, Vector& multipliers);
  /// The same where what sticks does; r_b ends with the right sides for their v'.
  [[nodiscard]] Outcome<void> respond_sticking(ConstVector r_f, ConstVector r_b, Vector& multipliers);
  /// v, J and beta at the state of `implicit->input`, directions of what slides.
  void read_slides();
  /// Responses of what sticks.   \pre `read_slides`, and the factor at hand.
  [[nodiscard]] Outcome<void> factor_sticking();
  /// C of `matrices` where friction slides or sticks.   \pre as `settle_reaction_forces`.
  [[nodiscard]] Outcome<void> settle_sticking();
  /// Bounds of friction at the answer last settled, of all slides or of those that stick. Allocates.
  [[nodiscard]] Outcome<void> read_bounds(FrictionReading& reading, bool of_all);
  /// s of all slides at the answer last settled, −force/bound of those that stick.
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// v = 0 of what sticks, by least change of u in the metric of M. \returns the largest correction relative to
  /// `set_scale`.
  [[nodiscard]] Outcome<double> project_sticking(double t, double* y);
  [[nodiscard]] Failure friction_failure(FailureKind kind, int slide, std::string message) const;
  /// A and b of all rows, those not linear in u' linearised at the u' that they maintain.   \pre `input` is the state
  /// of m.
  [[nodiscard]] Outcome<void> settle_rows(Matrices& m);
  /// C of `matrices` where it depends on reactions.   \pre `input` is their state, `solver` (or `directed`) holds their
  /// factor.
  [[nodiscard]] Outcome<void> settle_reaction_forces();
  [[nodiscard]] Outcome<void> check_reactions_are_unique();
  void load(double t, const double* y);
  void evaluate(const BoundKernel& kernel);
  void evaluate_report(const BoundKernel& kernel);
  /// \returns whether all of it is finite.
  [[nodiscard]] bool read_matrices(double t, const double* y, Matrices& matrices);
  [[nodiscard]] Outcome<void> evaluate_matrices(double t, const double* y, Matrices& matrices);
  [[nodiscard]] Outcome<void> factor_for_report(double t, const double* y);
  void remember_magnitudes(const Matrices& matrices);
  /// Rows of A that are rounding of their usual size become zero: they act on nothing here.
  void drop_rounded_rows(Matrices& matrices) const;
  /// Whether a row is so short that its direction is unknown at this relative distance from the constraints.
  [[nodiscard]] bool has_doubtful_row(const Matrices& matrices, double defect) const;
  [[nodiscard]] double relative_defect(const Matrices& matrices) const;
  [[nodiscard]] double position_defect(const Matrices& matrices) const;  ///< of φ alone

  /// Whether the rows left out agree with the motion that `result` holds, as far as its state satisfies the
  /// constraints.
  [[nodiscard]] bool do_rows_agree() const;
  /// M, A, b at the state and their factor. \returns the relative defect of the state.
  [[nodiscard]] Outcome<double> factor_at(double t, const double* y);
  /// u' from the matrices at hand by the formulation in force. \returns kInconsistent and the like with rows, not yet
  /// named.
  [[nodiscard]] Outcome<void> factor_by_formulation(double defect);
  /// u', and `lambda` where rates of states hold it.
  [[nodiscard]] Outcome<void> solve_by_formulation(double defect, Vector& u_dot);
  [[nodiscard]] Outcome<void> solve_accelerations(double defect, Vector& u_dot);
  /// z' at the state with `lambda`.
  void state_rates(double t, const double* y, double* z_dot);
  /// Whether the augmented system takes the place of factors of M.
  [[nodiscard]] bool takes_augmented() const {
    return formulation == dynamics::Formulation::kAugmented || compiled->system->has_indefinite_mass;
  }
  /// Reactions where M is indefinite.
  [[nodiscard]] Outcome<void> indefinite_reaction(laws::Reaction& reaction);
  [[nodiscard]] Outcome<void> factor_directed(double defect);
  void normalize_quaternions(double* y) const;
  /// Dependent speeds of y from ψ = 0 by Newton. \returns kInconsistent where they do not follow.
  [[nodiscard]] Outcome<void> settle_speeds(double t, double* y);
  void read_speed_rows(double t, const double* y);
  /// Chooses independent speeds afresh where others are clearly better. \pre `matrices` at a state on the constraints.
  void review_choice(double defect);
  [[nodiscard]] Outcome<double> project_minimal(double t, double* y);
  [[nodiscard]] Outcome<void> derivative_by_tier_q(double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<double> project(double t, double* y);
  [[nodiscard]] Outcome<double> project_onto_constraints(double t, double* y);
  /// One family of rows brought to zero by Newton; adds to the part of y that begins at `first`.
  [[nodiscard]] Outcome<double> project_rows(double t, double* y, RowSet& set, const BoundKernel& kernel,
                                             bool positions);
  [[nodiscard]] Outcome<void> correction_by_tier_q(double t, const double* y, RowSet& set, bool positions,
                                                   double worst);

  void fill_uniqueness(const Matrices& at, solve::ConstrainedSolve& solver, Sample& sample);
  /// The motion that efforts keep, with and without C, from the matrices at hand.
  [[nodiscard]] Outcome<void> direct(laws::Reaction& reaction);
  /// Basis of the multipliers of the rows of ideal law that exert no generalized force. [nc × …]
  [[nodiscard]] Matrix indeterminate_multipliers();

  void fill_report_input(double t, const double* y, const Sample& sample);
  [[nodiscard]] Outcome<void> fill_results(Sample& sample);
  void fill_residuals(const Matrices& at, Sample& sample);

  [[nodiscard]] Outcome<void> check_results(const Sample& sample) const;
  [[nodiscard]] Failure non_finite_result(StatementId statement, const std::string& what,
                                          std::span<const expr::Expr> values) const;
  /// Adds names, time and units to what the rooms below report.
  [[nodiscard]] Failure named(Failure failure, double t, mechanics::Level level) const;
  [[nodiscard]] Failure non_finite(double t, const double* y) const;

  std::shared_ptr<const CompiledModel> compiled;
  int nq, nu, nc, nz, ny;            ///< ny = nq + nu + nz
  std::vector<double> input;         ///< t, q, u, z
  std::vector<double> report_input;  ///< t, q, u, z, u', λ, λ_ideal, efforts
  std::vector<double> result;        ///< large enough for every kernel
  std::vector<double> workspace;     ///< the same
  Matrices matrices;
  TierQ solver;  ///< of all rows
  solve::Solution solution;
  Vector force;  ///< f + C
  RowSet positions, speeds;
  Vector correction;            ///< of one Newton step
  Vector scale, inverse_scale;  ///< [ny] typical sizes, and 1 / (tolerance × size)
  /// [nc] Σ_j |A_ij| s_j and Σ_j |∂φ_i/∂q_j| s_j where states around the start make them largest; 0: not known.
  Vector usual_row, usual_gradient;
  SolveCounts counts;
  int near_singular_calls = 0;  ///< derivatives still to be taken by tier Q on the constraint manifold
  Vector projected;
  std::optional<Directed> directed;
  dynamics::Formulation formulation = dynamics::Formulation::kExplicit;
  std::optional<Augmented> augmented;
  std::optional<Minimal> minimal;
  std::optional<Implicit> implicit;
  std::optional<Levels> levels;  ///< while some are kept
  std::optional<Higher> higher;
  Vector u_dot;                     ///< [nu]
  Vector lambda;                    ///< [nc] actual λ that goes with it, where states move by it
  std::vector<double> state_input;  ///< t, q, u, z, λ
};

}  // namespace vinculum::sim
