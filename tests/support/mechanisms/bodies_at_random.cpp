#include "support/mechanisms/bodies_at_random.hpp"

#include <algorithm>

namespace vinculum::mechanisms {

int BodiesAtRandom::coordinate(const std::string& name, double q, double rate) {
  m_.coordinates.push_back({name + std::to_string(named_coordinates_++), q, rate});
  return static_cast<int>(m_.coordinates.size()) - 1;
}

int BodiesAtRandom::frame(Frame f) {
  m_.frames.push_back(std::move(f));
  m_.spin.resize(3 * m_.frames.size(), 0.0);
  const int index = static_cast<int>(m_.frames.size()) - 1;
  m_.order.push_back({Item::Kind::kFrame, index});
  return index;
}

int BodiesAtRandom::point(Point p) {
  m_.points.push_back(std::move(p));
  const int index = static_cast<int>(m_.points.size()) - 1;
  if (m_.points.back().kind == PointKind::kOffset) m_.order.push_back({Item::Kind::kPoint, index});
  return index;
}

std::vector<int> BodiesAtRandom::frames_in(int rigid_class) const {
  std::vector<int> frames;
  for (std::size_t f = 0; f < m_.frames.size(); ++f) {
    if (m_.class_of(static_cast<int>(f)) == rigid_class) frames.push_back(static_cast<int>(f));
  }
  return frames;
}

LinearVector BodiesAtRandom::basis_in(int rigid_class) {
  return {term(chance_.is(0.85) ? 1.0 : -1.0, chance_.of(frames_in(rigid_class)), chance_.below(3))};
}

LinearVector BodiesAtRandom::vector_in(int rigid_class, bool in_plane) {
  const std::vector<int> frames = frames_in(rigid_class);
  const int axes = in_plane ? 2 : 3;
  if (chance_.is(0.5)) return {term(chance_.is(0.85) ? 1.0 : -1.0, chance_.of(frames), chance_.below(axes))};
  LinearVector v;
  const int count = 2 + chance_.below(2);
  for (int k = 0; k < count; ++k) {
    const int f = chance_.of(frames), axis = chance_.below(axes);
    const bool is_there = std::ranges::any_of(v, [&](const VectorTerm& t) { return t.frame == f && t.axis == axis; });
    if (!is_there) v.push_back(term(chance_.nice(-1.0, 1.0), f, axis));
  }
  return v;
}

int BodiesAtRandom::any_class() {
  const int b = chance_.below(static_cast<int>(m_.bodies.size()) + 1) - 1;
  return b < 0 ? 0 : m_.class_of(m_.bodies[at(b)].frame);
}

void BodiesAtRandom::add_constant_turn(int parent) {
  Frame f;
  f.name = "F" + std::to_string(named_frames_++);
  f.parent = parent;
  if (m_.is_plane) {
    f.kind = FrameKind::kAbout;
    f.letter = 2;
    f.angle.constant = chance_.nice(-1.5, 1.5);
    frame(f);
    return;
  }
  switch (chance_.weighted({45, 30, 13, 12})) {
    case 0:
      f.kind = FrameKind::kAbout;
      f.letter = chance_.below(3);
      f.angle.constant = chance_.is(0.1) ? 1.5707963267948966 : chance_.nice(-1.5, 1.5);
      break;
    case 1: {
      f.kind = FrameKind::kAbout;
      f.angle.constant = chance_.nice(-1.5, 1.5);
      const int rigid = m_.class_of(parent);
      f.axis = chance_.is(0.6)
                   ? LinearVector{term(chance_.nice(-1, 1), parent, 0), term(chance_.nice(-1, 1), parent, 1),
                                  term(chance_.nice(-1, 1), parent, 2)}
                   : vector_in(rigid);
      break;
    }
    case 2: {
      static const std::vector<std::string> kSequences = {"body123", "body313", "space123", "space321", "body232"};
      f.kind = FrameKind::kSequence;
      f.sequence = chance_.of(kSequences);
      for (int k = 0; k < 3; ++k) f.angles.push_back({chance_.nice(-1.2, 1.2)});
      break;
    }
    default:
      f.kind = FrameKind::kAxes;
      f.first = chance_.below(3);
      f.second = (f.first + 1 + chance_.below(2)) % 3;
      f.axis = {term(chance_.nice(0.3, 1), parent, 0), term(chance_.nice(-1, 1), parent, 1)};
      f.axis2 = {term(chance_.nice(0.3, 1), parent, 2), term(chance_.nice(-0.4, 0.4), parent, 1)};
  }
  frame(f);
}

void BodiesAtRandom::add_turns(int root, int count) {
  if (!has_turns_) return;
  for (int k = 0; k < count; ++k) {
    const std::vector<int> frames = frames_in(m_.class_of(root));
    add_constant_turn(chance_.is(0.6) ? frames.back() : chance_.of(frames));
  }
}

Affine BodiesAtRandom::angle(const std::string& name) {
  Affine a;
  const int q = coordinate(name, chance_.nice(-1.2, 1.2), chance_.nice(-1.5, 1.5));
  a.coordinates.push_back({q, chance_.is(0.85) ? 1.0 : chance_.nice(0.5, 2.0)});
  if (chance_.is(0.12)) a.constant = chance_.nice(-1, 1);
  if (chance_.is(0.05)) a.rate = chance_.nice(-1, 1);
  return a;
}

int BodiesAtRandom::new_root(int parent, const std::string& name) {
  Frame f;
  f.name = name;
  f.parent = parent;
  if (m_.is_plane) {
    f.kind = FrameKind::kAbout;
    f.letter = 2;
    f.angle = angle("a");
    return frame(f);
  }
  const int kind = chance_.weighted({45, 15, 10, 15, 15});
  switch (kind) {
    case 0: {
      f.kind = FrameKind::kQuaternion;
      double e[4] = {chance_.between(-1, 1), chance_.between(-1, 1), chance_.between(-1, 1), chance_.between(-1, 1)};
      const double size = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]) + 1e-9;
      for (const double x : e) f.quaternion.push_back(coordinate("e", x / size, 0.0));
      const int index = frame(f);
      for (std::size_t k = 0; k < 3; ++k) m_.spin[3 * at(index) + k] = chance_.nice(-1.5, 1.5);
      return index;
    }
    case 1: {
      static const std::vector<std::string> kSequences = {"body123",  "body313", "space123", "body321",
                                                          "space313", "body231", "space212"};
      f.kind = FrameKind::kSequence;
      f.sequence = chance_.of(kSequences);
      for (int k = 0; k < 3; ++k) f.angles.push_back(angle("a"));
      return frame(f);
    }
    default: {
      // one, two or three turns, each with its own frame
      const int count = kind == 2 ? 3 : kind == 3 ? 1 : 2;
      int last = parent, axis = chance_.below(3);
      for (int k = 0; k < count; ++k) {
        Frame turn;
        turn.kind = FrameKind::kAbout;
        turn.name = k + 1 == count ? name : name + "i" + std::to_string(k);
        turn.parent = last;
        turn.letter = axis;
        if (chance_.is(0.3)) {
          turn.letter = -1;
          turn.axis = {term(chance_.nice(-1, 1), last, 0), term(chance_.nice(-1, 1), last, 1),
                       term(chance_.nice(-1, 1), last, 2)};
        }
        turn.angle = angle("a");
        last = frame(turn);
        if (k + 1 < count) massless_frames.push_back(last);
        axis = (axis + 1 + chance_.below(2)) % 3;
      }
      return last;
    }
  }
}

