#include "vinculum/solve/contacts/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/contacts/contact_group.hpp"

namespace vinculum::solve {
namespace {

// Groups that do not act on each other have independent answers. At most this many combinations of them are listed.
constexpr std::size_t kMostCombined = 64;
// The opposite direction is tried for at most this many normal forces.
constexpr std::size_t kMostTurning = 6;

/// Groups of contacts that act on each other, and their problems.
class Groups {
 public:
  explicit Groups(const ContactProblem& problem) : problem_(problem), known_(known_forces(problem)) {
    folded_ = problem;
    folded_.b += problem.G * known_.x;
    folded_.r0 += problem.R * known_.x;
    leader_.resize(problem.contacts.size());
    std::iota(leader_.begin(), leader_.end(), std::size_t{0});
    for (std::size_t c = 0; c < leader_.size(); ++c) {
      for (std::size_t other = 0; other < c; ++other)
        if (known_.is_known[c] == 0 && known_.is_known[other] == 0 && are_coupled(c, other)) join(c, other);
    }
  }

  ContactAnswers solve() {
    ContactAnswers all;
    all.motions = 1;
    all.answers.push_back(without_groups());
    for (std::size_t c = 0; c < leader_.size(); ++c) {
      if (known_.is_known[c] != 0 || leader(c) != c) continue;
      std::vector<std::size_t> members;
      for (std::size_t other = 0; other < leader_.size(); ++other)
        if (known_.is_known[other] == 0 && leader(other) == c) members.push_back(other);
      const auto [part, components] = part_of(members);
      const ContactAnswers of_part = ContactGroup(part).solve();
      all.motions *= of_part.motions;
      all.is_complete = all.is_complete && of_part.is_complete;
      combine(all.answers, of_part.answers, members, components);
    }
    for (ContactAnswer& answer : all.answers) finish(answer);
    return all;
  }

 private:
  [[nodiscard]] std::size_t leader(std::size_t c) const {
    while (leader_[c] != c) c = leader_[c];
    return c;
  }
  void join(std::size_t one, std::size_t other) {
    const std::size_t first = std::min(leader(one), leader(other)), second = std::max(leader(one), leader(other));
    leader_[second] = first;
  }
  [[nodiscard]] static std::vector<int> components_of(const Contact& contact) {
    std::vector<int> all;
    for (int k = 0; k < contact.count; ++k) all.push_back(contact.first + k);
    if (contact.unilateral >= 0) all.push_back(contact.unilateral);
    return all;
  }
  [[nodiscard]] bool acts_on_normal(const Contact& one, const Contact& of) const {
    if (of.mu == 0.0) return false;
    for (const int k : of.normal) {
      for (const int i : components_of(one))
        if (std::abs(problem_.R(k, i)) * problem_.x_size[i] > tolerance::kRounded * problem_.r_size[k]) return true;
    }
    return false;
  }
  [[nodiscard]] bool share_reactions(const Contact& one, const Contact& other) const {
    for (Eigen::Index j = 0; j < problem_.Z.cols(); ++j) {
      const auto has = [&](const Contact& of) {
        return std::ranges::any_of(of.normal, [&](int k) { return problem_.Z(k, j) != 0.0; });
      };
      if (has(one) && has(other)) return true;
    }
    return false;
  }
  [[nodiscard]] bool are_coupled(std::size_t c, std::size_t other) const {
    const Contact &one = problem_.contacts[c], &two = problem_.contacts[other];
    for (const int i : components_of(one)) {
      for (const int j : components_of(two)) {
        if (std::abs(problem_.G(i, j)) > tolerance::kRounded * std::sqrt(problem_.G_size[i] * problem_.G_size[j]))
          return true;
      }
    }
    return acts_on_normal(one, two) || acts_on_normal(two, one) || share_reactions(one, two);
  }

  /// The problem of some of the contacts, and the components of x that it contains.
  [[nodiscard]] std::pair<ContactProblem, std::vector<int>> part_of(const std::vector<std::size_t>& members) const {
    std::vector<int> components;
    ContactProblem part;
    for (const std::size_t c : members) {
      Contact one = problem_.contacts[c];
      const std::vector<int> own = components_of(one);
      one.first = static_cast<int>(components.size());
      if (one.unilateral >= 0) one.unilateral = one.first + one.count;
      components.insert(components.end(), own.begin(), own.end());
      part.contacts.push_back(std::move(one));
    }
    part.G = folded_.G(components, components);
    part.G_size = folded_.G_size(components);
    part.b = folded_.b(components);
    part.R = folded_.R(Eigen::all, components);
    part.r0 = folded_.r0;
    part.Z = folded_.Z;
    part.w_size = folded_.w_size(components);
    part.x_size = folded_.x_size(components);
    part.r_size = folded_.r_size;
    return {std::move(part), std::move(components)};
  }

  [[nodiscard]] ContactAnswer without_groups() const {
    ContactAnswer answer;
    const std::size_t count = problem_.contacts.size();
    answer.has_forces = true;
    answer.x = known_.x;
    answer.r = folded_.r0;
    answer.modes.mode.assign(count, ContactMode::kSlides);
    answer.modes.direction = Vector::Zero(problem_.b.size());
    answer.modes.normal = known_.normal;
    answer.margins.assign(count, 1.0);
    for (std::size_t c = 0; c < count; ++c) {
      const Contact& one = problem_.contacts[c];
      if (!one.is_at_rest()) answer.modes.direction.segment(one.first, one.count) = one.slip;
    }
    return answer;
  }

