#include "vinculum/hybrid/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "vinculum/compiled/switch_places.hpp"
#include "vinculum/compiled/switches.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/margin_shape.hpp"
#include "vinculum/hybrid/state_in_step.hpp"
#include "vinculum/model/unilateral_text.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/solve/contacts/contact_margin.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

using integrate::Action;

constexpr int kDegree = 8;            // degree of the interpolants of forces and gaps over a part of a step
constexpr int kMostForceParts = 400;  // largest number of parts of a step
constexpr int kMostSizes = 2;         // largest number of times that sizes of forces are learned in one step
constexpr double kNoForce =
    tolerance::kIdentity;  // part of the largest force so far: a smaller force does not open a contact
constexpr double kTouches = tolerance::kConsistency;  // part of the size of a gap: a smaller gap is closed at a start
constexpr double kShortest = tolerance::kSameTime;    // part of the run: a contact that opens for less does not open
constexpr std::size_t kMostChanges = 200;             // changes within `tolerance::kSameEvent` of the time

/// Follows which unilateral constraints act (theory.md §10.3). At the start it decides which are closed. A closed
/// contact opens where its force ceases to be positive. The force is interpolated at Chebyshev nodes over parts of a
/// step, which are halved until the interpolant shows the sign of the force. If forces are not unique, the force that
/// counts is the least one of the forces for which it is largest. Landings are events of the model, which the switch
/// source finds. After a contact has opened, its gap is examined here until it is so large that the switch source sees
/// its sign.
class ContactSource final : public EventSource {
 public:
  explicit ContactSource(const Watched& run) : run_(run), contacts_(run.dynamics, run.duration) {}

  std::optional<Failure> begin(Transition& start, RunRecord& run) override;
  void resume(Transition&, RunRecord&) override {}
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override;
  Outcome<void> pass(const Found& found, Transition& to) override;
  void end(RunRecord& run, const Sample* last) override;

 private:
  /// Forces of the closed contacts at an instant, relative to their largest values so far.
  struct Instant {
    double t = 0.0;
    Vector y, force;
  };
  [[nodiscard]] Outcome<void> look(const integrate::Step& step, double t, Instant& at);
  [[nodiscard]] Outcome<void> read(Instant& at);
  [[nodiscard]] Outcome<std::size_t> look_at_nodes(const integrate::Step& step, double from, double to, int degree,
                                                   std::vector<Instant>& nodes);
  [[nodiscard]] Outcome<bool> look_along(const integrate::Step& step, Instant& before, Instant& after);
  [[nodiscard]] bool is_positive(const std::vector<Instant>& nodes, std::size_t contact) const;
  [[nodiscard]] Outcome<void> look_at_opened(const integrate::Step& step, std::vector<Found>& found);
  [[nodiscard]] Outcome<void> note_time(double t);
  /// The contact is open, and the switch source does not see its gap yet.
  [[nodiscard]] bool is_opening(std::size_t contact, const Vector& y) const {
    const std::vector<double>& sides = run_.mode.sides;
    return !sides.empty() && !contacts_.is_closed(contact, y) &&
           sides[contacts_.rows()[contact].gap_surface] == Switches::kEqual;
  }
  [[nodiscard]] Failure inside(std::size_t contact, double t, double gap) const;

  Watched run_;
  Contacts contacts_;
  std::vector<std::size_t> closed_;  ///< the closed contacts of the present step
  /// Contacts that have just opened and close again at the event found last.
  std::vector<model::ConstraintId> closing_;
  std::vector<double> times_;  ///< [s] of the last changes
};

Failure ContactSource::inside(std::size_t contact, double t, double gap) const {
  const Binding& bound = run_.dynamics.binding();
  const int row = contacts_.rows()[contact].row;
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.t = t;
  failure.rows = {row};
  failure.message = fmt::format("the start violates the unilateral constraint `{}`: its gap is {:.3g}{}",
                                bound->row_name(row), gap, bound->row_unit(row, model::Level::kPosition));
  failure.advice =
      "start at a gap of 0 or more; if the bodies are on the right sides, turn the direction of `>=` or of the `axis` "
      "of a "
      "plane";
  return failure;
}

