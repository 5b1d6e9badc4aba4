#include "vinculum/hybrid/contacts.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/switch_places.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/hybrid/constraint_impulse.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/jumps.hpp"
#include "vinculum/solve/contacts/complementarity.hpp"

namespace vinculum::sim {
namespace {

// A flight after a bounce is left out if it would be lower than this part of the size of the gap.
constexpr double kLowestFlight = tolerance::kConsistency;
constexpr int kDecadesToSign = 4;           // of time, in which a force that is 0 shows its sign
constexpr std::size_t kMostImpacts = 1000;  // impacts at one instant

/// [events] Values of the first action of each event, for parameters as bound.
std::vector<double> first_values(const Binding& bound) {
  const BoundKernel& events = bound.events;
  std::vector<double> input(events.kernel->input_count(), 0.0), output(events.kernel->output_count()),
      workspace(events.kernel->workspace_size()), values;
  events.evaluate_at(0.0, input.data(), output.data(), workspace.data());
  std::size_t first = 0;
  for (const model::Event& event : bound->model->events) {
    values.push_back(event.actions.empty() ? 0.0 : output[first + 2]);
    first += 2 + event.actions.size();
  }
  return values;
}

/// [events] Whether the condition of each event is true if all surfaces are on one side.
std::vector<char> truths_on(Dynamics& dynamics, double side) {
  const Binding& bound = dynamics.binding();
  Mode mode = mode_at_start(bound);
  std::vector<double> sides;
  for (const Switches::Surface& surface : bound->watches->switches.surfaces())
    sides.push_back(surface.is_floor() ? 0.0 : side);
  set_sides(mode, bound, sides);
  const std::shared_ptr<const Binding> there = dynamics.binding_of(mode);
  const BoundKernel& events = there->events;
  std::vector<double> input(events.kernel->input_count(), 0.0), output(events.kernel->output_count()),
      workspace(events.kernel->workspace_size());
  events.evaluate_at(0.0, input.data(), output.data(), workspace.data());
  std::vector<char> truths;
  std::size_t first = 0;
  for (const model::Event& event : bound->model->events) {
    truths.push_back(output[first] != 0.0 ? 1 : 0);
    first += 2 + event.actions.size();
  }
  return truths;
}

/// Accelerations of the gaps with the forces of the contacts that touch.
Vector accelerations_beside(const NormalEquations& at, const std::vector<char>& touches) {
  std::vector<Eigen::Index> held;
  for (std::size_t i = 0; i < touches.size(); ++i)
    if (touches[i] != 0) held.push_back(static_cast<Eigen::Index>(i));
  if (held.empty()) return at.acceleration;
  const Vector scale = at.G_size(held).cwiseSqrt().cwiseInverse();
  const Vector b = at.acceleration(held).cwiseProduct(scale);
  const double largest = b.lpNorm<Eigen::Infinity>();
  if (!(largest > 0.0)) return at.acceleration;
  const Matrix G = scale.asDiagonal() * Matrix(at.G(held, held)) * scale.asDiagonal();
  const auto solution = solve::solve_complementarity(G, b / largest, Vector::Ones(b.size()));
  if (!solution) return at.acceleration;
  return at.acceleration + at.G(Eigen::all, held) * (largest * scale.cwiseProduct(solution->x));
}

/// The surface of a condition that no other surface of it contains; nothing if the condition is constant.
std::optional<std::size_t> outermost(const Switches& switches, const expr::Expr& condition) {
  const std::vector<std::size_t> surfaces = switches.surfaces_in({&condition, 1});
  if (surfaces.empty()) return std::nullopt;
  const auto is_outermost = [&](std::size_t k) {
    return std::ranges::none_of(surfaces, [&](std::size_t other) {
      return std::ranges::find(switches.surfaces()[other].inner, k) != switches.surfaces()[other].inner.end();
    });
  };
  return *std::ranges::find_if(surfaces, is_outermost);
}

}  // namespace

GapSurfaces::GapSurfaces(const Binding& bound) {
  for (std::size_t i = 0; i < bound->model->events.size(); ++i) {
    if (!bound->model->events[i].is_closing()) continue;
    if (const auto surface = outermost(bound->watches->switches, bound->system->events[i].condition))
      all.push_back(*surface);
  }
}

Contacts::Contacts(Dynamics& dynamics, double duration)
    : dynamics_(dynamics), duration_(duration), equations_(dynamics, rows_, duration) {
  const Binding& bound = dynamics.binding();
  const model::Model& model = *bound->model;
  const auto is_unilateral = [](const model::Constraint& one) { return one.unilateral.has_value(); };
  if (std::ranges::none_of(model.constraints, is_unilateral)) return;
  const std::vector<double> values = first_values(bound);
  const std::vector<char> above = truths_on(dynamics, 1.0);
  for (std::size_t k = 0; k < bound->switched.size(); ++k) {
    const int row = bound->switched[k];
    const model::ConstraintId id = nth(bound->system->rows, row).constraint;
    const std::optional<model::Unilateral>& unilateral = model.constraint(id).unilateral;
    if (!unilateral) continue;
    ContactRow contact{id, row, k};
    contact.position = std::ranges::find(bound->position_rows, row) - bound->position_rows.begin();
    contact.closed_at = bound->nq() + bound->nu() + static_cast<Eigen::Index>(unilateral->closed.index());
    contact.law = unilateral->law;
    contact.is_sequential = unilateral->is_sequential;
    bool can_close = false;  // the gap of a contact whose bodies do not move relative to each other is constant
    for (std::size_t i = 0; i < model.events.size(); ++i) {
      const model::Event& event = model.events[i];
      if (!event.is_closing() || event.actions.front().index != id.index()) continue;
      const auto surface = outermost(bound->watches->switches, bound->system->events[i].condition);
      if (!surface) continue;
      can_close = true;
      contact.gap_surface = *surface;
      contact.open_side = above[i] != 0 ? 1.0 : -1.0;  // on which 0 < gap is true
      contact.restitution = values[i];
    }
    if (can_close) rows_.push_back(contact);
  }
  decided_.resize(rows_.size(), Gap::kElsewhere);
  last_impact_.resize(rows_.size(), -std::numeric_limits<double>::infinity());
  force_size_ = Vector::Zero(static_cast<Eigen::Index>(rows_.size()));
}

Vector Contacts::gaps(const Mode& mode, double t, const Vector& y) const {
  const Vector of_switched = gaps_of_switched(dynamics_, mode, t, y);
  Vector gaps(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t k = 0; k < rows_.size(); ++k)
    gaps[static_cast<Eigen::Index>(k)] = of_switched[static_cast<Eigen::Index>(rows_[k].switched)];
  return gaps;
}

Failure Contacts::failure_of(std::size_t contact, double t, FailureKind kind, std::string message) const {
  Failure failure;
  failure.kind = kind;
  failure.t = t;
  failure.rows = {rows_[contact].row};
  failure.message = std::move(message);
  return failure;
}

/// Which contacts open by their accelerations, and which are pressed together. kOpen: neither, the force is 0 and so is
/// the acceleration of the gap.
Outcome<std::vector<Contacts::Verdict>> Contacts::judged(const NormalEquations& at, const Mode& mode, double t,
                                                         const Vector& y) {
  if (!equations_.have_friction() || at.contacts.empty()) return judged_without_friction(at, t);
  const auto forces = equations_.forces_with_friction(mode, t, y, at);
  if (!forces) return fail(forces.error());
  std::vector<Verdict> verdicts(at.contacts.size(), Verdict::kOpen);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double size = at.acceleration_size[row], force_size = size / at.G_size[row];
    if (forces->acceleration[row] > tolerance::kConditioned * size)
      verdicts[i] = Verdict::kOpens;
    else if (forces->force[row] > tolerance::kConditioned * force_size)
      verdicts[i] = Verdict::kCloses;
    note_force(at.contacts[i], std::max(forces->force[row], force_size));
  }
  return verdicts;
}

