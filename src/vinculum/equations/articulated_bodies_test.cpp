// Compares u' of the articulated-body recursion with M and f of Kane's equations. Long plane chains are compared with
// an independent recursion in long double, in newtonian axes.
#include "vinculum/equations/articulated_bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "support/equations/bodies.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/operation_count.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using testing::SystemAt;

std::vector<testing::Sample> trees() {
  std::vector<testing::Sample> all = testing::samples();
  for (testing::Sample& more : testing::body_samples()) all.push_back(std::move(more));
  all.push_back({"long_rods", [](testing::Speeds) { return testing::rods(40, false); }});
  return all;
}

class Articulated : public ::testing::TestWithParam<std::tuple<std::size_t, testing::Speeds>> {
 protected:
  [[nodiscard]] std::shared_ptr<const model::Model> model() const {
    const auto [sample, speeds] = GetParam();
    return trees()[sample].build(speeds);
  }
  /// Whether the model does not count as a tree of articulated bodies: one speed moves several masses relative to their
  /// parents, or the parent and the child of a mass are fixed in the same frame.
  [[nodiscard]] bool is_no_tree() const {
    static const std::set<std::string> always{"mixed_bodies", "rods_by_absolute_angles", "spherical_pendulum"};
    static const std::set<std::string> by_stated_speeds{"double_pendulum", "sliding_rod"};
    const auto [sample, speeds] = GetParam();
    const std::string name = trees()[sample].name;
    return always.contains(name) || (speeds == testing::Speeds::kStated && by_stated_speeds.contains(name));
  }
};

TEST_P(Articulated, AccelerationsSatisfyKanesEquations) {
  const auto system = *derive(model());
  const auto motion = articulated_motion(*system);
  ASSERT_EQ(motion.has_value(), !is_no_tree());
  if (!motion) return;
  std::mt19937_64 generator(17);
  const std::size_t n = system->u.size();
  for (int k = 0; k < 10; ++k) {
    const SystemAt at(*system, testing::random_instant(*system->model, generator));
    const auto M = at.values(system->M), f = at.values(system->f), u_dot = at.values(motion->u_dot);
    EXPECT_LE(at.value(motion->contraction), 0.0);
    for (std::size_t r = 0; r < n; ++r) {
      double missed = f[r], size = std::fabs(f[r]);
      for (std::size_t s = 0; s < n; ++s) {
        missed -= M[r * n + s] * u_dot[s];
        size += std::fabs(M[r * n + s] * u_dot[s]);
      }
      EXPECT_NEAR(missed, 0.0, 1e-12 * size);
    }
  }
}

