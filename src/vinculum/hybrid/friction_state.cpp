#include "vinculum/hybrid/friction_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/constraint_impulse.hpp"
#include "vinculum/hybrid/friction_changes.hpp"
#include "vinculum/model/sizes.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/motion/friction/failures.hpp"
#include "vinculum/motion/friction_of.hpp"
#include "vinculum/motion/jumps.hpp"

namespace vinculum::sim {
namespace {

using solve::ContactAnswer;
using solve::ContactMode;
using solve::ContactModes;

constexpr int kMostGuesses = 100;  // iterations for reactions if bounds are not of the form given + mu |normal force|
// Decades of time, from kBeside of the typical time on, in which a velocity is sought that no force changes.
constexpr int kDecadesAhead = 5;
constexpr double kTenfold = 10.0;
constexpr double kHeldPlaces = 1e4;  // least time for which a direction is held, in units of kEqual × |t|
constexpr double kAboveRounding = 100.0;

/// [slides] Terms of the velocities of contacts if all speeds have typical values.
/// \pre `Dynamics::set_scale` was called
Vector typical_speeds(Dynamics& dynamics, const Mode& mode, double t, const double* y) {
  const Eigen::Index nq = dynamics.binding()->nq(), nu = dynamics.binding()->nu();
  Vector moving = Eigen::Map<const Vector>(y, dynamics.scale().size()), v, typical;
  moving.segment(nq, nu) = dynamics.scale().segment(nq, nu);
  FrictionOf(dynamics).read_slides(mode, t, moving.data(), v, typical);
  return typical;
}

/// Whether modes of the contacts of one reading can be those of the other one.
bool have_same_contacts(const ContactReading& one, const ContactReading& other) {
  const auto is_alike = [](const solve::Contact& a, const solve::Contact& b) {
    return a.first == b.first && a.count == b.count && a.normal == b.normal && a.has_normal() == b.has_normal();
  };
  return one.slides == other.slides && one.problem.r0.size() == other.problem.r0.size() &&
         std::ranges::equal(one.problem.contacts, other.problem.contacts, is_alike);
}

/// Decides which contacts at rest stick and in which directions the others start to slide (theory.md §4.6). Coulomb's
/// conditions of all contacts are solved together. If a condition is exactly at its limit, or no force moves a contact,
/// the conditions a short time later decide.
class Settlement {
 public:
  Settlement(Dynamics& dynamics, Mode& mode, double t, double* y, double time)
      : dynamics_(dynamics),
        mode_(mode),
        t_(t),
        y_(y),
        time_(time),
        state_(mode.friction),
        at_rest_(state_.sticks.size(), 0) {}

  Outcome<void> take(const std::vector<int>& resting, const std::vector<int>& released) {
    for (const std::vector<int>* some : {&resting, &released})
      for (const int slide : *some) nth(at_rest_, slide) = 1;
    released_ = released;
    drop_what_does_not_act();
    do {
      state_.sticks = at_rest_;
      set_friction(mode_, state_);
      if (const auto moved = dynamics_.project(mode_, t_, y_); !moved) return fail(moved.error());
    } while (add_held());
    // Each contact that the motion of its bodies forces to slide (`carry_along`) needs one round.
    for (std::size_t round = 0; round <= at_rest_.size(); ++round) {
      if (auto done = decide(); !done) return done;
      if (!carry_along()) break;
    }
    hold_directions();
    set_friction(mode_, state_);
    const auto moved = dynamics_.project(mode_, t_, y_);
    return moved ? Outcome<void>() : fail(moved.error());
  }

 private:
  [[nodiscard]] const equations::Slide& slide(int i) const { return slide_of(dynamics_, i); }

  /// Contacts of constraints that do not act neither stick nor have a direction. A mode without regions, as at a start,
  /// does not say which constraints act.
  void drop_what_does_not_act() {
    const Binding& bound = dynamics_.binding();
    if (bound->switched.empty()) return;
    const Vector y = Eigen::Map<const Vector>(y_, bound->nq() + bound->nu() + bound->nz());
    const std::vector<char> rows = mode_.sides.empty() ? acting_as_stated(bound, t_, y) : acting_rows(dynamics_, mode_);
    acts_ = acting_slides(bound, rows);
    for (std::size_t i = 0; i < acts_.size(); ++i) {
      if (acts_[i] != 0) continue;
      at_rest_[i] = 0;
      const equations::Slide& one = slide(static_cast<int>(i));
      auto direction = state_.direction.segment(one.first, one.count);
      direction = direction.array().isNaN().select(0.0, direction);
    }
  }

