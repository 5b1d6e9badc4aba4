#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace linearize_test {

using Complex = std::complex<double>;

Settings interpreted() {
  Settings settings;
  settings.backend = Backend::kTape;
  settings.cache = "";
  return settings;
}

Model model_from(const std::string& text) {
  auto model = Model::from_text(text, interpreted());
  EXPECT_TRUE(model) << model.error().text();
  return *std::move(model);
}
Model model_file(const std::string& name) {
  auto model = Model::load(std::string(VINCULUM_MODELS) + "/" + name + ".vin", interpreted());
  EXPECT_TRUE(model) << model.error().text();
  return *std::move(model);
}

Linearization linearized(const Model& model, const LinearizeOptions& options = {}) {
  auto system = model.linearize(options);
  EXPECT_TRUE(system) << system.error().text();
  return *std::move(system);
}
Linearization at_equilibrium(const Model& model, EquilibriumOptions search = {}, LinearizeOptions options = {}) {
  const auto state = model.equilibrium(search);
  EXPECT_TRUE(state) << state.error().text();
  options.state = *state;
  return linearized(model, options);
}

std::vector<std::string> names(const std::vector<Entity>& entities) {
  std::vector<std::string> all;
  for (const Entity& one : entities) all.push_back(one.name);
  return all;
}

/// Distance of the nearest eigenvalue, relative to the size of the value.
double miss(const Linearization& system, Complex value) {
  double best = INFINITY;
  for (const Complex one : system.eigenvalues) best = std::min(best, std::abs(one - value));
  return best / std::max(1.0, std::abs(value));
}

constexpr const char* kCartesian = R"(model cartesian
frame N newtonian
point O fixed in N
param m1 = 1.3 [kg], m2 = 0.7 [kg], l1 = 0.9 [m], l2 = 0.6 [m], g = 9.81 [m/s^2]
coord x1, y1, x2, y2 [m]
particle P1 mass m1 at O + x1*N.x + y1*N.y
particle P2 mass m2 at O + x2*N.x + y2*N.y
gravity -g*N.y
constraint upper: dot(pos(P1, O), pos(P1, O)) = l1^2LAW
constraint lower: dot(pos(P2, P1), pos(P2, P1)) = l2^2LAW
MORE
start x1 = 0, x2 = 0, y1 ~ -0.9, y2 ~ -1.5
run 1 [s]
)";

std::string cartesian(const std::string& law = "", const std::string& more = "") {
  std::string text = kCartesian;
  for (std::size_t at; (at = text.find("LAW")) != std::string::npos;) text.replace(at, 3, law);
  return text.replace(text.find("MORE"), 4, more);
}

/// ω² of the hanging double pendulum: l1 l2 m1 ω⁴ − g M (l1 + l2) ω² + g² M = 0 with M = m1 + m2.
std::vector<double> frequencies() {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 0.6, g = 9.81, M = m1 + m2;
  const double a = l1 * l2 * m1, b = g * M * (l1 + l2), c = g * g * M;
  const double root = std::sqrt(b * b - 4.0 * a * c);
  return {std::sqrt((b - root) / (2.0 * a)), std::sqrt((b + root) / (2.0 * a))};
}

TEST(Linearize, FindsTheModesOfAHangingDoublePendulumInCartesianCoordinates) {
  const Linearization system = linearized(model_from(cartesian()));
  EXPECT_EQ(system.reference, "equilibrium");
  EXPECT_EQ(system.stability, "undecided");
  EXPECT_EQ(names(system.variables), (std::vector<std::string>{"x1", "x2", "x1'", "x2'"}));
  EXPECT_TRUE(system.zeros.empty());
  ASSERT_EQ(system.eigenvalues.size(), 4u);
  for (const double frequency : frequencies()) {
    EXPECT_LT(miss(system, {0.0, frequency}), tolerance::kZero);
    EXPECT_LT(miss(system, {0.0, -frequency}), tolerance::kZero);
  }
}

TEST(Linearize, IsNotAffectedByRedundantConstraints) {
  const Linearization system =
      linearized(model_from(cartesian("",
                                      "constraint again: 3*dot(pos(P1, O), pos(P1, O)) = 3*l1^2\n"
                                      "constraint rate: dot(pos(P2, P1), vel(P2) - vel(P1)) = 0")));
  ASSERT_EQ(system.eigenvalues.size(), 4u);
  for (const double frequency : frequencies()) EXPECT_LT(miss(system, {0.0, frequency}), tolerance::kIdentity);
}

