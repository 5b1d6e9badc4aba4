#include "support/mechanisms/mechanism.hpp"

#include <algorithm>
#include <map>

namespace vinculum::mechanisms {

bool Mechanism::is_turned_by_constants(int frame) const {
  const Frame& f = frames[static_cast<std::size_t>(frame)];
  switch (f.kind) {
    case FrameKind::kNewtonian: return false;
    case FrameKind::kAbout: return f.angle.is_constant();
    case FrameKind::kSequence: return std::ranges::all_of(f.angles, &Affine::is_constant);
    case FrameKind::kQuaternion: return false;
    case FrameKind::kAxes: return true;
  }
  return false;
}

int Mechanism::class_of(int frame) const {
  while (is_turned_by_constants(frame)) frame = frames[static_cast<std::size_t>(frame)].parent;
  return frame;
}

std::vector<int> Mechanism::bodies_in(int rigid_class) const {
  std::vector<int> found;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].removed && class_of(bodies[b].frame) == rigid_class) found.push_back(static_cast<int>(b));
  }
  return found;
}

bool Mechanism::is_fixed_vector(const LinearVector& vector, int rigid_class) const {
  return std::ranges::all_of(
      vector, [&](const VectorTerm& term) { return term.factor.is_constant() && class_of(term.frame) == rigid_class; });
}

std::optional<int> Mechanism::particle_at(int point) const {
  for (std::size_t p = 0; p < particles.size(); ++p) {
    if (particles[p].point == point) return static_cast<int>(p);
  }
  return std::nullopt;
}

std::optional<int> Mechanism::body_centered_at(int point) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].center == point) return static_cast<int>(b);
  }
  return std::nullopt;
}

int Mechanism::carrier_of(int point) const {
  // All offsets on the path to the center must be fixed in the body.
  std::vector<const Point*> way;
  while (true) {
    const Point& p = points[static_cast<std::size_t>(point)];
    if (p.on_body >= 0 && p.kind == PointKind::kOffset) {
      // a material point of the body; points offset from it are not material points
      return way.empty() ? p.on_body : kNoCarrier;
    }
    if (p.kind != PointKind::kOffset) break;
    way.push_back(&p);
    point = p.base;
  }
  const Point& last = points[static_cast<std::size_t>(point)];
  if (last.kind == PointKind::kParticle) return kNoCarrier;
  const int body = last.kind == PointKind::kCenter ? body_centered_at(point).value() : kGroundCarrier;
  const int rigid = body >= 0 ? class_of(bodies[static_cast<std::size_t>(body)].frame) : 0;
  for (const Point* p : way) {
    if (!is_fixed_vector(p->offset, rigid)) return kNoCarrier;
  }
  return body;
}

bool Mechanism::is_quaternion_part(int coordinate) const {
  return std::ranges::any_of(
      frames, [&](const Frame& f) { return std::ranges::find(f.quaternion, coordinate) != f.quaternion.end(); });
}

namespace {

int level_of_node(const Node& node) {
  int level = 0;
  switch (node.kind) {
    case NodeKind::kCoordinate: level = node.j; break;
    case NodeKind::kVelocity:
    case NodeKind::kVelocityIn:
    case NodeKind::kOmega:
    case NodeKind::kOmegaIn: level = 1; break;
    case NodeKind::kAcceleration:
    case NodeKind::kAlpha: level = 2; break;
    default: break;
  }
  for (const NodePtr& argument : node.arguments) level = std::max(level, level_of_node(*argument));
  return level;
}

}  // namespace

int Mechanism::level_of(const Constraint& relation) {
  return std::max(level_of_node(*relation.left), level_of_node(*relation.right));
}

int Mechanism::row_count(const Constraint& c) const {
  static const std::map<std::string, int> rows = {{"revolute", 5},
                                                  {"prismatic", 5},
                                                  {"cylindrical", 4},
                                                  {"universal", 4},
                                                  {"spherical", 3},
                                                  {"planar", 3},
                                                  {"fixed", 6},
                                                  {"screw", 5},
                                                  {"gear", 1},
                                                  {"distance", 1},
                                                  {"point_on_surface", 1},
                                                  {"blade", 1},
                                                  {"rolling", 3},
                                                  {"prescribed_position", 3},
                                                  {"prescribed_orientation", 3},
                                                  {"prescribed_velocity", 3}};
  if (!c.joint.empty()) return rows.at(c.joint);
  if (!c.is_vector) return 1;
  return c.along.empty() ? 3 : static_cast<int>(c.along.size());
}

