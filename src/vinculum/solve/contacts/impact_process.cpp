#include "vinculum/solve/contacts/impact_process.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/contacts/impact_course.hpp"
#include "vinculum/solve/contacts/impact_rates.hpp"

namespace vinculum::solve {
namespace {

// Ratio of the shares of impulses that are not unique, in the second solution that is compared with the first.
constexpr double kOtherShare = 1.5;

/// The contacts that act together in a round.
struct Round {
  std::vector<std::size_t> approached, resting;
  bool is_moreau = false;
};

/// The rounds of an impact, in scaled velocities and impulses.
class ImpactRounds {
 public:
  explicit ImpactRounds(const ScaledImpact& impact) : impact_(impact), velocity_(impact.velocity) {
    result_.impulse = Vector::Zero(velocity_.size());
    result_.work.resize(impact.contacts.size());
    result_.shared.assign(static_cast<std::size_t>(velocity_.size()), 0);
  }

  ImpactResult run() {
    double least = tolerance::kIdentity;  // smallest velocity of approach that begins a round, relative to its size
    while (!contacts_below(-least).empty()) {
      least = tolerance::kConditioned;
      ++result_.rounds;
      if (result_.rounds > kMostRounds) {
        note(ImpactEnding::kInelastic);
        if (!act_inelastically() && !act_without_restitution()) note(ImpactEnding::kNoSolution);
        break;
      }
      const Round round = next_round(contacts_below(-tolerance::kIdentity));
      if (round.is_moreau ? act_by_moreau(round) : act(round, impact_)) continue;
      note(ImpactEnding::kOneByOne);
      if (!act({{most_energetic(round.approached)}, {}}, impact_)) {
        note(ImpactEnding::kNoSolution);
        break;
      }
    }
    result_.velocity = velocity_;
    return result_;
  }

 private:
  [[nodiscard]] const ImpactContact& contact(std::size_t c) const { return impact_.contacts[c]; }
  /// Normal velocity relative to its size. It is 0 if it is a rounding error.
  [[nodiscard]] double relative_velocity(std::size_t c) const {
    const double gamma = velocity_[contact(c).normal];
    return std::abs(gamma) <= noise() ? 0.0 : gamma / impact_.velocity_size[contact(c).normal];
  }
  /// Rounding error of the velocities. Impulses may be large compared with the change of velocities that they cause.
  [[nodiscard]] double noise() const {
    return tolerance::kRounded *
           (impact_.velocity.lpNorm<Eigen::Infinity>() + result_.impulse.lpNorm<Eigen::Infinity>());
  }
  void note(ImpactEnding ending) { result_.ending = std::max(result_.ending, ending); }

  /// Contacts with a relative velocity below a limit < 0.
  [[nodiscard]] std::vector<std::size_t> contacts_below(double limit) {
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < impact_.contacts.size(); ++c) {
      if (!(relative_velocity(c) < limit)) continue;
      if (impact_.is_movable(contact(c)))
        all.push_back(c);
      else
        note(ImpactEnding::kNoSolution);
    }
    return all;
  }

  [[nodiscard]] double energy_of_approach(std::size_t c) const {
    const int n = contact(c).normal;
    return velocity_[n] * velocity_[n] / impact_.G(n, n);
  }
  [[nodiscard]] std::size_t most_energetic(const std::vector<std::size_t>& of) const {
    std::size_t most = of.front();
    for (const std::size_t c : of)
      if (energy_of_approach(c) > (1.0 + tolerance::kTie) * energy_of_approach(most)) most = c;
    return most;
  }

  [[nodiscard]] Round next_round(const std::vector<std::size_t>& approaching) const {
    const std::size_t leader = most_energetic(approaching);
    Round round;
    round.is_moreau = contact(leader).law == RestitutionLaw::kMoreau;
    if (contact(leader).is_sequential) {
      round.approached = {leader};
      return round;
    }
    for (const std::size_t c : approaching) {
      const bool is_moreau = contact(c).law == RestitutionLaw::kMoreau;
      if (!contact(c).is_sequential && is_moreau == round.is_moreau) round.approached.push_back(c);
    }
    for (std::size_t c = 0; c < impact_.contacts.size(); ++c) {
      const bool is_resting = std::abs(relative_velocity(c)) <= tolerance::kIdentity;
      if (is_resting && !contact(c).is_sequential && impact_.is_movable(contact(c))) round.resting.push_back(c);
    }
    return round;
  }

