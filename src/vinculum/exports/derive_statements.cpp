#include "vinculum/exports/derive_statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/shared_frame.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/model/unilateral_text.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::report {
namespace {

using model::Model;
using model::Term;

bool is_number(Term term) { return term.kind() == model::TermKind::kNumber; }

/// Writes a unit as it follows a number, for example " [kg]"; empty for a model without units.
std::string in_brackets(const UnitText& unit) { return unit.si.empty() ? "" : " [" + unit.si + "]"; }

/// Writes a term with the given dimension. A number gets its unit, as in a statement.
std::string quantity(const Model& model, Term term, const Dimension& dimension) {
  const bool needs_unit = is_number(term) && !term.is_zero();
  return model::to_text(model, term) + (needs_unit ? in_brackets(model::unit_of(model, dimension)) : "");
}

std::string place(const Model& model, const model::Point& point) {
  const std::string base = model.point(point.base).name;
  if (!point.offset.is_valid() || point.offset.is_zero()) return base;
  return base + " + " + model::to_text(model, point.offset);
}

std::string body_name(const Model& model, model::FrameId frame) {
  const auto body = model.frame(frame).body;
  return body ? model.body(*body).name : model.frame(frame).name;
}

/// The target of a force: a point, or a body if the statement names the body and a place.
std::string target_of(const Model& model, model::PointId id) {
  const model::Point& point = model.point(id);
  return point.has_own_name() ? point.name : body_name(model, point.on);
}

std::string of_force(const Model& model, const model::ForceOn& force, const char* keyword) {
  const model::Point& point = model.point(force.point);
  return fmt::format("{} on {} = {}{}{}", keyword, target_of(model, force.point), model::to_text(model, force.force),
                     point.has_own_name() ? "" : " at " + place(model, point),
                     force.from ? " from " + target_of(model, *force.from) : "");
}

std::string of_torque(const Model& model, const model::TorqueOn& torque, const char* keyword) {
  return fmt::format("{} on {} = {}{}", keyword, body_name(model, torque.body), model::to_text(model, torque.torque),
                     torque.from ? " from " + body_name(model, *torque.from) : "");
}

std::string of_generalized(const Model& model, const model::GeneralizedForceOn& force, const char* keyword) {
  return fmt::format("{} on {} = {}", keyword, model.coordinates[force.coordinate.index()].name,
                     model::to_text(model, force.force));
}

/// Whether a term depends on neither coordinates nor time.
bool is_fixed(Term term) {
  return std::ranges::none_of(model::in_order(term), [](Term node) {
    return node.kind() == model::TermKind::kCoordinate || node.kind() == model::TermKind::kTime;
  });
}

/// Whether a frame turns only about its z axis, judged by its statements. It does not if a varying rotation follows a
/// constant tilt.
bool turns_about_z(const Model& model, model::FrameId id) {
  bool is_tilted = false;
  for (const model::Frame* frame = &model.frame(id); frame->parent.is_valid(); frame = &model.frame(frame->parent)) {
    if (frame->quaternion) return false;
    for (auto rotation = frame->rotations.rbegin(); rotation != frame->rotations.rend(); ++rotation) {
      if (!is_fixed(rotation->angle) && (is_tilted || rotation->axis != 2)) return false;
      is_tilted = is_tilted || rotation->axis != 2;
    }
  }
  return true;
}

/// Returns the moment Izz if it is the only one that the statement gave; the other moments are then those of a plate.
std::optional<Term> plane_inertia(const Model& model, const model::Body& body) {
  const model::Inertia& I = body.inertia;
  const bool is_plate =
      I.xx.id() == I.yy.id() && I.xx.id() == (I.zz / 2.0).id() && I.xy.is_zero() && I.yz.is_zero() && I.zx.is_zero();
  return is_plate && turns_about_z(model, body.frame) ? std::optional(I.zz) : std::nullopt;
}

}  // namespace

