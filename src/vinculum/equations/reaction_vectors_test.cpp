#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/builder.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/reaction_laws/laws.hpp"

/// For every law, compares the forces and torques of reactions as vectors with the generalized forces that the law
/// writes in coordinates.
namespace vinculum::equations {
namespace {

using model::ConstraintId;
using model::FrameId;
using model::Model;
using model::ModelBuilder;
using model::PointId;
using model::Term;

/// A system that contains every kind of object to which rows refer: a particle, two bodies, one of which is attached to
/// the other, points fixed in them, and contact points.
struct Workshop {
  ModelBuilder b{"workshop"};
  FrameId N = Model::newtonian(), B, D;
  PointId O, P, pin, place, there, tip;
  model::BodyId block, disk;

  Workshop() {
    model::TermPool& pool = b.terms();
    O = b.add_fixed_point("O", N);
    const auto coordinates = [&](const std::string& names) {
      std::vector<Term> terms;
      for (const char c : names) terms.push_back(b.q(b.add_coordinate(std::string(1, c))));
      return terms;
    };
    const auto q = coordinates("xyzabcdefg");
    const auto at = [&](FrameId f, Term x, Term y, Term z) {
      return x * b.axis(f, 0) + y * b.axis(f, 1) + z * b.axis(f, 2);
    };
    P = b.point_of(b.add_particle("P", b.number(1.3), O, at(N, q[0], q[1], q[2])));
    B = b.add_frame("B", N, {{2, {}, q[3]}, {0, {}, q[4]}, {1, {}, q[5]}});
    block = b.add_body("block", B, b.number(2.0),
                       {b.number(1.0), b.number(1.5), b.number(1.8), b.number(0.1), b.number(0.0), b.number(0.0)}, O,
                       at(N, q[6], q[7], b.number(0.4)));
    pin = b.add_point("pin", b.center_of(block), at(B, b.number(0.3), b.number(-0.2), b.number(0.5)));
    D = b.add_frame("D", B, {{0, {}, q[8]}});
    disk = b.add_body("disk", D, b.number(0.7),
                      {b.number(0.2), b.number(0.1), b.number(0.1), b.number(0.0), b.number(0.0), b.number(0.0)}, pin,
                      at(D, b.number(0.1), q[9], b.number(0.0)));
    tip = b.add_point("tip", P, at(B, b.number(0.2), q[8], b.number(0.0)));  // a point that belongs to no body
    place = b.add_point("place", b.center_of(disk), pool.number(-0.6) * b.axis(N, 2));
    // the material point of the disk at the position of `place`, below the disk's center
    there = b.add_point_on("there", D, place, pool.zero_vector());
  }
};

double random_number(std::mt19937_64& random) { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }

/// Compares Σ v_r·F + Σ ω_r·T with generalized_force(c)_r at random states, with random u' and λ.
void expect_forces_exert_the_reaction(const std::shared_ptr<const Model>& model, ConstraintId c, bool is_whole) {
  auto derived = derive(model);
  ASSERT_TRUE(derived.has_value()) << derived.error().message;
  System& system = **derived;
  EXPECT_EQ(model::acts_on_coordinates(*model, c), !is_whole) << model->constraint(c).text;
  std::vector<expr::Expr> rest, sizes;
  for (std::size_t r = 0; r < model->speeds.size(); ++r) {
    rest.push_back(lower(system, model->terms->generalized_force(c, model::SpeedId(r)))[0]);
    sizes.push_back(expr::absolute(rest.back()));
  }
  const auto take = [&](const std::vector<std::array<expr::Expr, 3>>& partials, Term vector) {
    const std::vector<expr::Expr> F = lower(system, vector);
    for (std::size_t r = 0; r < rest.size(); ++r) {
      for (std::size_t k = 0; k < 3; ++k) {
        rest[r] -= partials[r][k] * F[k];
        sizes[r] += expr::absolute(partials[r][k] * F[k]);
      }
    }
  };
  for (const PointId point : model::points_of(*model, c))
    take(partial_velocities(system, point), model::total_force(*model, c, point));
  for (std::size_t i = 0; i < model->bodies.size(); ++i) {
    const FrameId body = model->bodies[i].frame;
    take(partial_angular_velocities(system, body), model::torque_on(*model, c, body));
  }
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* list :
       {&system.q, &system.u, &system.u_dot, &system.z, &system.lambda, &system.lambda_ideal, &system.parameters}) {
    symbols.insert(symbols.end(), list->begin(), list->end());
  }
  std::vector<expr::Expr> roots = rest;
  roots.insert(roots.end(), sizes.begin(), sizes.end());
  std::mt19937_64 random(31);
  double largest = 0.0;
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<double> values;
    for (std::size_t i = 0; i < symbols.size(); ++i) values.push_back(random_number(random));
    const std::vector<double> found = expr::interpret(roots, symbols, values);
    double size = 0.0;
    for (std::size_t r = 0; r < rest.size(); ++r) size = std::max(size, found[rest.size() + r]);
    EXPECT_GT(size, 0.0);
    for (std::size_t r = 0; r < rest.size(); ++r) {
      if (is_whole) {
        EXPECT_NEAR(found[r], 0.0, 1e-12 * size) << model->constraint(c).name << " along " << model->speeds[r].name;
      }
      largest = std::max(largest, std::fabs(found[r]) / size);
    }
  }
  if (!is_whole) {
    EXPECT_GT(largest, 1e-6) << "nothing is left for the coordinates";
  }
}

