#include "vinculum/equations/constraint_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/equations/models.hpp"
#include "vinculum/equations/describe.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using expr::Op;
using model::Level;
using testing::SystemAt;

/// Two particles on rotated frames, with rows of every level. Many rows depend on time or are nonlinear in the
/// velocities.
class RowsTest : public ::testing::TestWithParam<testing::Speeds> {
 protected:
  void SetUp() override {
    model::ModelBuilder b("rows");
    model::TermPool& pool = b.terms();
    const auto N = model::Model::newtonian();
    std::vector<model::CoordinateId> q;
    for (const char* name : {"q1", "q2", "q3", "q4", "q5"}) q.push_back(b.add_coordinate(name));
    const model::Term t = b.time(), x = b.q(q[0]), y = b.q(q[1]), z = b.q(q[2]), a = b.q(q[3]), c = b.q(q[4]);
    const auto A = b.add_rotated_frame("A", N, a + 0.3 * t, 2);
    const auto B = b.add_rotated_frame("B", A, c, 0);
    const auto Nx = b.axis(N, 0), Ny = b.axis(N, 1), Nz = b.axis(N, 2);
    const auto O = b.add_fixed_point("O", N);
    const auto P = b.point_of(b.add_particle("P", b.number(1.0), O, x * Nx + y * Ny + z * Nz));
    const auto Q = b.point_of(b.add_particle("Q", b.number(2.0), P, 0.7 * b.axis(B, 1)));
    const auto tip = b.add_point("tip", Q, 0.4 * b.axis(B, 2));
    if (GetParam() == testing::Speeds::kStated) {
      b.add_speed("u1", pool.dot(b.vel(P), b.axis(A, 0)));
      b.add_speed("u2", pool.dot(b.vel(P), b.axis(A, 1)) - t * b.q_dot(q[4]));
      b.add_speed("w", 2.0 * b.q_dot(q[3]) + b.q_dot(q[4]) + 1.0);
    }
    const auto v = b.vel(P), w = b.vel(Q);
    const auto squared = [&](model::Term s) { return pool.function(Op::kPower, s, b.number(2.0)); };
    b.add_constraint("distance", pool.norm(b.pos(Q, O)) - 1.0 - 0.2 * t);
    b.add_constraint("wire", b.pos(P, O) - b.sin(t) * b.axis(A, 0), std::vector<model::Term>{Nx, b.axis(B, 1)});
    b.add_constraint("bare", x * y - b.cos(t) * a);
    b.add_constraint("parallel", pool.dot(v, pool.cross(Nz, w)));
    b.add_constraint("cone", squared(pool.dot(v, Nx)) + squared(pool.dot(w, Ny)) - t * squared(pool.dot(v, Nz)));
    b.add_constraint("speed", pool.norm(w) - 2.0 - t);
    b.add_constraint("blade", pool.dot(b.vel(tip), b.axis(B, 0)) - 0.1 * b.q_dot(q[3]));
    b.add_constraint("seen", pool.dot(b.vel(Q, A), b.axis(A, 0)));
    b.add_constraint("pull", pool.dot(b.acc(Q), b.axis(B, 1)) + pool.dot(v, w) - t);
    b.add_constraint("fall", pool.dot(b.acc(P), Nz) + b.terms().coordinate(q[3], 2) * x);
    system_ = *derive(*b.finish());
  }

  std::shared_ptr<System> system_;
  std::mt19937_64 generator_{3};
};

TEST_P(RowsTest, ReadAUDotMinusBAsTheRowsOwnRate) {
  // Independent computation: jets of the relation along a random motion, which need not satisfy the constraints.
  const model::Model& model = *system_->model;
  ASSERT_EQ(system_->rows.size(), 11u);
  for (int k = 0; k < 10; ++k) {
    const auto instant = testing::random_instant(model, generator_);
    const SystemAt at(*system_, instant);
    model::TermValues values(model, instant);
    for (const Row& row : system_->rows) {
      const model::Constraint& constraint = model.constraint(row.constraint);
      const model::Jet jet = values.scalar(constraint.rows[static_cast<std::size_t>(row.index)]);
      const std::vector<double> A = at.values(row.A.dense());
      double left = -at.value(row.b), size = 1.0 + std::fabs(left);
      for (std::size_t r = 0; r < A.size(); ++r) {
        left += A[r] * at.u_dot[r];
        size += std::fabs(A[r] * at.u_dot[r]);
      }
      const double expected = row.level == Level::kPosition   ? jet.second
                              : row.level == Level::kVelocity ? jet.rate
                                                              : jet.value;
      ASSERT_TRUE(std::isfinite(expected)) << constraint.name;
      EXPECT_NEAR(left, expected, 1e-12 * size) << constraint.name;
      if (row.level == Level::kPosition) {
        EXPECT_NEAR(at.value(row.phi), jet.value, 1e-14 * size) << constraint.name;
        EXPECT_NEAR(at.value(row.psi), jet.rate, 1e-13 * size) << constraint.name;
      } else if (row.level == Level::kVelocity) {
        EXPECT_NEAR(at.value(row.psi), jet.value, 1e-13 * size) << constraint.name;
      }
    }
  }
}