std::optional<Failure> ContactSource::begin(Transition& start, RunRecord& run) {
  const Vector gaps = contacts_.gaps(start.mode, start.t, start.y);
  for (std::size_t k = 0; k < contacts_.rows().size(); ++k) {
    const double gap = gaps[static_cast<Eigen::Index>(k)];
    if (gap < -kTouches * contacts_.gap_size(start.mode, k)) return inside(k, start.t, gap);
  }
  const std::size_t events = start.events.size();
  if (auto done = contacts_.impact({}, start, kTouches); !done) return std::move(done.error());
  if (start.events.size() == events) return std::nullopt;
  run.notes.push_back({"start", start.t,
                       "a gap is closed at the start and its normal speed is not 0: an impact at the start", "", "",
                       0.0, 0.0});
  return std::nullopt;
}

/// Forces as generated code computes them. Near 0 those with the greatest margin are used if they are not unique.
Outcome<void> ContactSource::read(Instant& at) {
  Sample sample;
  if (auto done = EquationsOf(run_.dynamics).react(run_.mode, at.t, at.y.data(), sample); !done) return done;
  at.force.resize(static_cast<Eigen::Index>(closed_.size()));
  for (std::size_t i = 0; i < closed_.size(); ++i)
    at.force[static_cast<Eigen::Index>(i)] = sample.reaction.lambda()[contacts_.rows()[closed_[i]].row];
  if (closed_.size() < 2 && run_.dynamics.binding()->nc() < 2) return {};
  Matrices m;
  EquationsOf(run_.dynamics).matrices_as_they_are(run_.mode, at.t, at.y.data(), m);
  solve::ConstrainedSolve rows(static_cast<int>(m.M.rows()), static_cast<int>(m.A.rows()));
  rows.set_certainty(m.certainty);
  rows.set_compliance(m.compliance);
  if (!rows.factor(m.M, m.A)) return {};
  const auto is_unique = [&](std::size_t k) {
    return rows.unique()[static_cast<std::size_t>(contacts_.rows()[k].row)] != 0;
  };
  if (std::ranges::all_of(closed_, is_unique)) return {};
  std::vector<solve::LinearCondition> conditions;
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    solve::LinearCondition positive{
        Vector::Zero(m.A.rows()), 0.0,
        std::max(contacts_.force_sizes()[static_cast<Eigen::Index>(closed_[i])], std::numeric_limits<double>::min()),
        i};
    positive.a[contacts_.rows()[closed_[i]].row] = 1.0;
    conditions.push_back(std::move(positive));
  }
  double margin = solve::SharedForces::kMost;
  for (std::size_t i = 0; i < closed_.size(); ++i)
    margin = std::min(margin, at.force[static_cast<Eigen::Index>(i)] / conditions[i].size);
  const double part = solve::part_near_bounds(margin);
  if (part == 0.0) return {};
  const solve::SharedForces shared(conditions, {}, sample.reaction.lambda(), rows.left_null_space());
  const Vector best = shared.with_greatest_margin();
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    double& force = at.force[static_cast<Eigen::Index>(i)];
    force += part * (best[contacts_.rows()[closed_[i]].row] - force);
  }
  return {};
}

Outcome<void> ContactSource::look(const integrate::Step& step, double t, Instant& at) {
  at.t = t;
  if (auto done = state_in_step(run_.dynamics, run_.mode, step, t, at.y); !done) return done;
  return read(at);
}

/// Whether the interpolant of a force is positive over the whole part. Forces of the size of rounding errors count as
/// positive.
bool ContactSource::is_positive(const std::vector<Instant>& nodes, std::size_t contact) const {
  const auto i = static_cast<Eigen::Index>(contact);
  Vector values(static_cast<Eigen::Index>(nodes.size()));
  for (std::size_t node = 0; node < nodes.size(); ++node)
    values[static_cast<Eigen::Index>(node)] = nodes[node].force[i];
  const double noise = kNoForce * contacts_.force_sizes()[static_cast<Eigen::Index>(closed_[contact])];
  const MarginShape shape(values, 1, noise);
  return shape.size <= noise || (shape.is_resolved && shape.middle - shape.others - shape.last > -noise);
}

