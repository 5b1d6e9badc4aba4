#include "support/mechanisms/engine.hpp"

#include <algorithm>
#include <set>

#include "support/mechanisms/chance.hpp"

namespace vinculum::mechanisms {
namespace {

/// Points whose position, velocity or acceleration occurs in the row at its own level. The row may exert forces on
/// these.
void find_points(const NodePtr& n, int level, std::set<int>& points) {
  if (!n) return;
  switch (n->kind) {
    case NodeKind::kPosition:
      if (level == 0) points.insert({n->i, n->j});
      break;
    case NodeKind::kVelocity:
    case NodeKind::kVelocityIn:
      if (level == 1) points.insert(n->i);
      break;
    case NodeKind::kAcceleration:
      if (level == 2) points.insert(n->i);
      break;
    default: break;
  }
  for (const NodePtr& argument : n->arguments) find_points(argument, level, points);
}

/// Bodies whose vectors or angular velocities occur in a relation.
void find_bodies(const Structure& s, const NodePtr& n, std::set<int>& bodies) {
  if (!n) return;
  const auto of_class = [&](int frame) { bodies.insert(s.owner_of[at(frame)]); };
  const auto of = [&](int i) { n->names_body ? (void)bodies.insert(i) : of_class(i); };
  for (const VectorTerm& term : n->vector) term.body >= 0 ? (void)bodies.insert(term.body) : of_class(term.frame);
  if (n->kind == NodeKind::kOmega || n->kind == NodeKind::kAlpha || n->kind == NodeKind::kOmegaIn) of(n->i);
  if (n->kind == NodeKind::kOmegaIn || n->kind == NodeKind::kVelocityIn) of(n->j);
  for (const NodePtr& argument : n->arguments) find_bodies(s, argument, bodies);
}

std::set<int> points_named_by(const Constraint& c) {
  std::set<int> points;
  if (c.law != LawKind::kIdeal) {
    for (const Action& a : c.actuators) {
      if (a.on != Action::On::kPoint) continue;
      points.insert(a.index);
      if (a.has_from) points.insert(a.from);
    }
  } else if (c.joint.empty()) {
    const int level = Mechanism::level_of(c);
    find_points(c.left, level, points);
    find_points(c.right, level, points);
  } else {
    points = {c.P, c.Q};
  }
  for (const Action& a : c.nonideal) {
    if (a.on != Action::On::kPoint) continue;
    points.insert(a.index);
    if (a.has_from) points.insert(a.from);
  }
  return points;
}

/// The first point of a body, of the ground or of a particle in the chain of offsets that ends at a point.
int support_of(const Mechanism& m, const Structure& s, int point) {
  while (s.carrier_of[at(point)] == Mechanism::kNoCarrier && !m.particle_at(point)) point = m.points[at(point)].base;
  return point;
}

std::string name_of_speed(const Mechanism& m, const Speed& speed) {
  if (speed.coordinate >= 0) return m.coordinates[at(speed.coordinate)].name + "'";
  return m.frames[at(speed.frame)].name + ".w" + std::string(1, "xyz"[speed.axis]);
}

}  // namespace

std::vector<Asked> questions_about(const Mechanism& m, const Structure& s) {
  using What = Asked::What;
  std::vector<Asked> all;
  Chance chance(m.seed ^ 0x5555);
  for (std::size_t i = 0; i < m.constraints.size(); ++i) {
    const Constraint& c = m.constraints[i];
    const int id = static_cast<int>(i);
    const bool is_ideal = c.law == LawKind::kIdeal;
    if (is_ideal) {
      all.push_back({.what = What::kMultiplier, .constraint = id});
    } else {
      for (std::size_t k = 0; k < c.actuators.size(); ++k)
        all.push_back({.what = What::kEffort, .constraint = id, .k = static_cast<int>(k) + 1});
    }
    all.push_back({.what = What::kGeneralized, .constraint = id});
    std::set<int> bodies;
    const auto ask_at = [&](int point, const std::string& contact, int carrier, bool is_particle) {
      Asked asked{.constraint = id, .point = point, .contact = contact};
      if (carrier == Mechanism::kGroundCarrier && !is_particle) {
        asked.what = What::kGroundForce;
        all.push_back(asked);
        return;
      }
      if (carrier >= 0) bodies.insert(carrier);
      asked.what = What::kForce;
      all.push_back(asked);
      for (int k = 0; k < 3; ++k) {
        asked.what = What::kForceAlong;
        asked.along = {{Affine{1.0}, k < 2 || carrier < 0 ? 0 : m.bodies[at(carrier)].frame, k}};
        all.push_back(asked);
      }
      asked.along.clear();
      if (!is_ideal || c.nonideal.empty()) return;
      for (const What what : {What::kIdealForce, What::kNonidealForce, What::kReaction}) {
        asked.what = what;
        all.push_back(asked);
      }
    };
    const std::set<int> points = points_named_by(c);
    std::set<int> supports;  // points of the ground from which massless points are offset
    for (const int point : points) {
      const bool is_contact_place =
          is_ideal && acts_at_contact(c) && (point == c.P || point == c.Q) &&
          ((c.joint == "gear" || c.joint == "rolling") || (c.joint != "prescribed_velocity" && point == c.Q) ||
           (c.joint == "prescribed_velocity" && point == c.P));
      if (is_contact_place) continue;
      const int carrier = s.carrier_of[at(point)];
      const bool is_particle = m.particle_at(point).has_value();
      if (carrier != Mechanism::kNoCarrier || is_particle) {
        ask_at(point, "", carrier, is_particle);
      } else if (const int support = support_of(m, s, point); s.carrier_of[at(support)] == Mechanism::kGroundCarrier) {
        supports.insert(support);
      }
    }
    for (const int support : supports) {
      if (!points.contains(support)) ask_at(support, "", Mechanism::kGroundCarrier, false);
    }
    const auto carrier_of_side = [](const Side& side) {
      return side.kind == SideKind::kBody ? side.index : Mechanism::kGroundCarrier;
    };
    if (is_ideal && (c.joint == "gear" || c.joint == "rolling" || c.joint == "prescribed_velocity")) {
      ask_at(c.Q, ".P", carrier_of_side(c.A), false);
    }
    if ((is_ideal && (c.joint == "gear" || c.joint == "rolling" || c.joint == "blade")) ||
        (is_ideal && c.joint == "point_on_surface"))
      ask_at(c.Q, ".Q", carrier_of_side(c.B), false);
    find_bodies(s, c.left, bodies);
    find_bodies(s, c.right, bodies);
    for (const Side& side : {c.A, c.B}) {
      if (!c.joint.empty() && side.kind == SideKind::kBody) bodies.insert(side.index);
    }
    // Efforts act at the points named in the text. The ground does not carry a force on a massless point.
    const bool names_massless = std::ranges::any_of(points_named_by(c), [&](int point) {
      return s.carrier_of[at(point)] == Mechanism::kNoCarrier && !m.particle_at(point);
    });
    if (c.law != LawKind::kDirected || !names_massless) {
      all.push_back({.what = What::kGroundTorque, .constraint = id});
      all.push_back({.what = What::kGroundResultant, .constraint = id});
    }
    for (const int body : bodies) {
      if (body < 0) continue;
      all.push_back({.what = What::kTorque, .constraint = id, .body = body});
      all.push_back({.what = What::kResultant, .constraint = id, .body = body});
      const int k = chance.below(3);
      all.push_back({.what = What::kTorqueAlong, .constraint = id, .body = body, .along = {{Affine{1.0}, 0, k}}});
    }
  }
  for (std::size_t r = 0; r < m.reveals.size(); ++r) {
    for (std::size_t k = 0; k < m.reveals[r].along.size(); ++k)
      all.push_back({.what = What::kReveal, .constraint = static_cast<int>(r), .k = static_cast<int>(k) + 1});
  }
  return all;
}

Question question_of(const Mechanism& m, const Asked& a, std::size_t number) {
  using What = Asked::What;
  Question question;
  question.name = "o" + std::to_string(number);
  if (a.what == What::kReveal) {
    const Reveal& reveal = m.reveals[at(a.constraint)];
    question.expression = reveal.name + (reveal.along.size() > 1 ? "[" + std::to_string(a.k) + "]" : "");
    return question;
  }
  const std::string c = m.constraints[at(a.constraint)].name;
  const std::string point = a.contact.empty() ? (a.point >= 0 ? m.points[at(a.point)].name : "") : c + a.contact;
  std::string where = point;
  // The name of a body means the resultant; its mass center is written `center(B)`.
  if (a.contact.empty() && a.point >= 0 && m.body_centered_at(a.point)) where = "center(" + point + ")";
  const std::string body = a.body >= 0 ? m.bodies[at(a.body)].name : "";
  switch (a.what) {
    case What::kForce:
    case What::kGroundForce: question.expression = "force(" + c + ", " + where + ")"; break;
    case What::kIdealForce: question.expression = "ideal_force(" + c + ", " + where + ")"; break;
    case What::kNonidealForce: question.expression = "nonideal_force(" + c + ", " + where + ")"; break;
    case What::kReaction: question.expression = "reaction(" + c + ", " + where + ")"; break;
    case What::kForceAlong:
      question.expression = "dot(force(" + c + ", " + where + "), " + text_of(m, a.along) + ")";
      break;
    case What::kResultant: question.expression = "force(" + c + ", " + body + ")"; break;
    case What::kTorque: question.expression = "torque(" + c + ", " + body + ")"; break;
    case What::kTorqueAlong:
      question.expression = "dot(torque(" + c + ", " + body + "), " + text_of(m, a.along) + ")";
      break;
    case What::kMultiplier: question.expression = "multiplier(" + c + ")"; break;
    case What::kEffort: question.expression = "effort(" + c + ", " + std::to_string(a.k) + ")"; break;
    case What::kGeneralized: question.expression = "generalized_force(" + c + ")"; break;
    case What::kGroundTorque: question.expression = "torque(" + c + ", N)"; break;
    case What::kGroundResultant: question.expression = "force(" + c + ", N)"; break;
    case What::kReveal: break;
  }
  return question;
}

Reading read(const Mechanism& m, const Structure& s) {
  Reading reading;
  std::vector<Asked> asked = questions_about(m, s);
  std::optional<Model> model;
  Settings settings;
  settings.backend = Backend::kTape;
  settings.cache = "";
  while (true) {
    std::vector<Question> questions;
    for (std::size_t i = 0; i < asked.size(); ++i) questions.push_back(question_of(m, asked[i], i));
    reading.text = text_of(m, questions);
    auto result = Model::from_text(reading.text, settings, "m.vin");
    if (result) {
      model = *std::move(result);
      break;
    }
    // rejected outputs are removed and the rest is tried again; any other error ends the attempt
    const Error& error = result.error();
    std::set<std::size_t> refused;
    bool only_outputs = !error.diagnostics.all.empty();
    std::vector<std::size_t> output_lines;
    std::size_t line = 1;
    std::map<std::size_t, std::size_t> output_of_line;
    for (std::size_t begin = 0; begin < reading.text.size(); ++line) {
      const std::size_t end = reading.text.find('\n', begin);
      if (reading.text.compare(begin, 8, "output o") == 0)
        output_of_line[line] = static_cast<std::size_t>(std::stoul(reading.text.substr(begin + 8)));
      begin = end + 1;
    }
    for (const Diagnostic& d : error.diagnostics.all) {
      if (d.severity != "error") continue;
      const std::size_t first = d.place.find(':');
      const std::size_t at_line = first == std::string::npos ? 0 : std::stoul(d.place.substr(first + 1));
      const auto found = output_of_line.find(at_line);
      if (found == output_of_line.end()) {
        only_outputs = false;
        reading.error_kind = d.kind;
        reading.error_message = d.message;
        break;
      }
      if (refused.insert(found->second).second)
        reading.refused.push_back(
            {d.kind, d.message, question_of(m, asked[found->second], 0).expression, asked[found->second]});
    }
    if (!only_outputs || refused.empty()) {
      if (reading.error_kind.empty()) {
        reading.error_kind = error.kind;
        reading.error_message = error.message;
      }
      return reading;
    }
    std::vector<Asked> kept;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (!refused.contains(i)) kept.push_back(asked[i]);
    }
    asked = std::move(kept);
  }

