#include "support/mechanisms/kinematics.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "support/mechanisms/chance.hpp"

namespace vinculum::mechanisms {

Structure::Structure(const Mechanism& m) : used(used_by(m)), bodies_in(m.frames.size()) {
  for (std::size_t f = 0; f < m.frames.size(); ++f) class_of.push_back(m.class_of(static_cast<int>(f)));
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    if (!m.bodies[b].removed) bodies_in[at(class_of[at(m.bodies[b].frame)])].push_back(static_cast<int>(b));
  }
  for (std::size_t f = 0; f < m.frames.size(); ++f) {
    const int root = class_of[f];
    int owner = root == 0                     ? Mechanism::kGroundCarrier
                : bodies_in[at(root)].empty() ? Mechanism::kNoCarrier
                                              : bodies_in[at(root)].front();
    for (int above = static_cast<int>(f); root != 0; above = m.frames[at(above)].parent) {
      const auto& bodies = bodies_in[at(root)];
      const auto own = std::ranges::find_if(bodies, [&](int b) { return m.bodies[at(b)].frame == above; });
      if (own != bodies.end()) owner = *own;
      if (own != bodies.end() || above == root) break;
    }
    owner_of.push_back(owner);
  }
  for (std::size_t i = 0; i < m.coordinates.size(); ++i) {
    if (used.coordinates[i] == 0) continue;
    int frame = -1;
    bool is_first = false;
    for (std::size_t f = 0; f < m.frames.size(); ++f) {
      for (std::size_t k = 0; k < m.frames[f].quaternion.size(); ++k) {
        if (m.frames[f].quaternion[k] != static_cast<int>(i)) continue;
        frame = static_cast<int>(f);
        is_first = k == 0;
      }
    }
    if (frame < 0) speeds.push_back({static_cast<int>(i), -1, 0});
    for (int k = 0; k < 3 && is_first; ++k) speeds.push_back({-1, frame, k});
  }
  find_carriers(m);
}

void Structure::find_carriers(const Mechanism& m) {
  carrier_of.assign(m.points.size(), Mechanism::kNoCarrier);
  // A point is fixed in a body if its position in the body is the same in several random states.
  std::vector<std::unique_ptr<Kinematics>> states;
  Chance chance(20240607);
  for (int k = 0; k < 3; ++k) {
    std::vector<double> q, none(speeds.size(), 0.0);
    for (std::size_t i = 0; i < m.coordinates.size(); ++i) q.push_back(chance.between(-1, 1));
    states.push_back(std::make_unique<Kinematics>(m, *this, motion_of(m, *this, chance.uniform(), q, none, none)));
  }
  const auto rests_in = [&](int point, int solid) {
    const auto seen = [&](const Kinematics& k) {
      if (solid == Mechanism::kGroundCarrier) return k.place(point);
      return in_frame(k.R_of_body(solid), k.place(point) - k.place(m.bodies[at(solid)].center));
    };
    const V3 first = seen(*states[0]);
    return std::ranges::all_of(states,
                               [&](const auto& k) { return norm(seen(*k) - first + v3(1e-300, 0, 0)).value() < 1e-9; });
  };
  for (std::size_t p = 0; p < m.points.size(); ++p) {
    if (used.points[p] == 0) continue;
    const int point = static_cast<int>(p);
    if (m.particle_at(point)) continue;
    int base = point;
    while (m.points[at(base)].kind == PointKind::kOffset && m.points[at(base)].on_body < 0)
      base = m.points[at(base)].base;
    const Point& last = m.points[at(base)];
    const int solid = last.kind == PointKind::kCenter ? m.body_centered_at(base).value() : last.on_body;
    const bool is_of_solid = solid >= 0 && (last.kind == PointKind::kCenter || last.on_body >= 0);
    if (is_of_solid && (base == point || rests_in(point, solid))) {
      carrier_of[p] = solid;
    } else if (rests_in(point, Mechanism::kGroundCarrier)) {
      carrier_of[p] = Mechanism::kGroundCarrier;
    } else {
      int step = point, found = Mechanism::kNoCarrier;
      while (m.points[at(step)].offset.empty() && m.points[at(step)].base >= 0) step = m.points[at(step)].base;
      bool is_only = true;
      for (const VectorTerm& term : m.points[at(step)].offset) {
        int frame = term.frame;
        while (owner_of[at(frame)] == Mechanism::kNoCarrier) frame = m.frames[at(class_of[at(frame)])].parent;
        for (const int b : bodies_in[at(class_of[at(frame)])]) {
          if (b == found || !rests_in(point, b)) continue;
          is_only = found == Mechanism::kNoCarrier;
          found = b;
        }
      }
      if (is_only) carrier_of[p] = found;
    }
  }
}

