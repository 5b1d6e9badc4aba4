// Tests bodies with known equations: a manipulator with published numbers, a top described in two ways, servo
// constraints, quaternions and a long chain.
#include "support/equations/bodies.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/equations/classify.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::Instant;
using testing::FrameId;
using testing::Model;
using testing::ModelBuilder;
using testing::PointId;
using testing::SystemAt;
using testing::Term;

Vector accelerations(const System& system, const SystemAt& at) {
  const auto n = static_cast<Eigen::Index>(system.u.size());
  const auto M = at.values(system.M), f = at.values(system.f);
  return Eigen::Map<const Matrix>(M.data(), n, n).partialPivLu().solve(Eigen::Map<const Vector>(f.data(), n));
}

TEST(Manipulator, HasThePublishedMassMatrixAndAccelerations) {
  // Reference values from tests/reference/ssrms_7r.json: 13 digits, computed independently of this program.
  constexpr std::array kDiagonal{5.543307442769889e+04, 4.905738955493828e+04, 5.834288604457665e+04,
                                 3.406970981307370e+04, 8.471221850576221e+01, 1.584885875000000e+02,
                                 9.336000000000000e+00};
  constexpr std::array kFirstRow{5.543307442769889e+04, 5.280489001986329e+03,  5.644720773374480e+04,
                                 1.851385777881085e+04, -6.106774060344148e+02, -2.347363229956421e+02,
                                 9.264877742808534e+00};
  constexpr std::array kAccelerations{-3.497263786954460e-04, -8.056764907648185e-06, -4.675552504686815e-03,
                                      5.265408519964487e-03,  1.673937419355535e-03,  -1.236379980038949e-02,
                                      -1.204488315448277e-04};
  const auto system = *derive(testing::fixed_arm(testing::Speeds::kDefault));
  Instant at;
  at.q = {0.3, 0.2, -0.5, 1.2, 0.4, -0.3, 0.1};
  at.q_dot = {0.02, -0.01, 0.03, 0.04, -0.02, 0.05, 0.06};
  at.q_ddot.assign(7, 0.0);
  const SystemAt numbers(*system, at);
  const auto M = numbers.values(system->M);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(M[i * 8], kDiagonal[i], 1e-11 * kDiagonal[0]);
    EXPECT_NEAR(M[i], kFirstRow[i], 1e-11 * kDiagonal[0]);
  }
  const Vector u_dot = accelerations(*system, numbers);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(u_dot[static_cast<Eigen::Index>(i)], kAccelerations[i], 2e-15);
  const Expr T = lower(*system, model::kinetic_energy(*system->model))[0];
  EXPECT_NEAR(numbers.value(T), 1.402389657041235e+02, 1e-12);
}

TEST(Top, HasTheSameAngularAccelerationByAnglesAndByQuaternion) {
  const auto by_angles = *derive(testing::top(testing::Speeds::kDefault));
  const auto by_quaternion = *derive(testing::quaternion_top(testing::Speeds::kDefault));
  const auto by_stated = *derive(testing::quaternion_top(testing::Speeds::kStated));
  std::mt19937_64 generator(5);
  for (int k = 0; k < 20; ++k) {
    const Instant angles = testing::random_instant(*by_angles->model, generator);
    model::TermValues motion(*by_angles->model, angles);
    const FrameId N = Model::newtonian(), T(std::size_t{1});
    const model::JetVector omega = motion.vector(by_angles->model->terms->angular_velocity(T, N), T);
    // Rotations about z, x and z as a product of quaternions, times 1.3, because the norm must have no effect.
    const double a = angles.q[0] / 2, c = angles.q[1] / 2, s = angles.q[2] / 2;
    Instant turned;
    turned.q = {1.3 * std::cos(c) * std::cos(a + s), 1.3 * std::sin(c) * std::cos(a - s),
                1.3 * std::sin(c) * std::sin(a - s), 1.3 * std::cos(c) * std::sin(a + s)};
    const std::vector<double>& e = turned.q;
    const double w[] = {omega[0].value, omega[1].value, omega[2].value};
    turned.q_dot = {-0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]), 0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
                    0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]), 0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0])};
    turned.q_ddot.assign(4, 0.0);
    const auto omega_dot = [&](System& system, const Instant& at) {
      const SystemAt now(system, at);
      const Vector u_dot = accelerations(system, now);
      const auto alpha = lower(system, system.model->terms->angular_acceleration(T, N), T);
      const auto with_u_dot = expr::substitute(alpha, system.u_dot, [&] {
        std::vector<Expr> numbers;
        for (const double x : u_dot) numbers.push_back(system.graph->constant(x));
        return numbers;
      }());
      return now.values(with_u_dot);
    };
    const auto first = omega_dot(*by_angles, angles), second = omega_dot(*by_quaternion, turned),
               third = omega_dot(*by_stated, turned);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(first[i], second[i], 1e-10 * (1.0 + std::fabs(first[i])));
      EXPECT_NEAR(second[i], third[i], 1e-12 * (1.0 + std::fabs(first[i])));
    }
  }
}