std::string statement_of(const Model& model, const model::Parameter& parameter) {
  const UnitText unit = model::unit_of(model, parameter);
  const std::string in_unit = unit.shown.empty() ? "" : " [" + unit.shown + "]";
  const auto statement = [&](const std::string& number) {
    return fmt::format("param {} = {}{}", parameter.name, number, in_unit);
  };
  if (unit.scale == 1.0) return statement(fmt::format("{}", parameter.value));
  // Uses the shortest decimal that gives exactly the same value in this unit.
  constexpr int kAllDigits = 17;
  for (int digits = 1; digits < kAllDigits; ++digits) {
    const std::string number = fmt::format("{:.{}g}", parameter.value / unit.scale, digits);
    if (std::stod(number) * unit.scale == parameter.value) return statement(number);
  }
  return statement(fmt::format("{}", parameter.value / unit.scale));
}
std::string statement_of(const Model& model, const model::Speed& speed) {
  return fmt::format("speed {} = {}", speed.name, model::to_text(model, speed.definition));
}

std::string statement_of(const Model& model, const model::Frame& frame) {
  if (!frame.parent.is_valid()) return fmt::format("frame {} newtonian", frame.name);
  std::string text = fmt::format("frame {} = {}", frame.name, model.frame(frame.parent).name);
  if (frame.quaternion) {
    text += " quaternion(";
    for (std::size_t i = 0; i < 4; ++i)
      text += (i == 0 ? "" : ", ") + model.coordinates[frame.quaternion->e[i].index()].name;
    return text + ")";
  }
  constexpr const char* kAxes[] = {"x", "y", "z"};
  for (const model::SimpleRotation& rotation : frame.rotations) {
    text += fmt::format(" rotated {} about {}", model::to_text(model, rotation.angle),
                        rotation.axis >= 0 ? kAxes[rotation.axis] : model::to_text(model, rotation.direction));
  }
  return text;
}

std::string statement_of(const Model& model, const model::Point& point) {
  if (point.frame.is_valid()) return fmt::format("point {} fixed in {}", point.name, model.frame(point.frame).name);
  const std::string on = point.on.is_valid() ? " on " + body_name(model, point.on) : "";
  return fmt::format("point {}{} = {}", point.name, on, place(model, point));
}

std::string statement_of(const Model& model, const model::Particle& particle) {
  return fmt::format("particle {} mass {} at {}", particle.name,
                     quantity(model, particle.mass, make_dimension(1, 0, 0)),
                     place(model, model.point(particle.point)));
}

std::string statement_of(const Model& model, const model::Body& body) {
  const model::Inertia& I = body.inertia;
  const Dimension dimension = make_dimension(1, 2, 0);
  std::vector<Term> moments{I.xx, I.yy, I.zz};
  if (!I.xy.is_zero() || !I.yz.is_zero() || !I.zx.is_zero()) moments.insert(moments.end(), {I.xy, I.yz, I.zx});
  const bool are_numbers = std::ranges::all_of(moments, &is_number);  // then one unit is written after the list
  std::string inertia;
  for (const Term moment : moments) {
    inertia += (inertia.empty() ? "(" : ", ") +
               (are_numbers ? model::to_text(model, moment) : quantity(model, moment, dimension));
  }
  inertia += ")" + (are_numbers ? in_brackets(model::unit_of(model, dimension)) : "");
  if (const auto Izz = plane_inertia(model, body)) inertia = "plane " + quantity(model, *Izz, dimension);
  const model::Frame& frame = model.frame(model::shared_frame(model, body.frame));
  return fmt::format("body {} frame {} mass {} inertia {} at {}", body.name, frame.name,
                     quantity(model, body.mass, make_dimension(1, 0, 0)), inertia,
                     place(model, model.point(body.center)));
}

