#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/report/explained.hpp"

namespace vinculum::report {
namespace {

/// Whether a power is more than a rounding error. It is compared with two scales: the powers of all reactions along
/// each speed, and the powers of all forces and inertia terms along typical speeds. In the first scale, a reaction is
/// taken as at least 1e-4 of the loads, and a speed as at least kHalfDigits (1e-8) of a typical speed.
bool works(const Explained& explained, double power, const Reported& reported, const sim::Sample& sample) {
  const sim::Binding& bound = *explained.bound;
  const std::vector<double> loads = reported.of(explained.system->f), M = reported.of(explained.system->M);
  const Vector usual =
      sim::speed_scale(bound, sample.u, sample.reaction.u_dot(), sim::coordinate_reach(bound, sample.q));
  double size = 0.0, whole = 0.0;
  const Eigen::Index nu = sample.u.size();
  for (Eigen::Index r = 0; r < nu; ++r) {
    const Vector inertia = Eigen::Map<const Vector>(M.data() + r * nu, nu).cwiseAbs();
    whole += usual[r] * (std::abs(sample.reaction.Q_c[r]) + std::abs(nth(loads, r)) +
                         inertia.dot(sample.reaction.u_dot().cwiseAbs()));
    const double force = std::max(std::abs(sample.reaction.Q_c[r]), 0.1 * tolerance::kFloor * std::abs(nth(loads, r)));
    size += force * std::max(std::abs(sample.u[r]), tolerance::kHalfDigits * usual[r]);
  }
  return std::abs(power) > tolerance::kConditioned * size + tolerance::kZero * whole;
}

}  // namespace

Loads loads_of(const Explained& explained, model::ConstraintId id) {
  const sim::Binding& bound = *explained.bound;
  const model::Model& model = explained.model();
  const auto part = [&](const model::Term& term, std::array<char, 3> unique) {
    return Load::Part{explained.at_start->vector(term), unique};
  };
  Loads loads;
  // A penalty realization has no multiplier that could be undetermined, and no entry in `point_forces`.
  for (const model::PointId point : model::points_of(model, id)) {
    Load& load = loads.points.emplace_back(Load{model.point(point).name, {}, {}, {}});
    if (!explained.at_start) continue;
    const auto& all = bound->point_forces;
    const auto found =
        std::ranges::find_if(all, [&](const auto& one) { return one.constraint == id && one.point == point; });
    load.force =
        part(model::total_force(model, id, point),
             found == all.end() ? std::array<char, 3>{1, 1, 1}
                                : explained.start->point_force_unique[static_cast<std::size_t>(found - all.begin())]);
  }
  for (const model::FrameId frame : model::bodies_of(model, id)) {
    if (!model.frame(frame).body) continue;
    const model::Body& body = model.body(*model.frame(frame).body);
    Load& load = loads.bodies.emplace_back(Load{body.name, {}, {}, {}});
    if (!explained.at_start) continue;
    const auto& all = bound->body_wrenches;
    const auto found =
        std::ranges::find_if(all, [&](const auto& one) { return one.constraint == id && one.body == frame; });
    const auto unique = found == all.end()
                            ? sim::Sample::BodyUnique{}
                            : explained.start->body_wrench_unique[static_cast<std::size_t>(found - all.begin())];
    const model::Term torque = model::torque_on(model, id, frame);
    if (!torque.is_zero()) load.torque = part(torque, unique.couple);
    load.force = part(model::resultant_force(model, id, frame), unique.force);
    load.moment = part(model::resultant_moment(model, id, frame, body.center), unique.moment);
  }
  return loads;
}

Node power_of(const Explained& explained, model::ConstraintId constraint) {
  const model::Model& model = explained.model();
  if (!explained.at_start) return nullptr;
  const model::Term term = model::power_of_constraint(model, constraint);
  if (!term.is_valid()) return nullptr;
  const double at_start = explained.at_start->scalar(term);
  // Decided by the form of the reaction if possible, otherwise numerically.
  const bool is_workless = nth(explained.invariants.is_workless, constraint.index()) != 0;
  bool does_work = !is_workless && works(explained, at_start, *explained.at_start, *explained.start);
  for (const sim::Sample& sample : explained.others) {
    if (is_workless) break;
    const Reported reported(*explained.system, explained.bound->parameters, sample);
    does_work = does_work || works(explained, reported.scalar(term), reported, sample);
  }
  bool holds_more = false;  // whether some row is not direction-only
  for (std::size_t i = 0; i < explained.findings.size(); ++i) {
    if (explained.system->rows[i].constraint == constraint)
      holds_more = holds_more || !explained.findings[i].is_direction_only.value_or(true);
  }
  const bool is_by_motion = !does_work && holds_more && !model.constraint(constraint).law->mu().empty();
  Node power = Node::object({{"at_start", at_start}, {"does_work", does_work}, {"dynamically_dead", is_by_motion}});
  power.said = does_work ? fmt::format("  it does work: at the start its power is {:.6g}{}\n", shown(at_start),
                                       model.has_units ? " W" : "")
                         : "  it does no work\n";
  if (is_by_motion)
    power.said =
        "  it does no work along the examined motions, but it would along others that its rows admit (dynamically "
        "dead)\n";
  return power;
}

}  // namespace vinculum::report
