#include "support/mechanisms/loads_at_random.hpp"

#include "support/mechanisms/kinematics.hpp"
#include "support/mechanisms/make_node.hpp"

namespace vinculum::mechanisms {

void add_loads(Mechanism& m, Chance& chance, BodiesAtRandom& bodies) {
  const int count = static_cast<int>(m.bodies.size());
  if (chance.is(0.8)) {
    Load gravity;
    gravity.gravity = {term(-10.0, 0, m.is_plane ? 1 : 2)};
    if (chance.is(0.2)) gravity.gravity.push_back(term(chance.nice(-3, 3), 0, 0));
    m.loads.push_back(gravity);
  }
  const int more = chance.weighted({40, 35, 25});
  for (int k = 0; k < more; ++k) {
    Load load;
    Action& a = load.action;
    const int b = chance.below(count);
    const int other = count > 1 && chance.is(0.6) ? (b + 1 + chance.below(count - 1)) % count : -1;
    switch (chance.weighted({35, 35, 20, 10})) {
      case 0:
        load.kind = Load::Kind::kForce;
        a.on = Action::On::kPoint;
        a.index = bodies.point_of(b);
        a.value = node::linear(bodies.vector_in(bodies.any_class(), m.is_plane));
        if (chance.is(0.4)) {
          a.has_from = true;
          a.from = bodies.point_of(other);
          if (a.from == a.index) a.has_from = false;
        }
        if (chance.is(0.25)) a.value = node::scale(node::number(chance.nice(-1, 1)), node::velocity(a.index));
        break;
      case 1:
        load.kind = Load::Kind::kTorque;
        a.on = Action::On::kBody;
        a.index = b;
        a.value = node::linear(m.is_plane && chance.is(0.8) ? LinearVector{term(chance.nice(-2, 2), 0, 2)}
                                                            : bodies.vector_in(bodies.any_class()));
        if (chance.is(0.4)) {
          a.has_from = true;
          a.from = other;
          a.from_ground = other < 0;
        }
        break;
      case 2: {
        load.kind = Load::Kind::kSpring;
        load.P = bodies.point_of(b);
        load.Q = bodies.point_of(other);
        load.stiffness = chance.nice(1, 20);
        load.length = chance.nice(0.3, 1.5);
        if (chance.is(0.4)) load.damping = chance.nice(0.1, 2);
        if (load.P == load.Q) continue;
        // if both ends coincide, the load has no direction
        const Structure s(m);
        Mechanism with = m;
        with.loads.push_back(load);
        const Structure structure(with);
        std::vector<double> q, none(structure.speeds.size(), 0.0);
        for (const Coordinate& c : m.coordinates) q.push_back(c.q);
        const Kinematics now(with, structure, motion_of(with, structure, 0.0, q, none, none));
        if (norm(now.place(load.P) - now.place(load.Q)).value() < 0.05) continue;
        break;
      }
      default: {
        load.kind = Load::Kind::kGeneralized;
        a.on = Action::On::kCoordinate;
        a.index = chance.below(static_cast<int>(m.coordinates.size()));
        if (m.is_quaternion_part(a.index) || Structure(m).used.coordinates[at(a.index)] == 0) continue;
        a.value = node::number(chance.nice(-2, 2));
      }
    }
    m.loads.push_back(load);
  }
}

void add_reveals(Mechanism& m, Chance& chance, BodiesAtRandom& bodies) {
  for (const Load& load : m.loads) {
    if (load.kind == Load::Kind::kGeneralized && chance.is(0.9)) return;
  }
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const bool wants = bodies.is_embedded[b] != 0 ? chance.is(0.4) : chance.is(0.08);
    if (!wants) continue;
    Reveal reveal;
    reveal.name = "r" + std::to_string(b);
    reveal.is_torque = chance.is(0.5);
    reveal.index = reveal.is_torque ? static_cast<int>(b) : m.bodies[b].center;
    const int count = 1 + chance.below(3);
    for (int k = 0; k < count; ++k) reveal.along.push_back(bodies.vector_in(bodies.any_class()));
    m.reveals.push_back(reveal);
  }
}

}  // namespace vinculum::mechanisms