TEST(Linearize, IsTheSameUnderAVakonomicLawOfHolonomicConstraints) {
  const Linearization system = linearized(model_from(cartesian("\n    law vakonomic")));
  EXPECT_EQ(system.reference, "steady motion") << "the multipliers grow with time, but nothing depends on them";
  ASSERT_EQ(system.eigenvalues.size(), 4u);
  for (const double frequency : frequencies()) EXPECT_LT(miss(system, {0.0, frequency}), tolerance::kIdentity);
  ASSERT_EQ(system.zeros.size(), 2u);
  for (const auto& zero : system.zeros) EXPECT_EQ(zero.why, "ignorable");
}

/// Eigenvectors are checked by their definition.
void expect_modes(const Linearization& system) {
  const auto n = static_cast<std::size_t>(system.A.rows), modes = system.eigenvalues.size();
  for (std::size_t k = 0; k < modes; ++k) {
    Complex product = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      Complex right = 0.0, left = 0.0;
      double right_size = 1.0, left_size = 1.0;
      for (std::size_t j = 0; j < n; ++j) {
        const double a = system.A(static_cast<int>(i), static_cast<int>(j));
        const double b = system.A(static_cast<int>(j), static_cast<int>(i));
        right += a * system.right[j * modes + k];
        left += b * system.left[k * n + j];
        right_size += std::abs(a * system.right[j * modes + k]);
        left_size += std::abs(b * system.left[k * n + j]);
      }
      EXPECT_LT(std::abs(right - system.eigenvalues[k] * system.right[i * modes + k]), tolerance::kUnique * right_size);
      EXPECT_LT(std::abs(left - system.eigenvalues[k] * system.left[k * n + i]), tolerance::kUnique * left_size);
      product += system.left[k * n + i] * system.right[i * modes + k];
    }
    EXPECT_LT(std::abs(product - 1.0), tolerance::kUnique);
  }
}

TEST(Linearize, RightAndLeftModesAreEigenvectorsOfTheWholeMatrix) {
  expect_modes(linearized(model_from(cartesian())));
  expect_modes(linearized(model_from(cartesian("\n    law vakonomic"))));
  expect_modes(linearized(*model_file("bicycle").with({{"push", 0}})));
}

constexpr const char* kOscillator = R"(model oscillator
frame N newtonian
point O fixed in N
param m = 2 [kg], k = 50 [N/m], c = 3 [N*s/m], F = 0 [N], half = F/2
coord x [m]
particle P mass m at O + x*N.x
force on P = (half - k*x - c*x' + F)*N.x
output force = k*x + c*x'
output acceleration = acc(P) in N
start x = 0.1
run 1 [s]
)";

