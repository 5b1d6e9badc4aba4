#include <cmath>

#include "support/motion/test_models.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/reaction_laws/laws.hpp"
#include "vinculum/verify/audit/audit.hpp"

/// Constraints of higher order under the law of Hamilton–Lusternik (theory.md §6.5), compared with closed forms, with
/// ideal motions, and with equations that were reduced by hand.
namespace vinculum::sim {
namespace higher_order_laws_test {

using model::ConstraintId;
using model::CoordinateId;
using model::PointId;
using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::StartCondition;
using testing::StartKind;
using testing::Term;

void start_higher(Sketch& s, std::uint32_t coordinate, int order, double value, StartKind kind = StartKind::kHeld) {
  s.builder.add_start({StartCondition::On::kHigherRate, coordinate, kind, s.number(value), {}, order});
}

/// Sets the law.   \param mu  start values of μ, μ', … of a constraint with one row.
void vakonomic(Sketch& s, ConstraintId constraint, const std::vector<double>& mu) {
  std::vector<Term> starts{s.number(mu[0])};
  std::vector<std::vector<Term>> rates;
  for (std::size_t k = 1; k < mu.size(); ++k) rates.push_back({s.number(mu[k])});
  reaction_laws::set_vakonomic(s.builder, constraint, starts, {}, rates);
}

Term rate(Sketch& s, std::size_t coordinate, int order) {
  return s.builder.terms().coordinate(CoordinateId(coordinate), order);
}

const Sample& end_of(const Trajectory& run) { return run.samples.back(); }

void expect_audited(Dynamics& dynamics, const Trajectory& run) {
  const audit::Audit result = audit::audit(dynamics.binding(), run, {});
  for (const audit::AuditLine& line : result.lines) {
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
        << line.identity << ": " << line.worst << " allowed " << line.allowed << " at " << line.where;
  }
}

/// y after `duration`, integrated by the classical Runge–Kutta method with many steps.
template <class Rate>
Vector integrated(Vector y, double duration, int steps, Rate&& rate) {
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const Vector a = rate(y), b = rate(y + 0.5 * h * a), c = rate(y + 0.5 * h * b), d = rate(y + h * c);
    y += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  return y;
}

/// A particle of mass 1 with the constraint x'' = y'.
Sketch linked(bool is_vakonomic, const char* name = "linked") {
  Sketch s(name);
  s.particle("p", 1.0, 2);
  const ConstraintId link = s.builder.add_constraint("link", rate(s, 0, 2) - rate(s, 1, 1));
  if (is_vakonomic) vakonomic(s, link, {0.0, 0.5});
  s.start_all({0.0, 0.0}, {0.0, 1.0});
  s.builder.add_output("h", model::effective_energy(s.builder.model()));
  return s;
}

TEST(SecondOrder, LinearRelationHasItsClosedFormUnderBothLaws) {
  Dynamics dynamics = linked(true).dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-13));
  ASSERT_FALSE(run.stopped) << reason(run);
  const double e = std::exp(1.0), speed = (3.0 * e + 1.0 / e) / 4.0;
  EXPECT_NEAR(end_of(run).u[1], speed, 1e-10);
  EXPECT_NEAR(end_of(run).u[0], (3.0 * e - 1.0 / e) / 4.0 - 0.5, 1e-10);
  EXPECT_NEAR(end_of(run).z[0], speed - 1.0, 1e-10);
  EXPECT_NEAR(0.5 * end_of(run).u.squaredNorm(), 3.316431755325067, 1e-9);
  for (const Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], 0.5, 1e-11);
  EXPECT_LT(run.worst_residual[0], 1e-13);
  expect_audited(dynamics, run);

  Dynamics gauss = linked(false).dynamics();
  const Trajectory least = simulate(gauss, run_for(1.0, 1e-12));
  EXPECT_NEAR(end_of(least).u[1], 1.0, 1e-12);
  EXPECT_NEAR(end_of(least).u[0], 1.0, 1e-11);
}

