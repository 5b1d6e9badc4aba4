#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/motion/accelerations/augmented.hpp"
#include "vinculum/motion/accelerations/directed.hpp"
#include "vinculum/motion/accelerations/minimal.hpp"
#include "vinculum/motion/accelerations/pivoted.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/numeric/ranked_rows.hpp"
#include "vinculum/solve/pivoted/friction.hpp"
#include "vinculum/solve/pivoted/gauss.hpp"

namespace vinculum::sim {

/// Accelerations at the calls that follow a pose close to singular are taken on the constraints: all stages of the next
/// steps alike, as the order conditions want one function.
inline constexpr int kCallsNearSingular = 40;

/// Scratch behind `Dynamics`; not for other modules.
struct Dynamics::Impl {
  Impl(const std::shared_ptr<const Binding>& bound, const Mode& start);

  /// Rows that a projection works on, with what the pivoted solver needs for them.
  struct RowSet {
    RowSet(const std::vector<int>& of, int nu);
    std::vector<int> rows;
    PivotedSolve solver;
    Matrix A;        ///< once the solver is asked
    Vector lengths;  ///< [rows] Σ |A_ij| of typical sizes, likewise
    Vector certainty;
    Vector defect;                 ///< −φ or −ψ
    solve::Solution solution;
  };

  /// What large models ask before the pivoted solver, whose matrices would grow with the square of the model.
  struct ByEntries {
    numeric::RankedRows rows;
    numeric::SparseMatrix M, At, G;
    Vector u, lambda, force;
  };
  [[nodiscard]] bool takes_entries() const;
  /// Factors rows in the metric of M with a tolerance of rank that respects their defect (PivotedSolve).   \param rows
  /// of A
  [[nodiscard]] bool factor_entries(const std::vector<int>& rows, double defect);
  /// As `pivoted_correction` and `pivoted_derivative`. \returns false where these are to decide.
  [[nodiscard]] bool correction_by_entries(double t, const double* y, RowSet& set, bool of_positions, double worst);
  [[nodiscard]] bool derivative_by_entries(double t, const double* y, double* y_dot);
  [[nodiscard]] bool do_left_out_agree(double defect) const;
  /// Slides at rest or in motion: the response of their velocities, for those that stick.
  struct Sticking {
    explicit Sticking(const Binding& bound);
    Matrix U, L;             ///< [nu × ns], [nc × ns] u' and λ of a unit force against each component
    Matrix K;                ///< [ns × ns] J U
    Matrix T;                ///< [ns × ns] its first `size` columns: directions in which those that stick could move
    std::vector<int> owner;  ///< of these columns: the slide
    int size = 0;
    bool has_varying_bounds = false;  ///< what is stated of friction is a function of the state or the time
    numeric::FullPivotLu lu;          ///< of Tᵀ K T, which may be singular: forces that stick are not unique then
    bool is_shared = false;           ///< it is, or a contact sticks that no motion could set off
    Matrix C_s;                       ///< [nu × ns] ∂C/∂s, see `evaluate_bounds`
    Vector ratios, coefficients;      ///< [slides] static ratios, and coefficients that are stated
    Vector shared_s;                  ///< [ns] directions of friction where forces are not unique, see `share_friction`
    Vector along, force;              ///< [ns]
    Vector right;                     ///< [nc + ns] b and −beta
    std::vector<int> held;            ///< components that stick and can move, of `held_factor`
    Matrix held_factor;               ///< L D Lᵀ of their K: D, and L below it
    std::vector<double> stick, stick_workspace, push_input, locked_input;
    std::vector<int> locked_speed;  ///< [slides] where they are single speeds (`CompiledModel::locked`)
    Vector total;                   ///< [nu]
    Vector lambda, lambda_ideal;    ///< [nc] the latter without any friction
    std::vector<double> result, workspace;
  };

  /// Forces stated by reactions, and rows that are not linear in u'.
  struct Implicit {
    explicit Implicit(const Binding& bound);
    solve::FrictionSolve friction;
    solve::FrictionSolve::Respond respond;
    solve::FrictionSolve::Evaluate evaluate_force;
    std::vector<double> input, result, workspace;  ///< of the report kernel
    Matrix slope;  ///< [nu × rows of the dependence]
    SolvedMotion solution;
    std::optional<Sticking> sticking;
  };

