// Compares M u' − f of systems of bodies with Newton's and Euler's equations of every body. The latter are evaluated by
// jets of the definitions (theory.md §1).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "support/equations/bodies.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/traversal.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::Instant;
using model::TermValues;
using testing::SystemAt;
using Vector3 = std::array<double, 3>;

Vector3 number_of(const model::JetVector& jet) { return {jet[0].value, jet[1].value, jet[2].value}; }
Vector3 rate_numbers(const model::JetVector& jet) { return {jet[0].rate, jet[1].rate, jet[2].rate}; }
double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Evaluates Σ v_r·(R − m a) + ω_r·(T − dH/dt) for each speed u_r by jets. G of the system converts speeds to q'.
class NewtonEuler {
 public:
  NewtonEuler(const System& system, const Instant& at)
      : model_(*system.model), pool_(*model_.terms), values_(model_, at) {
    const SystemAt numbers(system, at);
    std::vector<std::vector<double>> G;
    for (const auto& row : system.G) G.push_back(numbers.values(row.dense()));
    for (std::size_t r = 0; r < system.u.size(); ++r) {
      Instant moved = at;
      for (std::size_t i = 0; i < G.size(); ++i) moved.q_dot[i] += G[i][r];
      moved_.push_back(std::make_unique<TermValues>(model_, moved));
    }
    residual.assign(system.u.size(), 0.0);
    add_masses();
    for (const model::Load& load : model_.loads) add_load(load, G);
  }
  std::vector<double> residual;
  double size = 1.0;

 private:
  void add(model::Term velocity, const Vector3& wrench) {
    const Vector3 now = number_of(values_.vector(velocity));
    for (std::size_t r = 0; r < residual.size(); ++r) {
      const Vector3 then = number_of(moved_[r]->vector(velocity));
      const double share = dot({then[0] - now[0], then[1] - now[1], then[2] - now[2]}, wrench);
      residual[r] += share;
      size += std::fabs(share);
    }
  }
  void force(model::PointId point, model::Term F, double sign = 1.0) {
    Vector3 value = number_of(values_.vector(F));
    for (double& x : value) x *= sign;
    add(pool_.velocity(point, model::Model::newtonian()), value);
  }
  void add_masses() {
    const auto N = model::Model::newtonian();
    const auto inert = [&](model::Term velocity, model::Term momentum) {
      Vector3 rate = rate_numbers(values_.vector(momentum));
      for (double& x : rate) x = -x;
      add(velocity, rate);
    };
    for (std::size_t i = 0; i < model_.particles.size(); ++i) {
      inert(pool_.velocity(model_.particles[i].point, N), model::momentum(model_, model::ParticleId(i)));
    }
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const model::BodyId id(i);
      inert(pool_.velocity(model_.bodies[i].center, N), model::momentum(model_, id));
      inert(pool_.angular_velocity(model_.bodies[i].frame, N),
            model::times_inertia(model_, id, pool_.angular_velocity(model_.bodies[i].frame, N)));
    }
  }
  void add_load(const model::Load& load, const std::vector<std::vector<double>>& G) {
    const auto N = model::Model::newtonian();
    if (const auto* gravity = std::get_if<model::Gravity>(&load.what)) {
      for (const auto& particle : model_.particles) force(particle.point, particle.mass * gravity->acceleration);
      for (const auto& body : model_.bodies) force(body.center, body.mass * gravity->acceleration);
    } else if (const auto* stated = std::get_if<model::ForceOn>(&load.what)) {
      force(stated->point, stated->force);
      if (stated->from) force(*stated->from, stated->force, -1.0);
    } else if (const auto* torque = std::get_if<model::TorqueOn>(&load.what)) {
      Vector3 T = number_of(values_.vector(torque->torque));
      add(pool_.angular_velocity(torque->body, N), T);
      for (double& x : T) x = -x;
      if (torque->from) add(pool_.angular_velocity(*torque->from, N), T);
    } else if (const auto* spring = std::get_if<model::SpringBetween>(&load.what)) {
      const model::Term r = pool_.position(spring->first, spring->second);
      const model::Jet length = values_.scalar(pool_.norm(r));
      const double tension =
          values_.scalar(spring->stiffness).value * (length.value - values_.scalar(spring->length).value) +
          values_.scalar(spring->damping).value * length.rate;
      force(spring->first, pool_.unit(r), -tension);
      force(spring->second, pool_.unit(r), tension);
    } else if (const auto* generalized = std::get_if<model::GeneralizedForceOn>(&load.what)) {
      const double D = values_.scalar(generalized->force).value;
      for (std::size_t r = 0; r < residual.size(); ++r) residual[r] += G[generalized->coordinate.index()][r] * D;
    }
  }

  const model::Model& model_;
  model::TermPool& pool_;
  TermValues values_;
  std::vector<std::unique_ptr<TermValues>> moved_;
};

/// Scales the quaternions to norm 1, and removes the change of the norm from their rates.
Instant on_the_sphere(const model::Model& model, Instant at) {
  for (const model::Frame& frame : model.frames) {
    if (!frame.quaternion) continue;
    double norm = 0.0, rate = 0.0;
    for (const auto e : frame.quaternion->e) norm += at.q[e.index()] * at.q[e.index()];
    for (const auto e : frame.quaternion->e) at.q[e.index()] /= std::sqrt(norm);
    for (const auto e : frame.quaternion->e) rate += at.q[e.index()] * at.q_dot[e.index()];
    for (const auto e : frame.quaternion->e) at.q_dot[e.index()] -= rate * at.q[e.index()];
  }
  return at;
}

