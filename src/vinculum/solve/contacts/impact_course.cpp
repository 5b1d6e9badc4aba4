#include "vinculum/solve/contacts/impact_course.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {
namespace {

constexpr int kMostPieces = 40;       // most pieces of a round per contact; more mean that the process does not end
constexpr int kMostSteps = 20000;     // most steps of pieces in which slips turn
constexpr int kMostBisections = 200;  // most halvings of an interval that contains a root
constexpr double kCurveError = tolerance::kConverged;  // error of a step of a piece in which slips turn
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The s ≥ 0 at which v s + ½ a s² = c, for v ≥ 0 and c ≥ 0.
double time_to_cover(double c, double v, double a) {
  if (c <= 0.0) return 0.0;
  const double square = v * v + 2.0 * a * c;
  if (square < 0.0) return kNever;
  const double divisor = v + std::sqrt(square);
  return divisor > 0.0 ? 2.0 * c / divisor : kNever;
}

/// Friction x of a contact at rest whose velocity has the rate pull + G x: it minimizes ½ xᵀG x + pull·x for |x| ≤
/// bound. On the bound (G + λ) x = −pull with λ ≥ 0, so that the contact begins to slip in the direction −x.
Vector friction_at_rest(const Matrix& G, const Vector& pull, double bound) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(G);
  const Vector along = eigen.eigenvectors().transpose() * pull;
  const auto force = [&](double lambda) {
    Vector x = Vector::Zero(pull.size());
    for (Eigen::Index k = 0; k < pull.size(); ++k) {
      const double divisor = eigen.eigenvalues()[k] + lambda;
      if (divisor > tolerance::kDerivedRank) x[k] = -along[k] / divisor;
    }
    return x;
  };
  double low = 0.0, high = 0.0;
  if (force(0.0).norm() > bound) {
    high = pull.norm() / bound;
    for (int turn = 0; turn < kMostBisections && high - low > tolerance::kEqual * high; ++turn) {
      const double middle = 0.5 * (low + high);
      (force(middle).norm() > bound ? low : high) = middle;
    }
  }
  return eigen.eigenvectors() * force(high);
}

}  // namespace

ImpactCourse::ImpactCourse(const ScaledImpact& impact, Vector velocity, const std::vector<std::size_t>& approached,
                           const std::vector<std::size_t>& resting, const Vector& slip_is_zero, double noise)
    : impact_(impact), velocity_(std::move(velocity)), impulse_(Vector::Zero(velocity_.size())), noise_(noise) {
  const std::size_t count = impact.contacts.size();
  stage_.assign(count, Stage::kAbsent);
  approach_ = compressed_ = restored_ = Vector::Zero(static_cast<Eigen::Index>(count));
  work_.resize(count);
  shared_.assign(static_cast<std::size_t>(velocity_.size()), 0);
  for (const std::size_t c : resting) {
    stage_[c] = Stage::kRest;
    noise_ = std::max(noise_, std::abs(normal_velocity(c)));
    velocity_[contact(c).normal] = 0.0;
  }
  for (const std::size_t c : approached) {
    stage_[c] = Stage::kCompression;
    nth(approach_, c) = -normal_velocity(c);
    size_ = std::max(size_, -normal_velocity(c));
  }
  for (std::size_t c = 0; c < count; ++c) {
    auto slip = velocity_.segment(contact(c).first, contact(c).count);
    if (contact(c).count > 0 && slip.norm() <= slip_is_zero.segment(contact(c).first, contact(c).count).maxCoeff())
      slip.setZero();
  }
}

bool ImpactCourse::run() {
  const int most = kMostPieces * static_cast<int>(stage_.size() + 1);
  int straight = 0, curved = 0;
  bool is_over = false;
  while (!is_over && has_work_to_do()) {
    find_active();
    const std::optional<ImpactRates> at = rates();
    if (!at) return false;
    for (std::size_t i = 0; i < at->shared.size(); ++i) shared_[i] |= at->shared[i];
    are_velocities_unique_ = are_velocities_unique_ && at->are_velocities_unique;
    const bool is_curved = turns(*at);
    if (is_curved ? ++curved > kMostSteps : ++straight > most) return false;
    if (is_curved ? !run_curved(*at) : !run_straight(*at, is_over)) return false;
  }
  pieces_ = straight + curved;
  return true;
}