Outcome<std::vector<Contacts::Verdict>> Contacts::judged_without_friction(const NormalEquations& at, double t) {
  const Eigen::Index n = at.G.rows();
  std::vector<Verdict> verdicts(static_cast<std::size_t>(n), Verdict::kOpen);
  if (n == 0) return verdicts;
  const Vector scale = at.G_size.cwiseSqrt().cwiseInverse();
  Vector b = at.acceleration.cwiseProduct(scale);
  const double largest =
      std::max(b.lpNorm<Eigen::Infinity>(),
               tolerance::kZero * at.acceleration_size.cwiseProduct(scale).lpNorm<Eigen::Infinity>());
  if (!(largest > 0.0)) return verdicts;
  b /= largest;
  const Matrix G = scale.asDiagonal() * at.G * scale.asDiagonal();
  const auto solution = solve::solve_complementarity(G, b, Vector::Ones(n));
  if (!solution)
    return fail(failure_of(at.contacts.front(), t, FailureKind::kInconsistent,
                           "no motion keeps the gaps of unilateral constraints from closing further here"));
  for (Eigen::Index i = 0; i < n; ++i) {
    const double size = tolerance::kConditioned * at.acceleration_size[i] * scale[i] / largest;
    if (solution->w[i] > size)
      nth(verdicts, i) = Verdict::kOpens;
    else if (solution->x[i] > size)
      nth(verdicts, i) = Verdict::kCloses;
    // A contact that carries no force has the size of a force that changes the motion.
    note_force(nth(at.contacts, i),
               std::max(largest * scale[i] * solution->x[i], at.acceleration_size[i] / at.G_size[i]));
  }
  return verdicts;
}