Motion motion_of(const Mechanism& m, const Structure& s, double t, const std::vector<double>& q,
                 const std::vector<double>& u, const std::vector<double>& du) {
  Motion motion;
  motion.t = Jet(Dual(t), Dual(1.0), Dual());
  for (const double x : q) motion.q.emplace_back(x);
  std::vector<std::array<Jet, 3>> w(m.frames.size());
  for (std::size_t k = 0; k < s.speeds.size(); ++k) {
    const Speed& speed = s.speeds[k];
    if (speed.coordinate >= 0) {
      motion.q[at(speed.coordinate)] = Jet(Dual(q[at(speed.coordinate)]), Dual(u[k]), Dual(du[k]));
    } else {
      w[at(speed.frame)][at(speed.axis)] = Jet(Dual(u[k]), Dual(du[k]), Dual());
    }
  }
  for (std::size_t f = 0; f < m.frames.size(); ++f) {
    if (m.frames[f].kind != FrameKind::kQuaternion || s.used.frames[f] == 0) continue;
    // e' = ½ e∘w, differentiated twice
    std::array<Jet*, 4> e{};
    for (std::size_t k = 0; k < 4; ++k) e[k] = &motion.q[at(m.frames[f].quaternion[k])];
    for (int order = 1; order <= 2; ++order) {
      const auto now = [&](std::size_t k) { return *e[k]; };
      const auto& v = w[f];
      const std::array<Jet, 4> dot_e = {Jet(-0.5) * (now(1) * v[0] + now(2) * v[1] + now(3) * v[2]),
                                        Jet(0.5) * (now(0) * v[0] + now(2) * v[2] - now(3) * v[1]),
                                        Jet(0.5) * (now(0) * v[1] + now(3) * v[0] - now(1) * v[2]),
                                        Jet(0.5) * (now(0) * v[2] + now(1) * v[1] - now(2) * v[0])};
      for (std::size_t k = 0; k < 4; ++k) e[k]->c[at(order)] = dot_e[k].c[at(order - 1)];
    }
  }
  return motion;
}

Kinematics::Kinematics(const Mechanism& m, const Structure& s, const Motion& motion, const Kinematics* nominal,
                       Mode mode, int level)
    : m_(m), s_(s), nominal_(nominal), mode_(mode), ramp_(ramp(level)) {
  for (int k = 0; k < 3; ++k) direction_[k] = Jet(mode.direction[at(k)]);
  move_coordinates(motion);
  R_.resize(m.frames.size());
  body_R_.resize(m.bodies.size());
  r_.resize(m.points.size());
  is_placed_.assign(m.points.size(), 0);
  is_turned_.assign(m.frames.size(), 0);
  set_frame(0);
  set_point(0);
  for (const Item& item : m.order) {
    switch (item.kind) {
      case Item::Kind::kFrame:
        if (s.used.frames[at(item.index)] != 0) set_frame(item.index);
        break;
      case Item::Kind::kPoint:
        if (s.used.points[at(item.index)] != 0) set_point(item.index);
        break;
      case Item::Kind::kBody: {
        const Body& body = m.bodies[at(item.index)];
        if (body.removed) break;
        set_point(body.center);
        M3& own = body_R_[at(item.index)];
        own = R(body.frame);
        if (mode.is_freed()) {
          own = nominal_->R(body.frame);
          if (mode.kind == Mode::Kind::kBodyTurn && mode.index == item.index) own = turned(own);
        }
        break;
      }
      case Item::Kind::kParticle:
        if (!m.particles[at(item.index)].removed) set_point(m.particles[at(item.index)].point);
        break;
    }
  }
  if (mode.kind == Mode::Kind::kPointShift) r_[at(mode.index)] = perturbed(r_[at(mode.index)], ramp_ * direction_);
}