TEST(Linearize, GivesInputsAndOutputsOfADampedOscillator) {
  const Linearization system = at_equilibrium(model_from(kOscillator), {}, {{}, {"F", "k"}, {"force", "acceleration"}});
  EXPECT_EQ(system.stability, "stable");
  const double m = 2.0, k = 50.0, c = 3.0;
  EXPECT_LT(miss(system, {-c / (2.0 * m), std::sqrt(k / m - c * c / (4.0 * m * m))}), tolerance::kZero);
  EXPECT_EQ(system.A.values, (std::vector<double>{0.0, 1.0, -k / m, -c / m}));
  // `half` follows F, and k has no effect where x = 0
  EXPECT_EQ(system.B.values, (std::vector<double>{0.0, 0.0, 1.5 / m, 0.0}));
  EXPECT_EQ(names(system.outputs),
            (std::vector<std::string>{"force", "acceleration.x", "acceleration.y", "acceleration.z"}));
  EXPECT_EQ(system.C.values, (std::vector<double>{k, c, -k / m, -c / m, 0.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(system.D.values, (std::vector<double>{0.0, 0.0, 1.5 / m, 0.0, 0.0, 0.0, 0.0, 0.0}));
}

TEST(Linearize, AnInputStatementIsAColumnOfB) {
  std::string text = kOscillator;
  text.replace(text.find("F = 0 [N], half = F/2"), 21, "half = 1 [N]\ninput F [N] = 0.5 [N]");
  const Linearization system = linearized(model_from(text), {{}, {"F"}, {}});
  EXPECT_EQ(system.variables.size(), 2u);
  EXPECT_EQ(system.B.values, (std::vector<double>{0.0, 0.5}));
}

TEST(Linearize, FindsTheEigenvaluesOfTheWhippleBicycleFromTheUnreducedModel) {
  // Meijaard, Papadopoulos, Ruina & Schwab 2007, table 2; digits from the formulas of its appendix A with 40 digits
  std::ifstream file(std::string(VINCULUM_SOURCE) + "/tests/reference/whipple_bicycle_linear.csv");
  const Model model = model_file("bicycle");
  std::string line;
  int speeds = 0;
  while (std::getline(file, line)) {
    std::istringstream stream(line);
    double number[5];
    char comma = 0;
    for (double& one : number) stream >> one >> comma;
    const auto [v, weave_re, weave_im, capsize, castering] = number;
    if (line.starts_with("v") || v == 0.0) continue;  // at rest there is no weave: four real values
    ++speeds;
    const Linearization system = linearized(*model.with({{"push", 0}, {"v", v}}));
    EXPECT_EQ(system.reference, "steady motion");
    ASSERT_EQ(system.eigenvalues.size(), 4u) << v;
    EXPECT_EQ(system.zeros.size(), 8u);
    for (const Complex value :
         {Complex(weave_re, weave_im), Complex(weave_re, -weave_im), Complex(capsize), Complex(castering)})
      EXPECT_LT(miss(system, value), tolerance::kUnique) << v;
    const bool is_stable = v > 4.2923825363411040 && v < 6.0242620153883589;
    EXPECT_EQ(system.stability, is_stable ? "stable apart from zeros" : "unstable") << v;
  }
  EXPECT_EQ(speeds, 10);
}

TEST(Linearize, FindsTheCriticalSpinOfARollingDisk) {
  // lean'' = (4 g/(5 r) − (12/5) spin²) lean; the limit is spin² = g/(3 r)
  std::string text = R"(model disk
frame N newtonian
point O fixed in N
param m = 1 [kg], r = 0.5 [m], g = 9.81 [m/s^2], factor = 1
coord x, y, z [m], yaw, lean, spin [rad]
frame A = N rotated yaw about z
frame L = A rotated lean about x
frame D = L rotated spin about y
body wheel frame D mass m inertia (m*r^2/4, m*r^2/2, m*r^2/4) at O + x*N.x + y*N.y + z*N.z
speed u1 = dot(omega(D), L.x) [rad/s], u2 = dot(omega(D), L.y) [rad/s], u3 = dot(omega(D), L.z) [rad/s]
gravity -g*N.z
point contact on wheel = center(wheel) - r*L.z
constraint roll: vel(contact) = 0 along A.x, A.y, N.z
start lean = 0, z = r, u1 = 0, u3 = 0, u2 = factor*sqrt(g/(3*r)), x' ~ 0, y' ~ 0, z' ~ 0
run 1 [s]
)";
  const Model model = model_from(text);
  for (const double factor : {0.5, 0.999, 1.001, 2.0}) {
    const Linearization system = linearized(*model.with({{"factor", factor}}));
    EXPECT_EQ(system.reference, "steady motion");
    EXPECT_EQ(system.stability, factor < 1.0 ? "unstable" : "undecided") << factor;
    const double square = 4.0 * 9.81 / (5.0 * 0.5) * (1.0 - factor * factor);
    ASSERT_EQ(system.eigenvalues.size(), 2u) << factor;
    EXPECT_LT(miss(system, std::sqrt(Complex(square))), tolerance::kUnique) << factor;
  }
}

TEST(Linearize, RecognizesASteadyTurnInWhichVelocitiesTurn) {
  const Linearization system = linearized(model_file("rolling_disk_steady"));
  EXPECT_EQ(system.reference, "steady motion");
  // lean'' = u1' = (4 g/r sin lean + 6 u2 u3 − u3² tan lean)/5, u2' = −2/3 u1 u3, u3' = −2 u1 u2 + u1 u3 tan lean
  const double lean = 0.3, u2 = -3.9968647771169819589, u3 = 0.95533648912560601964, g = 9.81, r = 0.5;
  const double stiffness = (4.0 * g / r * std::cos(lean) - u3 * u3 / (std::cos(lean) * std::cos(lean))) / 5.0;
  const double by_u2 = 6.0 * u3 / 5.0, by_u3 = (6.0 * u2 - 2.0 * u3 * std::tan(lean)) / 5.0;
  const double square = stiffness - by_u2 * 2.0 / 3.0 * u3 + by_u3 * (-2.0 * u2 + u3 * std::tan(lean));
  ASSERT_EQ(system.eigenvalues.size(), 2u);
  EXPECT_LT(miss(system, {0.0, std::sqrt(-square)}), tolerance::kUnique);
}

TEST(Linearize, FindsTheBoundOfASleepingTop) {
  // stable if (C n)² > 4 A M g l with A about the fixed point
  const std::string text = R"(model top
frame N newtonian
point O fixed in N
param m = 2 [kg], g = 9.81 [m/s^2], l = 0.3 [m], A = 0.05 [kg*m^2], C = 0.02 [kg*m^2], n = 100 [rad/s]
coord a, b, spin [rad]
frame F = N rotated a about x
frame G = F rotated b about y
frame B = G rotated spin about z
point P = O + 0*B.z
body top frame B mass m inertia (A, A, C) at P + l*B.z
gravity -g*N.z
start a = 0, b = 0, spin = 0, a' = 0, b' = 0, spin' = n
run 1 [s]
)";
  const Model model = model_from(text);
  const double about = 0.05 + 2.0 * 0.3 * 0.3, weight = 2.0 * 9.81 * 0.3, C = 0.02;
  const double bound = std::sqrt(4.0 * about * weight) / C;
  for (const double factor : {0.5, 0.999, 1.001, 3.0}) {
    const double n = factor * bound;
    const Linearization system = linearized(*model.with({{"n", n}}));
    EXPECT_EQ(system.reference, "steady motion");
    EXPECT_EQ(system.stability, factor < 1.0 ? "unstable" : "undecided") << factor;
    // A λ² ∓ i C n λ − M g l = 0
    const Complex root = std::sqrt(Complex(4.0 * about * weight - C * C * n * n));
    const Complex value = (Complex(0.0, C * n) + root) / (2.0 * about);
    EXPECT_LT(miss(system, value), tolerance::kHalfDigits) << factor;
    EXPECT_EQ(system.zeros.size(), 2u);
  }
}

/// A blade with springs along x and about its contact; y is held by the blade.
constexpr const char* kSprungBlade = R"(model blade
param m = 2 [kg], J = 0.5 [kg*m^2], k = 30 [N/m], c = 4 [N*m/rad], p = 1.5 [kg*m/s]
coord x, y [m], th [rad]
lagrangian m/2*(x'^2 + y'^2) + J/2*th'^2 - k/2*x^2 - c/2*th^2
constraint blade: sin(th)*x' - cos(th)*y' = 0LAW
start x = 0, y = 0, th = 0, x' = 0, th' = 0
run 1 [s]
)";

