#include "vinculum/linear/periodic.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/packed_state.hpp"
#include "vinculum/run/variations.hpp"

namespace vinculum::linear {
namespace {

using Index = Eigen::Index;

constexpr int kInstants = 16;        // instants of the period at which the equations are compared with those after T
constexpr int kMostOrbitSteps = 25;  // Newton steps of a search
constexpr double kLongestOrbitStep = 0.5;  // of a search, in typical sizes
constexpr double kCoarser = 10.0;          // ratio of the two tolerances whose results are compared
constexpr double kOwnSpeedsSooner = 1e3;   // weight of rates of coordinates in the choice of dependent speeds
constexpr double kSteep = 1000.0;          // largest entry of T in typical sizes where components count as independent
constexpr double kLargestPeriodChange = 0.25;  // of a step of the search, relative
constexpr double kErrorsOfRun = 1000.0;        // error of a run at its end, relative to its tolerance

class Periodic {
 public:
  Periodic(LinearEquations& equations, sim::Dynamics& dynamics, const PeriodicSearch& search)
      : equations_(equations), dynamics_(dynamics), search_(search) {}

  [[nodiscard]] Outcome<PeriodicMotion> run(double t, const Vector& y, const Vector& u_dot) {
    result_.t = t;
    result_.y = y;
    result_.period = search_.period;
    is_autonomous_ = !equations_.depend_on_time();
    if (auto done = linearize_here(u_dot); !done) return fail(std::move(done.error()));
    first_scale_ = result_.scale;
    if (auto done = follow(search_.tolerance); !done) return fail(std::move(done.error()));
    for (int step = 0; search_.searches && miss() > tolerance::kConditioned && step < kMostOrbitSteps; ++step) {
      if (auto done = improve(); !done) return fail(std::move(done.error()));
    }
    if (auto done = compare_ends(); !done) return fail(std::move(done.error()));
    if (auto done = measure_error(); !done) return fail(std::move(done.error()));
    read_multipliers();
    return std::move(result_);
  }

 private:
  [[nodiscard]] Outcome<void> linearize_here(const Vector& u_dot) {
    auto at = linearize(equations_, dynamics_.binding(), result_.t, result_.y, u_dot, {});
    if (!at) return fail(std::move(at.error()));
    result_.y_dot = at->y_dot;
    result_.scale = std::move(at->scale);
    NearState near;
    if (auto done = equations_.at(result_.t, result_.y, u_dot, near); !done) return done;
    result_.tangent = choose_tangent(equations_, near.c_y, preference());
    return {};
  }

  /// Takes speeds that the model defines, as those of a body in its own axes, sooner as independent ones than rates of
  /// coordinates, which may turn with the body.
  [[nodiscard]] Preference preference() const {
    const Index nq = equations_.nq(), nu = equations_.nu();
    Preference made{result_.scale, Vector::Ones(equations_.ny()), {}};
    made.is_held.assign(static_cast<std::size_t>(equations_.ny()), 0);
    for (std::size_t i = 0; i < equations_.is_held().size(); ++i)
      made.is_held[static_cast<std::size_t>(nq + nu) + i] = equations_.is_held()[i];
    const auto& speeds = equations_.system().model->speeds;
    for (Index i = 0; i < nu; ++i) {
      if (speeds[static_cast<std::size_t>(i)].is_default) made.weight[nq + i] = kOwnSpeedsSooner;
    }
    return made;
  }

  /// Integrates the motion and the deviations over one period.
  [[nodiscard]] Outcome<void> follow(double tolerance) {
    sim::SimulateOptions options = search_.run;
    options.duration = result_.period;
    options.tolerance = tolerance;
    sim::Start start;
    start.t0 = result_.t;
    start.q = result_.y.head(equations_.nq());
    start.u = result_.y.segment(equations_.nq(), equations_.nu());
    start.z = result_.y.tail(equations_.ny() - equations_.nq() - equations_.nu());
    std::optional<Failure> stopped;
    sim::Trajectory motion;
    auto samples = sim::vary(dynamics_, start, result_.tangent.T, options, kInstants, stopped, &motion);
    if (!samples) return fail(std::move(samples.error()));
    if (stopped) return fail(*std::move(stopped));
    if (auto done = refuse_events(motion, samples->back().y, tolerance); !done) return done;
    samples_ = *std::move(samples);
    result_.M = samples_.back().w(result_.tangent.independent, Eigen::all);
    find_essential();
    count_turns();
    return {};
  }