  /// Invariants kept at their levels of the start (conserve.hpp).
  struct Levels {
    explicit Levels(const Binding& bound);
    int count;
    PivotedSolve solver;        ///< of (w, δu), over position rows, rows with ψ, invariants
    Vector now, missed;         ///< [count]
    Matrix metric;              ///< [2nu × 2nu]
    Matrix A;                   ///< [rows × 2nu]
    Vector certainty;           ///< [rows] 1
    Matrix by_place, by_speed;  ///< [count × nu]
    Matrix psi_by_place;        ///< [rows with ψ × nu]
    Vector defect, force, change_q;
    solve::Solution solution;
  };
  /// Conditions of relations with states (Row::conditions), solved with the rows of position level for (w, δz),
  /// which changes q by G w and z by δz.
  struct Conditions {
    explicit Conditions(const Binding& bound);
    int count, places;         ///< conditions; position rows
    PivotedSolve solver;       ///< of (w, δz), over position rows, conditions
    Matrix metric, A;          ///< [(nu + nz)²], [(places + count) × (nu + nz)]
    Vector certainty, missed;  ///< [places + count]
    Vector size;               ///< [nu + nz] typical changes
    Vector force, change_q;
    solve::Solution solution;
  };
  /// \returns the largest residual, each relative to its gradient times typical changes.
  [[nodiscard]] Outcome<double> measure_conditions(double t, const double* y);
  [[nodiscard]] Outcome<double> project_onto_conditions(double t, double* y);
  /// Writes their values at a sample to the front of `result`.
  void read_conditions(const Sample& sample);
  void read_levels(double t, const double* y);
  /// \pre `matrices` at the state.
  void measure_levels();
  [[nodiscard]] double find_missed_levels(int& worst_level);
  [[nodiscard]] Outcome<double> correct_levels(double t, double* y);
  /// \pre y on the constraints. \returns the largest correction relative to `set_scale`.
  [[nodiscard]] Outcome<double> keep_levels(double t, double* y);
  /// Highest derivatives where constraints are of higher order, and what a state satisfies.
  struct Higher {
    explicit Higher(const Binding& bound);
    const equations::HigherOrder& structure;
    int n, hidden, columns;  ///< unknowns; equations of a state; nu + nu + nz
    numeric::FullPivotLu lu, normal;
    Matrix J;
    Vector r, x, correction;  ///< [n]
    Vector unknown_size;      ///< [n] typical size of each
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
  [[nodiscard]] Outcome<double> measure_hidden(double t, const double* y, int& worst_row);
  [[nodiscard]] Failure missed_hidden(double t, int row, double worst) const;
  [[nodiscard]] Outcome<double> project_hidden(double t, double* y);
  [[nodiscard]] Outcome<void> report_of_higher(double t, const double* y, Sample& sample);

  void make_implicit();
  /// Multipliers (and u' in `implicit->solution`) by the factor at hand, whatever sticks.
  [[nodiscard]] Outcome<void> respond_freely(ConstVector r_f, ConstVector r_b, Vector& multipliers);
  /// The same where what sticks does; r_b ends with the right sides for their v'.
  [[nodiscard]] Outcome<void> respond_sticking(ConstVector r_f, ConstVector r_b, Vector& multipliers);
  /// Accelerations that are rounding of the forces that make them are 0: what is held stays where it is, and does not
  /// creep from one rounding to the next.   \param u  [nu] u'   \pre `solve_accelerations`, while something sticks
  void drop_rounding(Vector& u);
  /// Responses of what sticks.   \pre `read_slides`, and the factor at hand.
  [[nodiscard]] Outcome<void> factor_sticking();
  /// C of `matrices` where friction slides or sticks.   \pre as `settle_reaction_forces`.
  [[nodiscard]] Outcome<void> settle_sticking();
  /// Bounds of what sticks at the answer last settled. Allocates.
  [[nodiscard]] Outcome<void> read_bounds(FrictionReading& reading);
  [[nodiscard]] Failure says_nothing(std::size_t slide) const;

  // By generated code, where bounds do not depend on reactions (held_friction.cpp).   Allocate nothing.
  /// Outputs of `kernel`, accelerations first, with the forces that keep v = 0 of what sticks; they are in `input` and
  /// `Sticking::force`.   \pre `load`  \returns false where the pivoted solver is to decide.
  [[nodiscard]] bool is_found_with_friction(const BoundKernel& kernel);
  [[nodiscard]] bool is_found_locked();  ///< the same where what sticks locks single speeds
  [[nodiscard]] bool factor_held();
  void solve_held(VectorRef x) const;
  /// As `project_sticking`; nothing where that is to do it.
  [[nodiscard]] std::optional<double> push_sticking(double t, double* y);
  [[nodiscard]] bool read_held_friction(double t, const double* y, FrictionReading& reading);
  /// s of all slides at the answer last settled, −force/bound of those that stick.
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// v = 0 of what sticks, by least change of u in the metric of M. \returns the largest correction relative to
  /// `set_scale`.
  [[nodiscard]] Outcome<double> project_sticking(double t, double* y);
  [[nodiscard]] Failure friction_failure(FailureKind kind, int slide, std::string message) const;
  [[nodiscard]] std::string slide_name(int slide) const;
  [[nodiscard]] Failure negative_bound(int slide, double bound) const;