TEST(Linearize, FindsThatAVakonomicMultiplierCouplesABlade) {
  std::string ideal = kSprungBlade, vakonomic = kSprungBlade;
  ideal.replace(ideal.find("LAW"), 3, "");
  vakonomic.replace(vakonomic.find("LAW"), 3, "\n    law vakonomic start mu = p");
  const double m = 2.0, J = 0.5, k = 30.0, c = 4.0, p = 1.5;
  const Linearization without = linearized(model_from(ideal));
  ASSERT_EQ(without.eigenvalues.size(), 4u);
  EXPECT_LT(miss(without, {0.0, std::sqrt(k / m)}), tolerance::kZero);
  EXPECT_LT(miss(without, {0.0, std::sqrt(c / J)}), tolerance::kZero);
  // L + mu (th x' − y'): m x'' + k x + p th' = 0, J th'' + c th − p x' = 0, so (m s + k)(J s + c) + p² s = 0, s = λ²
  const Linearization with = linearized(model_from(vakonomic));
  EXPECT_EQ(with.reference, "equilibrium");
  ASSERT_EQ(with.eigenvalues.size(), 4u);
  const double b = m * c + k * J + p * p, root = std::sqrt(b * b - 4.0 * m * J * k * c);
  for (const double sign : {-1.0, 1.0})
    EXPECT_LT(miss(with, {0.0, std::sqrt((b + sign * root) / (2.0 * m * J))}), tolerance::kIdentity);
  EXPECT_EQ(with.zeros.size(), 2u) << "y and mu";
}