/// Contacts that may have a force: those in compression or restitution, and those at rest that have not parted.
void ImpactCourse::find_active() {
  active_.assign(stage_.size(), 0);
  slips_.assign(stage_.size(), 0);
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    active_[c] = stage_[c] == Stage::kCompression || stage_[c] == Stage::kRestitution ||
                 (stage_[c] == Stage::kRest && normal_velocity(c) <= 0.0);
    slips_[c] = velocity_.segment(contact(c).first, contact(c).count).norm() > 0.0;
  }
}

/// A piece with constant rates. It ends when a contact changes its stage or when its slip ends.
bool ImpactCourse::run_straight(const ImpactRates& at, bool& is_over) {
  double step = kNever;
  for (std::size_t c = 0; c < stage_.size(); ++c) step = std::min({step, end_of_stage(c, at), end_of_slip(c, at)});
  is_over = step == kNever;  // contacts in restitution separate without force
  if (is_over) return true;
  // Changes at almost the same instant happen together.
  const double together = step + tolerance::kZero;
  std::vector<std::size_t> changed, stopped;
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    if (end_of_stage(c, at) <= together) changed.push_back(c);
    if (end_of_slip(c, at) <= together) stopped.push_back(c);
  }
  Progress by{step * at.x, Vector::Zero(approach_.size()), Vector::Zero(approach_.size()), 0.0};
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    const Vector work = by.impulse.cwiseProduct(velocity_ + 0.5 * step * at.w);
    nth(by.normal_work, c) = work[contact(c).normal];
    nth(by.slip_work, c) = work.segment(contact(c).first, contact(c).count).sum();
  }
  advance(by);
  for (const std::size_t c : stopped) velocity_.segment(contact(c).first, contact(c).count).setZero();
  for (const std::size_t c : changed) change_stage(c);
  return true;
}

bool ImpactCourse::has_work_to_do() const {
  return std::ranges::any_of(stage_,
                             [](Stage one) { return one == Stage::kCompression || one == Stage::kRestitution; });
}

Vector ImpactCourse::slip_of(std::size_t c) const {
  if (slips_[c] == 0) return {};
  const Vector slip = velocity_.segment(contact(c).first, contact(c).count);
  return slip / slip.norm();
}

std::optional<ImpactRates> ImpactCourse::rates() const {
  std::vector<RateContact> active;
  Vector b = Vector::Zero(velocity_.size());
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    if (!is_active(c)) continue;
    active.push_back({c, slip_of(c)});
    b[contact(c).normal] = stage_[c] == Stage::kRest ? 0.0 : -nth(approach_, c);
  }
  if (active.size() == 1) return rates_alone(active.front().index);
  return solve_rates(impact_, active, b, noise_);
}

/// Rates of a contact that acts alone. Its normal force is given, not its normal velocity: the velocity of approach may
/// grow at first, if friction pulls the body towards the surface, until the slip ends.
std::optional<ImpactRates> ImpactCourse::rates_alone(std::size_t c) const {
  const ImpactContact& one = contact(c);
  ImpactRates rates;
  rates.x = Vector::Zero(velocity_.size());
  const double force = nth(approach_, c) / impact_.G(one.normal, one.normal);
  rates.x[one.normal] = force;
  if (one.count > 0 && one.mu > 0.0) {
    const Vector slip = slip_of(c), pull = impact_.G.col(one.normal).segment(one.first, one.count) * force;
    rates.x.segment(one.first, one.count) =
        slip.size() > 0
            ? Vector(-one.mu * force * slip)
            : friction_at_rest(impact_.G.block(one.first, one.first, one.count, one.count), pull, one.mu * force);
  }
  rates.w = impact_.G * rates.x;
  // A contact that sticks may hold the bodies, so that its normal force moves nothing.
  const Vector terms = impact_.G.cwiseAbs() * rates.x.cwiseAbs();
  rates.w = (rates.w.cwiseAbs().array() > tolerance::kZero * terms.array()).select(rates.w, 0.0);
  return rates;
}

double ImpactCourse::end_of_stage(std::size_t c, const ImpactRates& at) const {
  const double gamma = normal_velocity(c), rate = at.w[contact(c).normal];
  switch (stage_[c]) {
    case Stage::kCompression: return rate > 0.0 ? std::max(-gamma, 0.0) / rate : kNever;
    case Stage::kRestitution: return end_of_restitution(c, at);
    case Stage::kRest: return gamma > 0.0 && rate < 0.0 ? gamma / -rate : kNever;  // the contact closes again
    case Stage::kAbsent: break;
  }
  return kNever;
}