void Contacts::learn_forces(const Mode& mode, double t, const Vector& y) {
  std::vector<char> closed(rows_.size(), 0);
  for (std::size_t k = 0; k < rows_.size(); ++k) closed[k] = is_closed(k, y) ? 1 : 0;
  if (const auto at = equations_.along_normals(mode, t, y, closed)) (void)judged(*at, mode, t, y);
}

std::vector<double> Contacts::sides_of_gaps(std::vector<double> sides, const Mode& mode, double t, const Vector& y,
                                            double touch, bool is_start) const {
  const Vector gaps_here = gaps(mode, t, y);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    double& side = sides[rows_[k].gap_surface];
    if (!is_start && side != Switches::kEqual) continue;
    const bool is_open = !is_closed(k, y) && gaps_here[static_cast<Eigen::Index>(k)] > touch * gap_size(mode, k);
    side = is_open ? rows_[k].open_side : Switches::kEqual;
  }
  return sides;
}

std::vector<char> Contacts::touching(const Mode& mode, double t, const Vector& y) {
  std::vector<char> touching(rows_.size(), 0);
  const Vector gaps_here = gaps(mode, t, y);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    touching[k] = std::abs(gaps_here[static_cast<Eigen::Index>(k)]) <= tolerance::kConsistency * gap_size(mode, k);
  const auto at = equations_.along_normals(mode, t, y, touching);
  if (!at) return std::vector<char>(rows_.size(), 0);
  for (std::size_t i = 0; i < at->contacts.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (std::abs(at->velocity[row]) > tolerance::kConsistency * at->velocity_size[row]) touching[at->contacts[i]] = 0;
  }
  return touching;
}