/// Compares A with differences of the rates at neighboring states y ± h T e_j, which satisfy the constraints up to h².
void expect_differences(const Model& model, const Linearization& system) {
  auto evaluator = model.evaluator();
  ASSERT_TRUE(evaluator) << evaluator.error().text();
  std::vector<double> y = system.state.q;
  y.insert(y.end(), system.state.u.begin(), system.state.u.end());
  y.insert(y.end(), system.state.z.begin(), system.state.z.end());
  std::vector<std::size_t> independent;
  for (const Entity& variable : system.variables)
    independent.push_back(static_cast<std::size_t>(std::ranges::find(system.components, variable.name, &Entity::name) -
                                                   system.components.begin()));
  const auto rates = [&](int column, double h) {
    std::vector<double> at = y, y_dot(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) at[i] += h * system.T(static_cast<int>(i), column);
    const auto done = evaluator->derivative(system.state.t, at, y_dot);
    EXPECT_TRUE(done) << model.name() << ": " << done.error().text();
    return y_dot;
  };
  double largest = 1.0;
  for (const double entry : system.A.values) largest = std::max(largest, std::abs(entry));
  for (int j = 0; j < system.A.columns; ++j) {
    constexpr double h = 1e-5;
    const std::vector<double> up = rates(j, h), down = rates(j, -h);
    for (int i = 0; i < system.A.rows; ++i) {
      const std::size_t row = independent[static_cast<std::size_t>(i)];
      double of_frame = 0.0;  // A is the one in a moving frame
      for (int k = 0; k < system.S.columns; ++k) of_frame += system.S(static_cast<int>(row), k) * system.T(k, j);
      EXPECT_NEAR(system.A(i, j) + of_frame, (up[row] - down[row]) / (2.0 * h), tolerance::kBeside * largest)
          << model.name() << ": " << system.variables[static_cast<std::size_t>(i)].name << " by "
          << system.variables[static_cast<std::size_t>(j)].name;
    }
  }
}

TEST(Linearize, AgreesWithDifferencesInEveryModelAndUnderEveryLaw) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin") continue;
    const Model model = model_file(entry.path().stem());
    const auto system = model.linearize();
    if (!system) {
      EXPECT_TRUE(system.error().kind == "not-linear" || !model.forces(*model.assemble())) << system.error().text();
      continue;
    }
    expect_differences(model, *system);
    ++models;
  }
  EXPECT_GE(models, 120);
}

TEST(Linearize, HasNoVariablesIfEverythingIsPrescribed) {
  const Linearization system = linearized(model_file("prescribed_motion"));
  EXPECT_TRUE(system.variables.empty());
  EXPECT_TRUE(system.eigenvalues.empty());
  EXPECT_NE(system.text().find("0 independent variables: none"), std::string::npos) << system.text();
}

TEST(Linearize, LeavesQuaternionNormsOut) {
  const Linearization system = linearized(model_file("heavy_top"));
  EXPECT_EQ(system.variables.size(), 6u) << "three of four components, three speeds";
}

TEST(Linearize, SaysThatAMotionIsNoSteadyState) {
  const Linearization system = linearized(model_file("double_pendulum_redundant"));
  EXPECT_EQ(system.reference, "motion");
  EXPECT_EQ(system.stability, "unknown");
  EXPECT_NE(system.text().find("neither an equilibrium nor steady"), std::string::npos);
}

TEST(Linearize, CountsAFreeParticleAsADrift) {
  const Linearization system =
      linearized(model_from("model free\nparam k = 1\ncoord x, y\n"
                            "lagrangian (x'^2 + y'^2)/2 - k*(x - y)^2/2\nrun 1\n"));
  ASSERT_EQ(system.eigenvalues.size(), 2u);
  EXPECT_LT(miss(system, {0.0, std::sqrt(2.0)}), tolerance::kZero);
  ASSERT_EQ(system.zeros.size(), 2u);
  EXPECT_EQ(system.zeros[0].why, "family");
  EXPECT_EQ(system.zeros[1].why, "drift");
  EXPECT_NEAR(system.zeros[0].direction[0], system.zeros[0].direction[1], tolerance::kZero);
  EXPECT_EQ(system.stability, "undecided");
}