TEST_P(Articulated, LockedSpeedsRestByTheForcesThatAreMissing) {
  const auto system = *derive(model());
  const std::size_t n = system->u.size();
  std::vector<Expr> free;
  for (std::size_t r = 0; r < n; ++r) free.push_back(system->graph->symbol("free " + std::to_string(r)));
  const auto motion = articulated_motion(*system, free);
  if (!motion) return;
  std::mt19937_64 generator(18);
  for (int k = 0; k < 6; ++k) {
    std::vector<Expr> is_free;
    for (std::size_t r = 0; r < n; ++r)
      is_free.push_back(system->graph->constant(k > 0 && generator() % 2 == 0 ? 0 : 1));
    const SystemAt at(*system, testing::random_instant(*system->model, generator));
    const auto M = at.values(system->M), f = at.values(system->f);
    const auto u_dot = at.values(expr::substitute(motion->u_dot, free, is_free));
    const auto force = at.values(expr::substitute(motion->lock_force, free, is_free));
    for (std::size_t r = 0; r < n; ++r) {
      double missed = f[r] + force[r], size = std::fabs(f[r]) + std::fabs(force[r]);
      for (std::size_t s = 0; s < n; ++s) {
        missed -= M[r * n + s] * u_dot[s];
        size += std::fabs(M[r * n + s] * u_dot[s]);
      }
      EXPECT_NEAR(missed, 0.0, 1e-9 * size) << r;
      EXPECT_EQ((is_free[r].value() == 0.0 ? u_dot : force)[r], 0.0) << r;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Articulated,
                         ::testing::Combine(::testing::Range(std::size_t{0}, trees().size()),
                                            ::testing::Values(testing::Speeds::kDefault, testing::Speeds::kStated)),
                         [](const auto& of) {
                           const bool is_stated = std::get<1>(of.param) == testing::Speeds::kStated;
                           return trees()[std::get<0>(of.param)].name + (is_stated ? "_stated" : "");
                         });

TEST(ArticulatedBodies, AreFoundWhereSpeedsMoveOneMassEach) {
  const auto finds = [](const std::shared_ptr<const model::Model>& model) {
    return articulated_motion(**derive(model)).has_value();
  };
  // These models are not trees. In two of them the same angles rotate two masses relative to each other. With absolute
  // angles, each speed of the rods moves its own rod and the next rod relative to it.
  const std::vector<std::string> others{"spherical_pendulum", "mixed_bodies", "rods_by_absolute_angles"};
  for (const testing::Sample& sample : trees()) {
    EXPECT_EQ(finds(sample.build(testing::Speeds::kDefault)), std::ranges::find(others, sample.name) == others.end())
        << sample.name;
  }
  model::ModelBuilder b("idle");
  const auto O = b.add_fixed_point("O", model::Model::newtonian());
  const auto x = b.add_coordinate("x");
  b.add_coordinate("y");
  b.add_particle("P", b.number(1.0), O, b.q(x) * b.axis(model::Model::newtonian(), 0));
  EXPECT_FALSE(finds(testing::finished(b)));  // y moves no mass
}

/// Computes u' of the model `testing::rods` with relative angles, by a plane recursion.
std::vector<long double> by_plane_recursion(const std::vector<double>& q, const std::vector<double>& u) {
  using Three = std::array<long double, 3>;  // components of a twist or wrench: rotation, x, y
  struct Link {
    long double omega = 0;
    std::array<long double, 2> rod{};
    std::array<Three, 3> I{};
    Three p{}, U{}, c{};
    long double D = 0, e = 0;
  };
  const std::size_t n = q.size();
  std::vector<Link> links(n);
  long double angle = 0, omega = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Link& link = links[i];
    if (i > 0) {
      link.c = {0, -omega * omega * links[i - 1].rod[0], -omega * omega * links[i - 1].rod[1]};
    } else {
      link.c = {0, 0, 9.81L};
    }
    angle += q[i];
    omega += u[i];
    link.omega = omega;
    link.rod = {std::cos(angle), std::sin(angle)};
    const long double x = 0.5L * link.rod[0], y = 0.5L * link.rod[1];
    link.I = {{{0.1 + 0.25L, -y, x}, {-y, 1, 0}, {x, 0, 1}}};
    link.p = {0, -omega * omega * x, -omega * omega * y};
  }
  for (std::size_t i = n; i-- > 0;) {
    Link& link = links[i];
    link.U = link.I[0];
    link.D = link.I[0][0];
    link.e = -link.p[0] / link.D;
    if (i == 0) break;
    std::array<Three, 3> I = link.I;
    Three p = link.p;
    for (std::size_t r = 0; r < 3; ++r) {
      p[r] += link.U[r] * link.e;
      for (std::size_t s = 0; s < 3; ++s) I[r][s] -= link.U[r] * link.U[s] / link.D;
    }
    for (std::size_t r = 0; r < 3; ++r) p[r] += I[r][1] * link.c[1] + I[r][2] * link.c[2];
    Link& before = links[i - 1];
    const std::array<Three, 3> X{{{1, 0, 0}, {-before.rod[1], 1, 0}, {before.rod[0], 0, 1}}};
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t a = 0; a < 3; ++a) {
        before.p[r] += X[a][r] * p[a];
        for (std::size_t s = 0; s < 3; ++s) {
          for (std::size_t b = 0; b < 3; ++b) before.I[r][s] += X[a][r] * I[a][b] * X[b][s];
        }
      }
    }
  }
  std::vector<long double> u_dot;
  Three a{};
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) a = {a[0], a[1] - a[0] * links[i - 1].rod[1], a[2] + a[0] * links[i - 1].rod[0]};
    for (std::size_t r = 0; r < 3; ++r) a[r] += links[i].c[r];
    const Three& U = links[i].U;
    u_dot.push_back(links[i].e - (U[0] * a[0] + U[1] * a[1] + U[2] * a[2]) / links[i].D);
    a[0] += u_dot.back();
  }
  return u_dot;
}