void Contacts::decide_sides(Transition& to) const {
  if (to.mode.sides.empty()) return;
  to.decided.resize(to.mode.sides.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (decided_[k] != Gap::kElsewhere)
      to.decided[rows_[k].gap_surface] = decided_[k] == Gap::kTouches ? Switches::kEqual : rows_[k].open_side;
}

/// [s] Time in which the accelerations change some speed by its typical size.
double Contacts::time_of_change(const Vector& rate) const {
  const Vector& scale = dynamics_.scale();
  double time = std::numeric_limits<double>::infinity();
  if (scale.size() != rate.size()) return time;
  const Eigen::Index first = dynamics_.binding()->nq(), count = dynamics_.binding()->nu();
  for (Eigen::Index i = first; i < first + count; ++i)
    if (std::abs(rate[i]) * time > scale[i]) time = scale[i] / std::abs(rate[i]);
  return time;
}

Outcome<void> Contacts::settle(const std::vector<char>& touching, Transition& to) {
  std::ranges::fill(decided_, Gap::kElsewhere);
  return hold(touching, to);
}

Outcome<bool> Contacts::open_first(Mode& in, Transition& to) {
  std::vector<char> closed(rows_.size(), 0), remain = closed;
  for (std::size_t k = 0; k < rows_.size(); ++k) closed[k] = is_closed(k, to.y) ? 1 : 0;
  if (std::ranges::find(closed, 1) == closed.end()) return false;
  Transition opened = to;
  if (auto done = settle(closed, opened); !done) return fail(done.error());
  for (std::size_t k = 0; k < rows_.size(); ++k) remain[k] = is_closed(k, opened.y) ? 1 : 0;
  if (remain == closed) return false;
  Vector y;
  in = equations_.with_closed(to.mode, to.t, to.y, remain, y);
  to = std::move(opened);
  decide_sides(to);
  return true;
}

/// A force that is 0 now decides by its change: a contact opens if its gap opens by the accelerations some time later.
/// The time is increased by decades until all contacts are decided.
/// \param now  verdicts at the present state   \param closed  [contacts] is changed
Outcome<void> Contacts::look_ahead(const NormalEquations& at, const std::vector<Verdict>& now, const Transition& to,
                                   std::vector<char>& closed) {
  Vector y;
  Mode in = equations_.with_closed(to.mode, to.t, to.y, closed, y);
  if (auto done = settle_friction(dynamics_, in, to.t, y.data()); !done) return done;
  Vector rate = Vector::Zero(y.size()), then = rate;
  if (auto done = dynamics_.derivative(in, to.t, y.data(), rate.data()); !done) return done;
  double h = tolerance::kBeside * std::min(duration_, time_of_change(rate));
  bool is_decided = !(h > 0.0);  // a run of length 0 has no later time
  for (int decade = 0; !is_decided && (decade < kDecadesToSign || h <= tolerance::kBeside * duration_); ++decade) {
    const Vector ahead = y + h * rate;
    if (auto done = dynamics_.derivative(in, to.t + h, ahead.data(), then.data()); !done) return done;
    const Vector y_later = y + 0.5 * h * (rate + then);
    const auto later = equations_.along_normals(in, to.t + h, y_later, closed);
    if (!later) return fail(later.error());
    const auto soon = judged(*later, in, to.t + h, y_later);
    if (!soon) return fail(soon.error());
    is_decided = true;
    for (std::size_t i = 0; i < soon->size(); ++i) {
      const auto k = std::ranges::find(at.contacts, later->contacts[i]) - at.contacts.begin();
      if (nth(now, k) != Verdict::kOpen) continue;
      if ((*soon)[i] == Verdict::kOpens) closed[later->contacts[i]] = 0;
      is_decided = is_decided && (*soon)[i] != Verdict::kOpen;
    }
    h *= 10.0;
  }
  return {};
}

Outcome<void> Contacts::hold(const std::vector<char>& touching, Transition& to) {
  std::vector<char> closed = touching;
  const auto at = equations_.along_normals(to.mode, to.t, to.y, closed);
  if (!at) return fail(at.error());
  const auto now = judged(*at, to.mode, to.t, to.y);
  if (!now) return fail(now.error());
  bool is_decided = true;
  for (std::size_t i = 0; i < now->size(); ++i) {
    closed[at->contacts[i]] = (*now)[i] != Verdict::kOpens ? 1 : 0;
    is_decided = is_decided && (*now)[i] != Verdict::kOpen;
  }
  if (!is_decided)
    if (auto done = look_ahead(*at, *now, to, closed); !done) return done;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (touching[k] == 0) continue;
    to.y[rows_[k].closed_at] = closed[k] != 0 ? 1.0 : 0.0;
    decided_[k] = Gap::kTouches;
  }
  to.sets = true;
  return {};
}

/// [contacts] The contacts whose flight after an impact would be lower than `kLowestFlight`: they end their series of
/// ever lower flights here. Theory.md §10.3.
std::vector<char> Contacts::ended_bounces(const NormalEquations& at, const Vector& before, const Vector& after,
                                          const std::vector<char>& touches, std::span<const model::ConstraintId> landed,
                                          const Transition& to) {
  std::vector<char> ended(rows_.size(), 0);
  const Vector acceleration = accelerations_beside(at, touches);
  for (std::size_t i = 0; i < at.contacts.size(); ++i) {
    const std::size_t k = at.contacts[i];
    const auto row = static_cast<Eigen::Index>(i);
    const double lowest = kLowestFlight * gap_size(to.mode, k);
    const bool has_landed = std::ranges::find(landed, rows_[k].constraint) != landed.end();
    // A gap that closes although its rate is positive has not been open by more than rounding errors.
    if (has_landed && before[row] > 0.0 && after[row] == before[row]) ended[k] = 1;
    if (before[row] > tolerance::kZero * at.velocity_size[row]) continue;
    // The motion of other contacts may end the flights of this one. Then its last flight shows how low they are.
    const bool was_low = -before[row] * (to.t - last_impact_[k]) <= lowest && after[row] < -before[row];
    last_impact_[k] = to.t;
    const double back = std::max(-acceleration[row], was_low ? at.acceleration_size[row] : 0.0);
    if (touches[i] == 0 && back > 0.0 && after[row] * after[row] <= 2.0 * back * lowest) ended[k] = 1;
  }
  return ended;
}