  /// If contacts are at rest, adds the sliding contacts whose velocities are below the errors of the run: for example
  /// the fourth foot of a table, if three feet have come to rest.
  /// \returns true if a contact was added
  [[nodiscard]] bool add_held() {
    if (dynamics_.scale().size() == 0 || std::ranges::find(at_rest_, 1) == at_rest_.end()) return false;
    Vector v, size;
    const double part = std::max(tolerance::kZero, kRestPerTolerance * dynamics_.sizes().tolerance);
    const Vector least = part * typical_speeds(dynamics_, now(), t_, y_);
    FrictionOf(dynamics_).read_slides(now(), t_, y_, v, size);
    bool has_any = false;
    for (std::size_t i = 0; i < at_rest_.size(); ++i) {
      const int one = static_cast<int>(i);
      const bool is_idle = !acts_.empty() && acts_[i] == 0;
      if (at_rest_[i] != 0 || is_idle || has_let_go(state_, one, t_)) continue;
      if (v.segment(slide(one).first, slide(one).count).norm() > least[one]) continue;
      at_rest_[i] = 1;
      has_any = true;
    }
    return has_any;
  }

  /// Whether the velocities of contacts exceed their errors after a time. A contact that has let go with equal static
  /// and kinetic friction has no acceleration at first, so this may take long.
  /// \param least  [slides] errors of the velocities
  /// \param y  receives the state then, unless it cannot be reached
  [[nodiscard]] bool have_set_off(const std::vector<int>& contacts, const Vector& least, double after, Vector& y) {
    Vector v, size, then;
    if (!follow(after, then)) return true;
    y = std::move(then);
    FrictionOf(dynamics_).read_slides(now(), t_ + after, y.data(), v, size);
    return std::ranges::all_of(contacts, [&](int i) {
      const double error = std::max(kAboveRounding * tolerance::kRounded * size[i], least[i]);
      return v.segment(slide(i).first, slide(i).count).norm() > error;
    });
  }

  /// Contacts that start to slide in a plane: sets until when their direction is held, and the direction. It is held
  /// until the velocity exceeds the errors of the run. The forces turn meanwhile, so the direction is that of the
  /// velocity at the end: the contacts solve Coulomb's conditions with the mean of the accelerations over that time.
  void hold_directions() {
    const double time = time_ > 0.0 ? time_ : model::time_scale(*dynamics_.binding()->model);
    double held = std::max(tolerance::kBeside * time, kHeldPlaces * tolerance::kEqual * std::abs(t_));
    state_.held_until = Vector::Constant(static_cast<Eigen::Index>(at_rest_.size()), t_);
    std::vector<int> setting_off;
    for (std::size_t c = 0; c < reading_.slides.size(); ++c) {
      const int i = reading_.slides[c];
      if (nth(at_rest_, i) != 0 && nth(state_.sticks, i) == 0 && reading_.problem.contacts[c].count >= 2)
        setting_off.push_back(i);
    }
    if (setting_off.empty()) return;
    const Binding& bound = dynamics_.binding();
    Vector y = Eigen::Map<const Vector>(y_, bound->nq() + bound->nu() + bound->nz());
    Vector least = Vector::Zero(static_cast<Eigen::Index>(at_rest_.size()));
    if (dynamics_.scale().size() > 0)
      least = kRestPerTolerance * dynamics_.sizes().tolerance * typical_speeds(dynamics_, now(), t_, y_);
    const auto hold = [&] {
      for (const int i : setting_off) state_.held_until[i] = t_ + held;
    };
    hold();
    for (int decade = 0; decade < kDecadesAhead && !have_set_off(setting_off, least, held, y); ++decade) {
      held *= kTenfold;
      hold();
    }
    turn_to_mean(held, y);
  }