TEST_P(RowsTest, GradientsAgreeWithDifferences) {
  const auto instant = testing::random_instant(*system_->model, generator_);
  const double step = 1e-6;
  for (const Row& row : system_->rows) {
    if (row.level != Level::kPosition) continue;
    const std::vector<double> phi_q = SystemAt(*system_, instant).values(row.phi_q.dense());
    for (std::size_t i = 0; i < phi_q.size(); ++i) {
      auto plus = instant, minus = instant;
      plus.q[i] += step;
      minus.q[i] -= step;
      const double difference =
          (SystemAt(*system_, plus).value(row.phi) - SystemAt(*system_, minus).value(row.phi)) / (2.0 * step);
      EXPECT_NEAR(phi_q[i], difference, 1e-8);
    }
  }
}

TEST_P(RowsTest, ForcesAtParticlesAndBarePartsMakeUpTheRow) {
  // Theory §5.3: Σ v_r·W + (contribution of coordinates outside of vectors)_r = A_r. The rows named here contain no
  // such coordinates.
  const model::Model& model = *system_->model;
  const std::vector<std::string> without_bare{"distance", "parallel", "cone", "speed", "pull"};
  for (const Row& row : system_->rows) {
    const model::Constraint& constraint = model.constraint(row.constraint);
    const auto inspection = model::inspect_row(model, constraint.rows[static_cast<std::size_t>(row.index)], row.level);
    const bool expects_none =
        std::find(without_bare.begin(), without_bare.end(), constraint.name) != without_bare.end();
    EXPECT_EQ(inspection.has_bare_part, !expects_none) << constraint.name;

    std::vector<Expr> sum(system_->u.size(), system_->graph->constant(0.0));
    for (const auto& reaction : inspection.forces) {
      const auto W = lower(*system_, reaction.W);
      const auto partials = partial_velocities(*system_, reaction.point);
      for (std::size_t r = 0; r < sum.size(); ++r) {
        for (std::size_t i = 0; i < 3; ++i) sum[r] += partials[r][i] * W[i];
      }
    }
    const std::vector<Expr> bare = bare_part(*system_, row);
    for (int k = 0; k < 5; ++k) {
      const SystemAt at(*system_, testing::random_instant(model, generator_));
      for (std::size_t r = 0; r < sum.size(); ++r) {
        const double A = at.value(row.A[r]), rest = at.value(bare[r]);
        if (!inspection.has_bare_part) {
          EXPECT_TRUE(bare[r].is_zero()) << constraint.name;
        }
        EXPECT_NEAR(at.value(sum[r]) + rest, A, 1e-12 * (1.0 + std::fabs(A))) << constraint.name;
      }
    }
  }
}

TEST_P(RowsTest, ReactionsOfARowOfSecondDegreeHaveTwiceItsPower) {
  const model::Model& model = *system_->model;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    if (model.constraints[c].name != "parallel") continue;
    const model::ConstraintId id(c);
    const auto instant = testing::random_instant(model, generator_);
    const SystemAt at(*system_, instant);
    // ψ = v·(z × w) is homogeneous of second degree in (v, w), so Σ W·v = 2ψ.
    model::TermValues values(model, instant);
    const double psi = values.scalar(model.constraints[c].rows[0]).value;
    const double power = at.value(lower(*system_, model::power_of_constraint(model, id))[0]);
    EXPECT_NEAR(power, 2.0 * instant.lambda[c][0] * psi, 1e-13 * (1.0 + std::fabs(power)));
  }
}