std::string statement_of(const Model& model, const model::Load& load) {
  const auto written = [&](Term term) { return model::to_text(model, term); };
  struct {
    const Model& model;
    decltype(written)& text;
    std::string operator()(const model::ForceOn& force) const { return of_force(model, force, "force"); }
    std::string operator()(const model::TorqueOn& torque) const { return of_torque(model, torque, "torque"); }
    std::string operator()(const model::Gravity& gravity) const { return "gravity " + text(gravity.acceleration); }
    std::string operator()(const model::SpringBetween& spring) const {
      const bool is_damper = spring.stiffness.is_zero() && spring.length.is_zero() && spring.damping.is_valid();
      if (is_damper)
        return fmt::format("damper {} {} damping {}", model.point(spring.first).name, model.point(spring.second).name,
                           quantity(model, spring.damping, make_dimension(1, 0, -1)));
      std::string line =
          fmt::format("spring {} {} stiffness {} length {}", model.point(spring.first).name,
                      model.point(spring.second).name, quantity(model, spring.stiffness, make_dimension(1, 0, -2)),
                      quantity(model, spring.length, make_dimension(0, 1, 0)));
      if (spring.damping.is_valid()) line += " damping " + quantity(model, spring.damping, make_dimension(1, 0, -1));
      return line;
    }
    std::string operator()(const model::PotentialEnergy& potential) const {
      return "potential " + text(potential.energy);
    }
    std::string operator()(const model::LagrangianFunction& function) const { return "lagrangian " + text(function.L); }
    std::string operator()(const model::GeneralizedForceOn& force) const {
      return of_generalized(model, force, "generalized force");
    }
  } writer{model, written};
  return std::visit(writer, load.what);
}

std::string statement_of(const Model&, const model::Constraint& constraint) {
  return fmt::format("constraint {}: {}", constraint.name, constraint.text);
}

std::string statement_of(const Model& model, const model::Reveal& reveal) {
  std::string along;
  for (const Term direction : reveal.along) along += (along.empty() ? "" : ", ") + model::to_text(model, direction);
  const bool is_force = reveal.point.is_valid();
  return fmt::format("reveal {}: {} on {} along {}", reveal.name, is_force ? "force" : "torque",
                     is_force ? model.point(reveal.point).name : body_name(model, reveal.body), along);
}

std::string statement_of(const Model& model, const model::State& state) {
  if (!state.rate.is_valid()) return {};
  const auto samples_it = [&](const model::Event& event) {
    return event.is_sample() && &model.states[event.actions.front().index] == &state;
  };
  if (const auto samples = std::ranges::find_if(model.events, samples_it); samples != model.events.end())
    return statement_of(model, *samples);
  const auto is_closed = [&](const model::Constraint& one) {
    return one.unilateral && &model.states[one.unilateral->closed.index()] == &state;
  };
  if (std::ranges::any_of(model.constraints, is_closed)) return state.name + " is 1 while its gap is closed, else 0";
  std::string text = fmt::format("state {}' = {}", state.name, model::to_text(model, state.rate));
  return state.start.is_valid() ? text + " start " + state.name + " = " + model::to_text(model, state.start) : text;
}

const std::string& name_of_target(const Model& model, const model::EventAction& action) {
  const bool is_speed = action.kind == model::EventAction::Kind::kSetSpeed;
  return is_speed ? model.speeds[action.index].name : model.states[action.index].name;
}

std::string statement_of(const Model& model, const model::EventAction& action) {
  switch (action.kind) {
    case model::EventAction::Kind::kStop: return "stop";
    case model::EventAction::Kind::kRecord: return "record";
    case model::EventAction::Kind::kClose: return "impact of " + model.constraints[action.index].name;
    default: return fmt::format("set {} = {}", name_of_target(model, action), model::to_text(model, action.value));
  }
}

std::string statement_of(const Model& model, const model::Event& event) {
  using Trigger = model::Event::Trigger;
  const auto of_time = [&] { return quantity(model, event.time, make_dimension(0, 0, 1)); };
  if (event.is_sample()) {
    const model::EventAction& sample = event.actions.front();
    const model::State& state = model.states[sample.index];
    const std::string start =
        state.start.is_valid() ? " start " + state.name + " = " + model::to_text(model, state.start) : "";
    return fmt::format("state {} every {} = {}{}", state.name, of_time(), model::to_text(model, sample.value), start);
  }
  if (event.terminates) return "terminate when " + model::to_text(model, event.condition);
  if (event.trigger == Trigger::kAt) return fmt::format("event {}: at {}", event.name, of_time());
  if (event.trigger == Trigger::kEvery) return fmt::format("event {}: every {}", event.name, of_time());
  const char* const way = event.trigger == Trigger::kBecomesTrue    ? " rising"
                          : event.trigger == Trigger::kBecomesFalse ? " falling"
                                                                    : "";
  return fmt::format("event {}: {} = {}{}", event.name, model::to_text(model, event.condition.operand(1)),
                     model::to_text(model, event.condition.operand(0)), way);
}

