#include "vinculum/solve/contacts/impact_rates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/contacts/complementarity.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"

namespace vinculum::solve {
namespace {

// Up to this number of modes all are tried, so that other solutions are found. Lemke's method finds one solution.
constexpr double kMostModesToTry = 64.0;

std::optional<ImpactRates> without_friction(const ScaledImpact& impact, const std::vector<int>& rows, const Vector& b,
                                            double size, double noise) {
  const std::optional<ComplementarySolution> found = solve_complementarity(
      Matrix(impact.G(rows, rows)), Vector(b(rows) / size), Vector(impact.share(rows)), noise / size);
  if (!found) return std::nullopt;
  ImpactRates rates;
  rates.x = Vector::Zero(b.size());
  rates.x(rows) = size * found->x;
  rates.shared.assign(static_cast<std::size_t>(b.size()), 0);
  for (const int row : rows) nth(rates.shared, row) = found->is_unique ? 0 : 1;
  return rates;
}

/// The problem with friction. A contact without tangential rows gets one that no impulse moves.
class FrictionRates {
 public:
  FrictionRates(const ScaledImpact& impact, const std::vector<RateContact>& contacts, const Vector& b, double size,
                double noise)
      : impact_(impact), contacts_(contacts), b_(b), size_(size), noise_(noise) {
    for (const RateContact& one : contacts) add(one);
    fill();
  }

  std::optional<ImpactRates> solve() {
    ContactAnswers found;
    if (count_modes() > kMostModesToTry) found = by_lemke();
    if (found.answers.empty()) found = solve_contacts(problem_);
    std::erase_if(found.answers, [&](const ContactAnswer& one) { return !satisfies_coulomb(one); });
    if (found.answers.empty()) return std::nullopt;
    const ContactAnswer& answer = found.answers.front();
    ImpactRates rates;
    rates.x = Vector::Zero(b_.size());
    for (Eigen::Index k = 0; k < answer.x.size(); ++k)
      if (nth(rows_, k) >= 0) rates.x[nth(rows_, k)] = answer.x[k];
    rates.shared.assign(static_cast<std::size_t>(b_.size()), 0);
    for (const ContactAnswer& one : found.answers) mark_shared(one, rates.shared);
    rates.are_velocities_unique =
        has_like_restitution(answer) && std::ranges::all_of(found.answers, [&](const ContactAnswer& one) {
          return one.is_motion_unique && is_one_motion(problem_, answer, one);
        });
    return rates;
  }

 private:
  /// Marks the components of forces that the answer leaves free.
  void mark_shared(const ContactAnswer& answer, std::vector<char>& shared) const {
    for (Eigen::Index column = 0; column < answer.free_x.cols(); ++column) {
      const auto along = answer.free_x.col(column);
      const double noise = tolerance::kUnique * along.lpNorm<Eigen::Infinity>();
      for (Eigen::Index k = 0; k < along.size(); ++k)
        if (nth(rows_, k) >= 0 && std::abs(along[k]) > noise) nth(shared, nth(rows_, k)) = 1;
    }
  }

  [[nodiscard]] double count_modes() const {
    double all = 1.0;
    for (const Contact& one : problem_.contacts) all *= one.is_at_rest() ? 4.0 : 2.0;
    return all;
  }