  /// Whole turns of angles, after which the equations are the same as at the begin.
  void count_turns() {
    turns_ = Vector::Zero(result_.y.size());
    const auto& coordinates = equations_.system().model->coordinates;
    for (const Index k : essential_) {
      const Index i = result_.tangent.independent[static_cast<std::size_t>(k)];
      if (i >= equations_.nq() || !coordinates[static_cast<std::size_t>(i)].dimension.is_dimensionless()) continue;
      const double turns = std::round((samples_.back().y - result_.y)[i] / (2.0 * std::numbers::pi));
      Vector turn = Vector::Zero(result_.y.size());
      turn[i] = 2.0 * std::numbers::pi * turns;
      if (turns != 0.0 && recurs(samples_.front(), turn)) turns_ += turn;
    }
  }

  /// Variations follow the equations of one mode without jumps of the state.
  [[nodiscard]] Outcome<void> refuse_events(const sim::Trajectory& motion, const Vector& end, double tolerance) const {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.advice = "deviations are followed through smooth motions only";
    const auto is_mark = [](const sim::RunEvent& event) { return std::holds_alternative<sim::Mark>(event); };
    const auto event = std::ranges::find_if_not(motion.events, is_mark);
    if (event != motion.events.end()) {
      failure.t = std::visit([](const auto& one) { return one.t; }, *event);
      failure.message = fmt::format("an event at t = {:.6g} s lies within the period", failure.t);
      return fail(std::move(failure));
    }
    const Vector by_run = sim::packed_state(motion.end());
    const double most = std::max(tolerance::kNearSingular, kErrorsOfRun * tolerance);
    if (relative(by_run - end).maxCoeff() <= most) return {};
    failure.t = result_.t;
    failure.message = "a sample or an input changes the state within the period";
    return fail(std::move(failure));
  }

  [[nodiscard]] Vector relative(const Vector& change) const { return change.cwiseAbs().cwiseQuotient(result_.scale); }
  /// Change of the components over the period, except for whole turns.
  [[nodiscard]] Vector change_of_state() const { return samples_.back().y - result_.y - turns_; }
  [[nodiscard]] Vector shift() const { return change_of_state()(result_.tangent.independent); }
  [[nodiscard]] Vector sizes() const { return result_.scale(result_.tangent.independent); }
  [[nodiscard]] Matrix change() const { return result_.M - Matrix::Identity(result_.M.rows(), result_.M.cols()); }

  /// |A| = |(F_y T)_I| at a sample, in typical sizes, without rounding errors; empty where the independent components
  /// are nearly dependent.
  [[nodiscard]] Matrix rates_at(const sim::Varied& sample) {
    NearState near;
    const Vector u_dot = result_.y_dot.segment(equations_.nq(), equations_.nu());
    if (!equations_.at(sample.t, sample.y, u_dot, near)) return {};
    Tangent tangent = result_.tangent;
    compute_tangent(near.c_y, result_.scale, tangent);
    const Matrix T = result_.scale.cwiseInverse().asDiagonal() * tangent.T * sizes().asDiagonal();
    if (T.size() == 0 || T.cwiseAbs().maxCoeff() > kSteep) return {};
    return without_rounding((near.F_y * tangent.T)(tangent.independent, Eigen::all), sizes(), tolerance::kHalfDigits)
        .cwiseAbs();
  }

  /// Separates the independent components on which no rate depends along the motion.
  void find_essential() {
    const auto n = static_cast<Index>(result_.tangent.independent.size());
    Matrix A = Matrix::Zero(n, n);
    for (const sim::Varied& sample : samples_) {
      const Matrix one = rates_at(sample);
      if (one.size() > 0) A += one;
    }
    essential_.resize(static_cast<std::size_t>(n));
    std::iota(essential_.begin(), essential_.end(), Index{0});
    ignorable_.clear();
    const auto is_ignorable = [&](Index i) {
      return std::ranges::all_of(essential_, [&](Index k) { return A(k, i) == 0.0; });
    };
    for (;;) {
      const auto found = std::ranges::find_if(essential_, is_ignorable);
      if (found == essential_.end()) return;
      ignorable_.push_back(*found);
      essential_.erase(found);
    }
  }