  /// Directions of contacts that start to slide: solves Coulomb's conditions with the mean of the accelerations between
  /// now and the state y, `held` [s] later. Keeps a direction if the conditions then allow no motion in the same modes.
  void turn_to_mean(double held, const Vector& y) {
    auto later = FrictionOf(dynamics_).read_contacts(now(), t_ + held, y.data(), at_rest_, reading_.guess);
    if (!later || !have_same_contacts(*later, reading_)) return;
    take_mean(*later);
    double most = -std::numeric_limits<double>::infinity();
    FrictionState nearest = state_;
    for (const ContactAnswer& answer : solve::solve_contacts(later->problem).answers) {
      FrictionState turned = state_;
      const double along = turn(turned, *later, answer.modes);
      if (!(along > most)) continue;
      most = along;
      nearest = std::move(turned);
    }
    state_ = std::move(nearest);
  }

  /// Sets the problem of `later` to the mean of it and of the present one.
  void take_mean(ContactReading& later) const {
    solve::ContactProblem& mean = later.problem;
    const solve::ContactProblem& before = reading_.problem;
    Matrix turn = Matrix::Identity(mean.b.size(), before.b.size());  // of the tangential directions meanwhile
    for (std::size_t c = 0; c < later.slides.size(); ++c) {
      const solve::Contact& contact = mean.contacts[c];
      turn.block(contact.first, contact.first, contact.count, contact.count) =
          later.basis[c].transpose() * reading_.basis[c];
    }
    mean.b = 0.5 * (mean.b + turn * before.b);
    mean.G = 0.5 * (mean.G + turn * before.G * turn.transpose());
    mean.R = 0.5 * (mean.R + before.R * turn.transpose());
    mean.r0 = 0.5 * (mean.r0 + before.r0);
  }

  /// Gives held contacts of a state the directions of these modes.
  /// \returns the sum of the cosines of the angles by which the directions turn; −∞ if contacts stick in one of the two
  /// and slide in the other
  double turn(FrictionState& state, const ContactReading& reading, const ContactModes& modes) const {
    double along = 0.0;
    for (std::size_t c = 0; c < reading.slides.size(); ++c) {
      const int i = reading.slides[c];
      if (nth(at_rest_, i) == 0) continue;
      if ((nth(state.sticks, i) != 0) != (modes.mode[c] == ContactMode::kSticks))
        return -std::numeric_limits<double>::infinity();
      if (!(state.held_until[i] > t_) || modes.mode[c] != ContactMode::kSlides) continue;
      const solve::Contact& contact = reading.problem.contacts[c];
      const Vector d = reading.basis[c] * modes.direction.segment(contact.first, contact.count);
      auto direction = state.direction.segment(slide(i).first, slide(i).count);
      along += d.dot(direction);
      if (d.norm() > 0.0) direction = d.normalized();
    }
    return along;
  }

  /// Decides between stick and slip for the contacts at rest and stores the result in `state_`.
  Outcome<void> decide() {
    Vector guess;
    solve::ContactAnswers found;
    for (int turn = 0;; ++turn) {
      auto read = FrictionOf(dynamics_).read_contacts(now(), t_, y_, at_rest_, guess);
      if (!read) return fail(read.error());
      reading_ = std::move(*read);
      let_go();
      found = solve::solve_contacts(reading_.problem);
      if (!reading_.is_of_guess || found.answers.empty() || turn == kMostGuesses) break;
      const Vector next = reading_.lambda + reading_.lambda_of_x * found.answers.front().x;
      const bool is_settled = (next - reading_.guess).norm() <= tolerance::kConverged * next.norm();
      guess = next;
      if (is_settled) break;
    }
    if (found.answers.empty()) return fail(failure(FailureKind::kFrictionNoSolution));
    if (found.motions > 1) return fail(failure(FailureKind::kFrictionManySolutions));
    std::size_t best = 0;
    if (found.answers.size() > 1 || found.answers.front().margin <= tolerance::kBeside) best = best_ahead(found);
    take_modes(found.answers[best].modes);
    turn_free(found.answers[best]);
    return {};
  }

  /// Sets the direction of contacts that slide although their friction bound is 0: the direction in which they start.
  void turn_free(const ContactAnswer& answer) {
    for (std::size_t c = 0; c < reading_.slides.size(); ++c) {
      const solve::Contact& contact = reading_.problem.contacts[c];
      const Vector w = answer.w.segment(contact.first, contact.count);
      const equations::Slide& at = slide(reading_.slides[c]);
      auto direction = state_.direction.segment(at.first, at.count);
      if (nth(state_.sticks, reading_.slides[c]) != 0 || !direction.isZero(0.0)) continue;
      const double size = reading_.problem.w_size.segment(contact.first, contact.count).maxCoeff();
      if (w.norm() > tolerance::kConditioned * size) direction = (reading_.basis[c] * w).normalized();
    }
  }