  const auto fail = [&](const Error& error) {
    reading.error_kind = error.kind;
    reading.error_message = error.message;
  };
  const auto start = model->assemble();
  if (!start) {
    fail(start.error());
    return reading;
  }
  auto forces = model->forces(*start);
  if (!forces) {
    fail(forces.error());
    return reading;
  }
  reading.forces = *forces;
  std::map<std::string, std::size_t> place_of_coordinate, place_of_speed;
  for (std::size_t i = 0; i < model->coordinates().size(); ++i) place_of_coordinate[model->coordinates()[i].name] = i;
  for (std::size_t i = 0; i < model->speeds().size(); ++i) place_of_speed[model->speeds()[i].name] = i;
  reading.state.t = start->t;
  for (std::size_t i = 0; i < m.coordinates.size(); ++i) {
    const auto found = place_of_coordinate.find(m.coordinates[i].name);
    reading.state.q.push_back(found == place_of_coordinate.end() ? 0.0 : start->q[found->second]);
  }
  std::vector<std::size_t>& places = reading.place_of_speed;
  for (const Speed& speed : s.speeds) {
    const auto found = place_of_speed.find(name_of_speed(m, speed));
    if (found == place_of_speed.end()) {
      reading.error_kind = "no-such-speed";
      reading.error_message = name_of_speed(m, speed);
      return reading;
    }
    places.push_back(found->second);
    reading.state.u.push_back(start->u[found->second]);
    reading.state.du.push_back(forces->u_dot[found->second]);
  }