  /// Largest change of an essential component over the period, in typical sizes.
  [[nodiscard]] double miss() const {
    const Vector all = shift().cwiseAbs().cwiseQuotient(sizes());
    const Vector part = all(essential_);
    return part.size() > 0 ? part.maxCoeff() : 0.0;
  }

  /// A Newton step of least norm for the state, and for the period of an autonomous model.
  [[nodiscard]] Outcome<void> improve() {
    const std::vector<Index>& open = essential_;
    const auto n = static_cast<Index>(open.size());
    const Vector size = Vector(sizes()(open));
    Matrix J(n, n + (is_autonomous_ ? 1 : 0));
    J.leftCols(n) = size.cwiseInverse().asDiagonal() * change()(open, open) * size.asDiagonal();
    NearState end;
    const Vector u_dot = result_.y_dot.segment(equations_.nq(), equations_.nu());
    if (auto done = equations_.at(samples_.back().t, samples_.back().y, u_dot, end); !done) return done;
    const Vector rates = Vector(end.F(result_.tangent.independent))(open);
    if (is_autonomous_) J.rightCols(1) = rates.cwiseQuotient(size) * result_.period;
    const Vector residual = Vector(shift()(open)).cwiseQuotient(size);
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(tolerance::kHalfDigits);
    solver.compute(J);
    const Vector step = solver.solve(-residual);
    double factor = std::min(1.0, kLongestOrbitStep / std::max(step.cwiseAbs().maxCoeff(), tolerance::kLeast));
    if (is_autonomous_)
      factor = std::min(factor, kLargestPeriodChange / std::max(std::abs(step[n]), tolerance::kLeast));
    Vector y = result_.y;
    for (Index k = 0; k < n; ++k) {
      const Index component = result_.tangent.independent[static_cast<std::size_t>(open[static_cast<std::size_t>(k)])];
      y[component] += factor * step[k] * size[k];
    }
    if (is_autonomous_) result_.period *= 1.0 + factor * step[n];
    NearState near = end;
    if (!meet_conditions(equations_, result_.tangent, result_.scale, result_.t, y, near)) return fail(not_periodic());
    result_.y = std::move(y);
    const double speed = near.F.cwiseAbs().cwiseQuotient(first_scale_).maxCoeff();
    if (is_autonomous_ && speed * result_.period <= tolerance::kNearSingular) {
      Failure failure = not_periodic();
      failure.message = "the search for a periodic motion ended at an equilibrium";
      return fail(std::move(failure));
    }
    if (auto done = linearize_here(near.F.segment(equations_.nq(), equations_.nu())); !done) return done;
    return follow(search_.tolerance);
  }

  [[nodiscard]] bool is_ignorable(Index component) const {
    return std::ranges::any_of(
        ignorable_, [&](Index i) { return result_.tangent.independent[static_cast<std::size_t>(i)] == component; });
  }

  /// Whether the equations one period later, at the values that the advanced components have then, are those of now.
  [[nodiscard]] bool recurs(const sim::Varied& sample, const Vector& advance) {
    NearState here, later;
    const Vector u_dot = result_.y_dot.segment(equations_.nq(), equations_.nu());
    if (!equations_.at(sample.t, sample.y, u_dot, here)) return false;
    Tangent tangent = choose_tangent(equations_, here.c_y, preference());
    Vector y = sample.y + advance;
    later.F = here.F;
    if (!meet_conditions(equations_, tangent, result_.scale, sample.t + result_.period, y, later)) return false;
    std::vector<Index> kept;  // positions of all but ignorable coordinates that have advanced
    for (std::size_t i = 0; i < tangent.independent.size(); ++i) {
      const Index component = tangent.independent[i];
      if (!is_autonomous_ || advance[component] == 0.0 || !is_ignorable(component))
        kept.push_back(static_cast<Index>(i));
    }
    const auto rows = [&](const NearState& near) {
      compute_tangent(near.c_y, result_.scale, tangent);
      const Vector size = result_.scale(tangent.independent);
      const Matrix A = (near.F_y * tangent.T)(tangent.independent, Eigen::all);
      Matrix all(A.rows(), A.cols() + 1);
      all << size.cwiseInverse().asDiagonal() * A * size.asDiagonal(),
          Vector(near.F(tangent.independent)).cwiseQuotient(size);
      return Matrix(all(kept, Eigen::all));
    };
    const Matrix now = rows(here), then = rows(later);
    const double size = now.size() > 0 ? now.cwiseAbs().maxCoeff() : 0.0;
    return now.size() == 0 || (then - now).cwiseAbs().maxCoeff() <= tolerance::kNearSingular * size;
  }