int BodiesAtRandom::new_ground_point() {
  const int base = m_.points.size() > 1 && chance_.is(0.3) ? [&] {
    std::vector<int> fixed;
    for (std::size_t p = 0; p < m_.points.size(); ++p) {
      if (m_.carrier_of(static_cast<int>(p)) == Mechanism::kGroundCarrier) fixed.push_back(static_cast<int>(p));
    }
    return chance_.of(fixed);
  }()
                                                           : 0;
  Point p;
  p.name = "G" + std::to_string(named_points_++);
  p.base = base;
  p.offset = vector_in(0, m_.is_plane);
  return point(p);
}

int BodiesAtRandom::new_point_of(int body) {
  std::vector<int> fixed;
  for (std::size_t p = 0; p < m_.points.size(); ++p) {
    if (m_.carrier_of(static_cast<int>(p)) == body && m_.points[p].on_body < 0) fixed.push_back(static_cast<int>(p));
  }
  Point p;
  p.name = "P" + std::to_string(named_points_++);
  p.base = chance_.is(0.6) ? m_.bodies[at(body)].center : chance_.of(fixed);
  p.offset = vector_in(m_.class_of(m_.bodies[at(body)].frame), m_.is_plane);
  return point(p);
}

int BodiesAtRandom::point_of(int body) {
  std::vector<int> fixed;
  for (std::size_t p = 0; p < m_.points.size(); ++p) {
    if (m_.carrier_of(static_cast<int>(p)) == body && m_.points[p].on_body < 0) fixed.push_back(static_cast<int>(p));
  }
  if (chance_.is(0.5)) return chance_.of(fixed);
  return body < 0 ? new_ground_point() : new_point_of(body);
}