TEST(SecondOrder, IsFreeOfTheChoiceOfSpeeds) {
  Sketch s = linked(true, "turned");
  s.builder.add_speed(
      "v", rate(s, 0, 1) * s.number(0.6) + rate(s, 1, 1) * (s.number(0.8) + s.builder.q(CoordinateId(std::size_t{0}))));
  s.builder.add_speed("w", rate(s, 1, 1) * s.number(2.0) - rate(s, 0, 1) * s.builder.terms().time());
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-12));
  ASSERT_FALSE(run.stopped) << reason(run);
  const double e = std::exp(1.0);
  EXPECT_NEAR(end_of(run).q[1], (3.0 * e - 1.0 / e) / 4.0 - 0.5, 1e-9);
  EXPECT_NEAR(end_of(run).q_dot[0], (3.0 * e - 1.0 / e) / 4.0 - 0.5, 1e-9);
  EXPECT_NEAR(end_of(run).outputs[0], 0.5, 1e-9);
  expect_audited(dynamics, run);
}

/// A particle of mass 2 on a spring of stiffness 3. The constraint prescribes the magnitude 1.5 of its acceleration.
Sketch constant_acceleration(double mu, double mu_rate, double jerk, double stiffness = 3.0) {
  Sketch s("size");
  const PointId P = s.particle("p", 2.0, 2);
  s.builder.add_potential(s.number(stiffness / 2.0) * s.square(s.from_origin(P)));
  const ConstraintId size = s.builder.add_constraint("size", (s.square(s.builder.acc(P)) - s.number(2.25)) / 2.0);
  vakonomic(s, size, {mu, mu_rate});
  s.start_all({0.4, -0.3}, {0.2, 0.7});
  start_higher(s, 0, 2, 1.5);
  start_higher(s, 1, 3, jerk, StartKind::kGuess);
  s.builder.add_output("h", model::effective_energy(s.builder.model()));
  return s;
}

TEST(SecondOrder, NonlinearRelationAgreesWithItsReductionByHand) {
  const double jerk = 0.9, mu = 0.8, mu_rate = -0.25;
  Dynamics dynamics = constant_acceleration(mu, mu_rate, jerk).dynamics();
  // Equations reduced by hand, in b = μ a: b'' = m a + k r, a = A b/|b|, with A the prescribed magnitude.
  Vector y(8);
  y << 0.4, -0.3, 0.2, 0.7, mu * 1.5, 0.0, mu_rate * 1.5, mu * jerk;
  const Vector reduced = integrated(y, 2.0, 4000, [](const Vector& at) {
    Vector d(8);
    const Eigen::Vector2d a = 1.5 * at.segment(4, 2).normalized();
    d << at.segment(2, 2), a, at.segment(6, 2), 2.0 * a + 3.0 * at.head(2);
    return d;
  });
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-12));
  ASSERT_FALSE(run.stopped) << reason(run);
  for (Eigen::Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(end_of(run).q[i], reduced[i], 1e-9);
    EXPECT_NEAR(end_of(run).u[i], reduced[2 + i], 1e-9);
    EXPECT_NEAR(end_of(run).reaction.u_dot()[i], 1.5 * reduced.segment(4, 2).normalized()[i], 1e-9);
  }
  EXPECT_NEAR(end_of(run).z[0], reduced.segment(4, 2).norm() / 1.5, 1e-9);
  for (const Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], run.samples.front().outputs[0], 1e-8);
  EXPECT_LT(run.worst_residual[0], 1e-12);
  expect_audited(dynamics, run);
}

TEST(SecondOrder, KeepsWhatItsStateSatisfiesOverALongRun) {
  Dynamics dynamics = constant_acceleration(0.8, -0.25, 0.9).dynamics();
  ASSERT_EQ(dynamics.binding()->system->higher->hidden.size(), 2U);  // conditions on the state: F = 0 and F' = 0
  const Trajectory run = simulate(dynamics, run_for(6.0, 1e-7));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_LT(run.worst_residual[0], 1e-12);
}

TEST(SecondOrder, EndsWhereTheMultiplierPassesThroughZero) {
  // On a line and without the spring μ'' = m, so μ = 1 − 5t + t², which is 0 at (5 − √21)/2.
  Dynamics dynamics = constant_acceleration(1.0, -5.0, 0.0, 0.0).dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-9));
  EXPECT_EQ(kind_of(run), FailureKind::kSingularByMultipliers) << reason(run);
  EXPECT_NEAR(run.stopped->t, (5.0 - std::sqrt(21.0)) / 2.0, 1e-4);
  EXPECT_EQ(run.stopped->constraints, std::vector<int>{0});

  Dynamics at_zero = constant_acceleration(0.0, 1.0, 0.9).dynamics();
  const Trajectory none = simulate(at_zero, run_for(1.0, 1e-9));
  EXPECT_EQ(kind_of(none), FailureKind::kSingularByMultipliers) << reason(none);
  EXPECT_EQ(none.stopped->t, 0.0);
  EXPECT_NE(none.stopped->message.find("`size`"), std::string::npos) << none.stopped->message;
}