TEST(Quaternion, HasThreeSpeedsThatAreItsAngularVelocityAndKeepsItsNorm) {
  const auto system = *derive(testing::quaternion_top(testing::Speeds::kDefault));
  ASSERT_EQ(system->nq(), 4);
  ASSERT_EQ(system->nu(), 3);
  ASSERT_EQ(system->quaternions.size(), 1u);
  EXPECT_EQ(system->quaternions[0], (std::array{0, 1, 2, 3}));
  const auto omega = lower(*system, system->model->terms->angular_velocity(FrameId(std::size_t{1}), Model::newtonian()),
                           FrameId(std::size_t{1}));
  EXPECT_EQ(omega, system->u);
  Expr rate = system->graph->constant(0.0);
  for (std::size_t i = 0; i < 4; ++i) rate += system->q[i] * system->q_dot[i];
  std::mt19937_64 generator(6);
  const SystemAt at(*system, testing::random_instant(*system->model, generator));
  EXPECT_NEAR(at.value(rate), 0.0, 1e-14);
}

TEST(StatedSpeeds, AreTheVectorTheyMeasure) {
  const auto system = *derive(testing::floating_arm(testing::Speeds::kStated));
  model::TermPool& pool = *system->model->terms;
  const FrameId S(std::size_t{1});
  const auto station = system->model->bodies[0].center;
  const auto omega = lower(*system, pool.angular_velocity(S, Model::newtonian()), S);
  const auto v = lower(*system, pool.velocity(station, Model::newtonian()), S);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(omega[k], system->u[k]);
    EXPECT_EQ(v[k], system->u[3 + k]);
  }
}

TEST(RowsOfBodies, AreTheirRelationsDifferentiatedAlongTheMotion) {
  for (const auto speeds : {testing::Speeds::kDefault, testing::Speeds::kStated}) {
    // One constraint with rows of three levels: a position, an angular velocity, and an angular acceleration of the
    // last link.
    auto plain = testing::floating_arm(speeds);
    model::Model& model = const_cast<model::Model&>(*plain);
    model::TermPool& pool = *model.terms;
    const FrameId N = Model::newtonian(), last(model.frames.size() - 1), S(std::size_t{1});
    const PointId O(std::size_t{0}), tip(model.points.size() - 1);
    const auto basis = [&](FrameId frame, int axis) { return pool.basis_vector(frame, axis); };
    model::Constraint constraint;
    constraint.name = "mixed";
    constraint.rows = {pool.norm(pool.position(tip, O)) - pool.time(),
                       pool.dot(pool.position(tip, O), basis(S, 1)),
                       pool.dot(basis(last, 0), basis(S, 2)),
                       pool.dot(pool.velocity(tip, S), basis(last, 1)),
                       pool.dot(pool.angular_velocity(last, N), basis(last, 2)) - pool.time(),
                       pool.dot(pool.angular_acceleration(last, N), basis(S, 0)) - 0.3};
    constraint.level = model::Level::kAcceleration;
    model.constraints.push_back(constraint);
    const auto system = *derive(plain);
    std::mt19937_64 generator(17);
    for (int k = 0; k < 5; ++k) {
      Instant instant = testing::random_instant(model, generator);
      const SystemAt at(*system, instant);
      model::TermValues values(model, instant);
      for (std::size_t i = 0; i < constraint.rows.size(); ++i) {
        const Row& row = system->rows[i];
        const model::Jet jet = values.scalar(constraint.rows[i]);
        const auto A = at.values(row.A.dense());
        double rate = -at.value(row.b), size = 1.0 + std::fabs(rate);
        for (std::size_t r = 0; r < A.size(); ++r) {
          rate += A[r] * at.u_dot[r];
          size += std::fabs(A[r] * at.u_dot[r]);
        }
        const double expected = i < 3 ? jet.second : i < 5 ? jet.rate : jet.value;
        EXPECT_NEAR(rate, expected, 1e-12 * size * (1.0 + (i < 5 ? std::fabs(jet.rate) : 0.0))) << i;
        EXPECT_EQ(row.level, i < 3   ? model::Level::kPosition
                             : i < 5 ? model::Level::kVelocity
                                     : model::Level::kAcceleration);
        if (i < 3) {
          EXPECT_NEAR(at.value(row.phi), jet.value, 1e-11);
          EXPECT_NEAR(at.value(row.psi), jet.rate, 1e-10 * size);
          const auto phi_q = at.values(row.phi_q.dense());
          for (std::size_t r = 0; r < A.size(); ++r) {
            double entry = 0.0;
            for (std::size_t q = 0; q < phi_q.size(); ++q) entry += phi_q[q] * at.value(system->G[q][r]);
            EXPECT_NEAR(A[r], entry, 1e-11 * size);
          }
        }
      }
    }
  }
}