Error refused(const Model& model, const LinearizeOptions& options = {}) {
  const auto system = model.linearize(options);
  EXPECT_FALSE(system);
  return system ? Error() : system.error();
}

TEST(Linearize, RefusesWhatHasNoLinearSystem) {
  const Error friction = refused(model_file("friction_in_a_bearing"));
  EXPECT_EQ(friction.kind, "not-linear");
  EXPECT_NE(friction.message.find("constraint `pin`"), std::string::npos) << friction.message;
  const Error corner =
      refused(model_from("model corner\ncoord x\nlagrangian x'^2/2\n"
                         "generalized force on x = -abs(x)\nrun 1\n"));
  EXPECT_EQ(corner.kind, "not-linear");
  EXPECT_NE(corner.message.find("abs(x)"), std::string::npos) << corner.message;
  const Error length = refused(model_from(cartesian()), {{}, {"l1"}, {}});
  EXPECT_EQ(length.kind, "not-linear");
  EXPECT_NE(length.message.find("parameter `l1` occurs in constraint `upper`"), std::string::npos) << length.message;
}

TEST(Linearize, RefusesAnUndeterminedAcceleration) {
  EXPECT_EQ(refused(model_file("appell_hamel_undetermined")).kind, "undetermined");
}

TEST(Linearize, RefusesASingularConfiguration) {
  // a flat parallelogram: the three gradients are parallel to the bars and span two directions
  const std::string text = R"(model flat
frame N newtonian
point O fixed in N
point A = O + 2 [m]*N.x
coord x, y, a, b [m]
particle P mass 1 [kg] at O + x*N.x + y*N.y
particle Q mass 1 [kg] at O + a*N.x + b*N.y
gravity -9.81 [m/s^2]*N.y
constraint first: norm(pos(P, O)) = 1 [m]
constraint coupler: norm(pos(Q, P)) = 2 [m]
constraint second: norm(pos(Q, A)) = 1 [m]
start x = 1 [m]*cos(turn), y = 1 [m]*sin(turn), a = 1 [m]*(2 + cos(turn)), b = 1 [m]*sin(turn)
run 1 [s]
)";
  std::string flat = text, bent = text;
  for (std::size_t at; (at = flat.find("(turn)")) != std::string::npos;) flat.replace(at, 6, "(0)");
  for (std::size_t at; (at = bent.find("(turn)")) != std::string::npos;) bent.replace(at, 6, "(-pi/2)");
  EXPECT_EQ(refused(model_from(flat)).kind, "rank-drop");
  const Linearization hanging = linearized(model_from(bent));
  ASSERT_EQ(hanging.eigenvalues.size(), 2u);
  EXPECT_LT(miss(hanging, {0.0, std::sqrt(9.81)}), tolerance::kIdentity);
}

TEST(Linearize, RefusesNamesThatDoNotExist) {
  const Model model = model_from(kOscillator);
  EXPECT_EQ(refused(model, {{}, {"G"}, {}}).kind, "call");
  EXPECT_EQ(refused(model, {{}, {}, {"forces"}}).message, "the model has no output `forces`; did you mean `force`?");
  EXPECT_EQ(refused(model, {State{0.0, {0.0, 1.0}, {0.0}, {}}, {}, {}}).kind, "call");
  const Error off = refused(model_from(cartesian()), {State{0.0, {1, 1, 1, 1}, {0, 0, 0, 0}, {}}, {}, {}});
  EXPECT_EQ(off.kind, "call") << "the state violates the constraints";
}

TEST(Linearize, KeepsTheContactsOfTheStart) {
  const std::string text = R"(model stop
frame N newtonian
point O fixed in N
param m = 1 [kg], k = 9 [N/m]
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
force on P = -k*x*N.x - m*9.81 [m/s^2]*N.y
constraint floor: y >= 0
    restitution 0
start x = 0, y = 0
run 1 [s]
)";
  const Linearization closed = linearized(model_from(text));
  EXPECT_EQ(closed.reference, "equilibrium");
  EXPECT_EQ(names(closed.variables), (std::vector<std::string>{"x", "x'"}));
  EXPECT_LT(miss(closed, {0.0, 3.0}), tolerance::kZero);
  std::string above = text;
  above.replace(above.find("y = 0\n"), 5, "y = 1");
  EXPECT_EQ(linearized(model_from(above)).variables.size(), 4u);
}

}  // namespace linearize_test
}  // namespace vinculum