/// Evaluates the forces at Chebyshev nodes of a part of a step, up to the first node with a negative force.
/// \returns the index of that node; 0 if there is none.
Outcome<std::size_t> ContactSource::look_at_nodes(const integrate::Step& step, double from, double to, int degree,
                                                  std::vector<Instant>& nodes) {
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  nodes.clear();
  for (int node = 0; node <= degree; ++node) {
    const double part = from + (to - from) * 0.5 * (1.0 - std::cos(std::numbers::pi * node / degree));
    Instant at;
    if (auto done = look(step, part >= 1.0 ? step.t_end() : t0 + part * h, at); !done) return fail(done.error());
    bool is_over = false;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      const double size = contacts_.force_sizes()[static_cast<Eigen::Index>(closed_[i])];
      is_over = is_over || at.force[static_cast<Eigen::Index>(i)] < -kNoForce * size;
    }
    nodes.push_back(std::move(at));
    if (node > 0 && is_over) return static_cast<std::size_t>(node);
  }
  return std::size_t{0};
}

/// Finds the first force that ceases to be positive.
/// \returns true if there is one, between `before` and `after`.
Outcome<bool> ContactSource::look_along(const integrate::Step& step, Instant& before, Instant& after) {
  std::vector<std::pair<double, double>> parts = {{0.0, 1.0}};  // the earliest last
  std::vector<Instant> nodes;
  for (int count = 0; !parts.empty() && count < kMostForceParts; ++count) {
    const auto [from, to] = parts.back();
    parts.pop_back();
    std::size_t over = 0;
    bool is_clear = false;
    for (const int degree : {kDegree / 2, kDegree}) {  // half of the nodes are enough if the forces hardly change
      const auto read = look_at_nodes(step, from, to, degree, nodes);
      if (!read) return fail(read.error());
      over = *read;
      is_clear = over == 0;
      for (std::size_t i = 0; i < closed_.size(); ++i) is_clear = is_clear && is_positive(nodes, i);
      if (is_clear) break;
    }
    const bool is_shortest = to - from <= tolerance::kSameEvent;
    // Beyond the first node that is over, earlier zeros are possible only in the part before it.
    if (over > 1 && !is_shortest) {
      const double part =
          from + (to - from) * 0.5 * (1.0 - std::cos(std::numbers::pi * static_cast<double>(over) / kDegree));
      parts.emplace_back(0.5 * (from + part), part);
      parts.emplace_back(from, 0.5 * (from + part));
      continue;
    }
    if (over > 0) {
      before = nodes[over - 1];
      after = nodes[over];
      return true;
    }
    if (is_clear || is_shortest) continue;
    parts.emplace_back(0.5 * (from + to), to);
    parts.emplace_back(from, 0.5 * (from + to));
  }
  return false;
}

/// After a contact has opened, its gap is too small for the switch source: a step in which it becomes negative is taken
/// again, shorter. A contact whose gap becomes negative at once closes again.
Outcome<void> ContactSource::look_at_opened(const integrate::Step& step, std::vector<Found>& found) {
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  double positive = h;  // length after the begin for which all gaps are positive
  Vector y;
  for (std::size_t k = 0; k < contacts_.rows().size(); ++k) {
    if (!is_opening(k, step.y_begin())) continue;
    double last = 0.0;
    for (int node = 1; node <= kDegree; ++node) {
      const double t =
          node == kDegree ? step.t_end() : t0 + h * 0.5 * (1.0 - std::cos(std::numbers::pi * node / kDegree));
      if (t - t0 > positive) break;
      if (node == kDegree)
        y = step.y_end();
      else if (auto done = step.interpolate(t, y); !done)
        return done;
      const double gap = contacts_.gaps(run_.mode, t, y)[static_cast<Eigen::Index>(k)];
      if (gap < -tolerance::kZero * contacts_.gap_size(run_.mode, k)) {
        if (last < positive) closing_.clear();
        positive = last;
        closing_.push_back(contacts_.rows()[k].constraint);
        break;
      }
      last = t - t0;
    }
  }
  if (positive == h) return {};
  if (h <= kShortest * run_.duration) {
    found.push_back({t0, Action::kChange, {}, h});
  } else {
    closing_.clear();
    found.push_back({t0, Action::kRetake, {}, positive > 0.0 ? positive : h / kDegree / kDegree});
  }
  return {};
}