TEST(SecondOrder, SaysWhichHeldDerivativeContradictsTheRelation) {
  Sketch s = constant_acceleration(0.8, 0.0, 0.0);
  start_higher(s, 1, 2, 0.5);  // contradicts the magnitude 1.5 of the acceleration, since x'' = 1.5 requires y'' = 0
  Dynamics dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_FALSE(start);
  EXPECT_EQ(start.error().kind, FailureKind::kAssembly);
  EXPECT_EQ(start.error().constraints, std::vector<int>{0});
  EXPECT_NE(start.error().message.find("`size`"), std::string::npos) << start.error().message;
}

TEST(SecondOrder, DoesNotTakeAStartOfWhatTheMotionDetermines) {
  Sketch s = linked(true);
  start_higher(s, 0, 2, 1.0);
  Dynamics dynamics = s.dynamics();
  const auto start = assemble(dynamics);
  ASSERT_FALSE(start);
  EXPECT_EQ(start.error().message, "`px'' = 1` is not free to be stated: in this model px'' follows from the motion");
}

/// A pendulum of length 1 under gravity. The relation of its circle is differentiated `times` times and enforced under
/// Hamilton–Lusternik; for 0 it is an ideal constraint.
Sketch pendulum(int times, const std::vector<double>& mu) {
  Sketch s("pendulum");
  const PointId P = s.particle("p", 1.3, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  Term f = (s.square(s.from_origin(P)) - s.number(1.0)) / 2.0;
  for (int k = 0; k < times; ++k) f = model::time_derivative(s.builder.model(), f);
  const ConstraintId circle = s.builder.add_constraint("circle", f);
  if (times > 0) vakonomic(s, circle, mu);
  s.start_all({1.0, 0.0}, {0.0, 0.5});
  s.builder.add_output("lambda", s.builder.terms().ideal_multiplier(circle, 0));
  // If the relation f is differentiated three times, f'' = 0 is a condition on the start: x'' + x'² + y'² = 0.
  if (times == 3) start_higher(s, 0, 2, -0.25);
  return s;
}

TEST(HolonomicConstraint, DifferentiatedTwiceOrThriceHasTheIdealMotion) {
  Dynamics ideal = pendulum(0, {}).dynamics();
  const Trajectory reference = simulate(ideal, run_for(1.5, 1e-12));
  for (const auto& [times, mu] :
       std::vector<std::pair<int, std::vector<double>>>{{1, {0.4}}, {2, {0.7, -0.4}}, {3, {-0.3, 0.2, 0.5}}}) {
    Dynamics dynamics = pendulum(times, mu).dynamics();
    const Trajectory run = simulate(dynamics, run_for(1.5, 1e-12));
    ASSERT_FALSE(run.stopped) << times << ": " << reason(run);
    ASSERT_EQ(run.samples.size(), reference.samples.size());
    for (std::size_t i = 0; i < run.samples.size(); i += 20) {
      EXPECT_LT((run.samples[i].q - reference.samples[i].q).norm(), 1e-8) << times;
      EXPECT_NEAR(run.samples[i].outputs[0], reference.samples[i].outputs[0], 1e-6) << times;
    }
    expect_audited(dynamics, run);
  }
}

TEST(HolonomicConstraint, DifferentiatedThriceHidesTheEquationsOfMotion) {
  Dynamics dynamics = pendulum(3, {0.0, 0.0, 0.0}).dynamics();
  const equations::HigherOrder& higher = *dynamics.binding()->system->higher;
  std::vector<int> times, orders;
  for (const auto& equation : higher.equations) times.push_back(equation.times);
  for (const auto& unknown : higher.unknowns) orders.push_back(unknown.order);
  EXPECT_EQ(times, (std::vector<int>{1, 1, 0}));
  EXPECT_EQ(orders, (std::vector<int>{3, 3, 4}));
  EXPECT_EQ(higher.unknowns[2].name, "mu(circle)''''");
}

TEST(ThirdOrder, LinearRelationHasItsClosedForm) {
  // The relation x''' = y' has the solution y' = cosh s cos s with s = t/√2.
  Sketch s("jerk");
  s.particle("p", 1.0, 2);
  const ConstraintId link = s.builder.add_constraint("link", rate(s, 0, 3) - rate(s, 1, 1));
  vakonomic(s, link, {0.0, 0.0, 0.0});
  s.start_all({0.0, 0.0}, {0.0, 1.0});
  s.builder.add_output("h", model::effective_energy(s.builder.model()));
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(3.0, 1e-13));
  ASSERT_FALSE(run.stopped) << reason(run);
  const double at = 3.0 / std::sqrt(2.0);
  EXPECT_NEAR(end_of(run).u[1], std::cosh(at) * std::cos(at), 1e-10);
  EXPECT_NEAR(end_of(run).u[0], std::sinh(at) * std::sin(at), 1e-10);
  EXPECT_NEAR(end_of(run).z[0], std::cosh(at) * std::cos(at) - 1.0, 1e-10);
  for (const Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], 0.5, 1e-10);
  expect_audited(dynamics, run);
}