TEST(Partials, AreTakenWithTheOtherCoordinatesAndRatesHeld) {
  for (const auto speeds : {testing::Speeds::kDefault, testing::Speeds::kStated}) {
    for (const auto& build : {testing::quaternion_top, testing::mixed_bodies}) {
      const auto model = build(speeds);
      const auto system = *derive(model);
      model::TermPool& pool = *model->terms;
      const FrameId frame(model->frames.size() - 1);
      const PointId point(model->points.size() - 1);
      const Term of =
          pool.dot(pool.velocity(point, Model::newtonian()), pool.basis_vector(frame, 0)) +
          pool.dot(pool.angular_velocity(frame, Model::newtonian()), pool.basis_vector(Model::newtonian(), 1)) *
              pool.time();
      std::vector<Term> partials{pool.partial(of, pool.time()), pool.rate(of)};
      for (std::size_t i = 0; i < model->coordinates.size(); ++i) {
        for (const int order : {0, 1})
          partials.push_back(pool.partial(of, pool.coordinate(model::CoordinateId(i), order)));
      }
      for (std::size_t r = 0; r < model->speeds.size(); ++r)
        partials.push_back(pool.partial(of, pool.speed(model::SpeedId(r))));
      std::mt19937_64 generator(18);
      Instant instant = testing::random_instant(*model, generator);
      if (model->frames[1].quaternion) {  // the rates must keep the norm
        double along = 0.0, norm = 0.0;
        for (std::size_t i = 0; i < 4; ++i) {
          along += instant.q[i] * instant.q_dot[i];
          norm += instant.q[i] * instant.q[i];
        }
        for (std::size_t i = 0; i < 4; ++i) instant.q_dot[i] -= along / norm * instant.q[i];
      }
      const SystemAt at(*system, instant);
      model::TermValues values(*model, instant);
      for (const Term term : partials) {
        const double expected = values.scalar(term).value;
        EXPECT_NEAR(at.value(lower(*system, term)[0]), expected, 1e-7 * (1.0 + std::fabs(expected)))
            << model::to_text(*model, term) << " " << model->name;
      }
    }
  }
}

TEST(QuarterTurns, LeaveNoTrace) {
  ModelBuilder b("twisted");
  const FrameId A = b.add_rotated_frame("A", Model::newtonian(), b.number(std::numbers::pi / 2), 0);
  const FrameId B = b.add_rotated_frame("B", A, b.number(-std::numbers::pi), 2);
  b.add_coordinate("q");
  const auto system = *derive(testing::finished(b));
  const auto z = lower(*system, system->model->terms->basis_vector(B, 1));
  const double expected[] = {0.0, 0.0, -1.0};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(z[i].is_constant());
    EXPECT_EQ(z[i].value(), expected[i]);
  }
}

TEST(Directed, OneUnitOfEffortExertsItsForcesTorquesAndGeneralizedForces) {
  ModelBuilder b("directed");
  const FrameId N = Model::newtonian();
  const PointId O = b.add_fixed_point("O", N);
  const auto x = b.add_coordinate("x"), a = b.add_coordinate("a"), c = b.add_coordinate("c");
  const FrameId A = b.add_rotated_frame("A", N, b.q(a), 2), B = b.add_rotated_frame("B", A, b.q(c), 2);
  const auto first =
      b.add_body("first", A, b.number(1.0), testing::diagonal_inertia(b, 0.1, 0.2, 0.3), O, b.q(x) * b.axis(N, 0));
  const auto second = b.add_body("second", B, b.number(2.0), testing::diagonal_inertia(b, 0.2, 0.2, 0.3),
                                 b.center_of(first), 0.5 * b.axis(A, 0) + 0.7 * b.axis(B, 0));
  const PointId tip = b.add_point("tip", b.center_of(second), 0.4 * b.axis(B, 1));
  const auto held = b.add_constraint("held", b.terms().dot(b.pos(tip, O), b.axis(N, 1)));
  model::Actuator torque, push;
  torque.torques.push_back({B, 2.0 * b.axis(N, 2), A});
  push.forces.push_back({tip, b.axis(B, 0), O});
  push.generalized.push_back({x, b.number(3.0)});
  push.scale = 5.0;
  b.set_law(held, reaction_laws::directed({torque, push}, true));
  const auto model = testing::finished(b);
  const auto system = *derive(model);
  ASSERT_EQ(system->directed.size(), 1u);
  const DirectedReaction& reaction = system->directed[0];
  EXPECT_EQ(reaction.row_count, 1);
  EXPECT_EQ(reaction.scale, (std::vector{1.0, 5.0}));
  ASSERT_EQ(system->effort.size(), 2u);
  const auto v = partial_velocities(*system, tip);
  const Term effort = model->terms->effort(held, 1);
  EXPECT_EQ(lower(*system, effort)[0], system->effort[1]);
  std::mt19937_64 generator(9);
  const SystemAt at(*system, testing::random_instant(*model, generator));
  const auto torque_gamma = at.values(reaction.Gamma[0]), push_gamma = at.values(reaction.Gamma[1]);
  const auto direction = at.values(lower(*system, model->terms->basis_vector(B, 0)));
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(torque_gamma[r], r == 2 ? 2.0 : 0.0, 1e-15);  // the power of a unit effort is 2 c'
    const auto v_r = at.values(v[r]);
    const double power = v_r[0] * direction[0] + v_r[1] * direction[1] + v_r[2] * direction[2];
    EXPECT_NEAR(push_gamma[r], power + (r == 0 ? 3.0 : 0.0), 1e-14);
  }
}