namespace {

class Marker {
 public:
  explicit Marker(const Mechanism& m) : m_(m) {
    used.frames.assign(m.frames.size(), 0);
    used.points.assign(m.points.size(), 0);
    used.coordinates.assign(m.coordinates.size(), 0);
    used.frames[0] = used.points[0] = 1;
    for (const Body& b : m.bodies) {
      if (!b.removed) body(b);
    }
    for (const Particle& p : m.particles) {
      if (!p.removed) point(p.point);
    }
    for (const Constraint& c : m.constraints) constraint(c);
    for (const Load& load : m.loads) this->load(load);
    for (const Reveal& reveal : m.reveals) {
      reveal.is_torque ? body(m.bodies[static_cast<std::size_t>(reveal.index)]) : point(reveal.index);
      for (const LinearVector& along : reveal.along) vector(along);
    }
  }

  Used used;

 private:
  void body(const Body& b) {
    frame(b.frame);
    point(b.center);
  }
  void affine(const Affine& a) {
    for (const auto& [coordinate, factor] : a.coordinates) used.coordinates[static_cast<std::size_t>(coordinate)] = 1;
  }
  void vector(const LinearVector& v) {
    for (const VectorTerm& term : v) {
      frame(term.frame);
      affine(term.factor);
    }
  }
  void frame(int i) {
    char& mark = used.frames[static_cast<std::size_t>(i)];
    if (mark != 0) return;
    mark = 1;
    const Frame& f = m_.frames[static_cast<std::size_t>(i)];
    frame(f.parent);
    affine(f.angle);
    vector(f.axis);
    vector(f.axis2);
    for (const Affine& a : f.angles) affine(a);
    for (const int q : f.quaternion) used.coordinates[static_cast<std::size_t>(q)] = 1;
  }
  void point(int i) {
    char& mark = used.points[static_cast<std::size_t>(i)];
    if (mark != 0) return;
    mark = 1;
    const Point& p = m_.points[static_cast<std::size_t>(i)];
    if (p.base >= 0) point(p.base);
    vector(p.offset);
    if (p.on_body >= 0) body(m_.bodies[static_cast<std::size_t>(p.on_body)]);
    if (const auto b = m_.body_centered_at(i)) frame(m_.bodies[static_cast<std::size_t>(*b)].frame);
  }
  void node(const NodePtr& n) {
    if (!n) return;
    const auto body_or_frame = [&](int i) { n->names_body ? body(m_.bodies[static_cast<std::size_t>(i)]) : frame(i); };
    switch (n->kind) {
      case NodeKind::kCoordinate: used.coordinates[static_cast<std::size_t>(n->i)] = 1; break;
      case NodeKind::kLinear: vector(n->vector); break;
      case NodeKind::kPosition:
        point(n->i);
        point(n->j);
        break;
      case NodeKind::kVelocity:
      case NodeKind::kAcceleration: point(n->i); break;
      case NodeKind::kVelocityIn:
        point(n->i);
        body_or_frame(n->j);
        break;
      case NodeKind::kOmega:
      case NodeKind::kAlpha: body_or_frame(n->i); break;
      case NodeKind::kOmegaIn:
        body_or_frame(n->i);
        body_or_frame(n->j);
        break;
      default: break;
    }
    for (const NodePtr& argument : n->arguments) node(argument);
  }
  void side(const Side& s) {
    if (s.kind == SideKind::kBody) body(m_.bodies[static_cast<std::size_t>(s.index)]);
    if (s.kind == SideKind::kParticle) point(m_.particles[static_cast<std::size_t>(s.index)].point);
    if (s.kind == SideKind::kFrame) frame(s.index);
  }
  void action(const Action& a) {
    const auto at = [&](int i) {
      if (a.on == Action::On::kPoint) point(i);
      if (a.on == Action::On::kBody) body(m_.bodies[static_cast<std::size_t>(i)]);
      if (a.on == Action::On::kCoordinate) used.coordinates[static_cast<std::size_t>(i)] = 1;
    };
    at(a.index);
    if (a.has_from && !a.from_ground) at(a.from);
    node(a.value);
  }
  void constraint(const Constraint& c) {
    if (c.joint.empty()) {
      node(c.left);
      node(c.right);
    } else {
      side(c.A);
      side(c.B);
      point(c.P);
      point(c.Q);
      node(c.prescribed);
    }
    for (const LinearVector& v : {c.axis, c.axis2}) vector(v);
    for (const LinearVector& v : c.along) vector(v);
    for (const LinearVector& v : c.directions) vector(v);
    for (const Action& a : c.actuators) action(a);
    for (const Action& a : c.nonideal) action(a);
  }
  void load(const Load& l) {
    vector(l.gravity);
    if (l.kind == Load::Kind::kSpring) {
      point(l.P);
      point(l.Q);
    } else if (l.kind != Load::Kind::kGravity) {
      action(l.action);
    }
  }

  const Mechanism& m_;
};

}  // namespace

Used used_by(const Mechanism& mechanism) { return Marker(mechanism).used; }

}  // namespace vinculum::mechanisms