double ImpactCourse::end_of_restitution(std::size_t c, const ImpactRates& at) const {
  const double gamma = normal_velocity(c), rate = at.w[contact(c).normal], force = at.x[contact(c).normal];
  const double e = contact(c).restitution;
  if (contact(c).law == RestitutionLaw::kNewton) {
    const double missing = std::max(e * nth(approach_, c) - gamma, 0.0);
    return missing == 0.0 ? 0.0 : rate > 0.0 ? missing / rate : kNever;
  }
  if (!(force > 0.0)) return kNever;
  if (contact(c).law == RestitutionLaw::kPoisson)
    return std::max(e * nth(compressed_, c) - nth(restored_, c), 0.0) / force;
  const double missing = -e * e * work_[c].compression - work_[c].restitution;
  // A contact that sticks may hold the bodies before its restitution ends. Then its velocity is 0 or a rounding error.
  if (rate == 0.0 && gamma <= std::max(tolerance::kIdentity * size_, noise_)) return kNever;
  return time_to_cover(missing / force, gamma, rate);
}

/// Time until the slip of a contact with a force is 0, if the slip does not turn.
double ImpactCourse::end_of_slip(std::size_t c, const ImpactRates& at) const {
  const ImpactContact& one = contact(c);
  if (!is_active(c) || slips_[c] == 0 || !(one.mu > 0.0) || !(at.x[one.normal] > 0.0)) return kNever;
  const auto slip = velocity_.segment(one.first, one.count), rate = at.w.segment(one.first, one.count);
  return slip.dot(rate) < 0.0 ? slip.norm() / rate.norm() : kNever;
}

/// Whether the direction of the slip of a contact with a force changes.
bool ImpactCourse::turns(const ImpactRates& at) const {
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    const ImpactContact& one = contact(c);
    if (!is_active(c) || slips_[c] == 0 || one.count < 2 || !(one.mu > 0.0) || !(at.x[one.normal] > 0.0)) continue;
    const Vector slip = slip_of(c), rate = at.w.segment(one.first, one.count);
    if ((rate - slip * slip.dot(rate)).norm() > tolerance::kZero * std::max(size_, rate.norm())) return true;
  }
  return false;
}