  /// One answer, for at most one tangential direction per contact. The unknowns are the normal forces x_n and, for each
  /// contact at rest, friction β₊ − β₋ with β₊, β₋ ≥ 0 and the rate σ ≥ 0 of the slip:
  ///
  ///   w_n ≥ 0 ⟂ x_n,   σ + w_t ≥ 0 ⟂ β₊,   σ − w_t ≥ 0 ⟂ β₋,   μ x_n − β₊ − β₋ ≥ 0 ⟂ σ
  [[nodiscard]] ContactAnswers by_lemke() const {
    const auto count = static_cast<Eigen::Index>(contacts_.size());
    Matrix columns = Matrix::Zero(problem_.b.size(), 4 * count), bounds = Matrix::Zero(4 * count, 4 * count);
    for (Eigen::Index c = 0; c < count; ++c) {
      const Contact& one = nth(problem_.contacts, c);
      if (one.count > 1) return {};
      columns(one.unilateral, 4 * c) = 1.0;
      if (!one.is_at_rest()) {
        columns(one.first, 4 * c) = -one.mu * one.slip[0];
        continue;
      }
      columns(one.first, 4 * c + 1) = 1.0;
      columns(one.first, 4 * c + 2) = -1.0;
      bounds(4 * c + 1, 4 * c + 3) = bounds(4 * c + 2, 4 * c + 3) = 1.0;
      bounds(4 * c + 3, 4 * c) = one.mu;
      bounds(4 * c + 3, 4 * c + 1) = bounds(4 * c + 3, 4 * c + 2) = -1.0;
    }
    Matrix rows = columns;  // for contacts that slip, w_n is not combined with w_t
    for (const Contact& one : problem_.contacts)
      if (!one.is_at_rest()) rows.row(one.first).setZero();
    const Matrix M = rows.transpose() * problem_.G * columns + bounds;
    const std::optional<Vector> z = solve_by_lemke(M, Vector(rows.transpose() * problem_.b / size_));
    ContactAnswers found;
    if (!z) return found;
    const Vector w = (problem_.G * columns * *z * size_ + problem_.b) / size_;
    // A contact with w_n = 0 may share the forces of others. This is tried first, then the forces of the method.
    ContactAnswer answer = answer_of(problem_, modes_of(*z, w, tolerance::kIdentity));
    if (!satisfies_coulomb(answer)) answer = answer_of(problem_, modes_of(*z, w, -1.0));
    if (!satisfies_coulomb(answer)) return found;
    found.answers.push_back(std::move(answer));
    found.motions = 1;
    found.is_complete = false;
    return found;
  }

  /// Modes of a solution by Lemke's method. A contact without force counts as closed if |w_n| is below `closed`.
  [[nodiscard]] ContactModes modes_of(const Vector& z, const Vector& w, double closed) const {
    ContactModes modes;
    modes.direction = Vector::Zero(problem_.b.size());
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const Contact& one = problem_.contacts[c];
      const auto own = z.segment(4 * static_cast<Eigen::Index>(c), 4);
      modes.normal.emplace_back(Vector::Ones(1));
      modes.mode.push_back(ContactMode::kSlides);
      const bool has_force = own[0] > tolerance::kIdentity;
      if (!has_force && std::abs(w[one.unilateral]) > closed)
        modes.mode.back() = ContactMode::kOpen;
      else if (!one.is_at_rest())
        modes.direction[one.first] = one.slip[0];
      else if (!has_force && std::abs(w[one.first]) > tolerance::kIdentity)
        modes.direction[one.first] = w[one.first] > 0.0 ? 1.0 : -1.0;
      else if (own[3] > tolerance::kIdentity)
        modes.direction[one.first] = own[1] > own[2] ? -1.0 : 1.0;
      else
        modes.mode.back() = ContactMode::kSticks;
    }
    return modes;
  }

  /// True if the forces of an answer satisfy the conditions of contact and of friction themselves. If forces are not
  /// unique, the margin of an answer is one number for all contacts, which does not show every violation.
  [[nodiscard]] bool satisfies_coulomb(const ContactAnswer& answer) const {
    if (!answer.holds()) return false;
    const double small = tolerance::kHalfDigits * std::max(size_, answer.x.lpNorm<Eigen::Infinity>());
    return std::ranges::all_of(problem_.contacts, [&](const Contact& one) {
      const double normal = answer.x[one.unilateral], rate = answer.w[one.unilateral];
      const Vector force = answer.x.segment(one.first, one.count);
      if (normal < -small || rate < -small || std::min(normal, rate) > small) return false;
      if (!one.is_at_rest()) return (force + one.mu * normal * one.slip).norm() <= small;
      return force.norm() <= one.mu * normal + small;
    });
  }

  /// True if contacts with normal forces that are not unique have the same law of restitution. Otherwise the end of
  /// their restitution depends on how they share the forces.
  [[nodiscard]] bool has_like_restitution(const ContactAnswer& answer) const {
    const ImpactContact* first = nullptr;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      const ImpactContact& of = impact_.contacts[contacts_[c].index];
      const Eigen::Index row = problem_.contacts[c].unilateral;
      const bool varies = answer.free_x.cols() > 0 && answer.free_x.row(row).norm() > tolerance::kHalfDigits * size_;
      if (!varies) continue;
      if (first != nullptr && (of.restitution != first->restitution || of.law != first->law)) return false;
      first = &of;
    }
    return true;
  }