TEST_P(RowsTest, LoweredTermsAgreeWithJets) {
  const model::Model& model = *system_->model;
  model::TermPool& pool = *model.terms;
  const auto frame = [](std::size_t i) { return model::FrameId(i); };
  const model::PointId P(std::size_t{1}), Q(std::size_t{2}), tip(std::size_t{3});
  const std::vector<model::Term> terms{
      pool.position(tip, P),
      pool.velocity(tip, frame(0)),
      pool.velocity(Q, frame(2)),
      pool.acceleration(tip, frame(0)),
      pool.acceleration(Q, frame(1)),
      pool.acceleration(P, frame(2)),
      pool.angular_velocity(frame(2), frame(0)),
      pool.angular_velocity(frame(0), frame(2)),
      pool.angular_acceleration(frame(2), frame(1)),
      pool.angular_acceleration(frame(2), frame(0)),
      pool.angular_acceleration(frame(1), frame(2)),
      pool.unit(pool.cross(pool.position(Q, P), pool.velocity(P, frame(1)))),
      pool.multiplier(model::ConstraintId(std::size_t{1}), 1) * pool.basis_vector(frame(2), 1)};
  for (const auto& term : terms) {
    for (const auto components : {frame(0), frame(1), frame(2)}) {
      const auto lowered = lower(*system_, term, components);
      const auto instant = testing::random_instant(model, generator_);
      const SystemAt at(*system_, instant);
      const auto expected = model::TermValues(model, instant).vector(term, components);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(at.value(lowered[i]), expected[i].value, 1e-11 * (1.0 + std::fabs(expected[i].value)))
            << model::to_text(model, term);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Speeds, RowsTest, ::testing::Values(testing::Speeds::kDefault, testing::Speeds::kStated),
                         [](const auto& each) {
                           return each.param == testing::Speeds::kDefault ? "Default" : "Stated";
                         });

TEST(ConstraintRows, NonlinearInTheAccelerationsAreLinearisedAtThem) {
  model::ModelBuilder b("jankowski");
  const auto N = model::Model::newtonian();
  const auto x = b.add_coordinate("x"), y = b.add_coordinate("y");
  const auto O = b.add_fixed_point("O", N);
  const auto P = b.point_of(b.add_particle("P", b.number(1.0), O, b.q(x) * b.axis(N, 0) + b.q(y) * b.axis(N, 1)));
  b.add_constraint("thrust", b.terms().dot(b.acc(P), b.acc(P)) - 1.0);
  const auto system = derive(*b.finish());
  ASSERT_TRUE(system.has_value());
  EXPECT_TRUE((*system)->has_nonlinear_rows);
  const Row& row = (*system)->rows.front();
  ASSERT_TRUE(row.chi.is_valid());
  const std::vector<expr::Expr> roots{row.chi, row.A[0], row.A[1], row.b};
  const std::vector<double> u_dot{3.0, -4.0};
  const std::vector<double> values = expr::interpret(roots, (*system)->u_dot, u_dot);
  EXPECT_EQ(values[0], 24.0);
  EXPECT_EQ(values[1], 6.0);
  EXPECT_EQ(values[2], -8.0);
  EXPECT_EQ(values[3], 6.0 * 3.0 + 8.0 * 4.0 - 24.0);
}

TEST(ConstraintRows, NonidealForcesEnterCAtTheirPoints) {
  model::ModelBuilder b("drag");
  const auto N = model::Model::newtonian();
  const auto x = b.add_coordinate("x"), y = b.add_coordinate("y"), z = b.add_coordinate("z");
  const auto O = b.add_fixed_point("O", N);
  const auto P = b.point_of(b.add_particle("P", b.number(1.0), O, b.q(x) * b.axis(N, 0) + b.q(y) * b.axis(N, 1)));
  const auto Q = b.point_of(b.add_particle("Q", b.number(1.0), P, b.q(z) * b.axis(N, 0)));
  const auto row = b.add_constraint("row", b.terms().dot(b.vel(P), b.axis(N, 1)));
  b.add_nonideal_force(row, P, 2.0 * b.axis(N, 0) + 5.0 * b.axis(N, 1), Q);
  b.add_nonideal(row, {model::GeneralizedForceOn{z, b.number(7.0)}, {}});
  const auto system = *derive(*b.finish());
  EXPECT_TRUE(system->has_nonideal);
  ASSERT_EQ(system->C.size(), 3u);
  // x moves both particles by the same amount, so the pair of forces does no work
  EXPECT_EQ(system->C[0].value(), 0.0);
  EXPECT_EQ(system->C[1].value(), 0.0);
  EXPECT_EQ(system->C[2].value(), -2.0 + 7.0);  // z moves only Q
}

// Σ force(c, P)·∂v_P/∂u_r is an independent way to compute Aᵀλ + C. The test uses a pendulum in polar
// coordinates with friction.
TEST(GeneralizedForce, IsThePowerOfTheForcesOfTheConstraintPerSpeed) {
  model::ModelBuilder b("pendulum");
  const model::FrameId N = model::Model::newtonian();
  const auto r = b.add_coordinate("r"), a = b.add_coordinate("a");
  const model::FrameId A = b.add_rotated_frame("A", N, b.q(a), 2);
  const model::PointId O = b.add_fixed_point("O", N);
  const model::PointId P = b.point_of(b.add_particle("P", b.number(2.0), O, -(b.q(r) * b.axis(A, 1))));
  b.add_speed("u", b.q_dot(a) + 0.5 * b.q_dot(r));
  const auto rod = b.add_constraint("rod", b.terms().norm(b.pos(P, O)) - 3.0);
  const auto other = b.add_constraint("other", b.terms().dot(b.vel(P), b.axis(N, 0)));
  b.add_nonideal_force(rod, P, -0.5 * b.vel(P));
  const auto model = *b.finish();
  const auto system = *derive(model);
  std::mt19937_64 generator(5);
  for (int sample = 0; sample < 5; ++sample) {
    const testing::SystemAt at(*system, testing::random_instant(*model, generator));
    const auto partials = partial_velocities(*system, P);
    for (const model::ConstraintId c : {rod, other}) {
      const std::vector<expr::Expr> force = lower(*system, model::total_force(*model, c, P));
      for (std::size_t k = 0; k < system->u.size(); ++k) {
        expr::Expr power = system->graph->constant(0.0);
        for (std::size_t i = 0; i < 3; ++i) power += partials[k][i] * force[i];
        const model::Term stated = model->terms->generalized_force(c, model::SpeedId(k));
        EXPECT_NEAR(at.value(lower(*system, stated)[0]), at.value(power), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace vinculum::equations