/// Integrates the rates over a step in which slips turn, by the method of Dormand and Prince of order 5.
/// \returns nothing if there are no rates at a stage.   Source: Hairer, Nørsett & Wanner, table II.5.2.
std::optional<ImpactCourse::Progress> ImpactCourse::curve(const ImpactRates& at, double step) {
  static constexpr double kA[6][6] = {
      {1.0 / 5.0},
      {3.0 / 40.0, 9.0 / 40.0},
      {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
      {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
      {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
      {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
  static constexpr double kError[7] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                       -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
  const Vector start = velocity_;
  std::vector<Vector> x{at.x};
  Progress by{Vector::Zero(start.size()), Vector::Zero(approach_.size()), Vector::Zero(approach_.size()), 0.0};
  for (int stage = 0; stage <= 6; ++stage) {
    const double weight = stage < 6 ? step * kA[5][stage] : 0.0;
    for (std::size_t c = 0; c < stage_.size(); ++c) {
      const ImpactContact& one = contact(c);
      const Vector power = nth(x, stage).cwiseProduct(velocity_);
      nth(by.normal_work, c) += weight * power[one.normal];
      nth(by.slip_work, c) += weight * power.segment(one.first, one.count).sum();
    }
    if (stage == 6) break;
    Vector impulse = Vector::Zero(start.size());
    for (int k = 0; k <= stage; ++k) impulse += step * kA[stage][k] * nth(x, k);
    velocity_ = start + impact_.G * impulse;
    const std::optional<ImpactRates> next = rates();
    if (!next) {
      velocity_ = start;
      return std::nullopt;
    }
    x.push_back(next->x);
    by.impulse = impulse;
  }
  velocity_ = start;
  Vector error = Vector::Zero(start.size());
  for (int k = 0; k < 7; ++k) error += step * kError[k] * nth(x, k);
  by.error = error.lpNorm<Eigen::Infinity>() / std::max(size_, noise_);
  return by;
}

/// A value that is positive until contact c changes its stage.
double ImpactCourse::distance_to_change(std::size_t c, const Progress& by) const {
  const ImpactContact& one = contact(c);
  const double gamma = normal_velocity(c) + impact_.G.row(one.normal).dot(by.impulse);
  if (stage_[c] == Stage::kCompression) return -gamma;
  if (stage_[c] == Stage::kRest) return is_active(c) ? kNever : gamma;
  if (stage_[c] != Stage::kRestitution) return kNever;
  const double e = one.restitution;
  if (one.law == RestitutionLaw::kNewton) return e * nth(approach_, c) - gamma;
  if (one.law == RestitutionLaw::kPoisson) return e * nth(compressed_, c) - nth(restored_, c) - by.impulse[one.normal];
  return -e * e * work_[c].compression - work_[c].restitution - nth(by.normal_work, c);
}

/// A step of a piece in which slips turn. The step ends at the first change of a stage. If a slip decreases, the step
/// is at most half of the time until it would end.
bool ImpactCourse::run_curved(const ImpactRates& at) {
  double step = step_;
  for (std::size_t c = 0; c < stage_.size(); ++c) step = std::min(step, 0.5 * end_of_slip(c, at));
  std::optional<Progress> by;
  while (true) {
    by = curve(at, step);
    if (by && by->error <= kCurveError) break;
    step *= 0.5;
    if (step < tolerance::kRounded) return false;
  }
  step_ = step * std::clamp(0.9 * std::pow(kCurveError / std::max(by->error, tolerance::kLeast), 0.2), 0.5, 4.0);
  std::vector<std::size_t> changed;
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    if (distance_to_change(c, *by) > 0.0) continue;
    changed.assign(1, c);
    double low = 0.0;
    for (int turn = 0; turn < kMostBisections && step - low > tolerance::kEqual * step; ++turn) {
      const double middle = 0.5 * (low + step);
      std::optional<Progress> part = curve(at, middle);
      if (!part) return false;
      if (distance_to_change(c, *part) > 0.0) {
        low = middle;
      } else {
        step = middle;
        by = std::move(part);
      }
    }
  }
  advance(*by);
  for (const std::size_t c : changed) change_stage(c);
  return true;
}

/// Adds the changes of a piece. Changes of velocities that are rounding errors are dropped for contacts that stick and
/// contacts that stay closed.
void ImpactCourse::advance(const Progress& by) {
  const double noise = std::max(tolerance::kIdentity * size_, noise_);
  const double largest = std::max(1.0, by.impulse.lpNorm<Eigen::Infinity>() / std::max(size_, noise_));
  Vector change = impact_.G * by.impulse;
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    const ImpactContact& one = contact(c);
    if (stage_[c] == Stage::kCompression) {
      work_[c].compression += nth(by.normal_work, c);
      nth(compressed_, c) += by.impulse[one.normal];
    } else if (stage_[c] == Stage::kRestitution) {
      work_[c].restitution += nth(by.normal_work, c);
      nth(restored_, c) += by.impulse[one.normal];
    }
    work_[c].tangential += nth(by.slip_work, c);
    if (!is_active(c)) continue;
    if (stage_[c] == Stage::kRest && std::abs(change[one.normal]) <= noise * largest) change[one.normal] = 0.0;
    auto slip = change.segment(one.first, one.count);
    if (slips_[c] == 0 && slip.norm() <= noise * largest) slip.setZero();
  }
  velocity_ += change;
  impulse_ += by.impulse;
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    auto slip = velocity_.segment(contact(c).first, contact(c).count);
    if (stage_[c] != Stage::kAbsent && slip.norm() <= std::max(tolerance::kZero * size_, noise_)) slip.setZero();
  }
}

/// A contact ends its compression, ends its restitution, or closes again.
void ImpactCourse::change_stage(std::size_t c) {
  if (stage_[c] == Stage::kRestitution) {
    stage_[c] = Stage::kAbsent;
    return;
  }
  velocity_[contact(c).normal] = 0.0;
  const bool restores = contact(c).restitution > 0.0 && nth(compressed_, c) > 0.0;
  stage_[c] = stage_[c] == Stage::kCompression && restores ? Stage::kRestitution : Stage::kRest;
}

}  // namespace vinculum::solve