/// Changes the coordinates so that the gaps of contacts are 0 up to their rounding error. The instant of a landing has
/// a rounding error too, so on a moving floor the gap is larger than that.
void Contacts::meet_gaps(const std::vector<char>& closed, Transition& to) {
  Vector y;
  const Mode in = equations_.with_closed(to.mode, to.t, to.y, closed, y);
  const Eigen::Index nq = dynamics_.binding()->nq();
  if (dynamics_.project(in, to.t, y.data())) to.y.head(nq) = y.head(nq);
}

/// Sets impulses to 0 that are rounding errors, such as those of other bodies at rest.
void Contacts::drop_rounding(const NormalEquations& at, Vector& impulses) const {
  bool has_any = false;
  for (std::size_t i = 0; i < at.contacts.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    double& p = impulses[rows_[at.contacts[i]].row];
    if (std::abs(p) <= tolerance::kZero * at.velocity_size[row] / at.G_size[row]) p = 0.0;
    has_any = has_any || p != 0.0;
  }
  if (!has_any) impulses.setZero();
}

std::optional<Failure> Contacts::failure_of_ending(solve::ImpactEnding ending, const NormalEquations& at,
                                                   double t) const {
  const std::size_t first = at.contacts.empty() ? 0 : at.contacts.front();
  std::optional<Failure> failure;
  if (ending == solve::ImpactEnding::kNoSolution) {
    failure = failure_of(first, t, FailureKind::kInconsistent,
                         "no impulses keep the gaps of unilateral constraints from closing further here");
    failure->advice = "let one of the bodies between which they are pressed give way, for example by a spring";
  } else if (ending == solve::ImpactEnding::kManySolutions) {
    failure = failure_of(first, t, FailureKind::kNotUnique,
                         "the impact of unilateral constraints is not unique here: they share impulses in a way that "
                         "the laws do not determine");
    failure->advice = dynamics_.binding().compliance.size() == 0
                          ? "state `compliance 1` at these contacts, or give them the same restitution"
                          : "give these contacts the same restitution, or leave out the friction of some of them";
  }
  return failure;
}

/// [contacts] The contacts that take part in an impact: they have landed, were closed, or touch. Opens the others.
Outcome<std::vector<char>> Contacts::closed_at(std::span<const model::ConstraintId> landed, Transition& to,
                                               double touch) {
  std::vector<char> closed(rows_.size(), 0);
  const Vector gaps_here = gaps(to.mode, to.t, to.y);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const bool has_landed = std::ranges::find(landed, rows_[k].constraint) != landed.end();
    const double gap = gaps_here[static_cast<Eigen::Index>(k)], size = gap_size(to.mode, k);
    if (has_landed && std::abs(gap) > tolerance::kRoot * size)
      return fail(failure_of(k, to.t, FailureKind::kInconsistent,
                             fmt::format("the gap of unilateral constraint `{}` jumps here to {:.3g}: no "
                                         "motion follows it",
                                         dynamics_.binding()->row_name(rows_[k].row), gap)));
    const bool was_closed = is_closed(k, to.y) && std::abs(gap) <= tolerance::kRoot * size;
    closed[k] = has_landed || was_closed || std::abs(gap) <= touch * size ? 1 : 0;
    if (closed[k] == 0) to.y[rows_[k].closed_at] = 0.0;
  }
  return closed;
}

