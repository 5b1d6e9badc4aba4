#include "support/mechanisms/shrink.hpp"

#include <algorithm>
#include <cmath>

#include "support/mechanisms/assembly.hpp"

namespace vinculum::mechanisms {
namespace {

/// Removes a body and everything that refers to it. Points offset from it keep their positions.
bool without_body(Mechanism& m, int b) {
  Body& body = m.bodies[at(b)];
  if (body.removed) return false;
  body.removed = true;
  const auto used = [&] {
    // whether anything still refers to it
    const Used all = used_by(m);
    return all.points[at(m.bodies[at(b)].center)] != 0;
  };
  const auto names = [&](auto&& list, auto&& erase) {
    for (std::size_t i = list.size(); i-- > 0;) {
      Mechanism without = m;
      erase(without, i);
      const Used before = used_by(m), after = used_by(without);
      if (before.points[at(m.bodies[at(b)].center)] != 0 && after.points[at(m.bodies[at(b)].center)] == 0) m = without;
    }
  };
  // Drops the statements that refer to it, one by one.
  for (std::size_t i = m.constraints.size(); i-- > 0;) {
    if (!used()) break;
    Mechanism alone = m;
    alone.constraints = {m.constraints[i]};
    alone.loads.clear();
    alone.reveals.clear();
    for (Body& other : alone.bodies) other.removed = true;
    for (Particle& p : alone.particles) p.removed = true;
    if (used_by(alone).points[at(m.bodies[at(b)].center)] != 0)
      m.constraints.erase(m.constraints.begin() + static_cast<long>(i));
  }
  for (std::size_t i = m.loads.size(); i-- > 0;) {
    Mechanism alone = m;
    alone.loads = {m.loads[i]};
    alone.constraints.clear();
    alone.reveals.clear();
    for (Body& other : alone.bodies) other.removed = true;
    for (Particle& p : alone.particles) p.removed = true;
    if (used_by(alone).points[at(m.bodies[at(b)].center)] != 0) m.loads.erase(m.loads.begin() + static_cast<long>(i));
  }
  for (std::size_t i = m.reveals.size(); i-- > 0;) {
    const Reveal& r = m.reveals[i];
    if (r.is_torque ? r.index == b : r.index == body.center) m.reveals.erase(m.reveals.begin() + static_cast<long>(i));
  }
  (void)names;
  if (!used()) return true;
  // Other points are offset from it; its center would have to become a point of the ground.
  return false;
}

double rounded(double x, double unit) { return std::round(x / unit) * unit; }

class Shrinker {
 public:
  Shrinker(Mechanism m, const std::function<bool(const Mechanism&)>& is_one) : best(std::move(m)), is_one_(is_one) {}

  void run() {
    for (int round = 0; round < 4; ++round) {
      improved_ = false;
      leave_out();
      simplify();
      if (!improved_) break;
    }
    round_numbers();
  }

  Mechanism best;

 private:
  bool take(Mechanism candidate) {
    try {
      if (!is_one_(candidate)) return false;
    } catch (const std::exception&) {
      return false;
    }
    best = std::move(candidate);
    improved_ = true;
    return true;
  }

  template <class Member>
  void drop_each(Member member) {
    for (std::size_t i = (best.*member).size(); i-- > 0;) {
      Mechanism candidate = best;
      (candidate.*member).erase((candidate.*member).begin() + static_cast<long>(i));
      take(std::move(candidate));
    }
  }

  void leave_out() {
    drop_each(&Mechanism::constraints);
    drop_each(&Mechanism::loads);
    drop_each(&Mechanism::reveals);
    for (std::size_t b = best.bodies.size(); b-- > 0;) {
      Mechanism candidate = best;
      if (without_body(candidate, static_cast<int>(b))) take(std::move(candidate));
    }
    for (std::size_t p = 0; p < best.particles.size(); ++p) {
      Mechanism candidate = best;
      if (candidate.particles[p].removed) continue;
      candidate.particles[p].removed = true;
      if (used_by(candidate).points[at(candidate.particles[p].point)] == 0) take(std::move(candidate));
    }
    for (std::size_t c = 0; c < best.constraints.size(); ++c) {
      if (!best.constraints[c].nonideal.empty()) {
        Mechanism candidate = best;
        candidate.constraints[c].nonideal.clear();
        take(std::move(candidate));
      }
      for (std::size_t k = best.constraints[c].along.size(); k-- > 0 && best.constraints[c].along.size() > 1;) {
        if (best.constraints[c].law != LawKind::kIdeal) break;
        Mechanism candidate = best;
        candidate.constraints[c].along.erase(candidate.constraints[c].along.begin() + static_cast<long>(k));
        take(std::move(candidate));
      }
      if (best.constraints[c].law != LawKind::kIdeal) {
        Mechanism candidate = best;
        candidate.constraints[c].law = LawKind::kIdeal;
        candidate.constraints[c].actuators.clear();
        candidate.constraints[c].directions.clear();
        take(std::move(candidate));
      }
    }
    for (std::size_t r = 0; r < best.reveals.size(); ++r) {
      while (best.reveals[r].along.size() > 1) {
        Mechanism candidate = best;
        candidate.reveals[r].along.pop_back();
        if (!take(std::move(candidate))) break;
      }
    }
  }