  // Friction as one problem (contacts.cpp).   \pre of most: `matrices` at the state, `read_slides`
  struct BoundLaw;
  struct ContactAssembly;
  [[nodiscard]] Outcome<ContactReading> read_contacts(double t, const double* y, const std::vector<char>& at_rest,
                                                      const Vector& guess);
  void set_directions(const Vector& s);
  [[nodiscard]] Vector speed_mobility() const;
  [[nodiscard]] Matrix own_rows(int slide) const;
  void evaluate_bounds(const Vector& lambda);
  [[nodiscard]] double bound_along(int slide, const Matrix& T, const Matrix& W) const;
  [[nodiscard]] Outcome<BoundLaw> law_of_bound(int slide, const Matrix& T, const Matrix& W, const Vector& guess);
  [[nodiscard]] Matrix tangents_of(int slide, bool is_at_rest, const Matrix& W, const Vector& v_dot);
  static void size_contacts(solve::ContactProblem& problem);
  [[nodiscard]] Matrix free_multipliers();
  void learn_slide_reach(double t, const double* y);
  [[nodiscard]] bool has_free_normal(int slide);
  [[nodiscard]] solve::ContactModes modes_in_force(const ContactReading& contacts, const Vector& force) const;
  [[nodiscard]] Outcome<void> read_shares(double t, const double* y, FrictionReading& reading);
  [[nodiscard]] Outcome<void> share_friction(double t, const double* y);
  /// C of `matrices` where it depends on reactions.   \pre `input` is their state, `solver` (or `directed`) holds their
  /// factor.
  [[nodiscard]] Outcome<void> settle_reaction_forces();
  [[nodiscard]] Outcome<void> check_reactions_are_unique();
  void evaluate_report(const BoundKernel& kernel);
  /// Whether the generated solve may be trusted, by its residual and contraction.
  [[nodiscard]] static bool is_accepted(const double* guards) {
    return guards[0] <= solve::StaticLdlt::kTolResidual && guards[1] <= solve::StaticLdlt::kTolContraction;
  }
  [[nodiscard]] Outcome<void> factor_for_report(double t, const double* y);
  /// M, A, b at the state and their factor. \returns the relative defect of the state.
  [[nodiscard]] Outcome<double> factor_at(double t, const double* y);
  /// u', C and rows settled, and λ where rates of states hold it. \returns kInconsistent and the like with rows, not
  /// yet named.
  [[nodiscard]] Outcome<void> solve_accelerations(double defect);
  /// z' at the state with `lambda`.
  void state_rates(double t, const double* y, double* z_dot);
  /// Whether the augmented system takes the place of factors of M.
  [[nodiscard]] bool takes_augmented() const {
    return formulation == equations::Formulation::kAugmented || at_.compiled->system->has_indefinite_mass;
  }
  /// Where rows are kept along their own gradients or by efforts: what responds to forces beside them.
  [[nodiscard]] Route& explicit_route() { return directed ? static_cast<Route&>(*directed) : pivoted; }
  /// The truth, for reports.
  [[nodiscard]] Route& truth() {
    return at_.compiled->system->has_indefinite_mass ? static_cast<Route&>(*augmented) : explicit_route();
  }
  /// What the formulation in force asks for.
  [[nodiscard]] Route& route() {
    return takes_augmented() ? static_cast<Route&>(*augmented) : minimal ? static_cast<Route&>(*minimal) : truth();
  }
  /// Motion and reactions with and without C.   \pre `truth` holds the factor of `matrices`.
  [[nodiscard]] Outcome<void> react(double defect, solve::Reaction& reaction);
  void normalize_quaternions(double* y) const;
  /// Dependent speeds of y from ψ = 0 by Newton. \returns kInconsistent where they do not follow.
  [[nodiscard]] Outcome<void> settle_speeds(double t, double* y);
  [[nodiscard]] Outcome<double> project_minimal(double t, double* y);
  /// \param is_on_constraints  `projected` is the state on the constraints, and the motion is to be taken there
  [[nodiscard]] Outcome<void> pivoted_derivative(double t, const double* y, double* y_dot, bool is_on_constraints);
  [[nodiscard]] bool takes_generated() const {
    return at_.bound->accelerations.kernel && formulation == equations::Formulation::kExplicit && at_.bound->trusts_generated;
  }
  [[nodiscard]] const double* state_for_generated_code(double t, const double* y);
  [[nodiscard]] bool generated_derivative(double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<double> project(double t, double* y);
  [[nodiscard]] Outcome<double> project_onto_constraints(double t, double* y);
  [[nodiscard]] bool goes_far(const double* change, bool of_positions, double violation) const;
  [[nodiscard]] bool is_correction_accepted(const double* change, int count, double contraction) const;
  /// One family of rows brought to zero by Newton; adds to the part of y that begins at `first`.
  /// \param reduced  of `whole`, or none
  [[nodiscard]] Outcome<double> project_rows(double t, double* y, RowSet& set, const BoundKernel& reduced,
                                             const BoundKernel& whole, bool of_positions);
  [[nodiscard]] bool is_rounding_of_terms(const RowSet& set, const double* violation, bool of_positions) const;
  /// Of rows that cannot be met: the worst, and those that are missed by a tenth of it.
  [[nodiscard]] Failure contradiction(double t, const RowSet& set, const double* violation, bool of_positions) const;
  [[nodiscard]] Outcome<void> pivoted_correction(double t, const double* y, RowSet& set, bool of_positions,
                                                 double worst);
  /// Changes part of y by `correction`. \returns the largest part of it relative to typical sizes; `moved` grows to the
  /// largest relative to `set_scale`.
  double add_correction(double* y, int first, ConstVector change, double& moved) const;

  /// What follows is evaluated in this mode, and on its sides.
  void go_by(Mode& in);
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);