Outcome<void> Contacts::impact(std::span<const model::ConstraintId> landed, Transition& to, double touch) {
  impacts_.push_back(to.t);
  if (impacts_.size() > kMostImpacts) {
    if (to.t - impacts_.front() <= tolerance::kSameTime * std::abs(to.t))
      return fail(failure_of(0, to.t, FailureKind::kStepTooSmall,
                             "impacts of unilateral constraints follow each other without end here"));
    impacts_.erase(impacts_.begin());
  }
  std::ranges::fill(decided_, Gap::kElsewhere);
  auto found = closed_at(landed, to, touch);
  if (!found) return fail(std::move(found.error()));
  const std::vector<char> closed = *std::move(found);
  meet_gaps(closed, to);
  const auto at = equations_.along_normals(to.mode, to.t, to.y, closed);
  if (!at) return fail(at.error());
  const auto equations = equations_.of_impact(to.mode, to.t, to.y, *at);
  if (!equations) return fail(equations.error());
  const solve::ImpactResult result = solve::solve_impact(equations->problem);
  if (auto none = failure_of_ending(result.ending, *at, to.t)) return fail(*std::move(none));
  const Vector y_before = to.y;
  Impulse impulse{to.t, Vector::Zero(dynamics_.binding()->nc()), at->is_unique};
  impulse.friction.resize(dynamics_.binding()->system->slides.size());
  give(*equations, result.impulse, to, impulse);
  for (std::size_t i = 0; i < at->contacts.size(); ++i) {
    const ContactRow& contact = rows_[at->contacts[i]];
    impulse.contacts.push_back({contact.constraint, contact.law, result.work[i]});
  }
  const double largest = at->velocity.lpNorm<Eigen::Infinity>();
  std::vector<char> touches(at->contacts.size(), 0), touching(rows_.size(), 0);
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double size = std::max(tolerance::kConditioned * largest, tolerance::kZero * at->velocity_size[row]);
    touches[i] = result.velocity[row] <= size ? 1 : 0;
    touching[at->contacts[i]] = touches[i];
    if (equations->slides[i] >= 0 && nth(result.shared, equations->problem.contacts[i].normal) != 0)
      nth(impulse.unique, rows_[at->contacts[i]].row) = 0;
  }
  const std::vector<char> ended = ended_bounces(*at, at->velocity, result.velocity, touches, landed, to);
  for (std::size_t k = 0; k < rows_.size(); ++k) touching[k] = touching[k] != 0 || ended[k] != 0 ? 1 : 0;
  const bool has_touching = std::ranges::find(touching, 1) != touching.end();
  if (has_touching)
    if (auto done = come_to_rest(touching, equations->problem.velocity.lpNorm<Eigen::Infinity>(), to, impulse); !done)
      return done;
  for (const std::size_t k : at->contacts) {
    decided_[k] = Gap::kOpens;
    if (touching[k] == 0) to.y[rows_[k].closed_at] = 0.0;
  }
  Vector y_closed;
  const Mode in = equations_.with_closed(to.mode, to.t, to.y, closed, y_closed);
  if (auto unknown = direction_of_jump(dynamics_, in, to.t, y_before, to.y)) return fail(*std::move(unknown));
  if (auto unknown = direction_of_jump(dynamics_, in, to.t, to.y, y_before)) return fail(*std::move(unknown));
  to.sets = true;
  drop_rounding(*at, impulse.rows);
  for (std::size_t i = 0; i < at->contacts.size(); ++i) {
    if (equations->slides[i] < 0) continue;
    Vector& friction = nth(impulse.friction, equations->slides[i]);
    const double push = std::abs(impulse.rows[rows_[at->contacts[i]].row]);
    if (push == 0.0 || friction.norm() <= tolerance::kZero * push) friction.resize(0);
  }
  std::erase_if(impulse.contacts, [&](const ContactImpact& one) {
    const auto contact = std::ranges::find(rows_, one.constraint, &ContactRow::constraint);
    return impulse.rows[contact->row] == 0.0;
  });
  impulse.state = to.y;
  if (!impulse.rows.isZero(0.0)) to.events.emplace_back(std::move(impulse));
  return has_touching ? hold(touching, to) : Outcome<void>();
}

Outcome<void> Contacts::turn(Transition& to) {
  std::vector<char> closed(rows_.size(), 0), touching = closed;
  for (std::size_t k = 0; k < rows_.size(); ++k) closed[k] = is_closed(k, to.y) ? 1 : 0;
  const auto at = equations_.along_normals(to.mode, to.t, to.y, closed);
  if (!at) return fail(at.error());
  const auto rests = [&](Eigen::Index row) {
    return std::abs(at->velocity[row]) <= tolerance::kConsistency * at->velocity_size[row];
  };
  for (Eigen::Index row = 0; row < at->velocity.size(); ++row)
    if (at->velocity[row] < 0.0 && !rests(row)) return impact({}, to);
  std::ranges::fill(decided_, Gap::kElsewhere);
  for (Eigen::Index row = 0; row < at->velocity.size(); ++row) {
    const std::size_t k = at->contacts[static_cast<std::size_t>(row)];
    touching[k] = rests(row) ? 1 : 0;
    if (touching[k] == 0) to.y[rows_[k].closed_at] = 0.0;
    decided_[k] = Gap::kOpens;
  }
  to.sets = true;
  return std::ranges::find(touching, 1) == touching.end() ? Outcome<void>() : hold(touching, to);
}

