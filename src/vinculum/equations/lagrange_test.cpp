// Compares M and f of Kane's equations, symbolically, with M and f of Lagrange's equations, which follow from the
// energies (theory.md §1).
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "support/equations/models.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/equations/kane.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using testing::SystemAt;

/// M = ∂²L/∂q'², f = D + ∂L/∂q − (∂²L/∂q'∂q) q' − ∂²L/∂q'∂t of a system with u = q'.
struct Lagrange {
  std::vector<Expr> M, f;
};

/// \param D  [nq] generalized forces without a potential.
Lagrange lagrange(System& system, const std::vector<Expr>& D) {
  const model::Model& model = *system.model;
  const Expr T = lower(system, model::kinetic_energy(model))[0];
  const Expr V = lower(system, model::potential_energy(model))[0];
  const Expr L = T - V;
  Lagrange result;
  const std::vector<Expr> p = expr::gradient(L, system.u), L_q = expr::gradient(L, system.q);
  for (std::size_t r = 0; r < p.size(); ++r) {
    const std::vector<Expr> row = expr::gradient(p[r], system.u), p_q = expr::gradient(p[r], system.q);
    result.M.insert(result.M.end(), row.begin(), row.end());
    Expr f = D[r] + L_q[r] - expr::derivative(p[r], system.t);
    for (std::size_t i = 0; i < p_q.size(); ++i) f -= p_q[i] * system.u[i];
    result.f.push_back(f);
  }
  return result;
}

/// Generalized forces of the loads without potential, derived by hand for each sample, in coordinates q with speeds q'.
std::vector<Expr> forces_without_potential(System& system, const std::string& name) {
  std::vector<Expr> D(system.q.size(), system.graph->constant(0.0));
  if (name != "double_pendulum") return D;
  const model::Model& model = *system.model;
  model::TermPool& pool = *model.terms;
  const model::PointId O(std::size_t{0}), P1(std::size_t{1}), P2(std::size_t{2});
  const auto virtual_work = [&](model::PointId point, model::Term force) {
    const std::vector<Expr> r = lower(system, pool.position(point, O)), F = lower(system, force);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<Expr> slope = expr::gradient(r[i], system.q);
      for (std::size_t k = 0; k < D.size(); ++k) D[k] += slope[k] * F[i];
    }
  };
  const model::Term push = 0.5 * pool.basis_vector(model::FrameId(std::size_t{2}), 1);
  virtual_work(P1, push);
  virtual_work(P2, -push);
  // Dissipation function of the damper ½ c (d|r|/dt)²: D = −c (d|r|/dt) ∂|r|/∂q.
  const Expr length = lower(system, pool.norm(pool.position(P2, O)))[0];
  const std::vector<Expr> slope = expr::gradient(length, system.q);
  Expr rate = system.graph->constant(0.0);
  for (std::size_t i = 0; i < D.size(); ++i) rate += slope[i] * system.u[i];
  for (std::size_t i = 0; i < D.size(); ++i) D[i] -= 0.2 * rate * slope[i];
  D[1] -= 0.3 * system.u[1];
  return D;
}

class KaneAndLagrange : public ::testing::TestWithParam<testing::Sample> {};

TEST_P(KaneAndLagrange, GiveTheSameMassMatrixAndForce) {
  const auto system = *derive(GetParam().build(testing::Speeds::kDefault));
  const Lagrange other = lagrange(*system, forces_without_potential(*system, GetParam().name));
  std::mt19937_64 generator(11);
  for (int k = 0; k < 20; ++k) {
    const SystemAt at(*system, testing::random_instant(*system->model, generator));
    const auto M = at.values(system->M), M_other = at.values(other.M);
    const auto f = at.values(system->f), f_other = at.values(other.f);
    for (std::size_t i = 0; i < M.size(); ++i) EXPECT_NEAR(M[i], M_other[i], 1e-13 * (1.0 + std::fabs(M[i])));
    for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(f[i], f_other[i], 2e-12 * (1.0 + std::fabs(f[i])));
  }
}