std::string statement_of(const Model& model, const model::Input& input) {
  const model::State& given = model.states[input.given.index()];
  if (!input.own.is_valid())
    return "input " + input.name + (given.start.is_valid() ? " = " + model::to_text(model, given.start) : "");
  const auto shown = std::ranges::find(model.outputs, input.name, &model::Output::name);
  return "input " + input.name + " = " + model::to_text(model, shown->value);
}

std::string text_of_state(const Model& model, model::StateId id) {
  const model::State& state = model.states[id.index()];
  return state.rate.is_valid() ? state.name : "multiplier" + state.name.substr(state.name.find('('));
}

std::vector<std::string> clauses_of(const Model& model, const model::Constraint& constraint) {
  std::vector<std::string> lines;
  for (const model::Nonideal& nonideal : constraint.nonideal) {
    if (const auto* force = std::get_if<model::ForceOn>(&nonideal.stated))
      lines.push_back(of_force(model, *force, "nonideal"));
    if (const auto* torque = std::get_if<model::TorqueOn>(&nonideal.stated))
      lines.push_back(of_torque(model, *torque, "nonideal"));
    if (const auto* force = std::get_if<model::GeneralizedForceOn>(&nonideal.stated)) {
      lines.push_back(of_generalized(model, *force, "nonideal"));
    }
  }
  if (constraint.unilateral)
    std::ranges::copy(model::unilateral_clauses(model, *constraint.unilateral), std::back_inserter(lines));
  else if (constraint.when.is_valid())
    lines.push_back("when " + model::to_text(model, constraint.when));
  if (constraint.branch.is_valid()) lines.push_back("branch " + model::to_text(model, constraint.branch));
  if (const std::string law = constraint.law->text(model); !law.empty()) lines.push_back(law);
  const auto actuators = constraint.law->actuators();
  for (std::size_t k = 0; k < actuators.size(); ++k) {
    const model::Actuator& actuator = actuators[k];
    const std::string effort = fmt::format(
        "{} of {}: {} times ", constraint.law->word(), constraint.name,
        model::effort_text(model, model::ConstraintId(static_cast<std::size_t>(&constraint - model.constraints.data())),
                           k));
    for (const auto& force : actuator.forces) lines.push_back(effort + of_force(model, force, "force"));
    for (const auto& torque : actuator.torques) lines.push_back(effort + of_torque(model, torque, "torque"));
    for (const auto& force : actuator.generalized)
      lines.push_back(effort + of_generalized(model, force, "generalized force"));
  }
  return lines;
}

std::string names_of_states(const equations::System& system) {
  std::string text;
  for (std::size_t i = 0; i < system.z.size(); ++i) {
    const bool is_of_model = i < system.model->states.size();
    text += (i == 0 ? "" : ", ") + (is_of_model ? text_of_state(*system.model, model::StateId(i)) : system.z_names[i]);
  }
  return text;
}

std::vector<expr::Expr> named_as_derivatives(equations::System& system, std::vector<expr::Expr> all) {
  if (!system.higher) return all;
  std::vector<expr::Expr> from, by;
  const auto name = [&](expr::Expr symbol, const std::string& word) {
    from.push_back(symbol);
    by.push_back(system.graph->symbol(word));
  };
  for (std::size_t i = system.model->states.size(); i < system.z.size(); ++i) name(system.z[i], system.z_names[i]);
  for (std::size_t k = 0; k < system.higher->top.size(); ++k)
    name(system.higher->top[k], system.higher->unknowns[k].name);
  return expr::substitute(all, from, by);
}

}  // namespace vinculum::report