  void add(const RateContact& one) {
    const ImpactContact& of = impact_.contacts[one.index];
    Contact contact;
    contact.unilateral = static_cast<int>(rows_.size());
    contact.compliance = of.compliance;
    rows_.push_back(of.normal);
    contact.first = static_cast<int>(rows_.size());
    contact.count = std::max(of.count, 1);
    for (int k = 0; k < contact.count; ++k) rows_.push_back(k < of.count ? of.first + k : -1);
    if (of.count > 0 && of.mu > 0.0) {
      contact.normal = {static_cast<int>(problem_.contacts.size())};
      contact.mu = of.mu;
      contact.slip = one.slip;
    } else {
      contact.slip = Vector::Unit(contact.count, 0);  // a contact without friction has no force in this direction
    }
    problem_.contacts.push_back(std::move(contact));
  }

  void fill() {
    const auto n = static_cast<Eigen::Index>(rows_.size());
    const auto count = static_cast<Eigen::Index>(contacts_.size());
    problem_.G = Matrix::Zero(n, n);
    problem_.b = Vector::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      if (nth(rows_, i) < 0) continue;
      problem_.b[i] = b_[nth(rows_, i)];
      for (Eigen::Index j = 0; j < n; ++j)
        if (nth(rows_, j) >= 0) problem_.G(i, j) = impact_.G(nth(rows_, i), nth(rows_, j));
    }
    problem_.G_size = Vector::Ones(n);
    problem_.w_size = Vector::Constant(n, std::max(size_, noise_ / tolerance::kConditioned));
    problem_.x_size = Vector::Constant(n, size_);
    problem_.R = Matrix::Zero(count, n);
    for (Eigen::Index c = 0; c < count; ++c) problem_.R(c, nth(problem_.contacts, c).unilateral) = 1.0;
    problem_.r0 = Vector::Zero(count);
    problem_.r_size = Vector::Constant(count, size_);
    problem_.Z = Matrix::Zero(count, 0);
  }

  const ScaledImpact& impact_;
  const std::vector<RateContact>& contacts_;
  const Vector& b_;
  double size_, noise_;
  std::vector<int> rows_;  // rows of the impact problem; −1 for a row that no impulse moves
  ContactProblem problem_;
};

}  // namespace

ScaledImpact::ScaledImpact(const ImpactProblem& problem)
    : row_size(problem.G_size.cwiseSqrt()), contacts(problem.contacts), share(Vector::Ones(problem.velocity.size())) {
  double stiffest = std::numeric_limits<double>::infinity();
  for (ImpactContact& one : contacts) {
    one.compliance /= problem.G_size[one.normal];
    if (one.compliance > 0.0) stiffest = std::min(stiffest, one.compliance);
  }
  for (const ImpactContact& one : contacts) {
    if (!std::isfinite(stiffest)) break;
    // Contacts without compliance are rigid relative to the others.
    share[one.normal] = stiffest / std::max(one.compliance, tolerance::kDerivedRank * stiffest);
  }
  for (ImpactContact& one : contacts) {
    if (one.count == 0) continue;
    auto tangential = row_size.segment(one.first, one.count);
    tangential.setConstant(tangential.maxCoeff());
    one.mu *= tangential[0] / row_size[one.normal];
  }
  const Vector inverse = row_size.cwiseInverse();
  G = inverse.asDiagonal() * problem.G * inverse.asDiagonal();
  velocity = inverse.cwiseProduct(problem.velocity);
  velocity_size = inverse.cwiseProduct(problem.velocity_size);
}

bool ScaledImpact::is_movable(const ImpactContact& contact) const {
  return G(contact.normal, contact.normal) > tolerance::kDerivedRank;
}

std::optional<ImpactRates> solve_rates(const ScaledImpact& impact, const std::vector<RateContact>& contacts,
                                       const Vector& b, double noise) {
  std::vector<int> normals;
  bool has_friction = false;
  double size = tolerance::kLeast;
  for (const RateContact& one : contacts) {
    const ImpactContact& of = impact.contacts[one.index];
    normals.push_back(of.normal);
    has_friction = has_friction || (of.count > 0 && of.mu > 0.0);
    size = std::max(size, std::abs(b[of.normal]));
    for (int k = 0; k < of.count; ++k) size = std::max(size, std::abs(b[of.first + k]));
  }
  std::optional<ImpactRates> rates = has_friction ? FrictionRates(impact, contacts, b, size, noise).solve()
                                                  : without_friction(impact, normals, b, size, noise);
  if (rates) rates->w = impact.G * rates->x;
  return rates;
}

}  // namespace vinculum::solve