  for (const Formulation formulation : {Formulation::kExplicit, Formulation::kAugmented, Formulation::kMinimal}) {
    const std::string name(to_string(formulation));
    RunOptions options;
    options.until = 0.0;
    options.formulation = formulation;
    const auto run = model->run(options);
    if (!run) {
      reading.stopped[name] = run.error().kind + ": " + run.error().message;
      continue;
    }
    if (run->stopped() != nullptr) reading.stopped[name] = run->stopped()->kind + ": " + run->stopped()->message;
    if (run->t().empty()) continue;
    const auto instant = run->at(run->t()[0]);
    if (!instant) continue;
    std::vector<double>& u_dot = reading.u_dot[name];
    for (const std::size_t place : places) u_dot.push_back(instant->forces.u_dot[place]);
    if (formulation != Formulation::kExplicit) continue;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto column = run->column("o" + std::to_string(i));
      if (!column) continue;
      const auto count = static_cast<std::size_t>(column->components);
      Answer answer{asked[i], column->values, std::vector<char>(count, 1)};
      answer.values.resize(count);
      const bool is_by_component = column->is_unique.size() == column->values.size();
      for (std::size_t k = 0; k < count && !column->is_unique.empty(); ++k)
        answer.is_unique[k] = column->is_unique[is_by_component ? k : 0];
      reading.answers.push_back(std::move(answer));
    }
  }
  return reading;
}

}  // namespace vinculum::mechanisms