Outcome<void> ContactSource::check(const integrate::Step& step, std::vector<Found>& found) {
  closed_.clear();
  closing_.clear();
  for (std::size_t k = 0; k < contacts_.rows().size(); ++k)
    if (contacts_.is_closed(k, step.y_begin())) closed_.push_back(k);
  if (auto done = look_at_opened(step, found); !done || !found.empty()) return done;
  if (closed_.empty()) return {};
  const auto is_new = [&](std::size_t k) { return contacts_.force_sizes()[static_cast<Eigen::Index>(k)] == 0.0; };
  if (std::ranges::any_of(closed_, is_new)) contacts_.learn_forces(run_.mode, step.t_begin(), step.y_begin());
  Instant before, after;
  // The size of a force may have grown since the last event. A force that is rounding error does not open a contact.
  for (int turn = 0;; ++turn) {
    const auto opens = look_along(step, before, after);
    if (!opens) return fail(opens.error());
    if (!*opens) return {};
    const Vector sizes = contacts_.force_sizes();
    if (turn < kMostSizes) contacts_.learn_forces(run_.mode, after.t, after.y);
    if (contacts_.force_sizes() == sizes) break;
  }
  Instant at;
  const auto least = [&](const Instant& one) {
    double margin = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < closed_.size(); ++i)
      margin = std::min(margin, one.force[static_cast<Eigen::Index>(i)] /
                                    std::max(contacts_.force_sizes()[static_cast<Eigen::Index>(closed_[i])],
                                             std::numeric_limits<double>::min()));
    return margin;
  };
  const auto margin_at = [&](double t) -> Outcome<double> {
    if (auto done = look(step, t, at); !done) return fail(done.error());
    return least(at);
  };
  const integrate::Crossing crossing =
      integrate::find_crossing(margin_at, before.t, least(before), after.t, least(after), 0.0);
  if (crossing.blind) return fail(*crossing.blind);
  found.push_back(
      {least(before) > 0.0 ? crossing.after : before.t, Action::kChange, {}, step.t_end() - step.t_begin()});
  return {};
}

/// A failure if changes follow each other ever faster.
Outcome<void> ContactSource::note_time(double t) {
  times_.push_back(t);
  if (times_.size() <= kMostChanges) return {};
  const double first = *(times_.end() - 1 - static_cast<std::ptrdiff_t>(kMostChanges));
  times_.erase(times_.begin());
  if (t - first > tolerance::kSameEvent * std::abs(t)) return {};
  Failure failure;
  failure.kind = FailureKind::kStepTooSmall;
  failure.t = t;
  failure.rows = {contacts_.rows()[closed_.empty() ? 0 : closed_.front()].row};
  failure.message = "unilateral constraints open and close ever faster here";
  return fail(std::move(failure));
}

Outcome<void> ContactSource::pass(const Found& found, Transition& to) {
  if (auto done = note_time(found.t); !done) return done;
  std::vector<char> touching(contacts_.rows().size(), 0);
  for (std::size_t k = 0; k < touching.size(); ++k) touching[k] = contacts_.is_closed(k, to.y) ? 1 : 0;
  auto done = closing_.empty() ? contacts_.settle(touching, to) : contacts_.impact(closing_, to);
  if (!done) return done;
  contacts_.decide_sides(to);
  return {};
}

/// Notes impacts in which a law of restitution creates energy.
void ContactSource::end(RunRecord& run, const Sample* /*last*/) {
  const ContactImpact* first = nullptr;
  double t = 0.0;
  int count = 0;
  for (const RunEvent& event : run.events) {
    const auto* impulse = std::get_if<Impulse>(&event);
    if (impulse == nullptr) continue;
    for (const ContactImpact& one : impulse->contacts) {
      if (!one.creates_energy()) continue;
      if (count++ > 0) continue;
      first = &one;
      t = impulse->t;
    }
  }
  if (first == nullptr) return;
  const model::Model& model = *run_.dynamics.binding()->model;
  const std::string& name = model.constraint(first->constraint).name;
  std::string text = fmt::format("the impact at `{}` creates the energy {:.3g}{}", name, first->work.total(),
                                 model.has_units ? " J" : "");
  if (count > 1) text += fmt::format(", and {} more", count - 1);
  text += fmt::format(": the law of restitution `{}` can do so, `energetic` cannot", model::name_of(first->law));
  run.notes.push_back({"impact", t, text, "", name, 0.0, 0.0});
}

}  // namespace

std::unique_ptr<EventSource> make_contact_source(const Watched& run) {
  auto source = std::make_unique<ContactSource>(run);
  const std::vector<model::Constraint>& all = run.dynamics.binding()->model->constraints;
  const bool has_any =
      std::ranges::any_of(all, [](const model::Constraint& one) { return one.unilateral.has_value(); });
  return has_any ? std::move(source) : nullptr;
}

}  // namespace vinculum::sim