void BodiesAtRandom::add_body(int k) {
  const std::string number = std::to_string(k);
  Body body;
  body.name = "b" + number;
  body.mass = chance_.nice(0.5, 3.0);
  // inertia of a real body: I_i + I_j ≥ I_k, with small products
  const double a = chance_.nice(0.05, 0.3), b = chance_.nice(0.05, 0.3), c = chance_.nice(0.05, 0.3);
  body.inertia = {b + c, a + c, a + b};
  if (chance_.is(0.3)) body.inertia = {2 * a, 2 * a, 2 * a};
  if (chance_.is(0.3)) {
    for (int i = 0; i < 3; ++i) body.inertia.push_back(chance_.nice(-0.02, 0.02));
  }
  if (m_.is_plane && chance_.is(0.7)) body.inertia = {a};
  if (chance_.is(0.03)) {
    body.mass = 0.0;
    for (double& x : body.inertia) x = 0.0;
  }

  // attitude of the body
  int root;
  const bool shares = k > 0 && chance_.is(0.15) && shares_;
  const int other = k > 0 ? chance_.below(k) : -1;
  if (shares) {
    root = m_.class_of(m_.bodies[at(other)].frame);
    if (chance_.is(0.5)) add_turns(root, 1);
  } else {
    const bool on_other = k > 0 && chance_.is(0.3);
    const int parent_class = on_other ? m_.class_of(m_.bodies[at(other)].frame) : 0;
    root = new_root(chance_.of(frames_in(parent_class)), "R" + number);
    const int turns = chance_.weighted({35, 30, 20, 15});
    add_turns(root, turns);
  }
  const std::vector<int> frames = frames_in(root);
  body.frame = chance_.is(0.3) ? root : chance_.of(frames);
  if (shares && chance_.is(0.5)) body.frame = m_.bodies[at(other)].frame;

  // position of the body
  Point center;
  center.name = body.name;
  center.kind = PointKind::kCenter;
  const auto cartesian = [&](int rigid) {
    const int f = chance_.is(0.75) && rigid == 0 ? 0 : chance_.of(frames_in(rigid));
    for (int i = 0; i < (m_.is_plane ? 2 : 3); ++i) {
      VectorTerm t = term(0.0, f, i);
      t.factor.coordinates.push_back(
          {coordinate(std::string(1, "xyz"[i]), chance_.nice(-1.5, 1.5), chance_.nice(-1, 1)), 1.0});
      center.offset.push_back(t);
    }
  };
  char embedded = 0;
  switch (chance_.weighted({60, 6, 24, 10})) {
    case 0:
      center.base = chance_.is(0.8) ? 0 : new_ground_point();
      cartesian(0);
      break;
    case 1:
      center.base = other >= 0 ? point_of(other) : 0;
      cartesian(other >= 0 && chance_.is(0.6) ? m_.class_of(m_.bodies[at(other)].frame) : 0);
      embedded = other >= 0 ? 1 : 0;
      break;
    case 2:  // at a constant offset (in its own frame) from a point of another body: a hinge
      center.base = other >= 0 && chance_.is(0.7) ? point_of(other) : chance_.is(0.5) ? 0 : new_ground_point();
      center.offset = vector_in(root, m_.is_plane);
      embedded = 1;
      break;
    default: {  // at a variable distance along a line: a slider
      center.base = other >= 0 && chance_.is(0.7) ? point_of(other) : 0;
      const int rigid = other >= 0 && chance_.is(0.6) ? m_.class_of(m_.bodies[at(other)].frame) : 0;
      VectorTerm t = term(0.0, chance_.of(frames_in(rigid)), chance_.below(m_.is_plane ? 2 : 3));
      t.factor.coordinates.push_back({coordinate("s", chance_.nice(-1, 1), chance_.nice(-1, 1)), 1.0});
      if (chance_.is(0.1)) t.factor.rate = chance_.nice(-1, 1);
      center.offset.push_back(t);
      embedded = 1;
    }
  }
  body.center = point(center);
  m_.bodies.push_back(body);
  is_embedded.push_back(embedded);
  m_.order.push_back({Item::Kind::kBody, static_cast<int>(m_.bodies.size()) - 1});
}