  /// For contacts that have exceeded their static friction bound, limits the friction to the sliding bound.
  void let_go() {
    for (std::size_t c = 0; c < reading_.slides.size(); ++c) {
      double& ratio = reading_.problem.contacts[c].static_ratio;
      if (std::ranges::find(released_, reading_.slides[c]) != released_.end()) ratio = std::min(ratio, 1.0);
    }
  }

  [[nodiscard]] Failure failure(FailureKind kind) const {
    std::vector<int> all = reading_.slides;
    std::erase_if(all, [this](int i) { return nth(at_rest_, i) == 0; });
    if (all.empty()) all = reading_.slides;
    const bool has_none = kind == FailureKind::kFrictionNoSolution;
    const char* const many = "at {} the law of friction allows more than one motion from rest";
    Failure failure = friction_failure(dynamics_, kind, t_, all.front(), "");
    if (std::ranges::any_of(all, [this](int i) { return is_unilateral(dynamics_, i); }))
      failure.advice = advice_for_contacts(kind);
    std::vector<std::string> names;
    for (const int i : all) {
      std::string name = "`" + name_of_slide(dynamics_, i) + "`";
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
      for (const int row : friction_failure(dynamics_, kind, t_, i, "").rows)
        if (std::ranges::find(failure.rows, row) == failure.rows.end()) failure.rows.push_back(row);
    }
    const char* const none = names.size() == 1
                                 ? "at {} neither sticking nor sliding agrees with the law of friction"
                                 : "no combination of sticking and sliding at {} agrees with the law of friction";
    failure.message = fmt::format(fmt::runtime(has_none ? none : many), fmt::join(names, ", "));
    return failure;
  }

  void take_modes(const ContactModes& modes) {
    for (std::size_t c = 0; c < reading_.slides.size(); ++c) {
      const int i = reading_.slides[c];
      if (nth(at_rest_, i) == 0) continue;
      const solve::Contact& contact = reading_.problem.contacts[c];
      const bool sticks = modes.mode[c] == ContactMode::kSticks;
      nth(state_.sticks, i) = sticks ? 1 : 0;
      state_.direction.segment(slide(i).first, slide(i).count) =
          reading_.basis[c] * modes.direction.segment(contact.first, contact.count);
    }
    for (const int i : reading_.left_out) nth(state_.sticks, i) = nth(at_rest_, i);
  }

  /// [s] Time after which conditions are evaluated again: a small fraction of the time in which the motion changes.
  [[nodiscard]] double ahead() {
    double time = time_ > 0.0 ? time_ : model::time_scale(*dynamics_.binding()->model);
    Vector rate = Vector::Zero(dynamics_.scale().size());
    if (dynamics_.derivative(now(), t_, y_, rate.data())) {
      for (Eigen::Index i = 0; i < rate.size(); ++i)
        if (rate[i] != 0.0) time = std::min(time, dynamics_.scale()[i] / std::abs(rate[i]));
    }
    return std::max(tolerance::kBeside * time, kTenfold * tolerance::kEqual * std::abs(t_));
  }

  /// The state `after` seconds from here with the friction in `state_`, by one Runge–Kutta step. False if it cannot be
  /// reached.
  bool follow(double after, Vector& y) {
    set_friction(mode_, state_);
    const Eigen::Index n = dynamics_.scale().size();
    const Vector y0 = Eigen::Map<const Vector>(y_, n);
    Vector k1(n), k2(n), k3(n), k4(n);
    const auto rate = [&](double at, const Vector& state, Vector& into) {
      return static_cast<bool>(dynamics_.derivative(now(), t_ + at, state.data(), into.data()));
    };
    if (!rate(0.0, y0, k1) || !rate(0.5 * after, y0 + 0.5 * after * k1, k2) ||
        !rate(0.5 * after, y0 + 0.5 * after * k2, k3) || !rate(after, y0 + after * k3, k4))
      return false;
    y = y0 + after / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    return y.allFinite() && dynamics_.project(now(), t_ + after, y.data());
  }