TEST(ThirdOrder, JerkOfConstantSizeAgreesWithItsReductionByHand) {
  Sketch s("jerk");
  const PointId P = s.particle("p", 2.0, 2);
  s.builder.add_potential(s.number(1.5) * s.square(s.from_origin(P)));
  const Term jerk = model::time_derivative(s.builder.model(), s.builder.acc(P));
  const ConstraintId size = s.builder.add_constraint("size", (s.square(jerk) - s.number(6.25)) / 2.0);
  vakonomic(s, size, {0.8, 0.3, -0.2});
  s.start_all({0.4, -0.3}, {0.2, 0.7});
  for (const auto& [coordinate, order, value] : {std::tuple{0U, 2, -0.5}, {1U, 2, 0.3}, {0U, 3, 1.5}})
    start_higher(s, coordinate, order, value);
  start_higher(s, 1, 3, 2.1, StartKind::kGuess);  // a guess; the relation requires 2
  s.builder.add_output("h", model::effective_energy(s.builder.model()));
  Dynamics dynamics = s.dynamics();
  // Equations reduced by hand, in b = μ j: b''' = −m a − k r, j = J b/|b|, with the jerk j of prescribed magnitude J.
  Vector y(12);
  y << 0.4, -0.3, 0.2, 0.7, -0.5, 0.3, 0.8 * 1.5, 0.8 * 2.0, 0.3 * 1.5, 0.3 * 2.0, -0.2 * 1.5, -0.2 * 2.0;
  const Vector reduced = integrated(y, 2.0, 4000, [](const Vector& at) {
    Vector d(12);
    d << at.segment(2, 2), at.segment(4, 2), 2.5 * at.segment(6, 2).normalized(), at.segment(8, 4),
        -2.0 * at.segment(4, 2) - 3.0 * at.head(2);
    return d;
  });
  const Trajectory run = simulate(dynamics, run_for(2.0, 1e-12));
  ASSERT_FALSE(run.stopped) << reason(run);
  for (Eigen::Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(end_of(run).q[i], reduced[i], 1e-9);
    EXPECT_NEAR(end_of(run).u[i], reduced[2 + i], 1e-9);
    EXPECT_NEAR(end_of(run).reaction.u_dot()[i], reduced[4 + i], 1e-9);
  }
  EXPECT_NEAR(end_of(run).z[0], reduced.segment(6, 2).norm() / 2.5, 1e-9);
  for (const Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], run.samples.front().outputs[0], 1e-7);
  EXPECT_LT(run.worst_residual[0], 1e-12);
  expect_audited(dynamics, run);
}

/// A particle of mass 1 on a spring, with the constraint x^(p) = (1 + 0.3 y^2) y'.
Sketch of_order(int p, bool has_stated_speeds) {
  Sketch s("order");
  const PointId P = s.particle("p", 1.0, 2);
  s.builder.add_potential(s.number(0.5) * s.square(s.from_origin(P)));
  if (has_stated_speeds) {
    s.builder.add_speed("v", rate(s, 0, 1) * s.number(0.6) + rate(s, 1, 1) * (s.number(0.8) + rate(s, 0, 0)));
    s.builder.add_speed("w", rate(s, 1, 1) * s.number(2.0) - rate(s, 0, 1) * s.builder.terms().time());
  }
  const Term y = rate(s, 1, 0);
  const ConstraintId link =
      s.builder.add_constraint("link", rate(s, 0, p) - (s.number(1.0) + s.number(0.3) * y * y) * rate(s, 1, 1));
  std::vector<double> mu;
  for (int k = 0; k < p; ++k) mu.push_back(0.2 / (k + 1));
  vakonomic(s, link, mu);
  s.start_all({0.1, -0.2}, {0.3, 0.7});
  for (int k = 2; k < p; ++k) start_higher(s, 0, k, 0.1 * k);
  s.builder.add_output("h", model::effective_energy(s.builder.model()));
  return s;
}