void BodiesAtRandom::add_particle() {
  Particle p;
  p.name = "m" + std::to_string(m_.particles.size());
  p.mass = chance_.nice(0.3, 2);
  Point place;
  place.name = p.name;
  place.kind = PointKind::kParticle;
  place.base = 0;
  for (int i = 0; i < (m_.is_plane ? 2 : 3); ++i) {
    VectorTerm t = term(0.0, 0, i);
    t.factor.coordinates.push_back(
        {coordinate(std::string(1, "xyz"[i]), chance_.nice(-1.5, 1.5), chance_.nice(-1, 1)), 1.0});
    place.offset.push_back(t);
  }
  p.point = point(place);
  m_.particles.push_back(p);
  m_.order.push_back({Item::Kind::kParticle, static_cast<int>(m_.particles.size()) - 1});
}

void BodiesAtRandom::add() {
  Frame newtonian;
  newtonian.name = "N";
  m_.frames.push_back(newtonian);
  m_.spin.assign(3, 0.0);
  Point origin;
  origin.name = "O";
  origin.kind = PointKind::kFixed;
  m_.points.push_back(origin);
  add_turns(0, chance_.weighted({55, 30, 15}));
  const int count = 1 + chance_.weighted({30, 35, 20, 15});
  for (int k = 0; k < count; ++k) add_body(k);
  if (chance_.is(0.15)) add_particle();
  // massless points: a slider on a body or on the ground; a point of a body with an offset in frames of another
  if (chance_.is(0.2)) {
    const int on = chance_.below(count + 1) - 1;
    Point p;
    p.name = "S" + std::to_string(named_points_++);
    p.base = point_of(on);
    const int rigid = chance_.is(0.6) ? (on < 0 ? 0 : m_.class_of(m_.bodies[at(on)].frame)) : any_class();
    VectorTerm t = term(chance_.nice(-1, 1), chance_.of(frames_in(rigid)), chance_.below(m_.is_plane ? 2 : 3));
    if (chance_.is(0.25)) {
      t.factor.constant = 0.0;
      t.factor.coordinates.push_back({coordinate("s", chance_.nice(-1, 1), chance_.nice(-1, 1)), 1.0});
    }
    p.offset.push_back(t);
    const int index = point(p);
    if (m_.carrier_of(index) == Mechanism::kNoCarrier) massless_points.push_back(index);
  }
}

}  // namespace vinculum::mechanisms