enum class LawKind { kVakonomic, kKozlov, kInertial, kAdiabatic, kViscous };

void set_law(ModelBuilder& b, ConstraintId c, LawKind law) {
  switch (law) {
    case LawKind::kVakonomic: reaction_laws::set_vakonomic(b, c); return;
    case LawKind::kKozlov: reaction_laws::set_vakonomic(b, c, {}, b.number(0.7)); return;
    case LawKind::kInertial: b.set_law(c, reaction_laws::inertial(b.number(1.9))); return;
    case LawKind::kViscous: b.set_law(c, reaction_laws::viscous(b.number(1.9))); return;
    case LawKind::kAdiabatic: b.set_law(c, reaction_laws::adiabatic({b.cos(b.time()) + b.terms().number(0.3)})); return;
  }
}

void expect_under(LawKind law, Term (*row)(Workshop&), bool is_whole = true) {
  Workshop w;
  const ConstraintId c = w.b.add_constraint("row", row(w));
  set_law(w.b, c, law);
  const auto model = w.b.finish();
  ASSERT_TRUE(model.has_value()) << model.error().message;
  SCOPED_TRACE(model::to_text(**model, (*model)->constraint(c).rows[0]) + " under law " +
               std::to_string(static_cast<int>(law)));
  expect_forces_exert_the_reaction(*model, c, is_whole);
}

Term dot(Workshop& w, Term a, Term b) { return w.b.terms().dot(a, b); }

using Row = Term (*)(Workshop&);

// Rows that are linear and homogeneous in the velocities.
const Row kLinear[] = {
    [](Workshop& w) { return dot(w, w.b.vel(w.P), w.b.axis(w.B, 0)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.b.center_of(w.block)), w.b.axis(w.B, 0)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.pin), w.b.axis(w.B, 1)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.pin) - w.b.vel(w.P), w.b.pos(w.pin, w.P)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.P), w.b.pos(w.b.center_of(w.disk), w.pin)); },
    [](Workshop& w) { return dot(w, w.b.omega(w.B), w.b.axis(w.B, 2)); },
    [](Workshop& w) { return dot(w, w.b.omega(w.B), w.b.axis(w.N, 0)); },
    [](Workshop& w) { return dot(w, w.b.omega(w.D), w.b.axis(w.B, 1)) - 2.0 * dot(w, w.b.vel(w.P), w.b.axis(w.N, 2)); },
    [](Workshop& w) { return dot(w, w.b.omega(w.D, w.B), w.b.axis(w.D, 0)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.there), w.b.axis(w.N, 0)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.there), w.b.axis(w.B, 0)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.P, w.B), w.b.axis(w.B, 0)); },
    [](Workshop& w) { return dot(w, w.b.vel(w.there, w.B), w.b.axis(w.B, 1)); },
    [](Workshop& w) {
      return dot(w, w.b.vel(w.P), w.b.cos(w.b.time()) * w.b.axis(w.N, 0) + w.b.sin(w.b.time()) * w.b.axis(w.B, 1));
    },
    [](Workshop& w) { return w.b.terms().norm(w.b.pos(w.P, w.place)) * dot(w, w.b.vel(w.there), w.b.pos(w.P, w.O)); },
};

const Row kOther[] = {
    [](Workshop& w) { return dot(w, w.b.vel(w.P), w.b.vel(w.P)) - w.b.number(4.0); },
    [](Workshop& w) { return dot(w, w.b.omega(w.D), w.b.omega(w.D)) - w.b.number(1.0); },
    [](Workshop& w) { return dot(w, w.b.vel(w.there), w.b.vel(w.there)); },
    [](Workshop& w) {
      return dot(w, w.b.vel(w.P), w.b.terms().cross(w.b.vel(w.b.center_of(w.disk)), w.b.axis(w.B, 2)));
    },
    [](Workshop& w) { return dot(w, w.b.vel(w.P), w.b.axis(w.B, 0)) - w.b.time() * w.b.time(); },
    [](Workshop& w) {
      return w.b.terms().norm(w.b.vel(w.pin)) * dot(w, w.b.omega(w.B), w.b.pos(w.pin, w.P)) - w.b.sin(w.b.time());
    },
};