  /// Finds which components have advanced. \returns kAssembly if one of them has an effect on the others
  [[nodiscard]] Outcome<void> compare_ends() {
    const Vector change = change_of_state(), missing = relative(change);
    Vector advance = turns_;
    for (const Index i : result_.tangent.independent) {
      if (turns_[i] != 0.0) result_.advanced.push_back(i);
      if (turns_[i] == 0.0 && missing[i] > tolerance::kNearSingular) {
        advance[i] = change[i];
        result_.advanced.push_back(i);
      } else {
        result_.distance = std::max(result_.distance, missing[i]);
      }
    }
    const auto& independent = result_.tangent.independent;
    const auto is_speed = [&](Index i) { return i >= equations_.nq() && i < equations_.nq() + equations_.nu(); };
    if (std::ranges::any_of(result_.advanced, is_speed)) return fail(not_periodic());
    const bool is_back = !independent.empty() || missing.size() == 0 || missing.maxCoeff() <= tolerance::kNearSingular;
    if (!is_back) return fail(not_periodic());
    for (const sim::Varied& sample : samples_) {
      if (!recurs(sample, advance)) return fail(not_periodic());
    }
    return {};
  }

  [[nodiscard]] Failure not_periodic() const {
    Failure failure;
    failure.kind = FailureKind::kAssembly;
    failure.t = result_.t;
    const Vector change = change_of_state(), missing = relative(change);
    Index worst = -1;
    for (Index i = 0; i < missing.size(); ++i) {
      const bool counts = result_.tangent.independent.empty() ||
                          std::ranges::find(result_.tangent.independent, i) != result_.tangent.independent.end();
      if (counts && missing[i] > tolerance::kNearSingular && (worst < 0 || missing[i] > missing[worst])) worst = i;
    }
    failure.message = worst >= 0 ? fmt::format("the motion is not periodic: after {:.9g} s `{}` differs by {:.3g}",
                                               result_.period, equations_.name(worst), change[worst])
                                 : fmt::format(
                                       "the motion is not periodic: the equations at times that differ by "
                                       "{:.9g} s are not the same",
                                       result_.period);
    failure.advice = search_.searches ? "begin the search nearer to a periodic motion"
                                      : "give the period more exactly, or search a periodic motion near the state";
    return failure;
  }

  /// The error of M, by a comparison with a coarser tolerance, and by the distance of the ends.
  [[nodiscard]] Outcome<void> measure_error() {
    const auto kept = std::tuple(result_.M, samples_, essential_, ignorable_, turns_);
    const Matrix fine = result_.M;
    if (auto done = follow(kCoarser * search_.tolerance); !done) return done;
    const Vector size = sizes();
    const auto largest = [&](const Matrix& of) {
      return of.size() == 0 ? 0.0 : (size.cwiseInverse().asDiagonal() * of * size.asDiagonal()).cwiseAbs().maxCoeff();
    };
    result_.error = largest(fine - result_.M) + (tolerance::kIdentity + result_.distance) * largest(fine);
    std::tie(result_.M, samples_, essential_, ignorable_, turns_) = kept;
    return {};
  }

  void read_multipliers() {
    const Matrix D = change()(essential_, essential_);
    const Vector size = sizes()(essential_);
    const double largest =
        D.size() == 0 ? 0.0 : (size.cwiseInverse().asDiagonal() * D * size.asDiagonal()).cwiseAbs().maxCoeff();
    const double rounding = largest > result_.error ? result_.error / largest : 1.0;
    Modes modes = modes_of(D, size, rounding, false);
    std::vector<Index> order(static_cast<std::size_t>(modes.eigenvalues.size()));
    std::iota(order.begin(), order.end(), Index{0});
    const ComplexVector all = modes.eigenvalues.array() + 1.0;
    std::ranges::stable_sort(
        order, [&](Index a, Index b) { return std::abs(all[a]) > std::abs(all[b]) * (1.0 + tolerance::kTie); });
    result_.multipliers = all(order);
    result_.uncertainty = modes.uncertainty(order);
    complete_vectors(modes.right(Eigen::all, order));
    take_trivial(modes.zeros);
    for (const Index i : ignorable_) result_.ones.push_back({ZeroEigenvalue::Why::kIgnorable, i, {}});
    for (ZeroEigenvalue& zero : modes.zeros) {
      Vector direction = Vector::Zero(result_.M.rows());
      direction(essential_) = zero.direction;
      result_.ones.push_back({zero.why, -1, std::move(direction)});
    }
    result_.stability = stability();
  }