class Bodies : public ::testing::TestWithParam<std::tuple<testing::Sample, testing::Speeds>> {
 protected:
  Bodies() : system_(*derive(std::get<0>(GetParam()).build(std::get<1>(GetParam())))), model_(*system_->model) {}
  std::shared_ptr<System> system_;
  const model::Model& model_;
};

TEST_P(Bodies, ObeyNewtonAndEuler) {
  std::mt19937_64 generator(31);
  const std::size_t nu = system_->u.size();
  for (int k = 0; k < 5; ++k) {
    // The norms of quaternions are random too, because they have no physical meaning.
    const Instant instant = testing::random_instant(model_, generator);
    const SystemAt at(*system_, instant);
    const NewtonEuler other(*system_, instant);
    const auto M = at.values(system_->M), f = at.values(system_->f);
    double size = other.size;
    for (std::size_t r = 0; r < nu; ++r) {
      for (std::size_t s = 0; s < nu; ++s) size += std::fabs(M[r * nu + s] * at.u_dot[s]);
    }
    for (std::size_t r = 0; r < nu; ++r) {
      double mine = f[r];
      for (std::size_t s = 0; s < nu; ++s) mine -= M[r * nu + s] * at.u_dot[s];
      EXPECT_NEAR(mine, other.residual[r], 1e-13 * size) << model_.speeds[r].name;
    }
  }
}

TEST_P(Bodies, KineticEnergyHasTheMassMatrixAsItsSecondDerivative) {
  const Expr T = lower(*system_, model::kinetic_energy(model_))[0];
  const std::vector<Expr> p = expr::gradient(T, system_->u);
  std::mt19937_64 generator(32);
  for (int k = 0; k < 5; ++k) {
    const SystemAt at(*system_, on_the_sphere(model_, testing::random_instant(model_, generator)));
    const auto M = at.values(system_->M);
    double size = 1.0;
    for (const double entry : M) size = std::max(size, std::fabs(entry));
    const std::size_t nu = system_->u.size();
    for (std::size_t r = 0; r < nu; ++r) {
      const auto row = at.values(expr::gradient(p[r], system_->u));
      for (std::size_t s = 0; s < nu; ++s) EXPECT_NEAR(M[r * nu + s], row[s], 1e-13 * size) << r << " " << s;
    }
    const Matrix as_matrix =
        Eigen::Map<const Matrix>(M.data(), static_cast<Eigen::Index>(nu), static_cast<Eigen::Index>(nu));
    EXPECT_EQ((as_matrix - as_matrix.transpose()).norm(), 0.0);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(as_matrix).eigenvalues().minCoeff(), 0.0);
  }
}

TEST_P(Bodies, RatesOfCoordinatesAreRecoveredFromTheSpeeds) {
  std::mt19937_64 generator(33);
  for (int k = 0; k < 5; ++k) {
    const Instant instant = on_the_sphere(model_, testing::random_instant(model_, generator));
    const SystemAt at(*system_, instant);
    const auto q_dot = at.values(system_->q_dot);
    for (std::size_t i = 0; i < q_dot.size(); ++i) EXPECT_NEAR(q_dot[i], instant.q_dot[i], 1e-11) << i;
  }
}

TEST_P(Bodies, MotionsOfPointsAndFramesAgreeWithJets) {
  model::TermPool& pool = *model_.terms;
  std::vector<model::Term> terms;
  for (std::size_t f = 0; f < model_.frames.size(); ++f) {
    for (std::size_t g = 0; g < model_.frames.size(); g += 2) {
      const model::FrameId frame(f), observer(g);
      terms.push_back(pool.angular_velocity(frame, observer));
      terms.push_back(pool.angular_acceleration(frame, observer));
    }
  }
  for (std::size_t p = 0; p < model_.points.size(); ++p) {
    for (std::size_t g = 0; g < model_.frames.size(); g += 2) {
      terms.push_back(pool.velocity(model::PointId(p), model::FrameId(g)));
      terms.push_back(pool.acceleration(model::PointId(p), model::FrameId(g)));
    }
    terms.push_back(pool.position(model::PointId(p), model::PointId(model_.points.size() / 2)));
  }
  std::mt19937_64 generator(34);
  for (const model::FrameId in : {model::Model::newtonian(), model::FrameId(model_.frames.size() - 1)}) {
    const std::vector<model::FrameId> frames(terms.size(), in);
    const auto lowered = lower_all(*system_, terms, frames);
    const Instant instant = on_the_sphere(model_, testing::random_instant(model_, generator));
    const SystemAt at(*system_, instant);
    TermValues values(model_, instant);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto mine = at.values(lowered[i]);
      const Vector3 other = number_of(values.vector(terms[i], in));
      const double size = 1.0 + std::sqrt(dot(other, other));
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(mine[c], other[c], 1e-11 * size * size) << model::to_text(model_, terms[i]);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Bodies,
                         ::testing::Combine(::testing::ValuesIn(testing::body_samples()),
                                            ::testing::Values(testing::Speeds::kDefault, testing::Speeds::kStated)),
                         [](const auto& each) {
                           return std::get<0>(each.param).name +
                                  (std::get<1>(each.param) == testing::Speeds::kDefault ? "" : "_stated");
                         });

}  // namespace
}  // namespace vinculum::equations