void Kinematics::move_coordinates(const Motion& motion) {
  t_ = motion.t;
  q_ = motion.q;
  if (mode_.kind != Mode::Kind::kSpeed && mode_.kind != Mode::Kind::kBare) return;
  const Speed& speed = s_.speeds[at(mode_.index)];
  if (speed.coordinate >= 0) {
    q_[at(speed.coordinate)] = perturbed(q_[at(speed.coordinate)], ramp_);
    return;
  }
  // perturbed quaternion e∘(1 + ½ ε ramp i_k)
  const std::vector<int>& e = m_.frames[at(speed.frame)].quaternion;
  const auto old = [&](int k) { return motion.q[at(e[at(k)])]; };
  static constexpr int kFrom[3][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  static constexpr double kSign[3][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}, {-1, 1, -1, 1}};
  for (int k = 0; k < 4; ++k) {
    const Jet change = Jet(0.5 * kSign[speed.axis][k]) * ramp_ * old(kFrom[speed.axis][k]);
    q_[at(e[at(k)])] = perturbed(q_[at(e[at(k)])], change);
  }
}

Jet Kinematics::value(const Affine& a) const {
  Jet sum = Jet(a.constant) + Jet(a.rate) * t_;
  for (const auto& [coordinate, factor] : a.coordinates) sum = sum + Jet(factor) * q_[at(coordinate)];
  return sum;
}

V3 Kinematics::vector(const LinearVector& v) const {
  V3 sum;
  for (const VectorTerm& term : v)
    sum = sum + value(term.factor) * (term.body >= 0 ? R_of_body(term.body) : R(term.frame))[term.axis];
  return sum;
}

M3 Kinematics::turned(const M3& R) const {
  M3 change;
  for (int k = 0; k < 3; ++k) change[k] = ramp_ * cross(direction_, without_change(R[k]));
  return perturbed(R, change);
}

M3 Kinematics::turned_from_parent(int index) const {
  const Frame& f = m_.frames[at(index)];
  const M3& parent = R(f.parent);
  switch (f.kind) {
    case FrameKind::kNewtonian: return {};
    case FrameKind::kAbout:
      return turn_about(f.letter >= 0 ? basis(f.letter) : unit(in_frame(parent, vector(f.axis))), value(f.angle));
    case FrameKind::kSequence: {
      const bool of_body = f.sequence.starts_with("body");
      M3 R;
      for (std::size_t k = 0; k < 3; ++k) {
        const M3 next = turn_about(basis(f.sequence[f.sequence.size() - 3 + k] - '1'), value(f.angles[k]));
        R = of_body ? R * next : next * R;
      }
      return R;
    }
    case FrameKind::kQuaternion: {
      const auto e = [&](int k) { return q_[at(f.quaternion[at(k)])]; };
      const V3 v{{e(1), e(2), e(3)}};
      const Jet scale = Jet(2.0) / (e(0) * e(0) + dot(v, v));
      M3 R;
      for (int k = 0; k < 3; ++k) R[k] = basis(k) + scale * (e(0) * cross(v, basis(k)) + cross(v, cross(v, basis(k))));
      return R;
    }
    case FrameKind::kAxes: {
      M3 R;
      const V3 a = unit(in_frame(parent, vector(f.axis))), b = in_frame(parent, vector(f.axis2));
      R[f.first] = a;
      R[f.second] = unit(b - dot(a, b) * a);
      const int third = 3 - f.first - f.second;
      const V3 last = cross(R[f.first], R[f.second]);
      R[third] = (f.second - f.first + 3) % 3 == 1 ? last : -last;
      return R;
    }
  }
  return {};
}

bool Kinematics::begins_to_turn(int f) const {
  const int given = m_.bodies[at(mode_.index)].frame, owner = s_.owner_of[at(f)];
  return f == given || (owner >= 0 && m_.bodies[at(owner)].frame == given);
}