  /// The ignorable part of vectors: (μ − M_gg) v_g = M_ge v_e.
  void complete_vectors(const ComplexMatrix& essential) {
    result_.vectors = ComplexMatrix::Zero(result_.M.rows(), essential.cols());
    result_.vectors(essential_, Eigen::all) = essential;
    if (ignorable_.empty()) return;
    for (Index k = 0; k < essential.cols(); ++k) {
      ComplexMatrix N = -result_.M(ignorable_, ignorable_).cast<std::complex<double>>();
      N.diagonal().array() += result_.multipliers[k];
      const ComplexVector part = N.partialPivLu().solve(result_.M(ignorable_, essential_) * essential.col(k));
      result_.vectors.col(k)(ignorable_) = part;
    }
  }

  /// Takes the deviation along the motion out of the family of neighboring periodic motions.
  void take_trivial(std::vector<ZeroEigenvalue>& ones) {
    if (!is_autonomous_) return;
    const Vector size = sizes()(essential_);
    Vector along = Vector(result_.y_dot(result_.tangent.independent))(essential_).cwiseQuotient(size);
    const auto is_family = [](const ZeroEigenvalue& one) { return one.why == ZeroEigenvalue::Why::kFamily; };
    if (along.size() == 0 || along.norm() <= tolerance::kConditioned) return;
    along.normalize();
    auto best = ones.end();
    double nearest = 0.0;
    for (auto one = ones.begin(); one != ones.end(); ++one) {
      const double cosine =
          is_family(*one) ? std::abs(one->direction.cwiseQuotient(size).normalized().dot(along)) : 0.0;
      if (cosine > nearest) nearest = cosine, best = one;
    }
    if (best == ones.end()) return;
    result_.has_trivial = true;
    ones.erase(best);
    for (ZeroEigenvalue& one : ones) {
      if (!is_family(one)) continue;
      Vector direction = one.direction.cwiseQuotient(size);
      direction -= direction.dot(along) * along;
      one.direction = (direction / direction.cwiseAbs().maxCoeff()).cwiseProduct(size);
    }
  }

  [[nodiscard]] Stability stability() const {
    bool is_decided = true;
    for (Index k = 0; k < result_.multipliers.size(); ++k) {
      const double excess = std::abs(result_.multipliers[k]) - 1.0;
      if (excess > result_.uncertainty[k]) return Stability::kUnstable;
      is_decided = is_decided && excess < -result_.uncertainty[k];
    }
    const auto is_drift = [](const ZeroEigenvalue& one) { return one.why == ZeroEigenvalue::Why::kDrift; };
    if (!is_decided || std::ranges::any_of(result_.ones, is_drift)) return Stability::kUndecided;
    return result_.ones.empty() ? Stability::kStable : Stability::kStableUpToZeros;
  }

  LinearEquations& equations_;
  sim::Dynamics& dynamics_;
  const PeriodicSearch& search_;
  bool is_autonomous_ = false;
  std::vector<Index> essential_, ignorable_;  ///< positions in `independent`
  Vector first_scale_;                        ///< [ny] typical sizes where the search began
  Vector turns_;                              ///< [ny] whole turns of angles over the period [rad]
  std::vector<sim::Varied> samples_;          ///< at the begin of the period, at instants within it and at its end
  PeriodicMotion result_;
};

}  // namespace

Outcome<PeriodicMotion> periodic_motion(LinearEquations& equations, sim::Dynamics& dynamics, double t, const Vector& y,
                                        const Vector& u_dot, const PeriodicSearch& search) {
  return Periodic(equations, dynamics, search).run(t, y, u_dot);
}

}  // namespace vinculum::linear