  /// Among answers with the same motion, the index of the one whose conditions hold with the largest margin slightly
  /// later. If margins are equal: the one in which contacts stick, except those just released.
  std::size_t best_ahead(const solve::ContactAnswers& found) {
    const FrictionState before = state_;
    const double after = ahead();
    std::size_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < found.answers.size(); ++k) {
      take_modes(found.answers[k].modes);
      double margin = margin_ahead(after, found.answers[k].modes);
      // Margins that are equal up to rounding are decided by the preference.
      margin = std::clamp(margin, -1.0, tolerance::kConditioned) - preference(found.answers[k].modes);
      if (margin > most) {
        most = margin;
        best = k;
      }
      state_ = before;
    }
    return best;
  }

  [[nodiscard]] double preference(const ContactModes& modes) const {
    int against = 0;
    for (std::size_t c = 0; c < reading_.slides.size(); ++c) {
      if (nth(at_rest_, reading_.slides[c]) == 0) continue;
      const bool sticks = modes.mode[c] == ContactMode::kSticks;
      const bool is_released = std::ranges::find(released_, reading_.slides[c]) != released_.end();
      if (sticks == is_released) ++against;
    }
    return tolerance::kConsistency * against;
  }

  /// The smallest margin of the conditions after the time `after` [s] in the given modes of the contacts; −1 if it
  /// cannot be determined. Sliding contacts have the directions of their velocities at that time.
  double margin_ahead(double after, const ContactModes& modes) {
    Vector y;
    if (!follow(after, y)) return -1.0;
    const auto later = FrictionOf(dynamics_).read_contacts(now(), t_ + after, y.data(), at_rest_, reading_.guess);
    if (!later || !have_same_contacts(*later, reading_)) return -1.0;
    ContactModes then = modes;
    then.direction.setZero(later->problem.b.size());
    for (std::size_t c = 0; c < later->slides.size(); ++c) {
      const solve::Contact& contact = later->problem.contacts[c];
      if (nth(at_rest_, later->slides[c]) == 0) {
        then.direction[contact.first] = 1.0;
        continue;
      }
      if (modes.mode[c] != ContactMode::kSlides) continue;
      const equations::Slide& at = slide(later->slides[c]);
      const Vector d = later->basis[c].transpose() * state_.direction.segment(at.first, at.count);
      if (d.norm() > 0.0) then.direction.segment(contact.first, contact.count) = d.normalized();
    }
    return solve::best_answer_of(later->problem, then).margin;
  }