TEST_P(KaneAndLagrange, StatedSpeedsTransformBothAsTheyShould) {
  // M_u = GᵀMG and f_u = Gᵀ[f − M(G'u + g')], where G'u + g' is q'' at u' = 0.
  const auto plain = *derive(GetParam().build(testing::Speeds::kDefault));
  const auto stated = *derive(GetParam().build(testing::Speeds::kStated));
  const auto n = static_cast<Eigen::Index>(plain->q.size());
  const model::Model& model = *stated->model;
  std::vector<Expr> q_ddot;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    q_ddot.push_back(lower(*stated, model.terms->coordinate(model::CoordinateId(i), 2))[0]);
  }
  const std::vector<Expr> bias =
      expr::substitute(q_ddot, stated->u_dot, std::vector<Expr>(q_ddot.size(), stated->graph->constant(0.0)));
  std::mt19937_64 generator(12);
  for (int k = 0; k < 20; ++k) {
    const auto instant = testing::random_instant(*plain->model, generator);
    const SystemAt at_plain(*plain, instant), at_stated(*stated, instant);
    const auto as_matrix = [n](const std::vector<double>& v) {
      return Matrix(Eigen::Map<const Matrix>(v.data(), n, n).transpose());
    };
    const auto as_vector = [](const std::vector<double>& v) {
      return Vector(Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size())));
    };
    Matrix G(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      G.row(i) = as_vector(at_stated.values(stated->G[static_cast<std::size_t>(i)].dense())).transpose();
    }
    const Matrix M = as_matrix(at_plain.values(plain->M)), M_u = as_matrix(at_stated.values(stated->M));
    const Vector f = as_vector(at_plain.values(plain->f)), f_u = as_vector(at_stated.values(stated->f));
    const double size = 1.0 + G.norm() * G.norm() * (M.norm() + f.norm() + as_vector(at_stated.values(bias)).norm());
    EXPECT_LT((M_u - G.transpose() * M * G).norm(), 1e-13 * size);
    EXPECT_LT((f_u - G.transpose() * (f - M * as_vector(at_stated.values(bias)))).norm(), 1e-12 * size);
    // q' follows from the stated speeds
    const Vector q_dot = as_vector(at_stated.values(stated->q_dot));
    EXPECT_LT((q_dot - as_vector(instant.q_dot)).norm(), 1e-12 * (1.0 + G.norm() * q_dot.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, KaneAndLagrange, ::testing::ValuesIn(testing::samples()),
                         [](const auto& each) { return each.param.name; });

class ScleronomicSystems : public ::testing::TestWithParam<testing::Sample> {};

TEST_P(ScleronomicSystems, ChangeTheirEnergyByThePowerOfWhatHasNoPotential) {
  const auto system = *derive(GetParam().build(testing::Speeds::kDefault));
  const model::Model& model = *system->model;
  const model::Term energy = model::kinetic_energy(model) + model::potential_energy(model);
  const std::vector<Expr> D = forces_without_potential(*system, GetParam().name);
  std::mt19937_64 generator(13);
  for (int k = 0; k < 10; ++k) {
    auto instant = testing::random_instant(model, generator);
    const SystemAt at(*system, instant);
    const auto n = static_cast<Eigen::Index>(instant.q.size());
    const auto M = at.values(system->M), f = at.values(system->f), d = at.values(D);
    const Vector u_dot =
        Eigen::Map<const Matrix>(M.data(), n, n).partialPivLu().solve(Eigen::Map<const Vector>(f.data(), n));
    instant.q_ddot.assign(u_dot.data(), u_dot.data() + n);
    double power = 0.0;
    for (std::size_t i = 0; i < d.size(); ++i) power += d[i] * instant.q_dot[i];
    model::TermValues values(model, instant);
    EXPECT_NEAR(values.scalar(energy).rate, power, 1e-10 * (1.0 + std::fabs(power) + u_dot.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, ScleronomicSystems,
                         ::testing::Values(testing::Sample{"double_pendulum", testing::double_pendulum},
                                           testing::Sample{"sliding_rod", testing::sliding_rod}),
                         [](const auto& each) { return each.param.name; });

TEST(Derive, CartesianAndAngularPendulumsHaveTheSameKineticEnergy) {
  // M of the Cartesian model is the constant diagonal matrix of the masses. With the Jacobian J of x(q), JᵀMJ must
  // equal M of the angular model.
  model::ModelBuilder b("cartesian");
  const model::FrameId N = model::Model::newtonian();
  std::vector<model::Term> x;
  for (const char* name : {"x1", "y1", "x2", "y2"}) x.push_back(b.q(b.add_coordinate(name)));
  const model::PointId O = b.add_fixed_point("O", N);
  b.add_particle("P1", b.number(1.3), O, x[0] * b.axis(N, 0) + x[1] * b.axis(N, 1));
  b.add_particle("P2", b.number(0.6), O, x[2] * b.axis(N, 0) + x[3] * b.axis(N, 1));
  const auto cartesian = *derive(*b.finish());
  const std::vector<double> masses{1.3, 1.3, 0.6, 0.6};
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t s = 0; s < 4; ++s) {
      ASSERT_TRUE(cartesian->M[4 * r + s].is_constant());
      EXPECT_EQ(cartesian->M[4 * r + s].value(), r == s ? masses[r] : 0.0);
    }
    EXPECT_TRUE(cartesian->f[r].is_zero());
  }

  const auto angular = *derive(testing::double_pendulum(testing::Speeds::kDefault));
  std::mt19937_64 generator(14);
  const auto instant = testing::random_instant(*angular->model, generator);
  const SystemAt at(*angular, instant);
  const auto M = at.values(angular->M);
  const model::PointId P1(std::size_t{1}), P2(std::size_t{2});
  std::vector<std::array<Expr, 3>> v1 = partial_velocities(*angular, P1), v2 = partial_velocities(*angular, P2);
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t s = 0; s < 2; ++s) {
      double sum = 0.0;
      for (std::size_t i = 0; i < 2; ++i) {
        sum +=
            masses[0] * at.value(v1[r][i]) * at.value(v1[s][i]) + masses[2] * at.value(v2[r][i]) * at.value(v2[s][i]);
      }
      EXPECT_NEAR(M[2 * r + s], sum, 1e-13);
    }
  }
}

TEST(Derive, ASpringPullsWhenLongerThanItsLength) {
  model::ModelBuilder b("spring");
  const model::FrameId N = model::Model::newtonian();
  const auto x = b.add_coordinate("x");
  const model::PointId O = b.add_fixed_point("O", N);
  const model::PointId P = b.point_of(b.add_particle("P", b.number(1.0), O, b.q(x) * b.axis(N, 0)));
  b.add_spring(O, P, b.number(3.0), b.number(1.0), b.number(0.5));
  const auto system = *derive(*b.finish());
  const SystemAt at(*system, model::Instant{0.0, {2.5}, {0.4}, {0.0}, {}, {}});
  EXPECT_NEAR(at.value(system->f[0]), -3.0 * 1.5 - 0.5 * 0.4, 1e-14);
}

}  // namespace
}  // namespace vinculum::equations