void Kinematics::set_frame(int f) {
  M3& R = R_[at(f)];
  const int owner = s_.owner_of[at(f)];
  if (mode_.is_freed() && owner != Mechanism::kNoCarrier) {
    R = nominal_->R(f);
    const bool turns = owner == Mechanism::kGroundCarrier ? mode_.kind == Mode::Kind::kGroundTurn
                                                          : mode_.kind == Mode::Kind::kBodyTurn && mode_.index == owner;
    if (turns) R = turned(R);
    return;
  }
  const int parent = m_.frames[at(f)].parent;
  R = m_.frames[at(f)].kind == FrameKind::kNewtonian ? M3{} : this->R(parent) * turned_from_parent(f);
  if (mode_.kind != Mode::Kind::kRevealTurn || f == 0) return;
  is_turned_[at(f)] = is_turned_[at(parent)];
  if (is_turned_[at(f)] != 0 || !begins_to_turn(f)) return;
  is_turned_[at(f)] = 1;
  R = turned(R);
}

V3 Kinematics::carried(int point, int carrier) const {
  const V3 nominal = without_change(nominal_->place(point));
  const bool is_ground = carrier == Mechanism::kGroundCarrier;
  const bool is_target = is_ground || mode_.index == carrier;
  const V3 about = is_ground ? V3{} : without_change(nominal_->place(m_.bodies[at(carrier)].center));
  if (is_target && mode_.kind == (is_ground ? Mode::Kind::kGroundShift : Mode::Kind::kBodyShift))
    return perturbed(nominal, ramp_ * direction_);
  if (is_target && mode_.kind == (is_ground ? Mode::Kind::kGroundTurn : Mode::Kind::kBodyTurn))
    return perturbed(nominal, ramp_ * cross(direction_, nominal - about));
  return nominal;
}

void Kinematics::set_point(int p) {
  const Point& point = m_.points[at(p)];
  V3& r = r_[at(p)];
  is_placed_[at(p)] = 1;
  if (mode_.kind == Mode::Kind::kRevealTurn && point.kind == PointKind::kOffset && point.on_body < 0) {
    // points of a body turn with it, whichever vectors define their offsets
    const int carrier = s_.carrier_of[at(p)];
    if (carrier >= 0 && is_placed_[at(m_.bodies[at(carrier)].center)] != 0) {
      const int center = m_.bodies[at(carrier)].center;
      const V3 lever = without_change(nominal_->place(p) - nominal_->place(center));
      const bool turns = is_turned_[at(m_.bodies[at(carrier)].frame)] != 0;
      r = place(center) + (turns ? perturbed(lever, ramp_ * cross(direction_, lever)) : lever);
      return;
    }
  }
  if (mode_.is_freed()) {
    const int carrier = s_.carrier_of[at(p)];
    if (carrier != Mechanism::kNoCarrier && point.on_body < 0) {
      r = carried(p, carrier);
      return;
    }
    if (const auto particle = m_.particle_at(p)) {
      r = without_change(nominal_->place(p));
      if (mode_.kind == Mode::Kind::kParticleShift && mode_.index == *particle) r = perturbed(r, ramp_ * direction_);
      return;
    }
  }
  r = point.kind == PointKind::kFixed ? V3{} : place(point.base) + vector(point.offset);
  if (mode_.kind == Mode::Kind::kRevealShift && mode_.index == p) r = perturbed(r, ramp_ * direction_);
}

Pose Kinematics::pose(const Side& side) const {
  switch (side.kind) {
    case SideKind::kGround: return {R(0), place(0), omega_of(R(0))};
    case SideKind::kBody: {
      const M3& own = R_of_body(side.index);
      return {own, place(m_.bodies[at(side.index)].center), omega_of(own)};
    }
    case SideKind::kParticle: return {M3{}, place(m_.particles[at(side.index)].point), V3{}};
    case SideKind::kFrame: return {R(side.index), V3{}, omega_of(R(side.index))};
  }
  throw std::logic_error("no side");
}