  /// Releases contacts that stick although no force can hold them: they slide in the direction in which their velocity
  /// starts.
  /// \returns true if there is such a contact.
  bool carry_along() {
    std::vector<int> carried = reading_.left_out;
    for (std::size_t c = 0; c < reading_.slides.size(); ++c) {
      const solve::Contact& contact = reading_.problem.contacts[c];
      const auto G = reading_.problem.G.diagonal().segment(contact.first, contact.count);
      const auto size = reading_.problem.G_size.segment(contact.first, contact.count);
      const bool is_held = nth(state_.sticks, reading_.slides[c]) != 0;
      if (is_held && (G.array() <= tolerance::kDerivedRank * size.array()).any()) carried.push_back(reading_.slides[c]);
    }
    std::erase_if(carried, [this](int i) { return nth(at_rest_, i) == 0; });
    if (carried.empty()) return false;
    double after = ahead();
    Vector y, v, size, typical = Vector::Zero(static_cast<Eigen::Index>(at_rest_.size()));
    if (dynamics_.scale().size() > 0) typical = typical_speeds(dynamics_, now(), t_, y_);
    for (int decade = 0; decade < kDecadesAhead; ++decade, after *= kTenfold) {
      if (!follow(after, y)) return false;
      FrictionOf(dynamics_).read_slides(now(), t_ + after, y.data(), v, size);
      for (const int i : carried) {
        const Vector own = v.segment(slide(i).first, slide(i).count);
        if (!(own.norm() > kAboveRounding * tolerance::kRounded * std::max(size[i], typical[i]))) continue;
        nth(at_rest_, i) = 0;
        nth(state_.sticks, i) = 0;
        state_.direction.segment(slide(i).first, slide(i).count) = own.normalized();
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] const Mode& now() const { return mode_; }

  Dynamics& dynamics_;
  Mode& mode_;
  double t_;
  double* y_;
  double time_;  // [s] time in which the motion has changed recently; 0: not known
  FrictionState state_;
  std::vector<char> at_rest_;  // [slides]
  std::vector<char> acts_;     // [slides] 0 for the friction of a constraint that does not act; empty: all act
  std::vector<int> released_;
  ContactReading reading_;
};

}  // namespace

const equations::Slide& slide_of(const Dynamics& dynamics, int slide) {
  return nth(dynamics.binding()->system->slides, slide);
}

std::string name_of_slide(const Dynamics& dynamics, int slide) {
  const model::Model& model = *dynamics.binding()->model;
  return model::name_of(model, nth(model.slides, slide));
}

Failure friction_failure(const Dynamics& dynamics, FailureKind kind, double t, int slide, const char* what) {
  const CompiledModel& compiled = dynamics.binding();
  const model::ConstraintId constraint = slide_of(dynamics, slide).constraint;
  Failure failure;
  failure.kind = kind;
  failure.t = t;
  failure.message = fmt::format(fmt::runtime(what), name_of_slide(dynamics, slide));
  for (int row = 0; row < compiled.nc() && constraint.is_valid(); ++row) {
    if (nth(compiled.system->rows, row).constraint == constraint) failure.rows.push_back(row);
  }
  return failure;
}

bool is_unilateral(const Dynamics& dynamics, int slide) {
  const model::ConstraintId constraint = slide_of(dynamics, slide).constraint;
  return constraint.is_valid() && dynamics.binding()->model->constraint(constraint).unilateral.has_value();
}

Outcome<void> go_on_from_rest(Dynamics& dynamics, Mode& mode, double t, double* y, const std::vector<int>& resting,
                              const std::vector<int>& released, double time) {
  return Settlement(dynamics, mode, t, y, time).take(resting, released);
}

Outcome<void> settle_again(Dynamics& dynamics, Mode& mode, double t, double* y) {
  const std::vector<char>& sticks = mode.friction.sticks;
  std::vector<int> resting;
  for (std::size_t i = 0; i < sticks.size(); ++i)
    if (sticks[i] != 0) resting.push_back(static_cast<int>(i));
  return resting.empty() ? Outcome<void>() : go_on_from_rest(dynamics, mode, t, y, resting, {});
}

bool has_let_go(const FrictionState& friction, int slide, double t) {
  return friction.held_until.size() > 0 && nth(friction.sticks, slide) == 0 && friction.held_until[slide] >= t;
}

FrictionState friction_by_velocities(Dynamics& dynamics, const Mode& mode, double t, const double* y,
                                     std::vector<int>& resting) {
  const int count = static_cast<int>(dynamics.binding()->system->slides.size());
  FrictionState state;
  state.sticks.assign(static_cast<std::size_t>(count), 0);
  state.direction = Vector::Constant(dynamics.binding()->slide_size(), std::numeric_limits<double>::quiet_NaN());
  Mode without = mode;
  set_friction(without, state);
  FrictionOf(dynamics).learn_reach(without, t, y);
  Vector v, size;
  FrictionOf(dynamics).read_slides(without, t, y, v, size);
  // A velocity below the rounding errors of typical speeds is 0, also if those of its bodies are smaller still.
  if (dynamics.scale().size() > 0) size = size.cwiseMax(typical_speeds(dynamics, without, t, y));
  for (int slide = 0; slide < count; ++slide) {
    const equations::Slide& s = slide_of(dynamics, slide);
    const Vector of_slide = v.segment(s.first, s.count);
    if (of_slide.norm() > tolerance::kZero * size[slide])
      state.direction.segment(s.first, s.count) = of_slide / of_slide.norm();
    else
      resting.push_back(slide);
  }
  return state;
}

Outcome<void> settle_friction(Dynamics& dynamics, Mode& mode, double t, double* y) {
  if (dynamics.binding()->system->slides.empty()) return {};
  std::vector<int> resting, released;
  const FrictionState before = mode.friction;
  set_friction(mode, friction_by_velocities(dynamics, mode, t, y, resting));
  for (const int slide : resting)
    if (has_let_go(before, slide, t)) released.push_back(slide);
  return resting.empty() ? Outcome<void>() : go_on_from_rest(dynamics, mode, t, y, resting, released);
}

Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y) {
  Mode mode = dynamics.mode();
  auto done = settle_friction(dynamics, mode, t, y);
  dynamics.set_mode(std::move(mode));
  return done;
}

}  // namespace vinculum::sim