  /// \param impact  `impact_`, or the same with other coefficients of restitution
  bool act(const Round& round, const ScaledImpact& impact) {
    ImpactCourse course(impact, velocity_, round.approached, round.resting,
                        tolerance::kIdentity * impact_.velocity_size, noise());
    if (!course.run()) return false;
    result_.pieces += course.pieces();
    add_shared(course.shared());
    if (!course.are_velocities_unique()) note(ImpactEnding::kManySolutions);
    for (std::size_t c = 0; c < impact_.contacts.size(); ++c) {
      result_.work[c].compression += course.work()[c].compression;
      result_.work[c].restitution += course.work()[c].restitution;
      result_.work[c].tangential += course.work()[c].tangential;
    }
    apply(course.impulse());
    return true;
  }

  bool act_by_moreau(const Round& round) {
    Vector b = velocity_;
    std::vector<RateContact> active;
    for (const std::size_t c : round.approached) {
      b[contact(c).normal] *= 1.0 + contact(c).restitution;
      active.push_back({c, {}});
    }
    for (const std::size_t c : round.resting) {
      b[contact(c).normal] = 0.0;
      active.push_back({c, {}});
    }
    return act_at_once(active, b);
  }

  /// Brings all velocities of approach to 0. Contacts that separate take part, because this is the last round.
  bool act_inelastically() {
    std::vector<RateContact> active;
    for (std::size_t c = 0; c < impact_.contacts.size(); ++c)
      if (impact_.is_movable(contact(c))) active.push_back({c, {}});
    return act_at_once(active, velocity_);
  }

  /// Does the same by rounds of processes without restitution, which may have a solution where the problem for the
  /// velocities after the impact has none.
  bool act_without_restitution() {
    ScaledImpact inelastic = impact_;
    for (ImpactContact& one : inelastic.contacts) one.restitution = 0.0;
    for (int round = 0; round < kMostRounds; ++round) {
      const std::vector<std::size_t> approaching = contacts_below(-tolerance::kConditioned);
      if (approaching.empty()) return true;
      if (!act(next_round(approaching), inelastic)) return false;
    }
    return contacts_below(-tolerance::kConditioned).empty();
  }

  /// Impulses that satisfy a problem for the velocities after the impact. Their works follow the straight path from the
  /// velocities before to those after.
  bool act_at_once(const std::vector<RateContact>& active, const Vector& b) {
    const std::optional<ImpactRates> found = solve_rates(impact_, active, b, noise());
    if (!found) return false;
    ++result_.pieces;
    add_shared(found->shared);
    if (!found->are_velocities_unique) note(ImpactEnding::kManySolutions);
    for (const RateContact& one : active) {
      const ImpactContact& of = contact(one.index);
      ImpactWork& work = result_.work[one.index];
      const double before = velocity_[of.normal], after = before + found->w[of.normal], impulse = found->x[of.normal];
      const double part = before < 0.0 && after > 0.0 ? before / (before - after) : 1.0;  // of the path, in compression
      const double first = 0.5 * impulse * part * (before + std::min(after, 0.0));
      (before < 0.0 ? work.compression : work.restitution) += part < 1.0 ? first : 0.5 * impulse * (before + after);
      if (part < 1.0) work.restitution += 0.5 * impulse * (1.0 - part) * after;
      for (int k = of.first; k < of.first + of.count; ++k)
        work.tangential += found->x[k] * (velocity_[k] + 0.5 * found->w[k]);
    }
    apply(found->x);
    return true;
  }

  void add_shared(const std::vector<char>& shared) {
    for (std::size_t i = 0; i < shared.size(); ++i) result_.shared[i] |= shared[i];
  }

  void apply(const Vector& impulse) {
    result_.impulse += impulse;
    velocity_ = impact_.velocity + impact_.G * result_.impulse;
  }

  const ScaledImpact& impact_;
  Vector velocity_;
  ImpactResult result_;
};

}  // namespace

double ImpactResult::energy_change() const {
  double sum = 0.0;
  for (const ImpactWork& one : work) sum += one.total();
  return sum;
}

bool ImpactResult::are_impulses_unique() const { return std::ranges::find(shared, 1) == shared.end(); }

ImpactResult solve_impact(const ImpactProblem& problem) {
  ScaledImpact impact(problem);
  ImpactResult result = ImpactRounds(impact).run();
  if (!result.are_impulses_unique()) {
    // If the contacts share impulses in another way, the velocities should be the same.
    for (Eigen::Index i = 0; i < impact.share.size(); ++i) impact.share[i] = std::pow(kOtherShare, i % 5);
    const Vector other = ImpactRounds(impact).run().velocity, differs = (other - result.velocity).cwiseAbs();
    const double size = impact.velocity.lpNorm<Eigen::Infinity>();
    if (differs.maxCoeff() > tolerance::kConditioned * size)
      result.ending = std::max(result.ending, ImpactEnding::kManySolutions);
  }
  result.impulse = result.impulse.cwiseQuotient(impact.row_size);
  result.velocity = problem.velocity + problem.G * result.impulse;
  return result;
}

}  // namespace vinculum::solve