/// Changes the speeds by impulses of contacts and adds these to an event.
/// \param p  [n] impulses of the rows of `of`
void Contacts::give(const ImpactEquations& of, const Vector& p, Transition& to, Impulse& impulse) const {
  to.y.segment(dynamics_.binding()->nq(), dynamics_.binding()->nu()) += of.du * p;
  impulse.rows += of.reaction * p;
  for (std::size_t i = 0; i < of.slides.size(); ++i) {
    if (of.slides[i] < 0) continue;
    const solve::ImpactContact& contact = of.problem.contacts[i];
    const Vector along = of.basis[i] * p.segment(contact.first, contact.count);
    Vector& sum = nth(impulse.friction, of.slides[i]);
    sum = sum.size() == 0 ? along : Vector(sum + along);
  }
}

/// The impacts that remain act as one, which leaves the touching contacts exactly at rest. Contacts that slip keep
/// their direction of friction.
/// \param fastest  largest velocity of a contact before the impact
Outcome<void> Contacts::come_to_rest(const std::vector<char>& touching, double fastest, Transition& to,
                                     Impulse& impulse) {
  const auto at = equations_.along_normals(to.mode, to.t, to.y, touching);
  if (!at) return fail(at.error());
  const auto equations = equations_.of_impact(to.mode, to.t, to.y, *at);
  if (!equations) return fail(equations.error());
  const solve::ImpactProblem& problem = equations->problem;
  const Eigen::Index n = problem.velocity.size();
  Matrix forces = Matrix::Identity(n, n);  // [n × unknowns] one unknown for each row that comes to rest
  std::vector<Eigen::Index> resting;
  for (const solve::ImpactContact& contact : problem.contacts) {
    resting.push_back(contact.normal);
    const Vector slip = problem.velocity.segment(contact.first, contact.count);
    const double size = contact.count == 0 ? 0.0 : problem.velocity_size[contact.first];
    if (slip.norm() > std::max(tolerance::kConditioned * fastest, tolerance::kZero * size))
      forces.col(contact.normal).segment(contact.first, contact.count) = -contact.mu * slip.normalized();
    else
      for (int k = 0; k < contact.count; ++k) resting.push_back(contact.first + k);
  }
  const Matrix of_resting = forces(Eigen::all, resting);
  const Matrix G = problem.G(resting, Eigen::all) * of_resting;
  const Vector p = of_resting * G.completeOrthogonalDecomposition().solve(-problem.velocity(resting));
  give(*equations, p, to, impulse);
  const Vector mean = problem.velocity + 0.5 * problem.G * p;  // velocities change in proportion to the impulses
  for (std::size_t i = 0; i < at->contacts.size(); ++i) {
    const auto one = std::ranges::find(impulse.contacts, rows_[at->contacts[i]].constraint, &ContactImpact::constraint);
    if (one == impulse.contacts.end()) continue;
    const solve::ImpactContact& contact = problem.contacts[i];
    one->work.restitution += p[contact.normal] * mean[contact.normal];
    one->work.tangential += p.segment(contact.first, contact.count).dot(mean.segment(contact.first, contact.count));
  }
  return {};
}

void open_contacts(const Binding& bound, Vector& y) {
  for (const model::Constraint& constraint : bound->model->constraints)
    if (constraint.unilateral)
      y[bound->nq() + bound->nu() + static_cast<Eigen::Index>(constraint.unilateral->closed.index())] = 0.0;
}

void close_contacts(Dynamics& dynamics, double t, Vector& y) {
  Contacts contacts(dynamics, 1.0);
  if (!contacts.has_any()) return;
  Transition to{t, y, mode_at_start(dynamics.binding()), {}};
  const std::vector<char> touching = contacts.touching(to.mode, t, y);
  if (std::ranges::find(touching, 1) != touching.end() && contacts.settle(touching, to)) y = to.y;
}

}  // namespace vinculum::sim