class AnyOrder : public ::testing::TestWithParam<int> {};

// The number of free start values is 2n + m(2p − 2): q, q', μ … μ^(p−1), and the components of q'' … q^(p−1) along
// F_q^(p) (theory.md §6.5).
TEST_P(AnyOrder, HasAsManyStartsAsTheoryCounts) {
  const auto bound = of_order(GetParam(), false).try_compile();
  ASSERT_TRUE(bound) << bound.error().message;
  int free = 0;
  const auto& higher = *(*bound)->compiled->system->higher;
  for (std::size_t i = 0; i < higher.unknowns.size(); ++i) free += higher.unknowns[i].order - higher.equations[i].times;
  EXPECT_EQ(free, 2 * 2 + 2 * GetParam() - 2);
}

// The energy that the constraint stores contains derivatives of μ up to order p, with coefficients that vary along the
// motion.
TEST_P(AnyOrder, KeepsItsEffectiveEnergy) {
  Dynamics dynamics = of_order(GetParam(), false).dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.8, 1e-12));
  ASSERT_FALSE(run.stopped) << reason(run);
  for (const Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], run.samples[0].outputs[0], 1e-9);
  EXPECT_GT(std::abs(0.5 * (end_of(run).u.squaredNorm() + end_of(run).q.squaredNorm()) -
                     0.5 * (run.samples[0].u.squaredNorm() + run.samples[0].q.squaredNorm())),
            1e-3);
  EXPECT_LT(run.worst_residual[0], 1e-12);
  // Speeds that are combinations of the coordinates' rates, so that derivatives of the relation contain both.
  Sketch turned = of_order(GetParam(), true);
  const auto bound = turned.try_compile();
  ASSERT_TRUE(bound) << bound.error().message;
  Dynamics of_turned(*bound);
  const Trajectory other = simulate(of_turned, run_for(0.8, 1e-12));
  ASSERT_FALSE(other.stopped) << reason(other);
  EXPECT_LT((end_of(run).q - end_of(other).q).norm(), 1e-8);
  EXPECT_LT((end_of(run).q_dot - end_of(other).q_dot).norm(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Orders, AnyOrder, ::testing::Values(2, 3, 4, 5));

TEST(HigherOrder, GoesTogetherWithIdealRowsAndStates) {
  // The particle of `linked` in space. In addition: an ideal row that keeps it in a plane and does not affect the
  // motion there, and a state with a first-order lag.
  Sketch s("mixed");
  const PointId P = s.particle("p", 1.0, 3);
  const ConstraintId link = s.builder.add_constraint("link", rate(s, 0, 2) - rate(s, 1, 1));
  vakonomic(s, link, {0.0, 0.5});
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  const ConstraintId plane = s.builder.add_constraint("plane", s.dot(s.from_origin(P), s.axis(2)) - s.number(0.2));
  s.builder.add_state("lag", rate(s, 1, 1) - s.builder.terms().state(model::StateId(std::size_t{2})), s.number(0.0));
  s.builder.add_output("normal", s.builder.terms().multiplier(plane, 0));
  s.builder.add_output("push", model::total_force(s.builder.model(), plane, P));
  s.start_all({0.0, 0.0, 0.2}, {0.0, 1.0, 0.0});
  Dynamics dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-12));
  ASSERT_FALSE(run.stopped) << reason(run);
  const double e = std::exp(1.0);
  EXPECT_NEAR(end_of(run).u[1], (3.0 * e + 1.0 / e) / 4.0, 1e-9);
  EXPECT_NEAR(end_of(run).q[2], 0.2, 1e-13);
  EXPECT_NEAR(end_of(run).outputs[0], 9.81, 1e-11);
  EXPECT_NEAR(end_of(run).outputs[3], 9.81, 1e-11);
  // The state lag' = y' − lag has the solution 3/8 (e^t − e^−t) + t e^−t/4.
  EXPECT_NEAR(end_of(run).z[2], 3.0 / 8.0 * (e - 1.0 / e) + 0.25 / e, 1e-9);
  expect_audited(dynamics, run);
}

