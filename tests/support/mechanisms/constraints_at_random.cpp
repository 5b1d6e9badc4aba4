#include "support/mechanisms/constraints_at_random.hpp"

#include <algorithm>
#include <cmath>

#include "support/mechanisms/assembly.hpp"
#include "support/mechanisms/make_node.hpp"

namespace vinculum::mechanisms {
namespace {

/// Copy of the data that assembly may change.
struct Guesses {
  std::vector<Coordinate> coordinates;
  std::vector<double> spin;
  std::size_t points;
  std::size_t items;
  explicit Guesses(const Mechanism& m)
      : coordinates(m.coordinates), spin(m.spin), points(m.points.size()), items(m.order.size()) {}
  void restore(Mechanism& m) const {
    m.coordinates = coordinates;
    m.spin = spin;
  }
};

}  // namespace

int ConstraintsAtRandom::other_than(int b) {
  const int count = static_cast<int>(m_.bodies.size());
  if (b >= 0 && (count == 1 || chance_.is(0.4))) return -1;
  int other = body();
  while (other == b) other = body();
  return other;
}

int ConstraintsAtRandom::class_of_side(const Side& side) const {
  switch (side.kind) {
    case SideKind::kBody: return m_.class_of(m_.bodies[at(side.index)].frame);
    case SideKind::kFrame: return m_.class_of(side.index);
    default: return 0;
  }
}

int ConstraintsAtRandom::point_of_side(const Side& side) {
  switch (side.kind) {
    case SideKind::kGround: return bodies_.point_of(-1);
    case SideKind::kBody: return bodies_.point_of(side.index);
    case SideKind::kParticle: return m_.particles[at(side.index)].point;
    case SideKind::kFrame: return any_point();
  }
  return 0;
}

int ConstraintsAtRandom::any_point() {
  if (!bodies_.massless_points.empty() && chance_.is(0.25)) return chance_.of(bodies_.massless_points);
  if (!m_.particles.empty() && chance_.is(0.15)) return m_.particles[0].point;
  return bodies_.point_of(chance_.is(0.2) ? -1 : body());
}

NodePtr ConstraintsAtRandom::vector_of(int rigid_class) {
  LinearVector v = chance_.is(0.6) ? bodies_.basis_in(rigid_class) : bodies_.vector_in(rigid_class, m_.is_plane);
  if (m_.is_plane) {
    for (VectorTerm& t : v) t.axis = t.axis == 2 ? chance_.below(2) : t.axis;
  }
  for (VectorTerm& t : v) {
    for (std::size_t b = 0; b < m_.bodies.size(); ++b) {
      if (m_.bodies[b].frame == t.frame && chance_.is(0.2)) t.body = static_cast<int>(b);
    }
  }
  return node::linear(std::move(v));
}

NodePtr ConstraintsAtRandom::any_vector() {
  if (!bodies_.massless_frames.empty() && chance_.is(0.06))
    return vector_of(m_.class_of(chance_.of(bodies_.massless_frames)));
  return vector_of(bodies_.any_class());
}

NodePtr ConstraintsAtRandom::value_of(double x) const { return node::number(x); }

LinearVector ConstraintsAtRandom::axis_of(const Side& side) {
  const int rigid = class_of_side(side);
  return bodies_.vector_in(rigid);
}

// --- joints

ConstraintsAtRandom::Draft ConstraintsAtRandom::joint() {
  static const std::vector<std::string> kSpace = {"revolute",
                                                  "revolute",
                                                  "prismatic",
                                                  "cylindrical",
                                                  "universal",
                                                  "spherical",
                                                  "spherical",
                                                  "planar",
                                                  "fixed",
                                                  "screw",
                                                  "gear",
                                                  "distance",
                                                  "point_on_surface",
                                                  "blade",
                                                  "rolling",
                                                  "prescribed_position",
                                                  "prescribed_orientation",
                                                  "prescribed_velocity"};
  static const std::vector<std::string> kPlane = {"revolute",
                                                  "revolute",
                                                  "prismatic",
                                                  "cylindrical",
                                                  "spherical",
                                                  "planar",
                                                  "fixed",
                                                  "gear",
                                                  "distance",
                                                  "point_on_surface",
                                                  "blade",
                                                  "rolling",
                                                  "prescribed_position",
                                                  "prescribed_orientation",
                                                  "prescribed_velocity"};
  Draft draft;
  Constraint& c = draft.constraint;
  c.joint = chance_.of(m_.is_plane ? kPlane : kSpace);
  int b = body(), a = other_than(b);
  if (chance_.is(0.4)) std::swap(a, b);
  c.A = side_of(a);
  c.B = side_of(b);
  const bool takes_particles = c.joint == "spherical" || c.joint == "distance" || c.joint == "prescribed_position";
  if (!m_.particles.empty() && chance_.is(0.4)) {
    const Side particle{SideKind::kParticle, 0};
    if (takes_particles) (chance_.is(0.5) ? c.A : c.B) = particle;
    if (c.joint == "point_on_surface") c.A = particle;
    if (c.joint == "prescribed_velocity") c.B = particle;
  }
  const bool takes_frames =
      !acts_at_contact(c) && c.joint != "screw" && c.joint != "spherical" && c.joint != "distance";
  if (takes_frames && chance_.is(0.12)) {
    // a frame without a body, in the class of a body or turned by its own coordinates
    std::vector<int> bare;
    for (std::size_t f = 1; f < m_.frames.size(); ++f) {
      bool has_body = false;
      for (const Body& one : m_.bodies) has_body = has_body || one.frame == static_cast<int>(f);
      if (!has_body) bare.push_back(static_cast<int>(f));
    }
    if (!bare.empty()) {
      const Side frame{SideKind::kFrame, chance_.of(bare)};
      (chance_.is(0.5) ? c.A : c.B) = frame;
    }
  }
  c.P = point_of_side(c.A);
  c.Q = point_of_side(c.B);
  const auto is_center = [&](const Side& side, int point) {
    return side.kind == SideKind::kBody && m_.bodies[at(side.index)].center == point && chance_.is(0.3);
  };
  c.P_is_center = is_center(c.A, c.P);
  c.Q_is_center = is_center(c.B, c.Q);
  complete_joint(c);
  const auto force_between = [&](const LinearVector& v) {
    Action action;
    action.on = Action::On::kPoint;
    action.index = c.Q;
    action.has_from = true;
    action.from = c.P;
    action.value = node::linear(v);
    draft.natural.push_back(action);
  };
  const bool has_points = c.A.kind != SideKind::kFrame && c.B.kind != SideKind::kFrame;
  if ((c.joint == "spherical" || c.joint == "prescribed_position" || c.joint == "prescribed_velocity") && has_points) {
    for (int k = 0; k < 3; ++k) force_between({term(1.0, 0, k)});
  } else if (c.joint == "distance") {
    force_between({term(chance_.nice(0.5, 1), 0, 0), term(chance_.nice(-1, 1), 0, 1)});
  } else if (c.joint == "prescribed_orientation" && c.B.kind == SideKind::kBody &&
             (c.A.kind == SideKind::kBody || c.A.kind == SideKind::kGround)) {
    for (int k = 0; k < 3; ++k) {
      Action action;
      action.on = Action::On::kBody;
      action.index = c.B.index;
      action.has_from = true;
      action.from_ground = c.A.kind == SideKind::kGround;
      action.from = c.A.index;
      action.value = node::linear({term(1.0, 0, k)});
      draft.natural.push_back(action);
    }
  }
  return draft;
}

void ConstraintsAtRandom::complete_joint(Constraint& c) {
  static const std::vector<std::string> kWithAxis = {"revolute", "prismatic", "cylindrical", "universal",
                                                     "planar",   "screw",     "gear",        "blade"};
  const bool in_plane_axis = c.joint == "prismatic" || c.joint == "blade" || (c.joint == "planar" && chance_.is(0.3));
  const auto axis = [&](const Side& side) {
    if (!m_.is_plane) return axis_of(side);
    const int rigid = class_of_side(side);
    if (in_plane_axis) return bodies_.vector_in(rigid, true);
    return LinearVector{term(1.0, chance_.of(bodies_.frames_in(rigid)), 2)};
  };
  for (const std::string& kind : kWithAxis) {
    if (kind != c.joint) continue;
    c.axis = axis(c.A);
    const bool takes_second = kind != "prismatic" && kind != "gear" && kind != "blade";
    if (takes_second && (kind == "universal" || chance_.is(0.65))) c.axis2 = axis(c.B);
  }
  if (c.joint == "planar" && m_.is_plane && in_plane_axis) c.axis2 = axis(c.B);
  const auto time_vector = [&](double size) {
    const int rigid = chance_.is(0.8) ? class_of_side(c.A) : 0;
    NodePtr v = node::linear(bodies_.vector_in(rigid, m_.is_plane));
    if (size != 1.0) v = node::scale(node::number(size), v);
    if (chance_.is(0.5)) return v;
    NodePtr rate = node::multiply(node::number(chance_.nice(0.3, 1.5)), node::time());
    if (chance_.is(0.5)) rate = node::sine(rate);
    return node::plus(v, node::scale(rate, node::linear(bodies_.vector_in(rigid, m_.is_plane))));
  };
  if (c.joint == "screw") c.number = chance_.nice(-1, 1);
  if (c.joint == "gear") {
    c.number = chance_.is(0.75) ? chance_.nice(0.3, 2.5) : chance_.nice(-2.5, -0.3);
    if (std::abs(c.number + 1.0) < 0.05) c.number = 0.7;
  }
  if (c.joint == "distance") c.number = chance_.nice(0.3, 2.5);
  if (c.joint == "point_on_surface" || c.joint == "rolling") {
    const bool rolls = c.joint == "rolling";
    const double R = chance_.nice(0.4, 1.2);
    switch (m_.is_plane ? chance_.weighted({1, 1, rolls ? 1.0 : 0.0, 0, 0})
                        : chance_.weighted({rolls ? 0.0 : 1.0, 1, rolls ? 1.0 : 0.0, 1, 1})) {
      case 0: c.surface = rolls ? "sphere" : "plane"; break;
      case 1: c.surface = "sphere"; break;
      case 2: c.surface = "disk"; break;
      case 3: c.surface = "torus"; break;
      default: c.surface = "ellipsoid";
    }
    if (c.surface == "sphere" || c.surface == "disk") c.lengths = {R};
    if (c.surface == "torus") c.lengths = {R + 0.5, 0.2};
    if (c.surface == "ellipsoid") c.lengths = {R, chance_.nice(0.4, 1.2), chance_.nice(0.4, 1.2)};
    const bool has_axis2 = c.surface == "plane" || c.surface == "disk" || c.surface == "torus";
    if (has_axis2 && (m_.is_plane || chance_.is(0.7))) {
      const int rigid = class_of_side(c.B);
      c.axis2 = !m_.is_plane           ? axis_of(c.B)
                : c.surface == "plane" ? bodies_.vector_in(rigid, true)
                                       : LinearVector{term(1.0, chance_.of(bodies_.frames_in(rigid)), 2)};
    }
    if (rolls) {
      if (c.surface == "sphere" && chance_.is(0.4)) {
        c.has_radius = true;
        c.number = chance_.is(0.7) ? chance_.nice(0.3, 1.2) : -chance_.nice(1.5, 2.5);
        if (chance_.is(0.5)) c.axis = axis_of(c.A);
      } else {
        c.axis = m_.is_plane ? bodies_.vector_in(class_of_side(c.A), true) : axis_of(c.A);
      }
    }
  }
  if (c.joint == "prescribed_position" || c.joint == "prescribed_velocity") c.prescribed = time_vector(1.0);
  if (c.joint == "prescribed_orientation") {
    c.prescribed = time_vector(1.0);
    if (m_.is_plane)
      c.prescribed =
          node::scale(node::add(node::number(chance_.nice(0.2, 1)), node::multiply(node::number(0.3), node::time())),
                      node::linear({term(1.0, 0, 2)}));
  }
}

// --- relations

ConstraintsAtRandom::Draft ConstraintsAtRandom::relation() {
  switch (chance_.weighted({55, 30, 15})) {
    case 0: return relation_of_positions(chance_.below(13));
    case 1: return relation_of_velocities(chance_.below(13));
    default: return relation_of_accelerations(chance_.below(5));
  }
}

NodePtr ConstraintsAtRandom::two_coordinates(int order) {
  const int q = chance_.below(static_cast<int>(m_.coordinates.size())),
            p = chance_.below(static_cast<int>(m_.coordinates.size()));
  if (m_.is_quaternion_part(q) || m_.is_quaternion_part(p) || p == q) return {};
  return node::add(node::coordinate(q, order),
                   node::multiply(node::number(chance_.nice(-2, 2)), node::coordinate(p, order)));
}

ConstraintsAtRandom::Draft ConstraintsAtRandom::relation_of_positions(int which) {
  using namespace node;
  Draft draft;
  Constraint& c = draft.constraint;
  draft.fits_value = true;
  const int P = bodies_.point_of(body());
  int Q = any_point();
  for (int tries = 0; Q == P && tries < 5; ++tries) Q = any_point();
  if (Q == P) Q = 0;
  const auto natural = [&](const NodePtr& along) {
    Action action;
    action.on = Action::On::kPoint;
    action.index = P;
    action.has_from = true;
    action.from = Q;
    action.value = along;
    draft.natural.push_back(action);
  };
  switch (which) {
    case 0:
    case 1: {
      const NodePtr V = any_vector();
      c.left = dot(position(P, Q), V);
      natural(V);
      break;
    }
    case 2:
      c.left = norm(position(P, Q));
      natural(position(P, Q));
      break;
    case 3: c.left = dot(position(P, Q), position(P, Q)); break;
    case 4:
    case 5: {
      const int k = body();
      c.left = dot(vector_of(m_.class_of(m_.bodies[at(k)].frame)), any_vector());
      break;
    }
    case 6: c.left = dot(cross(any_vector(), any_vector()), vector_of(m_.class_of(m_.bodies[at(body())].frame))); break;
    case 7: c.left = dot(cross(position(P, Q), any_vector()), any_vector()); break;
    case 8: c.left = dot(cross(position(P, Q), position(any_point(), P)), any_vector()); break;
    case 9: {
      const int R = any_point();
      c.left = chance_.is(0.5) ? node::add(norm(position(P, Q)), norm(position(P, R)))
                               : subtract(norm(position(P, Q)), norm(position(R, P)));
      break;
    }
    case 10: {
      c.is_vector = true;
      c.left = position(P, Q);
      c.right = linear(bodies_.vector_in(bodies_.any_class(), m_.is_plane));
      const int rigid = bodies_.any_class();
      const int count = 1 + chance_.below(m_.is_plane ? 2 : 3);
      const int f = chance_.of(bodies_.frames_in(rigid));
      for (int k = 0; k < count; ++k) {
        c.along.push_back({term(1.0, f, k)});
        natural(linear(c.along.back()));
      }
      draft.fits_value = false;
      break;
    }
    case 11: {  // a coordinate in addition to vectors
      const int q = chance_.below(static_cast<int>(m_.coordinates.size()));
      if (m_.is_quaternion_part(q)) return relation_of_positions(0);
      c.left = node::add(dot(position(P, Q), any_vector()), multiply(number(chance_.nice(-1, 1)), coordinate(q, 0)));
      break;
    }
    default:
      c.left = two_coordinates(0);
      if (!c.left) return relation_of_positions(2);
  }
  return draft;
}

ConstraintsAtRandom::Draft ConstraintsAtRandom::relation_of_velocities(int which) {
  using namespace node;
  Draft draft;
  Constraint& c = draft.constraint;
  c.right = number(chance_.is(0.5) ? 0.0 : chance_.nice(-1, 1));
  const int k = body(), P = bodies_.point_of(k), other = other_than(k);
  int Q = any_point();
  if (Q == P) Q = 0;
  const auto force = [&](const NodePtr& along, bool has_from) {
    Action action;
    action.on = Action::On::kPoint;
    action.index = P;
    action.has_from = has_from;
    action.from = has_from ? Q : -1;
    action.value = along;
    draft.natural.push_back(action);
  };
  const auto torque = [&](const NodePtr& along, int from) {
    Action action;
    action.on = Action::On::kBody;
    action.index = k;
    action.has_from = from >= 0;
    action.from = from;
    action.value = along;
    draft.natural.push_back(action);
  };
  const NodePtr V = any_vector();
  const NodePtr Z = m_.is_plane ? linear({term(1.0, 0, 2)}) : any_vector();
  switch (which) {
    case 0:
      c.left = dot(velocity(P), V);
      force(V, false);
      break;
    case 1:
      c.left = dot(minus(velocity(P), velocity(Q)), V);
      force(V, true);
      break;
    case 2:
      if (other < 0 || m_.bodies_in(m_.class_of(m_.bodies[at(other)].frame)).size() != 1)
        return relation_of_velocities(0);
      c.left = dot(velocity_in(P, other), V);
      break;
    case 3:
      c.left = dot(omega(k), Z);
      torque(Z, -1);
      break;
    case 4:
      if (other < 0 || m_.class_of(m_.bodies[at(k)].frame) == m_.class_of(m_.bodies[at(other)].frame))
        return relation_of_velocities(3);
      c.left = dot(omega_in(k, other), Z);
      torque(Z, other);
      break;
    case 5:
      if (other < 0) return relation_of_velocities(3);
      c.left = dot(minus(omega(k), omega(other)), Z);
      torque(Z, other);
      break;
    case 6: c.left = dot(cross(position(P, Q), velocity(P)), Z); break;
    case 7:
      c.left = norm(velocity(P));
      draft.fits_value = true;
      break;
    case 8:
      c.left = dot(velocity(P), velocity(Q == 0 ? m_.bodies[0].center : Q));
      draft.fits_value = true;
      break;
    case 9: {  // as for a contact: the point of the body that coincides with another point
      Point contact;
      contact.name = "C" + std::to_string(m_.points.size());
      contact.base = m_.bodies[at(k)].center;
      contact.offset = bodies_.vector_in(other < 0 ? 0 : m_.class_of(m_.bodies[at(other)].frame), m_.is_plane);
      contact.on_body = k;
      m_.points.push_back(contact);
      m_.order.push_back({Item::Kind::kPoint, static_cast<int>(m_.points.size()) - 1});
      c.left = dot(velocity(static_cast<int>(m_.points.size()) - 1), V);
      break;
    }
    case 10: {
      c.is_vector = true;
      c.left = minus(velocity(P), velocity(Q));
      c.right = linear(bodies_.vector_in(bodies_.any_class(), m_.is_plane));
      const int f = chance_.of(bodies_.frames_in(bodies_.any_class()));
      const int count = 1 + chance_.below(2);
      for (int i = 0; i < count; ++i) {
        c.along.push_back({term(1.0, f, i)});
        force(linear(c.along.back()), true);
      }
      break;
    }
    case 11: {
      const int q = chance_.below(static_cast<int>(m_.coordinates.size()));
      if (m_.is_quaternion_part(q)) return relation_of_velocities(5);
      c.left = node::add(dot(velocity(P), V), multiply(number(chance_.nice(-1, 1)), coordinate(q, 1)));
      break;
    }
    default:
      c.left = two_coordinates(1);
      if (!c.left) return relation_of_velocities(1);
  }
  return draft;
}

ConstraintsAtRandom::Draft ConstraintsAtRandom::relation_of_accelerations(int which) {
  using namespace node;
  Draft draft;
  Constraint& c = draft.constraint;
  c.right = number(chance_.nice(-2, 2));
  const int k = body(), P = bodies_.point_of(k), other = other_than(k);
  int Q = any_point();
  if (Q == P) Q = 0;
  const NodePtr V = any_vector(), Z = m_.is_plane ? linear({term(1.0, 0, 2)}) : any_vector();
  switch (which) {
    case 0: c.left = dot(acceleration(P), V); break;
    case 1: c.left = dot(minus(acceleration(P), acceleration(Q)), V); break;
    case 2: c.left = dot(alpha(k), Z); break;
    case 3: c.left = other < 0 ? dot(alpha(k), Z) : dot(minus(alpha(k), alpha(other)), Z); break;
    default: c.left = dot(cross(position(P, Q), acceleration(P)), Z);
  }
  return draft;
}

// --- acceptance

bool ConstraintsAtRandom::fit_value(Constraint& c) const {
  const Structure s(m_);
  // The constraint is not yet part of the mechanism and may use coordinates that nothing else uses.
  Mechanism with = m_;
  with.constraints.push_back(c);
  with.constraints.back().right = node::number(0.0);
  const Structure structure(with);
  const std::vector<double> none(structure.speeds.size(), 0.0);
  const Kinematics k(with, structure,
                     motion_of(with, structure, with.t0, guessed_q(with), guessed_u(with, structure), none));
  const double value = scalar_value(*c.left, k).value();
  if (!std::isfinite(value) || std::abs(value) > 50.0) return false;
  const double rounded = std::round(value * 100.0) / 100.0;
  c.right = node::number(rounded == 0.0 && std::abs(value) > 1e-12 ? value : rounded);
  return true;
}

bool ConstraintsAtRandom::fit_attachment(Constraint& c) {
  // moves Q and b to where the joint requires them, written in a frame of B
  if (c.B.kind != SideKind::kBody || c.joint.empty()) return false;
  const bool moves_point = c.joint == "revolute" || c.joint == "spherical" || c.joint == "cylindrical" ||
                           c.joint == "planar" || c.joint == "universal" || c.joint == "fixed" ||
                           c.joint == "prismatic";
  if (!moves_point) return false;
  Mechanism with = m_;
  with.constraints.push_back(c);
  const Structure s(with);
  const std::vector<double> none(s.speeds.size(), 0.0);
  const Kinematics k(with, s, motion_of(with, s, with.t0, guessed_q(with), none, none));
  const int f = chance_.of(bodies_.frames_in(class_of_side(c.B)));
  const auto numbers = [&](const V3& v) {
    LinearVector result;
    const V3 x = in_frame(k.R(f), v);
    for (int i = 0; i < 3; ++i) {
      if (std::abs(x[i].value()) > 1e-12) result.push_back(term(x[i].value(), f, i));
    }
    return result;
  };
  const V3 way = k.place(c.P) - k.place(m_.bodies[at(c.B.index)].center);
  Point Q;
  Q.name = "Q" + std::to_string(m_.points.size());
  Q.base = m_.bodies[at(c.B.index)].center;
  Q.offset = numbers(way);
  m_.points.push_back(Q);
  m_.order.push_back({Item::Kind::kPoint, static_cast<int>(m_.points.size()) - 1});
  c.Q = static_cast<int>(m_.points.size()) - 1;
  c.Q_is_center = false;
  if (!c.axis.empty() && c.joint != "universal" && c.joint != "prismatic") c.axis2 = numbers(k.vector(c.axis));
  return true;
}

bool ConstraintsAtRandom::accept(Draft draft) {
  Constraint& c = draft.constraint;
  c.name = "c" + std::to_string(named_++);
  const Guesses before(m_);
  const Mechanism without = m_;
  if (draft.fits_value && !fit_value(c)) return false;
  const auto holds = [&] {
    m_.constraints.push_back(c);
    const bool is_assembled = assemble_positions(m_) && assemble_velocities(m_) && has_accelerations(m_) &&
                              !has_degenerate_row(m_, m_.constraints.size() - 1) && has_attitude(m_, c);
    m_.constraints.pop_back();
    if (!is_assembled) before.restore(m_);
    return is_assembled;
  };
  if (!holds()) {
    if (!fit_attachment(c) || !holds()) {
      m_ = without;
      return false;
    }
  }
  // a constraint that no row can represent: no force acts
  add_clauses(c, draft.natural);
  m_.constraints.push_back(c);
  return true;
}

void ConstraintsAtRandom::add_clauses(Constraint& c, const std::vector<Action>& natural) {
  const int rows = m_.row_count(c);
  // No efforts on a massless body: if other rows hold such a body in a singular configuration, the engine reports
  // efforts of 1e14 instead of an error.
  const auto has_mass = [&](const Action& a) {
    const int body = a.on == Action::On::kBody ? a.index : m_.carrier_of(a.index);
    const int from = !a.has_from || a.from_ground ? -1 : a.on == Action::On::kBody ? a.from : m_.carrier_of(a.from);
    return (body < 0 || m_.bodies[at(body)].mass > 0.0) && (from < 0 || m_.bodies[at(from)].mass > 0.0);
  };
  if (static_cast<int>(natural.size()) == rows && std::ranges::all_of(natural, has_mass) && chance_.is(0.2)) {
    for (const Action& a : natural) {
      Action actuator = a;
      // a direction that differs somewhat from the direction of the row
      NodePtr along = a.value;
      if (along->kind != NodeKind::kLinear) along = node::linear({});
      LinearVector v = along->vector;
      const int f = chance_.of(bodies_.frames_in(bodies_.any_class()));
      v.push_back(term(chance_.nice(-0.5, 0.5), f,
                       m_.is_plane ? (a.on == Action::On::kBody ? 2 : chance_.below(2)) : chance_.below(3)));
      if (v.size() == 1) v.push_back(term(1.0, f, m_.is_plane ? 0 : 1));
      actuator.value = node::linear(v);
      c.actuators.push_back(actuator);
      c.directions.push_back(v);
    }
    // a relation whose rows each act at one point, or with opposite forces at two points
    const bool is_plain = c.joint.empty() && Mechanism::level_of(c) < 2;
    if (is_plain && chance_.is(0.5)) {
      c.law = LawKind::kDirected;
    } else {
      c.law = LawKind::kVia;
      c.directions.clear();
    }
    return;
  }
  if (chance_.is(0.15)) {
    Action a;
    const bool is_torque = chance_.is(0.3);
    const bool is_joint = !c.joint.empty();
    NodePtr value;
    if (is_torque) {
      a.on = Action::On::kBody;
      a.index = is_joint && c.B.kind == SideKind::kBody ? c.B.index : body();
      if (is_joint && c.A.kind == SideKind::kBody && c.A.index != a.index) {
        a.has_from = true;
        a.from = c.A.index;
      } else if (chance_.is(0.3)) {
        a.has_from = a.from_ground = true;
      }
      value = node::linear(m_.is_plane ? LinearVector{term(chance_.nice(-2, 2), 0, 2)}
                                       : bodies_.vector_in(bodies_.any_class()));
      if (chance_.is(0.3))
        value = node::scale(node::number(-chance_.nice(0.1, 0.5)), node::omega_of_frame(m_.bodies[at(a.index)].frame));
    } else {
      a.on = Action::On::kPoint;
      const auto is_matter = [&](int p) {
        // with the name of a body the clause would state a torque
        return p >= 0 && (m_.carrier_of(p) >= 0 || m_.particle_at(p)) && !m_.body_centered_at(p) &&
               m_.points[at(p)].on_body < 0;
      };
      a.index = is_joint && is_matter(c.Q) ? c.Q : is_joint && is_matter(c.P) ? c.P : bodies_.new_point_of(body());
      const int from = a.index == c.Q ? c.P : is_joint ? c.Q : any_point();
      if (chance_.is(0.6) && from != a.index && from >= 0 && !m_.body_centered_at(from)) {
        a.has_from = true;
        a.from = from;
      }
      value = node::linear(bodies_.vector_in(bodies_.any_class(), m_.is_plane));
      if (chance_.is(0.3)) value = node::scale(node::number(-chance_.nice(0.1, 0.5)), node::velocity(a.index));
    }
    a.value = value;
    c.nonideal.push_back(a);
  }
}

void ConstraintsAtRandom::add_copy() {
  if (m_.constraints.empty()) return;
  Constraint c = chance_.of(m_.constraints);
  if (c.law != LawKind::kIdeal) return;
  c.nonideal.clear();
  c.name = "k" + std::to_string(named_++);
  if (c.joint.empty()) {
    static const std::vector<double> kScales = {1.0, 2.0, -1.0, 0.5, 3.0};
    c.scaled_by = chance_.of(kScales);
    if (chance_.is(0.3)) std::swap(c.left, c.right), c.scaled_by = 1.0;
  } else if (!acts_at_contact(c) && c.joint != "screw" && !c.prescribed && c.axis.empty() == c.axis2.empty() &&
             chance_.is(0.5)) {
    std::swap(c.A, c.B);
    std::swap(c.P, c.Q);
    std::swap(c.P_is_center, c.Q_is_center);
    std::swap(c.axis, c.axis2);
  }
  if (c.is_vector && c.left->kind == NodeKind::kLinear) return;  // the right side is a sum of vectors only
  m_.constraints.push_back(c);
}

void ConstraintsAtRandom::add() {
  const Structure s(m_);
  const auto free = static_cast<double>(s.speeds.size());
  const double target = free * chance_.between(0.2, 1.1);
  int rows = 0;
  for (int attempt = 0; attempt < 14 && rows < target; ++attempt) {
    Draft draft = chance_.is(0.62) ? joint() : relation();
    const int count = m_.row_count(draft.constraint);
    if (rows + count > target + 2 && rows > 0) continue;
    if (accept(std::move(draft))) rows += count;
  }
  if (chance_.is(0.2)) add_copy();
  if (chance_.is(0.05)) add_copy();
}

}  // namespace vinculum::mechanisms