  void fill_uniqueness(Sample& sample);
  void note_all_unique(Sample& sample) const;
  std::vector<char> unique_outputs(const Matrix& N);
  std::vector<double> clear_outputs;                    ///< of `unaffected_by`, [2 × output_size] by λ, λ_ideal
  std::map<int, std::array<double, 3>> clear_wrenches;  ///< likewise, by the first column of the wrench
  [[nodiscard]] std::vector<Rounded> with_noise(std::span<const expr::Expr> values) const;
  void note_residual(int row, double value, Sample& sample) const;
  [[nodiscard]] bool generated_report(double t, const double* y, Sample& sample);
  /// `Sample::vectors` where they are asked for.   \pre `matrices` at the state, the reaction found
  [[nodiscard]] Outcome<void> fill_vectors(Sample& sample);
  /// Qi of theory.md §3.1 at that state, M and f those of `given`.
  [[nodiscard]] Outcome<Vector> ideal_force(const Matrix& M, const Vector& f, const solve::Reaction& reaction);
  /// M and f without what laws of constraints with rows add.   \pre `matrices` at the state, which is `input`
  [[nodiscard]] std::pair<Matrix, Vector> given();
  void fill_report_input(double t, const double* y, const Sample& sample);
  [[nodiscard]] Outcome<void> fill_results(Sample& sample);
  void fill_residuals(const Matrices& at, Sample& sample);

  [[nodiscard]] Outcome<void> check_results(const Sample& sample) const;
  [[nodiscard]] Failure non_finite_result(StatementId statement, const std::string& what,
                                          std::span<const expr::Expr> values) const;
  void set_formulation(equations::Formulation to);

  Evaluator at_;
  EquationPieces pieces_;
  std::vector<double> report_input;  ///< t, q, u, z, u', λ, λ_ideal, efforts
  FreeForces free_forces;            ///< of the last report
  Pivoted pivoted;
  SolvedMotion solved;
  Vector force;  ///< f + C
  RowSet positions, speeds;
  Vector correction;  ///< of one Newton step
  Vector projected;
  equations::Formulation formulation = equations::Formulation::kExplicit;
  // Parts that only some models or formulations have.
  std::unique_ptr<Directed> directed;
  std::unique_ptr<Augmented> augmented;
  std::unique_ptr<Minimal> minimal;
  std::unique_ptr<Implicit> implicit;
  std::unique_ptr<Levels> levels;
  std::unique_ptr<Conditions> conditions;
  std::unique_ptr<Higher> higher;
  std::unique_ptr<ByEntries> by_entries;
  Vector lambda;                    ///< [nc] actual λ that goes with u', where states move by it
  std::vector<double> state_input;  ///< t, q, u, z, λ
};

}  // namespace vinculum::sim