TEST(HigherOrder, RefusesWhatItIsNotSolvedWith) {
  Sketch nonideal = linked(true);
  const PointId P = nonideal.builder.point_of(model::ParticleId(std::size_t{0}));
  const ConstraintId plane = nonideal.builder.add_constraint("plane", rate(nonideal, 1, 1) - nonideal.number(1.0));
  nonideal.builder.add_nonideal_force(plane, P, nonideal.axis(0));
  const auto refused = nonideal.try_compile();
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "constraint `link` of higher order under `law vakonomic` is not solved together with non-ideal constraints");
  EXPECT_EQ(refused.error().constraints, std::vector<int>{0});

  Dynamics dynamics = linked(true).dynamics();
  SimulateOptions options = run_for(1.0, 1e-8);
  options.formulation = equations::Formulation::kAugmented;
  EXPECT_EQ(kind_of(simulate(dynamics, options)), FailureKind::kNotUnique);
}

TEST(HigherOrder, NamesAConstraintWhoseLawGivesNoMotion) {
  // A prescribed curvature in the plane: the matrix J is skew-symmetric with three rows, so it is singular.
  Sketch s("curvature");
  s.particle("p", 1.0, 2);
  const Term speed = rate(s, 0, 1) * rate(s, 0, 1) + rate(s, 1, 1) * rate(s, 1, 1);
  const ConstraintId bend =
      s.builder.add_constraint("bend", rate(s, 0, 1) * rate(s, 1, 2) - rate(s, 1, 1) * rate(s, 0, 2) - speed * speed);
  vakonomic(s, bend, {1.0, 0.0});
  s.start_all({0.0, 0.0}, {1.0, 0.5});
  const auto none = s.try_compile();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, FailureKind::kSingularByMultipliers);
  EXPECT_EQ(none.error().constraints, std::vector<int>{0});
  EXPECT_EQ(none.error().message.rfind("the law of `bend` gives no motion: ", 0), 0U) << none.error().message;

  // The relation stated twice gives two equations for x''.
  Sketch twice = linked(true);
  const ConstraintId again = twice.builder.add_constraint("again", (rate(twice, 0, 2) - rate(twice, 1, 1)) * 3.0);
  vakonomic(twice, again, {0.0, 0.0});
  const auto redundant = twice.try_compile();
  ASSERT_FALSE(redundant);
  EXPECT_EQ(redundant.error().kind, FailureKind::kSingularByMultipliers);
}

// All multipliers are unknowns of one linear system. The multiplier of a row that a parameter switches off is
// undetermined.
TEST(HigherOrder, NamesARowThatRestrictsNothing) {
  Sketch s = linked(true);
  const Term off = s.builder.parameter(s.builder.add_parameter("k", 0.0));
  s.builder.add_constraint("row", off * (rate(s, 0, 1) - rate(s, 1, 1)));
  Dynamics dynamics = s.dynamics();
  const Trajectory none = simulate(dynamics, run_for(1.0, 1e-9));
  ASSERT_EQ(kind_of(none), FailureKind::kRankDrop) << reason(none);
  EXPECT_EQ(none.stopped->message.rfind("`row` restricts nothing here", 0), 0U) << reason(none);
  EXPECT_EQ(none.stopped->rows, std::vector<int>{0});  // index of the row; the relation of higher order has no row
}

TEST(HigherOrder, NamesEquationsWithTooFewUnknowns) {
  // Three relations for the accelerations of two coordinates.
  Sketch s("three");
  s.particle("p", 1.0, 2);
  for (int k = 1; k <= 3; ++k) {
    const ConstraintId c = s.builder.add_constraint(
        "c" + std::to_string(k), rate(s, 0, 2) * static_cast<double>(k) - rate(s, 1, 2) * static_cast<double>(k * k));
    vakonomic(s, c, {0.0, 0.0});
  }
  s.start_all({0.0, 0.0}, {1.0, 0.5});
  const auto none = s.try_compile();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, FailureKind::kSingularByMultipliers);
  EXPECT_EQ(none.error().message,
            "the law of `c1`, `c2` and `c3` gives no motion: constraint `c1`, constraint `c2` and constraint `c3`: "
            "3 equations for 2 unknowns, `px'` and `py'`");
}

}  // namespace higher_order_laws_test
}  // namespace vinculum::sim