Pose Kinematics::pose(const Side& side, int point) const {
  const int carrier = s_.carrier_of[at(point)];
  if (side.kind != SideKind::kFrame || carrier < 0 ||
      s_.class_of[at(m_.bodies[at(carrier)].frame)] != s_.class_of[at(side.index)])
    return pose(side);
  const M3& own = nominal().R_of_body(carrier);
  M3 fixed;
  for (int k = 0; k < 3; ++k) fixed[k] = in_frame(own, nominal().R(side.index)[k]);
  const M3 R = R_of_body(carrier) * fixed;
  return {R, V3{}, omega_of(R_of_body(carrier))};
}

V3 Kinematics::velocity(int p) const {
  const int on = m_.points[at(p)].on_body;
  if (on < 0) return rate(place(p));
  const V3 v = velocity_of(pose({SideKind::kBody, on}), place(p));
  const bool is_shifted = mode_.kind == Mode::Kind::kPointShift && mode_.index == p;
  return is_shifted ? perturbed(without_change(v), rate(ramp_ * direction_)) : v;
}

V3 Kinematics::acceleration(int p) const {
  const int on = m_.points[at(p)].on_body;
  if (on < 0) return rate(rate(place(p)));
  const Pose body = pose({SideKind::kBody, on});
  const V3 d = place(p) - body.r;
  return rate(rate(body.r)) + cross(rate(body.omega), d) + cross(body.omega, cross(body.omega, d));
}

Jet scalar_value(const Node& n, const Kinematics& k) {
  const auto s = [&](int i) { return scalar_value(*n.arguments[at(i)], k); };
  const auto v = [&](int i) { return vector_value(*n.arguments[at(i)], k); };
  switch (n.kind) {
    case NodeKind::kNumber: return {n.number};
    case NodeKind::kCoordinate: {
      Jet q = k.coordinate(n.i);
      for (int order = 0; order < n.j; ++order) q = rate(q);
      return q;
    }
    case NodeKind::kTime: return k.time();
    case NodeKind::kAdd: return s(0) + s(1);
    case NodeKind::kSubtract: return s(0) - s(1);
    case NodeKind::kMultiply: return s(0) * s(1);
    case NodeKind::kDot: return dot(v(0), v(1));
    case NodeKind::kNorm: return norm(v(0));
    case NodeKind::kSine: return sin(s(0));
    default: throw std::logic_error("a vector where a scalar is wanted");
  }
}

V3 vector_value(const Node& n, const Kinematics& k) {
  const auto s = [&](int i) { return scalar_value(*n.arguments[at(i)], k); };
  const auto v = [&](int i) { return vector_value(*n.arguments[at(i)], k); };
  const auto turn = [&](int i) { return n.names_body ? k.R_of_body(i) : k.R(i); };
  switch (n.kind) {
    case NodeKind::kLinear: return k.vector(n.vector);
    case NodeKind::kPosition: return k.place(n.i) - k.place(n.j);
    case NodeKind::kVelocity: return k.velocity(n.i);
    case NodeKind::kVelocityIn: {
      // relative to the material point of the body at this place
      const Pose body = k.pose({SideKind::kBody, n.names_body ? n.j : k.structure().owner_of[at(n.j)]});
      return k.velocity(n.i) - Kinematics::velocity_of(body, k.place(n.i));
    }
    case NodeKind::kAcceleration: return k.acceleration(n.i);
    case NodeKind::kOmega: return omega_of(turn(n.i));
    case NodeKind::kOmegaIn: return omega_of(turn(n.i)) - omega_of(turn(n.j));
    case NodeKind::kAlpha: return rate(omega_of(turn(n.i)));
    case NodeKind::kVectorAdd: return v(0) + v(1);
    case NodeKind::kVectorSubtract: return v(0) - v(1);
    case NodeKind::kScale: return s(0) * v(1);
    case NodeKind::kCross: return cross(v(0), v(1));
    case NodeKind::kUnit: return unit(v(0));
    default: throw std::logic_error("a scalar where a vector is wanted");
  }
}

}  // namespace vinculum::mechanisms