void expect_long_double(int n) {
  const auto system = *derive(testing::rods(n, false));
  const auto motion = articulated_motion(*system);
  ASSERT_TRUE(motion);
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Expr> symbols{system->t}, outputs = motion->u_dot;
  symbols.insert(symbols.end(), system->q.begin(), system->q.end());
  symbols.insert(symbols.end(), system->u.begin(), system->u.end());
  outputs.push_back(motion->contraction);
  for (int k = 0; k < 3; ++k) {
    std::vector<double> q, u, state{0.0};
    for (int i = 0; i < n; ++i) q.push_back(3.0 * uniform(generator));
    for (int i = 0; i < n; ++i) u.push_back(2.0 * uniform(generator));
    state.insert(state.end(), q.begin(), q.end());
    state.insert(state.end(), u.begin(), u.end());
    const std::vector<double> values = expr::interpret(outputs, symbols, state);
    const std::vector<long double> exact = by_plane_recursion(q, u);
    long double largest = 0, error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      largest = std::max(largest, std::fabs(exact[i]));
      error = std::max(error, std::fabs(exact[i] - values[i]));
    }
    EXPECT_LE(static_cast<double>(error / largest), 1e-13);
    EXPECT_LE(values.back(), 0.0);
  }
}

TEST(ArticulatedBodies, OfAChainOf100AreRightTo13Digits) { expect_long_double(100); }
TEST(ArticulatedBodies, OfAChainOf1000AreRightTo13Digits) { expect_long_double(1000); }

TEST(ArticulatedBodies, TakeTheSameOperationsForEveryFurtherRod) {
  const auto operations = [](int n) {
    const auto system = *derive(testing::rods(n, false));
    auto motion = articulated_motion(*system);
    motion->u_dot.push_back(motion->contraction);
    std::vector<Expr> inputs = system->q;
    inputs.insert(inputs.end(), system->u.begin(), system->u.end());
    return static_cast<double>(expr::operation_count(motion->u_dot, inputs));
  };
  const double of_20 = operations(20), of_40 = operations(40), of_60 = operations(60);
  EXPECT_EQ(of_60 - of_40, of_40 - of_20);
  EXPECT_LE(of_60 - of_40, 20 * 80.0);
}

/// Two hinged rods. The second has the mass m and an inertia proportional to m.
std::shared_ptr<const model::Model> light_leaf(double m) {
  model::ModelBuilder b("light_leaf");
  const auto N = model::Model::newtonian();
  const auto A = b.add_rotated_frame("A", N, b.q(b.add_coordinate("q1")), 2);
  const auto B = b.add_rotated_frame("B", A, b.q(b.add_coordinate("q2")), 2);
  const auto O = b.add_fixed_point("O", N);
  const auto mass = b.parameter(b.add_parameter("m", m)), zero = b.number(0.0);
  b.add_body("first", A, b.number(1.0), testing::diagonal_inertia(b, 0.01, 0.1, 0.1), O, 0.5 * b.axis(A, 0));
  const auto J = b.add_point("J", O, b.axis(A, 0));
  b.add_body("second", B, mass, {0.01 * mass, 0.1 * mass, 0.1 * mass, zero, zero, zero}, J, 0.5 * b.axis(B, 0));
  return testing::finished(b);
}

TEST(ArticulatedBodies, WithoutMassAreNotTrusted) {
  std::mt19937_64 generator(3);
  for (const double m : {0.0, 1e-3}) {
    const auto system = *derive(light_leaf(m));
    const auto motion = articulated_motion(*system);
    ASSERT_TRUE(motion);
    const SystemAt at(*system, testing::random_instant(*system->model, generator));
    EXPECT_EQ(at.value(motion->contraction) <= 0.0, m > 0.0);
  }
}

TEST(ArticulatedBodies, OfTwoSpeedsThatMoveAMassAlikeAreNotTrusted) {
  // A universal joint in the configuration in which its two axes coincide.
  model::ModelBuilder b("locked");
  const auto N = model::Model::newtonian();
  const auto q1 = b.add_coordinate("q1"), q2 = b.add_coordinate("q2"), q3 = b.add_coordinate("q3");
  const auto F =
      b.add_frame("F", N, {{2, model::Term{}, b.q(q1)}, {0, model::Term{}, b.q(q2)}, {2, model::Term{}, b.q(q3)}});
  b.add_body("top", F, b.number(1.0), testing::diagonal_inertia(b, 0.2, 0.3, 0.1), b.add_fixed_point("O", N),
             0.5 * b.axis(F, 2));
  const auto system = *derive(testing::finished(b));
  const auto motion = articulated_motion(*system);
  ASSERT_TRUE(motion);
  model::Instant at;
  at.q = {0.3, 1e-9, 0.2};
  at.q_dot = at.q_ddot = {0.0, 0.0, 0.0};
  EXPECT_FALSE(SystemAt(*system, at).value(motion->contraction) <= 0.0);
  at.q[1] = 0.5;
  EXPECT_LE(SystemAt(*system, at).value(motion->contraction), 0.0);
}

}  // namespace
}  // namespace vinculum::equations