  /// Applies a function to each linear vector of the mechanism.
  template <class Change>
  void for_each_vector(const Change& change) {
    for (std::size_t f = 0; f < best.frames.size(); ++f) {
      change([f](Mechanism& m) -> LinearVector& { return m.frames[f].axis; });
      change([f](Mechanism& m) -> LinearVector& { return m.frames[f].axis2; });
    }
    for (std::size_t p = 0; p < best.points.size(); ++p)
      change([p](Mechanism& m) -> LinearVector& { return m.points[p].offset; });
    for (std::size_t c = 0; c < best.constraints.size(); ++c) {
      change([c](Mechanism& m) -> LinearVector& { return m.constraints[c].axis; });
      change([c](Mechanism& m) -> LinearVector& { return m.constraints[c].axis2; });
    }
    for (std::size_t r = 0; r < best.reveals.size(); ++r) {
      for (std::size_t k = 0; k < best.reveals[r].along.size(); ++k)
        change([r, k](Mechanism& m) -> LinearVector& { return m.reveals[r].along[k]; });
    }
  }

  void simplify() {
    // frames without a turn, or with a simpler one
    for (std::size_t f = best.frames.size(); f-- > 1;) {
      if (!best.is_turned_by_constants(static_cast<int>(f))) continue;
      skip_frame(static_cast<int>(f));
    }
    for (std::size_t f = 1; f < best.frames.size(); ++f) {
      if (!best.is_turned_by_constants(static_cast<int>(f))) continue;
      for (const int letter : {2, 0, 1}) {
        const Frame& now = best.frames[f];
        if (now.kind == FrameKind::kAbout && now.letter >= 0) break;
        Mechanism candidate = best;
        Frame& frame = candidate.frames[f];
        frame.kind = FrameKind::kAbout;
        frame.letter = letter;
        frame.angle = Affine{0.3};
        frame.axis.clear();
        frame.axis2.clear();
        if (take(settled(std::move(candidate)))) break;
      }
    }
    // positions given by x, y, z of the ground; points with a single offset
    for (std::size_t p = 1; p < best.points.size(); ++p) {
      const Point& point = best.points[p];
      if (point.kind != PointKind::kOffset || point.base == 0) continue;
      Mechanism candidate = best;
      candidate.points[p].base =
          best.points[at(point.base)].base >= 0 && best.points[at(point.base)].kind == PointKind::kOffset
              ? best.points[at(point.base)].base
              : point.base;
      if (candidate.points[p].base != point.base) take(settled(std::move(candidate)));
    }
    for_each_vector([&](auto&& of) {
      for (std::size_t k = of(best).size(); k-- > 0 && of(best).size() > 1;) {
        Mechanism candidate = best;
        of(candidate).erase(of(candidate).begin() + static_cast<long>(k));
        take(settled(std::move(candidate)));
      }
      for (std::size_t k = 0; k < of(best).size(); ++k) {
        if (of(best)[k].frame != 0 && best.class_of(of(best)[k].frame) == 0) {
          Mechanism candidate = best;
          of(candidate)[k].frame = 0;
          take(settled(std::move(candidate)));
        }
        if (of(best)[k].factor.is_constant() && of(best)[k].factor.constant != 1.0) {
          Mechanism candidate = best;
          of(candidate)[k].factor.constant = 1.0;
          take(settled(std::move(candidate)));
        }
        if (of(best)[k].factor.rate != 0.0) {
          Mechanism candidate = best;
          of(candidate)[k].factor.rate = 0.0;
          take(settled(std::move(candidate)));
        }
      }
    });
    for (std::size_t f = 1; f < best.frames.size(); ++f) {
      if (best.frames[f].angle.coordinates.empty()) continue;
      Mechanism candidate = best;
      Affine& a = candidate.frames[f].angle;
      a.coordinates[0].second = 1.0;
      a.constant = a.rate = 0.0;
      take(settled(std::move(candidate)));
    }
    for (std::size_t b = 0; b < best.bodies.size(); ++b) {
      Mechanism candidate = best;
      Body& body = candidate.bodies[b];
      if (body.removed || body.mass == 0.0) continue;
      body.mass = 1.0;
      if (body.inertia.size() > 1) body.inertia = {1.0, 1.0, 1.0};
      take(std::move(candidate));
      candidate = best;
      if (candidate.bodies[b].inertia.size() > 3) candidate.bodies[b].inertia.resize(3);
      take(std::move(candidate));
    }
    Mechanism candidate = best;
    for (Coordinate& c : candidate.coordinates) c.rate = 0.0;
    for (double& w : candidate.spin) w = 0.0;
    take(std::move(candidate));
  }