TEST(ReactionVectors, ExertTheReactionOfLinearRowsUnderEveryLaw) {
  for (const Row row : kLinear) {
    for (const LawKind law :
         {LawKind::kVakonomic, LawKind::kKozlov, LawKind::kInertial, LawKind::kAdiabatic, LawKind::kViscous})
      expect_under(law, row);
  }
}

TEST(ReactionVectors, ExertTheReactionOfAffineAndNonlinearRows) {
  for (const Row row : kOther) {
    for (const LawKind law : {LawKind::kVakonomic, LawKind::kKozlov, LawKind::kInertial, LawKind::kViscous})
      expect_under(law, row);
  }
}

TEST(ReactionVectors, OfRowsOfPositionLevelAreTheirOwnGradientTimesOneFactor) {
  const Row gap = [](Workshop& w) { return w.b.terms().norm(w.b.pos(w.pin, w.P)) - w.b.number(1.0) - w.b.time(); };
  for (const LawKind law : {LawKind::kVakonomic, LawKind::kKozlov, LawKind::kInertial, LawKind::kViscous})
    expect_under(law, gap);
  Workshop w;
  const ConstraintId c = w.b.add_constraint("gap", gap(w));
  reaction_laws::set_vakonomic(w.b, c);
  EXPECT_FALSE(model::react(w.b.model(), c, 0).mu.is_valid());
}

TEST(ReactionVectors, LeaveToCoordinatesWhatRowsHoldOfThem) {
  const Row rows[] = {
      [](Workshop& w) { return w.b.q(model::CoordinateId(std::size_t{5})) * dot(w, w.b.vel(w.P), w.b.axis(w.N, 0)); },
      [](Workshop& w) { return dot(w, w.b.vel(w.tip), w.b.axis(w.N, 1)); },
      [](Workshop& w) {
        const FrameId turned = w.b.add_rotated_frame("turned", w.B, w.b.q(model::CoordinateId(std::size_t{0})), 1);
        return dot(w, w.b.vel(w.P), w.b.axis(turned, 0));
      }};
  for (const Row row : rows) expect_under(LawKind::kVakonomic, row, false);
}

// In a frame that rotates with time alone, the non-ideal part of the adiabatic law is known only in coordinates.
TEST(ReactionVectors, OfTheAdiabaticLawInMovingFramesAreTheIdealPartAlone) {
  ModelBuilder b("turning");
  const auto x = b.add_coordinate("x"), y = b.add_coordinate("y");
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  const FrameId turned = b.add_rotated_frame("T", Model::newtonian(), 2.0 * b.time(), 2);
  const PointId P = b.point_of(b.add_particle(
      "P", b.number(1.0), O, b.q(x) * b.axis(Model::newtonian(), 0) + b.q(y) * b.axis(Model::newtonian(), 1)));
  const ConstraintId c = b.add_constraint("c", b.q(x) * b.q(x) * b.terms().dot(b.vel(P), b.axis(turned, 0)));
  b.set_law(c, reaction_laws::adiabatic({b.number(2.0)}));
  EXPECT_TRUE(model::acts_on_coordinates(b.model(), c));
  EXPECT_EQ(model::points_of(b.model(), c), std::vector<PointId>{P});
}

// Hamilton's law (vakonomic) for a blade fixed in a body, which acts on a particle at the particle's position. The
// force on the particle contains the rotation of the blade's normal; the opposite moment acts on the body. By hand: W =
// B.y, E = −ω×B.y, E_B = B.y×vel(P).
TEST(ReactionVectors, ReadAsWorkedOutByHand) {
  Workshop w;
  const ConstraintId c = w.b.add_constraint("blade", dot(w, w.b.vel(w.P), w.b.axis(w.B, 1)));
  reaction_laws::set_vakonomic(w.b, c);
  const auto text = [&](Term term) { return model::to_text(w.b.model(), term); };
  EXPECT_EQ(text(model::total_force(w.b.model(), c, w.P)), "multiplier(blade)*B.y - mu(blade)*cross(omega(B), B.y)");
  EXPECT_EQ(text(model::torque_on(w.b.model(), c, w.B)), "mu(blade)*cross(B.y, vel(P))");
  EXPECT_EQ(text(model::ideal_force(w.b.model(), c, w.P)), "ideal_multiplier(blade)*B.y");
  EXPECT_EQ(text(model::nonideal_force(w.b.model(), c, w.P)), "-mu(blade)*cross(omega(B), B.y)");
}

}  // namespace
}  // namespace vinculum::equations
