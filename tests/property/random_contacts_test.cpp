#include "support/solve/random_contacts.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "vinculum/solve/contacts/contact_problem.hpp"
#include "vinculum/solve/contacts/impact_process.hpp"
#include "vinculum/solve/contacts/impact_rates.hpp"

/// Laws of contacts on random systems of bodies, in the plane and in space: momentum, complementarity, friction cones
/// and energy. For the few problems without a solution, an independent method shows that none exists.
namespace vinculum::solve {
namespace random_contacts {

// Conditions of accelerations may be violated by 1e-9 × their sizes (contact_problem.hpp). Ten times this allows for
// the sums in the conditions that are checked here.
constexpr double kSmall = 1e-8;
// Up to this number of contacts in the plane all modes are tried to show that none is valid.
constexpr int kMostTried = 5;

/// Minimizes |A z − c| for z ≥ 0 by the active-set method of Lawson and Hanson, and returns the smallest |A z − c|.
double nonnegative_residual(const Matrix& A, const Vector& c) {
  const Eigen::Index n = A.cols();
  Vector z = Vector::Zero(n);
  std::vector<char> is_free(static_cast<std::size_t>(n), 0);
  for (Eigen::Index turn = 0; turn < 10 * n; ++turn) {
    const Vector gradient = A.transpose() * (c - A * z);
    Eigen::Index best = -1;
    for (Eigen::Index i = 0; i < n; ++i)
      if (is_free[static_cast<std::size_t>(i)] == 0 && gradient[i] > 1e-13 &&
          (best < 0 || gradient[i] > gradient[best]))
        best = i;
    if (best < 0) break;
    is_free[static_cast<std::size_t>(best)] = 1;
    for (Eigen::Index inner = 0; inner < 10 * n; ++inner) {
      std::vector<Eigen::Index> free;
      for (Eigen::Index i = 0; i < n; ++i)
        if (is_free[static_cast<std::size_t>(i)] != 0) free.push_back(i);
      if (free.empty()) break;
      const Matrix own = A(Eigen::all, free);
      const Vector next = own.completeOrthogonalDecomposition().solve(c), now = z(free);
      double step = 1.0;
      for (Eigen::Index k = 0; k < next.size(); ++k)
        if (next[k] <= 0.0) step = std::min(step, now[k] / (now[k] - next[k]));
      z(free) = now + step * (next - now);
      if (step == 1.0) break;
      for (Eigen::Index k = 0; k < next.size(); ++k) {
        if (next[k] > 0.0 || z[free[static_cast<std::size_t>(k)]] > 1e-14) continue;
        z[free[static_cast<std::size_t>(k)]] = 0.0;
        is_free[static_cast<std::size_t>(free[static_cast<std::size_t>(k)])] = 0;
      }
    }
  }
  return (A * z - c).norm();
}

/// True if some modes of the contacts of a plane problem are valid. All combinations of open, sticking, and sliding in
/// either direction are tried. For each one the forces along the edges of the friction cones and the rates that may be
/// positive are the unknowns z ≥ 0 of linear equations.
bool has_plane_solution(const ContactProblem& problem) {
  const std::size_t count = problem.contacts.size();
  const Vector root = problem.G_size.cwiseSqrt(), inverse = root.cwiseInverse();
  const Matrix G = inverse.asDiagonal() * problem.G * inverse.asDiagonal();
  const Vector b = inverse.cwiseProduct(problem.b), size = inverse.cwiseProduct(problem.w_size);
  const double scale = size.maxCoeff();
  std::vector<char> is_absent(static_cast<std::size_t>(b.size()), 1);  // rows whose rates are not restricted
  for (const Contact& one : problem.contacts)
    is_absent[static_cast<std::size_t>(one.unilateral)] = is_absent[static_cast<std::size_t>(one.first)] = 0;
  std::vector<int> mode(count, 0);  // 0 open, 1 sticks, 2 slides forwards, 3 slides backwards
  while (true) {
    Matrix A = Matrix::Zero(b.size(), 0);
    const auto add = [&](const Vector& column) {
      A.conservativeResize(Eigen::NoChange, A.cols() + 1);
      A.rightCols(1) = column;
    };
    for (Eigen::Index i = 0; i < b.size(); ++i) {
      if (is_absent[static_cast<std::size_t>(i)] == 0) continue;
      add(Vector::Unit(b.size(), i));
      add(-Vector::Unit(b.size(), i));
    }
    bool is_possible = true;
    for (std::size_t c = 0; c < count; ++c) {
      const Contact& one = problem.contacts[c];
      const int n = one.unilateral, t = one.first;
      const double mu = one.mu * root[t] / root[n];
      const auto edge = [&](double sign) { add(G.col(n) + sign * mu * G.col(t)); };
      const bool is_free = !one.is_at_rest() || mode[c] == 0;  // the rate of the slip may have either sign
      if (!one.is_at_rest()) {
        is_possible = is_possible && mode[c] < 2;
        if (mode[c] == 1) edge(-one.slip[0]);
      } else if (mode[c] > 0) {
        if (mode[c] != 2) edge(1.0);
        if (mode[c] != 3) edge(-1.0);
      }
      if (mode[c] == 0) add(-Vector::Unit(b.size(), n));
      if (is_free || mode[c] == 2) add(-Vector::Unit(b.size(), t));
      if (is_free || mode[c] == 3) add(Vector::Unit(b.size(), t));
    }
    if (is_possible && nonnegative_residual(A, -b / scale) <= 1e-10) return true;
    std::size_t at = 0;
    while (at < count && ++mode[at] == 4) mode[at++] = 0;
    if (at == count) return false;
  }
}

/// True if some impulses within the friction cones prevent all contacts from approaching each other. In space, cones
/// are replaced by pyramids with 16 edges.
bool can_be_stopped(const ImpactProblem& problem) {
  const Vector inverse = problem.G_size.cwiseSqrt().cwiseInverse();
  const auto count = static_cast<Eigen::Index>(problem.contacts.size());
  Matrix A = Matrix::Zero(count, 0);
  Vector c(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const ImpactContact& one = problem.contacts[static_cast<std::size_t>(i)];
    c[i] = -problem.velocity[one.normal] * inverse[one.normal];
    const int edges = one.count == 0 ? 1 : one.count == 1 ? 2 : 16;
    for (int k = 0; k < edges; ++k) {
      Vector p = Vector::Zero(problem.velocity.size());
      p[one.normal] = 1.0;
      const double angle = 2.0 * std::numbers::pi * k / edges;
      for (int j = 0; j < one.count; ++j) p[one.first + j] = one.mu * (j == 0 ? std::cos(angle) : std::sin(angle));
      const Vector moved = inverse.cwiseProduct(problem.G * p) * inverse[one.normal];
      A.conservativeResize(Eigen::NoChange, A.cols() + 1);
      for (Eigen::Index j = 0; j < count; ++j)
        A(j, A.cols() - 1) = moved[problem.contacts[static_cast<std::size_t>(j)].normal];
    }
  }
  A.conservativeResize(Eigen::NoChange, A.cols() + count);
  A.rightCols(count) = -Matrix::Identity(count, count);
  return nonnegative_residual(A, c / c.lpNorm<Eigen::Infinity>()) <= 1e-9;
}

/// Numbers of problems and of their results.
struct Tally {
  int problems = 0;
  int unsolved = 0;  ///< accelerations without an answer, impacts without rates at their start or without a result
  int unproven = 0;  ///< those of `unsolved` for which the tests do not show that no solution exists
  int many = 0;      ///< with more than one motion
  int rises = 0;     ///< impacts by other laws than the energetic one in which the energy rises
  int one_by_one = 0, inelastic = 0;  ///< impacts with these endings
  int diverged = 0;  ///< impacts by other laws than the energetic one with more than `kMostRounds` rounds
};

struct Case {
  std::uint64_t seed;
  bool is_spatial;
  int contacts;
  [[nodiscard]] std::string name() const {
    return "seed " + std::to_string(seed) + (is_spatial ? " in space, " : " in the plane, ") +
           std::to_string(contacts) + " contacts";
  }
};

/// Violation of the conditions of contact and friction by one answer, relative to the sizes of the problem.
double violation(const RandomSystem& system, const ContactProblem& problem, const ContactAnswer& answer) {
  const Vector w =
      system.speed *
      (system.W * (system.N * (system.f + system.W.transpose() * answer.x / (system.mass * system.speed))));
  double most = ((w - answer.w).cwiseAbs().cwiseQuotient(problem.w_size)).maxCoeff();
  for (const Contact& one : problem.contacts) {
    const int n = one.unilateral;
    const double force_size = problem.x_size.segment(one.first, one.count).maxCoeff();
    const double rate_size = problem.w_size.segment(one.first, one.count).maxCoeff();
    const double force = answer.x[n] / problem.x_size[n], rate = w[n] / problem.w_size[n];
    const Vector x = answer.x.segment(one.first, one.count), slip = w.segment(one.first, one.count);
    most = std::max({most, -force, -rate, std::min(force, rate), (x.norm() - one.mu * answer.x[n]) / force_size});
    if (!one.is_at_rest()) {
      most = std::max(most, (x + one.mu * answer.x[n] * one.slip).norm() / force_size);
    } else if (!answer.is_motion_unique && one.count > 1) {
      continue;  // an example of many motions, with the direction of the least forces
    } else if (slip.norm() > 1e-6 * rate_size) {
      most = std::max(most, (x + one.mu * answer.x[n] * slip.normalized()).norm() / force_size * 1e-2);
    } else {
      most = std::max(most, std::min(slip.norm() / rate_size, (one.mu * answer.x[n] - x.norm()) / force_size) * 1e-2);
    }
  }
  return most;
}

void check_accelerations(const Case& one, Tally& tally) {
  const RandomSystem system = RandomSystems(one.seed, one.is_spatial, one.contacts).draw(false);
  const ContactProblem problem = contacts_of(system);
  const ContactAnswers found = solve_contacts(problem);
  ++tally.problems;
  if (found.answers.empty()) {
    ++tally.unsolved;
    if (!one.is_spatial && one.contacts <= kMostTried) {
      EXPECT_FALSE(has_plane_solution(problem)) << one.name();
    } else {
      ++tally.unproven;
    }
  }
  tally.many += found.motions > 1 ? 1 : 0;
  for (const ContactAnswer& answer : found.answers) EXPECT_LE(violation(system, problem, answer), kSmall) << one.name();
}

/// The problem of an inelastic impact: w are the velocities after it, and all contacts count as being at rest.
ContactProblem inelastic(const ImpactProblem& impact) {
  ContactProblem problem;
  problem.G = impact.G;
  problem.G_size = impact.G_size;
  problem.b = impact.velocity;
  problem.w_size = impact.velocity_size;
  for (const ImpactContact& one : impact.contacts) {
    Contact contact;
    contact.unilateral = one.normal;
    contact.first = one.normal + 1;
    contact.mu = one.mu;
    problem.contacts.push_back(contact);
  }
  return problem;
}

bool is_energetic(const RandomSystem& system) {
  return std::ranges::all_of(system.contacts,
                             [](const RandomContact& at) { return at.law == RestitutionLaw::kEnergetic; });
}

void check_energy(const Case& one, const RandomSystem& system, const ImpactResult& result, Tally& tally) {
  const double unit = system.mass * system.speed * system.speed;
  const Vector p = result.impulse / (system.mass * system.speed);
  const Vector change = system.N * (system.W.transpose() * p), after = system.u + change;
  // Momentum: M Δu − Wᵀp is a combination of bilateral rows, and these stay satisfied.
  const Vector missing = system.N * (system.M * change - system.W.transpose() * p);
  const double size = std::max(1.0, system.u.norm() + change.norm());
  EXPECT_LE(missing.norm() + (system.B * after).norm(), 1e-10 * size) << one.name();
  const Vector v = system.speed * (system.W * after + system.drive);
  EXPECT_LE((v - result.velocity).norm(), 1e-10 * system.speed * size) << one.name();
  const double before = 0.5 * system.u.dot(system.M * system.u), now = 0.5 * after.dot(system.M * after);
  const double work = p.dot(system.velocity() + 0.5 * system.W * change);
  // Velocities count as 0 below 1e-11 × their sizes, so that works are known up to the impulses times this.
  const Vector sizes = system.W.cwiseAbs() * system.u.cwiseAbs().cwiseMax(1e-2) + (system.W * change).cwiseAbs();
  const double rounded =
      1e-15 * p.cwiseAbs().dot((system.W * system.N * system.W.transpose()).cwiseAbs() * p.cwiseAbs());
  const double small = 1e-9 * (before + now) + 1e-11 * p.cwiseAbs().dot(sizes) + rounded;
  EXPECT_NEAR(result.energy_change() / unit, work, small) << one.name();
  if (system.is_driven()) return;
  EXPECT_NEAR(result.energy_change() / unit, now - before, small) << one.name();
  if (is_energetic(system)) {
    EXPECT_LE(now - before, small) << one.name();
  } else {
    tally.rises += now - before > small ? 1 : 0;
  }
}

void check_impulses(const Case& one, const ImpactProblem& problem, const ImpactResult& result) {
  const Vector root = problem.G_size.cwiseSqrt();
  const double size = problem.velocity_size.cwiseQuotient(root).maxCoeff();
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ImpactContact& at = problem.contacts[c];
    const double p = result.impulse[at.normal] * root[at.normal] / size;
    const double before = problem.velocity[at.normal] / problem.velocity_size[at.normal];
    const double v = result.velocity[at.normal] / problem.velocity_size[at.normal];
    EXPECT_GE(p, -1e-9) << one.name();
    if (result.ending != ImpactEnding::kNoSolution) {
      EXPECT_GE(v, -2e-9) << one.name();
    }
    // A contact that separated and was not in a later round has no impulse.
    if (before > 1e-9 && result.rounds <= 1) {
      EXPECT_EQ(p, 0.0) << one.name();
    }
    const double work_size = std::abs(result.impulse[at.normal]) * problem.velocity_size[at.normal];
    EXPECT_LE(result.work[c].compression, 1e-11 * work_size) << one.name();
    EXPECT_GE(result.work[c].restitution, -1e-11 * work_size) << one.name();
    if (at.count == 0) continue;
    const double friction = result.impulse.segment(at.first, at.count).norm();
    EXPECT_LE(friction * root[at.first] / size, at.mu * p * root[at.first] / root[at.normal] + 1e-9) << one.name();
  }
}

/// The rates of impulses at the start of an impact in the plane. If the program finds none, no modes are valid.
void check_first_rates(const Case& one, const ImpactProblem& impact, Tally& tally) {
  const ScaledImpact scaled(impact);
  ContactProblem problem = inelastic(impact);
  std::vector<RateContact> active;
  std::vector<Contact> contacts;
  Vector b = Vector::Zero(impact.velocity.size());
  for (std::size_t c = 0; c < impact.contacts.size(); ++c) {
    const ImpactContact& at = impact.contacts[c];
    const double v = impact.velocity[at.normal] / impact.velocity_size[at.normal];
    if (v > 1e-11 || !scaled.is_movable(at)) continue;
    if (v < -1e-11) b[at.normal] = scaled.velocity[at.normal];
    Contact contact = problem.contacts[c];
    const bool slips = at.count > 0 && std::abs(impact.velocity[at.first]) > 1e-11 * impact.velocity_size[at.first];
    RateContact rate;
    rate.index = c;
    if (slips) rate.slip = Vector::Constant(1, impact.velocity[at.first] > 0.0 ? 1.0 : -1.0);
    contact.slip = at.count > 0 ? rate.slip : Vector::Ones(1);
    active.push_back(rate);
    contacts.push_back(contact);
  }
  if (active.size() < 2 || b.isZero(0.0) || solve_rates(scaled, active, b, 0.0)) return;
  problem.contacts = contacts;
  problem.b = scaled.row_size.cwiseProduct(b);
  ++tally.unsolved;
  if (one.contacts > kMostTried)
    ++tally.unproven;
  else
    EXPECT_FALSE(has_plane_solution(problem)) << one.name() << ": rates";
}

/// An impact without a result. There is none if the program says so.
void check_no_result(const Case& one, const RandomSystem& system, const ImpactProblem& problem, Tally& tally) {
  ++tally.unsolved;
  EXPECT_TRUE(system.is_driven()) << one.name();
  const bool is_smooth = std::ranges::all_of(problem.contacts, [](const ImpactContact& at) { return at.mu == 0.0; });
  if (is_smooth) {
    EXPECT_FALSE(can_be_stopped(problem)) << one.name();
  } else if (!one.is_spatial && one.contacts <= kMostTried) {
    EXPECT_FALSE(has_plane_solution(inelastic(problem))) << one.name();
  } else {
    ++tally.unproven;
  }
}

void check_impact(const Case& one, Tally& tally) {
  const RandomSystem system = RandomSystems(one.seed, one.is_spatial, one.contacts).draw(true);
  const ImpactProblem problem = impact_of(system);
  const ImpactResult result = solve_impact(problem);
  ++tally.problems;
  tally.one_by_one += result.ending == ImpactEnding::kOneByOne ? 1 : 0;
  tally.inelastic += result.ending == ImpactEnding::kInelastic ? 1 : 0;
  tally.many += result.ending == ImpactEnding::kManySolutions ? 1 : 0;
  if (!one.is_spatial) check_first_rates(one, problem, tally);
  if (result.ending == ImpactEnding::kNoSolution) return check_no_result(one, system, problem, tally);
  // By Newton's and Poisson's law energy may grow from round to round, until the velocities have no correct digits.
  if (result.rounds > kMostRounds && !is_energetic(system)) {
    ++tally.diverged;
    return;
  }
  check_energy(one, system, result, tally);
  check_impulses(one, problem, result);
}

/// One of `of_four` problems has four contacts, and so on; the others have one to three, or in space one.
struct Plan {
  int problems;
  int of_six, of_five, of_four;
  int of_three = 3, of_two = 3;
  [[nodiscard]] int contacts(int k) const {
    if (k % of_six == of_six - 1) return 6;
    if (k % of_five == of_five - 2) return 5;
    if (k % of_four == of_four - 3) return 4;
    return k % of_three == of_three - 1 ? 3 : k % of_two == of_two - 2 ? 2 : 1;
  }
};

template <class Check>
Tally check_many(const Check& check, bool is_spatial, const Plan& plan, std::uint64_t seed) {
  Tally tally;
  for (int k = 0; k < plan.problems; ++k)
    check(Case{seed + static_cast<std::uint64_t>(k), is_spatial, plan.contacts(k)}, tally);
  return tally;
}

// In the plane three of four problems have one to three contacts. In space contacts that slip cost much more: a problem
// of three contacts takes 0.3 s, and an impact of six with turning slips can take minutes. So most have one contact,
// and impacts have at most three.
constexpr Plan kInPlane{1000, 1000, 200, 20, 3, 3};
constexpr Plan kInSpace{1000, 1000, 1000, 1000, 200, 20};
constexpr int kNone = 1000000;
constexpr Plan kImpactsInSpace{1000, kNone, kNone, kNone, 1000, 40};

Plan times(Plan plan, int factor) {
  plan.problems *= factor;
  return plan;
}

/// At most 1 % of the problems are unsolved without a proof that no solution exists. In the plane there is a proof for
/// each problem with five contacts or fewer (`kMostTried`).
void expect_solved(const Tally& tally) {
  EXPECT_LE(100 * tally.unproven, tally.problems);
  EXPECT_LE(100 * tally.diverged, tally.problems);
  testing::Test::RecordProperty("problems", tally.problems);
  testing::Test::RecordProperty("unsolved", tally.unsolved);
  testing::Test::RecordProperty("unproven", tally.unproven);
  testing::Test::RecordProperty("many", tally.many);
  testing::Test::RecordProperty("rises", tally.rises);
  testing::Test::RecordProperty("one_by_one", tally.one_by_one);
  testing::Test::RecordProperty("inelastic", tally.inelastic);
  testing::Test::RecordProperty("diverged", tally.diverged);
}

TEST(RandomContacts, TwoThousandSatisfyTheLawsOfContact) {
  Plan some = kInPlane;
  some.problems = 500;
  expect_solved(check_many(check_accelerations, false, some, 1000000));
  expect_solved(check_many(check_impact, false, some, 2000000));
  some = kInSpace;
  some.problems = 500;
  expect_solved(check_many(check_accelerations, true, some, 3000000));
  some = kImpactsInSpace;
  some.problems = 500;
  expect_solved(check_many(check_impact, true, some, 4000000));
}

TEST(RandomContacts, AccelerationsInThePlaneSatisfyTheLawsOfContact) {
  expect_solved(check_many(check_accelerations, false, times(kInPlane, 20), 10000000));
}

TEST(RandomContacts, ImpactsInThePlaneSatisfyTheLawsOfContact) {
  expect_solved(check_many(check_impact, false, times(kInPlane, 25), 20000000));
}

TEST(RandomContacts, AccelerationsInSpaceSatisfyTheLawsOfContact) {
  expect_solved(check_many(check_accelerations, true, times(kInSpace, 30), 30000000));
}

TEST(RandomContacts, ImpactsInSpaceSatisfyTheLawsOfContact) {
  expect_solved(check_many(check_impact, true, times(kImpactsInSpace, 25), 40000000));
}

}  // namespace random_contacts
}  // namespace vinculum::solve