/// Class of one relation for the angular velocity of a body whose attitude is a quaternion.
RowClass class_of(Term (*relation)(ModelBuilder&, FrameId)) {
  ModelBuilder b("held");
  const FrameId N = Model::newtonian();
  const std::array e{b.add_coordinate("e0"), b.add_coordinate("e1"), b.add_coordinate("e2"), b.add_coordinate("e3")};
  const FrameId B = b.add_quaternion_frame("B", N, e);
  b.add_body("body", B, b.number(1.0), testing::diagonal_inertia(b, 1.0, 2.0, 3.0), b.add_fixed_point("O", N),
             b.terms().zero_vector());
  b.add_constraint("held", relation(b, B));
  const auto system = *derive(testing::finished(b));
  return classify(*system)[0];
}

TEST(Quaternion, NormStaysWhichClosesRowsThatAreIntegrable) {
  // The first row fixes the cosine between B.z and N.z, so it is integrable. The second prescribes a combination of two
  // measure numbers of ω; it is not integrable.
  EXPECT_EQ(class_of([](ModelBuilder& b, FrameId B) {
              return b.terms().dot(b.terms().cross(b.omega(B), b.axis(B, 2)), b.axis(Model::newtonian(), 2));
            }).integrability,
            Integrability::kByItself);
  EXPECT_EQ(class_of([](ModelBuilder& b, FrameId B) {
              return b.terms().dot(b.omega(B), b.axis(B, 2)) - 0.5 * b.terms().dot(b.omega(B), b.axis(B, 0));
            }).integrability,
            Integrability::kNone);
}

// The longest chain that the elaborator allows; it is too long for recursion. The test requests the rotation and
// angular velocity of the last frame first, when no link before it has been evaluated.
TEST(LongChain, IsGoneDownOneByOne) {
  constexpr int kFrames = 20000;
  constexpr double kRate = 1e-4, t = 0.3, q = 0.2, u = 0.7;
  ModelBuilder b("chain");
  FrameId last = b.add_frame("B1", Model::newtonian(), {{2, {}, b.q(b.add_coordinate("q"))}});
  b.add_body("body", last, b.number(1.0), testing::diagonal_inertia(b, 1.0, 1.0, 1.0),
             b.add_fixed_point("O", Model::newtonian()), b.terms().zero_vector());
  for (int i = 2; i <= kFrames; ++i)
    last = b.add_frame("B" + std::to_string(i), last, {{2, {}, b.number(kRate) * b.time()}});
  const auto derived = derive(testing::finished(b));
  ASSERT_TRUE(derived);
  const System& system = **derived;
  Lowering& lowering = *system.lowering;
  const std::vector<Expr> wanted{lowering.rotation(Model::newtonian(), last)[0][0], lowering.angular_velocity(last)[2],
                                 lowering.angular_acceleration(last)[2]};
  const std::vector<Expr> symbols{system.t, system.q[0], system.u[0], system.u_dot[0]};
  const std::vector<double> values = expr::interpret(wanted, symbols, std::vector{t, q, u, -2.0});
  EXPECT_NEAR(values[0], std::cos(q + (kFrames - 1) * kRate * t), 1e-11);
  EXPECT_NEAR(values[1], u + (kFrames - 1) * kRate, 1e-11);
  EXPECT_EQ(values[2], -2.0);
}

}  // namespace
}  // namespace vinculum::equations