  /// Replaces a frame by its parent wherever it is named.
  void skip_frame(int f) {
    Mechanism candidate = best;
    const int parent = best.frames[at(f)].parent;
    const auto change = [&](LinearVector& v) {
      for (VectorTerm& t : v) {
        if (t.frame == f) t.frame = parent;
      }
    };
    for (Frame& frame : candidate.frames) {
      if (frame.parent == f) frame.parent = parent;
      change(frame.axis);
      change(frame.axis2);
    }
    for (Point& p : candidate.points) change(p.offset);
    for (Body& b : candidate.bodies) {
      if (b.frame == f) b.frame = parent;
    }
    const std::function<NodePtr(const NodePtr&)> rebuilt = [&](const NodePtr& n) -> NodePtr {
      if (!n) return n;
      Node copy = *n;
      change(copy.vector);
      if (!copy.names_body) {
        if (copy.kind == NodeKind::kOmega || copy.kind == NodeKind::kAlpha) copy.i = copy.i == f ? parent : copy.i;
      }
      for (NodePtr& argument : copy.arguments) argument = rebuilt(argument);
      return std::make_shared<const Node>(std::move(copy));
    };
    for (Constraint& c : candidate.constraints) {
      c.left = rebuilt(c.left);
      c.right = rebuilt(c.right);
      c.prescribed = rebuilt(c.prescribed);
      for (LinearVector& v : c.along) change(v);
      for (LinearVector& v : c.directions) change(v);
      change(c.axis);
      change(c.axis2);
      for (Side* side : {&c.A, &c.B}) {
        if (side->kind == SideKind::kFrame && side->index == f) return;
      }
      for (Action& a : c.actuators) a.value = rebuilt(a.value);
      for (Action& a : c.nonideal) a.value = rebuilt(a.value);
    }
    for (Load& load : candidate.loads) {
      change(load.gravity);
      load.action.value = rebuilt(load.action.value);
    }
    for (Reveal& r : candidate.reveals) {
      for (LinearVector& v : r.along) change(v);
    }
    take(settled(std::move(candidate)));
  }

  /// Changes the guesses so that the rows hold again, or sets the values of relations to their values at the guesses.
  static Mechanism settled(Mechanism m) {
    const Mechanism before = m;
    if (assemble_positions(m) && assemble_velocities(m)) return m;
    return before;
  }

  void round_numbers() {
    for (const double unit : {1e-3, 1e-2, 0.1}) {
      Mechanism candidate = best;
      for (Coordinate& c : candidate.coordinates) c.q = rounded(c.q, unit), c.rate = rounded(c.rate, unit);
      for (double& w : candidate.spin) w = rounded(w, unit);
      take(std::move(candidate));
      for_each_vector([&](auto&& of) {
        for (std::size_t k = 0; k < of(best).size(); ++k) {
          Mechanism rough = best;
          double& x = of(rough)[k].factor.constant;
          if (x == rounded(x, unit)) continue;
          x = rounded(x, unit);
          take(settled(std::move(rough)));
        }
      });
    }
  }

  const std::function<bool(const Mechanism&)>& is_one_;
  bool improved_ = false;
};

}  // namespace

Mechanism shrunk(Mechanism mechanism, const std::function<bool(const Mechanism&)>& is_one) {
  Shrinker shrinker(std::move(mechanism), is_one);
  shrinker.run();
  return shrinker.best;
}

}  // namespace vinculum::mechanisms