  void combine(std::vector<ContactAnswer>& answers, const std::vector<ContactAnswer>& of_part,
               const std::vector<std::size_t>& members, const std::vector<int>& components) const {
    std::vector<ContactAnswer> all;
    for (const ContactAnswer& before : answers) {
      for (const ContactAnswer& more : of_part) {
        if (all.size() >= kMostCombined) break;
        ContactAnswer answer = before;
        answer.x(components) = more.x;
        answer.modes.direction(components) = more.modes.direction;
        answer.r += more.r - folded_.r0;
        for (std::size_t k = 0; k < members.size(); ++k) {
          answer.modes.mode[members[k]] = more.modes.mode[k];
          answer.modes.normal[members[k]] = more.modes.normal[k];
          answer.margins[members[k]] = more.margins[k];
        }
        answer.are_forces_unique = answer.are_forces_unique && more.are_forces_unique;
        add_free_forces(answer, more, components);
        answer.is_motion_unique = answer.is_motion_unique && more.is_motion_unique;
        all.push_back(std::move(answer));
      }
    }
    answers = std::move(all);
  }

  void add_free_forces(ContactAnswer& to, const ContactAnswer& more, const std::vector<int>& components) const {
    const Eigen::Index before = to.free_x.cols(), count = more.free_x.cols();
    if (count == 0) return;
    to.free_x.conservativeResize(problem_.b.size(), before + count);
    to.free_x.rightCols(count).setZero();
    for (std::size_t k = 0; k < components.size(); ++k)
      to.free_x.row(components[k]).tail(count) = more.free_x.row(static_cast<Eigen::Index>(k));
    to.free_y.conservativeResize(problem_.Z.cols(), before + count);
    to.free_y.rightCols(count) = more.free_y;
  }

  void finish(ContactAnswer& answer) const {
    answer.w = problem_.G * answer.x + problem_.b;
    answer.margin = answer.margins.empty() ? 1.0 : *std::ranges::min_element(answer.margins);
  }

  const ContactProblem& problem_;
  KnownForces known_;
  ContactProblem folded_;  ///< the problem with the known forces included in b and r0
  std::vector<std::size_t> leader_;
};

}  // namespace

KnownForces known_forces(const ContactProblem& problem) {
  const std::size_t count = problem.contacts.size();
  KnownForces known;
  known.is_varying.assign(count, 1);
  known.is_known.assign(count, 0);
  known.bound.assign(count, 0.0);
  known.normal.assign(count, Vector());
  known.x = Vector::Zero(problem.b.size());
  std::vector<char> has_force(static_cast<std::size_t>(problem.b.size()), 0);
  const auto is_fixed = [&](const Contact& one) {
    if (one.unilateral >= 0) return false;
    if (!one.has_normal()) return true;
    for (const int k : one.normal) {
      if (problem.Z.cols() > 0 && problem.Z.row(k).lpNorm<Eigen::Infinity>() > 0.0) return false;
      for (Eigen::Index i = 0; i < problem.b.size(); ++i) {
        const double part = std::abs(problem.R(k, i)) * problem.x_size[i];
        if (nth(has_force, i) == 0 && part > tolerance::kRounded * problem.r_size[k]) return false;
      }
    }
    return true;
  };
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t c = 0; c < count; ++c) {
      const Contact& one = problem.contacts[c];
      if (known.is_varying[c] == 0 || !is_fixed(one)) continue;
      known.is_varying[c] = 0;
      is_changed = true;
      known.bound[c] = one.given;
      known.normal[c] = Vector::Zero(static_cast<Eigen::Index>(one.normal.size()));
      if (one.has_normal()) {
        const Vector N = one.normal_force(problem.r0 + problem.R * known.x);
        known.bound[c] += one.mu * N.norm();
        known.normal[c] = N.norm() > 0.0 ? Vector(N.normalized()) : Vector(Vector::Unit(N.size(), 0));
      }
      const bool is_without_force = one.is_at_rest() && known.bound[c] == 0.0;
      if (one.is_at_rest() && !is_without_force) continue;
      known.is_known[c] = 1;
      if (!is_without_force) known.x.segment(one.first, one.count) = -known.bound[c] * one.slip;
      for (int k = 0; k < one.count; ++k) nth(has_force, one.first + k) = 1;
    }
  }
  return known;
}

ContactAnswers solve_contacts(const ContactProblem& problem) { return Groups(problem).solve(); }

ContactAnswer best_answer_of(const ContactProblem& problem, const ContactModes& modes) {
  ContactAnswer best = answer_of(problem, modes);
  const KnownForces known = known_forces(problem);
  std::vector<std::size_t> turning;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const Contact& contact = problem.contacts[c];
    const bool has_either = contact.has_normal() && contact.unilateral < 0 && !contact.is_pushing;
    if (has_either && known.is_varying[c] != 0 && turning.size() < kMostTurning) turning.push_back(c);
  }
  for (unsigned turned = 1; turned < 1U << turning.size() && !(best.margin > 0.0); ++turned) {
    ContactModes other = modes;
    for (std::size_t k = 0; k < turning.size(); ++k)
      if (((turned >> k) & 1U) != 0) other.normal[turning[k]] = -other.normal[turning[k]];
    ContactAnswer answer = answer_of(problem, std::move(other));
    if (answer.margin > best.margin) best = std::move(answer);
  }
  return best;
}

bool is_one_motion(const ContactProblem& problem, const ContactAnswer& one, const ContactAnswer& other) {
  const Vector size = problem.w_size + one.w.cwiseAbs().cwiseMax(other.w.cwiseAbs());
  return ((one.w - other.w).cwiseAbs().array() <= tolerance::kHalfDigits * size.array()).all();
}

}  // namespace vinculum::solve
