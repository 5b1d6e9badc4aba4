#include "vinculum/solve/contacts/impact_course.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {
namespace {

constexpr int kMostPieces = 40;  // most pieces of a round per contact; more mean that the process does not end
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The s ≥ 0 at which v s + ½ a s² = c, for v ≥ 0 and c ≥ 0.
double time_to_cover(double c, double v, double a) {
  if (c <= 0.0) return 0.0;
  const double square = v * v + 2.0 * a * c;
  if (square < 0.0) return kNever;
  const double divisor = v + std::sqrt(square);
  return divisor > 0.0 ? 2.0 * c / divisor : kNever;
}

}  // namespace

ImpactCourse::ImpactCourse(const ScaledImpact& impact, Vector velocity, const std::vector<std::size_t>& approached,
                           const std::vector<std::size_t>& resting, const Vector& slip_is_zero, double noise)
    : impact_(impact), velocity_(std::move(velocity)), impulse_(Vector::Zero(velocity_.size())), noise_(noise) {
  const std::size_t count = impact.contacts.size();
  stage_.assign(count, Stage::kAbsent);
  approach_ = compressed_ = restored_ = Vector::Zero(static_cast<Eigen::Index>(count));
  work_.resize(count);
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
  while (has_work_to_do()) {
    const std::optional<ImpactRates> at = rates();
    if (!at || pieces_ == most) return false;
    double step = kNever;
    for (std::size_t c = 0; c < stage_.size(); ++c) step = std::min({step, end_of_stage(c, *at), end_of_slip(c, *at)});
    if (step == kNever) return true;  // contacts in restitution separate without force
    ++pieces_;
    are_unique_ = are_unique_ && at->are_unique;
    are_velocities_unique_ = are_velocities_unique_ && at->are_velocities_unique;
    // Changes at almost the same instant happen together.
    const double together = step + tolerance::kZero;
    std::vector<std::size_t> changed, stopped;
    for (std::size_t c = 0; c < stage_.size(); ++c) {
      if (end_of_stage(c, *at) <= together) changed.push_back(c);
      if (end_of_slip(c, *at) <= together) stopped.push_back(c);
    }
    advance(*at, step);
    for (const std::size_t c : stopped) velocity_.segment(contact(c).first, contact(c).count).setZero();
    for (const std::size_t c : changed) change_stage(c);
  }
  return true;
}

/// Whether the contact may have a force: it is in compression or restitution, or it is at rest and has not parted.
bool ImpactCourse::is_active(std::size_t c) const {
  return stage_[c] == Stage::kCompression || stage_[c] == Stage::kRestitution ||
         (stage_[c] == Stage::kRest && normal_velocity(c) <= 0.0);
}

bool ImpactCourse::has_work_to_do() const {
  return std::ranges::any_of(stage_,
                             [](Stage one) { return one == Stage::kCompression || one == Stage::kRestitution; });
}

Vector ImpactCourse::slip_of(std::size_t c) const {
  const Vector slip = velocity_.segment(contact(c).first, contact(c).count);
  const double length = slip.norm();
  return length > 0.0 ? Vector(slip / length) : Vector();
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
  if (one.count == 1 && one.mu > 0.0) {
    const double pull = impact_.G(one.first, one.normal) * force, own = impact_.G(one.first, one.first);
    const Vector slip = slip_of(c);
    const double bound = one.mu * force;
    if (slip.size() > 0)
      rates.x[one.first] = -bound * slip[0];
    else if (std::abs(pull) <= bound * own)
      rates.x[one.first] = own > tolerance::kDerivedRank ? -pull / own : 0.0;
    else
      rates.x[one.first] = pull > 0.0 ? -bound : bound;
  }
  rates.w = impact_.G * rates.x;
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
  return time_to_cover(missing / force, gamma, rate);
}

/// Time until the slip of a contact with a force is 0. A slip that turns in a plane is not followed.
double ImpactCourse::end_of_slip(std::size_t c, const ImpactRates& at) const {
  const ImpactContact& one = contact(c);
  if (!is_active(c) || one.count != 1 || !(one.mu > 0.0) || !(at.x[one.normal] > 0.0)) return kNever;
  const double slip = velocity_[one.first], rate = at.w[one.first];
  return slip * rate < 0.0 ? -slip / rate : kNever;
}

void ImpactCourse::advance(const ImpactRates& at, double step) {
  const double noise = std::max(tolerance::kIdentity * size_, noise_);  // rates below this are rounding errors
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    const ImpactContact& one = contact(c);
    const auto work_of = [&](int row) { return at.x[row] * step * (velocity_[row] + 0.5 * step * at.w[row]); };
    const double impulse = step * at.x[one.normal];
    if (stage_[c] == Stage::kCompression) {
      work_[c].compression += work_of(one.normal);
      nth(compressed_, c) += impulse;
    } else if (stage_[c] == Stage::kRestitution) {
      work_[c].restitution += work_of(one.normal);
      nth(restored_, c) += impulse;
    }
    for (int k = one.first; k < one.first + one.count; ++k) work_[c].tangential += work_of(k);
  }
  Vector rate = at.w;
  for (std::size_t c = 0; c < stage_.size(); ++c) {
    const ImpactContact& one = contact(c);
    if (!is_active(c)) continue;
    if (stage_[c] == Stage::kRest && std::abs(rate[one.normal]) <= noise) rate[one.normal] = 0.0;
    auto slip_rate = rate.segment(one.first, one.count);
    if (velocity_.segment(one.first, one.count).norm() == 0.0 && slip_rate.norm() <= noise) slip_rate.setZero();
  }
  velocity_ += step * rate;
  impulse_ += step * at.x;
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
