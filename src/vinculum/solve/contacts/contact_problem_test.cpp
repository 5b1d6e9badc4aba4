#include "vinculum/solve/contacts/contact_problem.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "support/solve/impacts.hpp"

namespace vinculum::solve {
namespace {

/// A plane system with friction: M u' = f + Aᵀλ + Jᵀx, A u' = b. The normal force of contact c is λ of row c of A. The
/// rate of its slip velocity is w = J u', row c of J.
struct PlaneSystem {
  Matrix M, A, J;
  Vector f, b;
  std::vector<double> mu, given;
  std::vector<int> slip;  // 0 at rest, else the sign of the slip velocity

  [[nodiscard]] Eigen::Index nu() const { return M.rows(); }
  [[nodiscard]] std::size_t count() const { return mu.size(); }

  /// The matrix [M −Aᵀ; A 0].
  [[nodiscard]] Matrix kkt() const {
    Matrix K = Matrix::Zero(nu() + A.rows(), nu() + A.rows());
    K.topLeftCorner(nu(), nu()) = M;
    K.topRightCorner(nu(), A.rows()) = -A.transpose();
    K.bottomLeftCorner(A.rows(), nu()) = A;
    return K;
  }

  [[nodiscard]] ContactProblem reduced() const {
    const Eigen::Index nt = J.rows(), nc = A.rows();
    const Eigen::PartialPivLU<Matrix> lu(kkt());
    Matrix right = Matrix::Zero(nu() + nc, nt + 1);
    right.topLeftCorner(nu(), nt) = J.transpose();
    right.block(0, nt, nu(), 1) = f;
    right.block(nu(), nt, nc, 1) = b;
    const Matrix all = lu.solve(right);
    ContactProblem problem;
    problem.G = J * all.topLeftCorner(nu(), nt);
    problem.G = 0.5 * (problem.G + problem.G.transpose()).eval();
    problem.G_size = (J * M.inverse() * J.transpose()).diagonal();
    problem.b = J * all.block(0, nt, nu(), 1);
    problem.R = all.block(nu(), 0, nc, nt);
    problem.r0 = all.block(nu(), nt, nc, 1);
    problem.Z = Matrix::Zero(nc, 0);
    problem.w_size = Vector::Ones(nt);
    problem.x_size = Vector::Ones(nt);
    problem.r_size = Vector::Ones(nc);
    for (std::size_t c = 0; c < count(); ++c) {
      Contact one;
      one.first = static_cast<int>(c);
      if (mu[c] > 0.0) one.normal = {static_cast<int>(c)};
      one.mu = mu[c];
      one.given = given[c];
      if (slip[c] != 0) one.slip = Vector::Constant(1, slip[c]);
      problem.contacts.push_back(one);
    }
    return problem;
  }

  /// All motions, by brute force: u' for every choice of signs and of sticking contacts that satisfies Coulomb's
  /// conditions. Each choice is one linear system.
  [[nodiscard]] std::vector<Vector> motions() const {
    std::vector<Vector> found;
    std::vector<int> mode(count()), sign(count());
    const auto visit = [&](auto&& self, std::size_t c) -> void {
      if (c == count()) return try_one(mode, sign, found);
      for (const int s : mu[c] > 0.0 ? std::vector<int>{1, -1} : std::vector<int>{1}) {
        sign[c] = s;
        for (const int m : slip[c] != 0 ? std::vector<int>{slip[c]} : std::vector<int>{0, 1, -1}) {
          mode[c] = m;
          self(self, c + 1);
        }
      }
    };
    visit(visit, 0);
    return found;
  }

 private:
  void try_one(const std::vector<int>& mode, const std::vector<int>& sign, std::vector<Vector>& found) const {
    const Eigen::Index n = nu(), nc = A.rows(), nt = J.rows();
    Matrix K = Matrix::Zero(n + nc + nt, n + nc + nt);
    Vector right = Vector::Zero(n + nc + nt);
    K.topLeftCorner(n + nc, n + nc) = kkt();
    K.topRightCorner(n, nt) = -J.transpose();
    right.head(n) = f;
    right.segment(n, nc) = b;
    for (Eigen::Index c = 0; c < nt; ++c) {
      const auto at = static_cast<std::size_t>(c);
      const Eigen::Index row = n + nc + c;
      if (mode[at] == 0) {
        K.row(row).head(n) = J.row(c);
      } else {  // x + d (given + mu sign λ) = 0
        K(row, row) = 1.0;
        K(row, n + c) = mode[at] * mu[at] * sign[at];
        right[row] = -mode[at] * given[at];
      }
    }
    const Eigen::FullPivLU<Matrix> lu(K);
    if (!lu.isInvertible()) return;
    const Vector all = lu.solve(right);
    if ((K * all - right).norm() > 1e-9 * (1.0 + all.norm())) return;
    for (Eigen::Index c = 0; c < nt; ++c) {
      const auto at = static_cast<std::size_t>(c);
      const double lambda = all[n + c], x = all[n + nc + c], w = J.row(c).dot(all.head(n));
      if (mu[at] > 0.0 && sign[at] * lambda < -1e-9) return;
      if (mode[at] == 0 && std::abs(x) > given[at] + mu[at] * std::abs(lambda) + 1e-9) return;
      if (mode[at] != 0 && slip[at] == 0 && mode[at] * w < -1e-9) return;
    }
    for (const Vector& one : found)
      if ((one - all.head(n)).norm() <= 1e-6 * (1.0 + one.norm())) return;
    found.emplace_back(all.head(n));
  }
};

PlaneSystem random_plane_system(Random& random, int contacts, int more_speeds, double largest_mu, bool slides) {
  PlaneSystem s;
  const int nu = contacts + more_speeds;
  const Matrix L = random_entries(random, nu, nu);
  s.M = Matrix::Identity(nu, nu) + L * L.transpose();
  s.A = random_entries(random, contacts, nu);
  s.J = random_entries(random, contacts, nu);
  s.f = random_entries(random, nu, 1);
  s.b = random_entries(random, contacts, 1);
  for (int c = 0; c < contacts; ++c) {
    s.mu.push_back(uniform(random, 0.0, largest_mu));
    s.given.push_back(uniform(random, 0.0, 1.0) < 0.5 ? 0.0 : uniform(random, 0.0, 0.3));
    s.slip.push_back(!slides ? 0 : static_cast<int>(random() % 3) - 1);
  }
  return s;
}

/// The w of all answers, without repetitions, that is, all different motions.
std::vector<Vector> motions_of(const ContactProblem& problem, const ContactAnswers& found) {
  std::vector<Vector> all;
  for (const ContactAnswer& answer : found.answers) {
    const auto is_known = [&](const Vector& w) { return (w - answer.w).norm() <= 1e-6 * (1.0 + w.norm()); };
    if (std::ranges::none_of(all, is_known)) all.push_back(answer.w);
  }
  EXPECT_EQ(found.answers.empty(), found.motions == 0);
  (void)problem;
  return all;
}

TEST(ContactProblem, FindsAllMotionsOfRandomPlaneSystems) {
  Random random(1);
  int none = 0, many = 0, compared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int contacts = 1 + trial % 3;
    const PlaneSystem system =
        random_plane_system(random, contacts, 1 + trial % 4, trial % 5 == 0 ? 3.0 : 0.8, trial % 2 == 0);
    const ContactProblem problem = system.reduced();
    const ContactAnswers found = solve_contacts(problem);
    const std::vector<Vector> expected = system.motions();
    const std::vector<Vector> w = motions_of(problem, found);
    ASSERT_EQ(w.size(), expected.size()) << "trial " << trial;
    for (const Vector& u_dot : expected) {
      const Vector at = system.J * u_dot;
      const auto is_found = [&](const Vector& one) { return (one - at).norm() <= 1e-7 * (1.0 + at.norm()); };
      EXPECT_TRUE(std::ranges::any_of(w, is_found)) << "trial " << trial;
      ++compared;
    }
    EXPECT_TRUE(found.is_complete);
    none += expected.empty() ? 1 : 0;
    many += expected.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(compared, 2000);
  EXPECT_GT(none, 5);
  EXPECT_GT(many, 20);
}

TEST(ContactProblem, IsConvexWithGivenBoundsInAnyNumberOfContacts) {
  Random random(2);
  for (int trial = 0; trial < 600; ++trial) {
    const int contacts = 1 + trial % 14, nu = 1 + trial % 9;  // often more contacts than speeds
    PlaneSystem system = random_plane_system(random, contacts, std::max(0, nu - contacts), 0.0, trial % 4 == 0);
    system.M =
        Matrix::Identity(nu, nu) + Matrix(random_entries(random, nu, nu).cwiseAbs2().rowwise().sum().asDiagonal());
    system.A.resize(0, nu);
    system.b.resize(0);
    system.J = random_entries(random, contacts, nu);
    if (trial % 3 == 0 && contacts > 2) system.J.row(1) = -2.0 * system.J.row(0);
    system.f = random_entries(random, nu, 1);
    std::ranges::fill(system.mu, 0.0);
    const ContactProblem problem = system.reduced();
    const ContactAnswers found = solve_contacts(problem);
    ASSERT_FALSE(found.answers.empty()) << trial;
    EXPECT_EQ(found.motions, 1) << trial;
    for (const ContactAnswer& answer : found.answers) {
      EXPECT_LT((problem.G * answer.x + problem.b - answer.w).norm(), 1e-10);
      for (int c = 0; c < contacts; ++c) {
        const double g = system.given[static_cast<std::size_t>(c)], x = answer.x[c], w = answer.w[c];
        const int slip = system.slip[static_cast<std::size_t>(c)];
        EXPECT_LE(std::abs(x), g + 1e-8);
        if (slip != 0) {
          EXPECT_NEAR(x, -slip * g, 1e-10);
        } else if (std::abs(w) > 1e-8) {
          EXPECT_NEAR(x, w > 0.0 ? -g : g, 1e-8) << trial;
        }
      }
    }
  }
}

/// A random problem of contacts with planes: each pair of components of x is the tangential force of one contact.
ContactProblem random_space_problem(Random& random, int contacts, int speeds, double mu) {
  ContactProblem problem;
  const Eigen::Index n = 2 * contacts;
  const Matrix J = random_entries(random, n, speeds);
  problem.G = J * J.transpose();
  problem.G_size = problem.G.diagonal();
  problem.b = J * random_entries(random, speeds, 1);
  problem.R = mu > 0.0 ? random_entries(random, contacts, n) : Matrix::Zero(contacts, n);
  problem.r0 = random_entries(random, contacts, 1);
  problem.Z = Matrix::Zero(contacts, 0);
  problem.w_size = problem.x_size = Vector::Ones(n);
  problem.r_size = Vector::Ones(contacts);
  for (int c = 0; c < contacts; ++c) {
    Contact one;
    one.first = 2 * c;
    one.count = 2;
    one.given = mu > 0.0 ? 0.0 : uniform(random, 0.0, 0.5);
    one.mu = mu > 0.0 ? uniform(random, 0.0, mu) : 0.0;
    if (mu > 0.0) one.normal = {c};
    if (uniform(random, 0.0, 1.0) < 0.3) {
      const double angle = uniform(random, 0.0, 6.3);
      one.slip = Vector{{std::cos(angle), std::sin(angle)}};
    }
    problem.contacts.push_back(one);
  }
  return problem;
}

void expect_coulomb(const ContactProblem& problem, const ContactAnswer& answer, int trial) {
  EXPECT_LT((problem.G * answer.x + problem.b - answer.w).norm(), 1e-9 * (1.0 + answer.w.norm())) << trial;
  for (const Contact& one : problem.contacts) {
    const Vector x = answer.x.segment(one.first, one.count), w = answer.w.segment(one.first, one.count);
    const double g = one.given + (one.normal.empty() ? 0.0 : one.mu * std::abs(answer.r[one.normal.front()]));
    EXPECT_LE(x.norm(), g + 1e-8 * (1.0 + g)) << trial;
    if (one.slip.size() > 0) {
      EXPECT_LT((x + g * one.slip).norm(), 1e-8 * (1.0 + g)) << trial;
    } else if (w.norm() > 1e-7) {
      EXPECT_LT((x + g * w.normalized()).norm(), 1e-7 * (1.0 + g)) << trial;
    }
  }
}

TEST(ContactProblem, IsConvexInSpaceToo) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const ContactProblem problem = random_space_problem(random, 1 + trial % 4, 2 + trial % 6, 0.0);
    const ContactAnswers found = solve_contacts(problem);
    ASSERT_FALSE(found.answers.empty()) << trial;
    EXPECT_EQ(found.motions, 1) << trial;
    for (const ContactAnswer& answer : found.answers) expect_coulomb(problem, answer, trial);
  }
}

/// Number of motions of one contact at rest in a plane with the normal force r0 + R x, by trying all directions of
/// slip.
int motions_by_angles(const ContactProblem& problem) {
  const Contact& one = problem.contacts.front();
  int found = 0;
  const Vector x_stick = -problem.G.fullPivLu().solve(problem.b);
  if (x_stick.norm() <= one.mu * std::abs(problem.r0[0] + problem.R.row(0).dot(x_stick))) ++found;
  for (const double sign : {1.0, -1.0}) {
    constexpr int kCount = 20000;
    double before = 0.0;
    bool was_right = false;
    for (int k = 0; k <= kCount; ++k) {
      const double angle = 2.0 * std::numbers::pi * (k + 0.37) / kCount;
      const Vector d{{std::cos(angle), std::sin(angle)}};
      const double divisor = 1.0 + one.mu * sign * problem.R.row(0).dot(d);
      const double n = sign * problem.r0[0] / divisor;
      const Vector w = problem.b - one.mu * n * (problem.G * d);
      const double across = d[0] * w[1] - d[1] * w[0];
      const bool is_right = n > 0.0 && w.dot(d) > 0.0;
      if (k > 0 && across * before < 0.0 && is_right && was_right) ++found;
      before = across;
      was_right = is_right;
    }
  }
  return found;
}

TEST(ContactProblem, FindsAllDirectionsOfOneContactInAPlane) {
  Random random(4);
  int several = 0;
  for (int trial = 0; trial < 300; ++trial) {
    ContactProblem problem = random_space_problem(random, 1, 3, trial % 2 == 0 ? 1.0 : 3.0);
    problem.contacts.front().slip = Vector();
    const ContactAnswers found = solve_contacts(problem);
    EXPECT_EQ(found.motions, motions_by_angles(problem)) << trial;
    for (const ContactAnswer& answer : found.answers) expect_coulomb(problem, answer, trial);
    several += found.motions > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 2);
}

TEST(ContactProblem, FindsAMotionOfSeveralContactsInSpace) {
  Random random(5);
  int found_any = 0;
  for (int trial = 0; trial < 60; ++trial) {
    ContactProblem problem = random_space_problem(random, 2 + trial % 2, 6, 0.3);
    for (Contact& one : problem.contacts) one.slip = Vector();
    const ContactAnswers found = solve_contacts(problem);
    found_any += found.answers.empty() ? 0 : 1;
    for (const ContactAnswer& answer : found.answers) expect_coulomb(problem, answer, trial);
  }
  EXPECT_EQ(found_any, 60);  // no contact slips and prescribed motions agree, so an answer exists
}

/// Number of motions of one-sided contacts, by trying all choices of open, sticking and sliding.
int motions_of_one_sided(const ContactProblem& problem) {
  const auto count = problem.contacts.size();
  std::vector<Vector> found;
  std::vector<int> mode(count);  // 0: open, 1: sticks, 2 and 3: slides in one or the other sense
  const auto visit = [&](auto&& self, std::size_t c) -> void {
    if (c < count) {
      for (const int m : {0, 1, 2, 3}) {
        mode[c] = m;
        self(self, c + 1);
      }
      return;
    }
    const Eigen::Index n = problem.b.size();
    Matrix K = Matrix::Zero(n, n);
    Vector right = Vector::Zero(n);
    for (std::size_t k = 0; k < count; ++k) {
      const int t = problem.contacts[k].first, normal = problem.contacts[k].unilateral;
      if (mode[k] == 0) {
        K(t, t) = K(normal, normal) = 1.0;
        continue;
      }
      K.row(normal) = problem.G.row(normal);
      right[normal] = -problem.b[normal];
      if (mode[k] == 1) {
        K.row(t) = problem.G.row(t);
        right[t] = -problem.b[t];
      } else {
        K(t, t) = 1.0;
        K(t, normal) = (mode[k] == 2 ? 1.0 : -1.0) * problem.contacts[k].mu;
      }
    }
    const Eigen::FullPivLU<Matrix> lu(K);
    if (!lu.isInvertible()) return;
    const Vector x = lu.solve(right), w = problem.G * x + problem.b;
    for (std::size_t k = 0; k < count; ++k) {
      const int t = problem.contacts[k].first, normal = problem.contacts[k].unilateral;
      if (x[normal] < -1e-9 || w[normal] < -1e-9) return;
      if (mode[k] == 1 && std::abs(x[t]) > problem.contacts[k].mu * x[normal] + 1e-9) return;
      if (mode[k] >= 2 && (mode[k] == 2 ? 1.0 : -1.0) * w[t] < -1e-9) return;
    }
    for (const Vector& one : found)
      if ((one - w).norm() <= 1e-6 * (1.0 + w.norm())) return;
    found.push_back(w);
  };
  visit(visit, 0);
  return static_cast<int>(found.size());
}

TEST(ContactProblem, OpensOneSidedContacts) {
  Random random(6);
  int opened = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int contacts = 1 + trial % 3;
    const Eigen::Index n = 2 * contacts;
    const Matrix J = random_entries(random, n, n + 1);
    ContactProblem problem;
    problem.G = J * J.transpose();
    problem.G_size = problem.G.diagonal();
    problem.b = random_entries(random, n, 1);
    problem.R = Matrix::Zero(contacts, n);
    problem.r0 = Vector::Zero(contacts);
    problem.Z = Matrix::Zero(contacts, 0);
    problem.w_size = problem.x_size = Vector::Ones(n);
    problem.r_size = Vector::Ones(contacts);
    for (int c = 0; c < contacts; ++c) {
      Contact one;
      one.first = 2 * c;
      one.unilateral = 2 * c + 1;
      one.normal = {c};
      one.mu = uniform(random, 0.0, trial % 4 == 0 ? 2.0 : 0.7);
      problem.R(c, 2 * c + 1) = 1.0;
      problem.contacts.push_back(one);
    }
    const ContactAnswers found = solve_contacts(problem);
    EXPECT_EQ(found.motions, motions_of_one_sided(problem)) << trial;
    for (const ContactAnswer& answer : found.answers)
      opened += std::ranges::count(answer.modes.mode, ContactMode::kOpen) > 0 ? 1 : 0;
  }
  EXPECT_GT(opened, 100);
}

/// A rigid body in the plane, supported at points with normals and tangents, with gravity and a force at its center.
PlaneSystem body_on_points(const std::vector<Eigen::Vector2d>& at, const std::vector<Eigen::Vector2d>& normal,
                           const std::vector<double>& mu, const Eigen::Vector2d& force, double inertia) {
  PlaneSystem s;
  const auto count = static_cast<Eigen::Index>(at.size());
  s.M = Eigen::Vector3d(1.0, 1.0, inertia).asDiagonal();
  s.A = s.J = Matrix::Zero(count, 3);
  for (Eigen::Index c = 0; c < count; ++c) {
    const Eigen::Vector2d n = normal[static_cast<std::size_t>(c)], t(n[1], -n[0]), r = at[static_cast<std::size_t>(c)];
    s.A.row(c) << n[0], n[1], r[0] * n[1] - r[1] * n[0];
    s.J.row(c) << t[0], t[1], r[0] * t[1] - r[1] * t[0];
  }
  s.f = Eigen::Vector3d(force[0], force[1], 0.0);
  s.b = Vector::Zero(count);
  s.mu = mu;
  s.given.assign(mu.size(), 0.0);
  s.slip.assign(mu.size(), 0);
  return s;
}

/// True if some forces let both contacts stick. The forces of sticking are not unique; they vary along one line. On
/// this line the conditions are linear between the points at which a friction force reaches its bound. So it suffices
/// to try these points, the midpoints between them, and two points far outside.
bool can_stick(const PlaneSystem& s) {
  Matrix equations(3, 4);
  equations << s.A.transpose(), s.J.transpose();
  const Eigen::FullPivLU<Matrix> lu(equations);
  if (lu.dimensionOfKernel() != 1) return false;
  const Vector at = lu.solve(Vector(-s.f)), free = lu.kernel().col(0);
  std::vector<double> points{0.0};
  for (int c = 0; c < 2; ++c) {
    for (const double sign : {1.0, -1.0}) {
      const double mu = s.mu[static_cast<std::size_t>(c)];
      const double slope = free[2 + c] - sign * mu * free[c], value = at[2 + c] - sign * mu * at[c];
      if (slope != 0.0) points.push_back(-value / slope);
    }
  }
  std::ranges::sort(points);
  for (std::size_t k = points.size() - 1; k > 0; --k) points.push_back(0.5 * (points[k] + points[k - 1]));
  points.push_back(points.front() - 1e6);
  points.push_back(*std::ranges::max_element(points) + 1e6);
  return std::ranges::any_of(points, [&](double y) {
    const Vector all = at + y * free;
    for (int c = 0; c < 2; ++c)
      if (std::abs(all[2 + c]) > s.mu[static_cast<std::size_t>(c)] * std::abs(all[c]) * (1.0 + 1e-12) + 1e-12)
        return false;
    return true;
  });
}

TEST(ContactProblem, DecidesTheMotionOfRandomBodiesOnTwoPoints) {
  Random random(8);
  int held = 0, moved = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const auto direction = [&] {
      const double angle = uniform(random, 0.0, 6.3);
      return Eigen::Vector2d(std::cos(angle), std::sin(angle));
    };
    const double mu = trial % 3 == 0 ? 0.6 : 0.2;
    PlaneSystem system = body_on_points({direction(), direction()}, {direction(), direction()},
                                        {uniform(random, 0.0, mu), uniform(random, 0.0, mu)}, direction(), 0.4);
    const ContactAnswers found = solve_contacts(system.reduced());
    std::vector<Vector> expected = system.motions();
    std::erase_if(expected, [](const Vector& u_dot) { return u_dot.norm() < 1e-8; });
    const bool is_held = can_stick(system);
    ASSERT_EQ(found.motions, static_cast<int>(expected.size()) + (is_held ? 1 : 0)) << trial;
    held += is_held ? 1 : 0;
    moved += found.motions == 1 && !is_held ? 1 : 0;
  }
  EXPECT_GT(held, 100);
  EXPECT_GT(moved, 100);
}

bool sticks(const ContactAnswers& found) {
  return found.motions == 1 && std::ranges::all_of(found.answers, [](const ContactAnswer& one) {
           return one.w.lpNorm<Eigen::Infinity>() < 1e-9;
         });
}

TEST(ContactProblem, LadderSticksFromTheKnownCoefficientOn) {
  const double theta = 20.0 * std::numbers::pi / 180.0, half = 1.5, limit = std::tan(theta / 2.0);
  const Eigen::Vector2d foot(half * std::sin(theta), -half * std::cos(theta));
  for (const double factor : {1e-5, 0.5, 0.999999, 1.000001, 1.5}) {
    const std::vector<double> mu(2, factor * limit);
    const ContactProblem problem =
        body_on_points({foot, -foot}, {{0.0, 1.0}, {1.0, 0.0}}, mu, {0.0, -9.81}, half * half / 3.0).reduced();
    const ContactAnswers found = solve_contacts(problem);
    EXPECT_EQ(found.motions, 1) << factor;
    EXPECT_EQ(sticks(found), factor > 1.0) << factor;
    if (factor > 1.0) {
      EXPECT_FALSE(found.answers.front().are_forces_unique);
    }
  }
}

TEST(ContactProblem, TwoFeetShareFrictionAndLetGoTogether) {
  const double w = 0.5, h = 0.4;
  for (const double force : {0.0, 5.0, 50.0, 70.0}) {
    // A body of 20 kg; all forces are divided by 20 kg, so its mass is 1.
    const ContactProblem problem =
        body_on_points({{-w, -h}, {w, -h}}, {{0.0, 1.0}, {0.0, 1.0}}, {0.3, 0.3}, {force / 20.0, -9.81}, 0.05)
            .reduced();
    const ContactAnswers found = solve_contacts(problem);
    EXPECT_EQ(found.motions, 1) << force;
    EXPECT_EQ(sticks(found), force < 58.86) << force;
    const Vector x = found.answers.front().x;
    EXPECT_NEAR(x.sum(), -std::min(force, 0.3 * 9.81 * 20.0) / 20.0, 1e-9);
    EXPECT_NEAR(found.answers.front().w[0], std::max(0.0, force / 20.0 - 0.3 * 9.81), 1e-9);
  }
}

TEST(ContactProblem, ForcesThatAreNotUniqueKeepTheLargestDistanceFromTheirBounds) {
  ContactProblem problem;  // two pads press on the same point
  problem.G = Matrix::Constant(2, 2, 0.5);
  problem.G_size = Vector::Ones(2);
  problem.b = Vector::Constant(2, 2.5);
  problem.R = Matrix::Zero(0, 2);
  problem.r0 = Vector(0);
  problem.Z = Matrix::Zero(0, 0);
  problem.w_size = problem.x_size = Vector::Ones(2);
  problem.r_size = Vector(0);
  for (const double g : {5.886, 2.4}) {
    Contact one;
    one.first = static_cast<int>(problem.contacts.size());
    one.given = g;
    problem.contacts.push_back(one);
  }
  const ContactAnswers found = solve_contacts(problem);
  ASSERT_EQ(found.motions, 1);
  const ContactAnswer& answer = found.answers.front();
  EXPECT_FALSE(answer.are_forces_unique);
  EXPECT_TRUE(answer.is_motion_unique);
  EXPECT_NEAR(answer.x[0] / 5.886, answer.x[1] / 2.4, 1e-9);
  EXPECT_NEAR(answer.x.sum(), -5.0, 1e-12);
}

TEST(ContactProblem, FeetWithUnlikeCoefficientsHaveNoUniqueMotion) {
  // Three feet on a line. Their normal forces are not unique: N = N₀ + y (1, −2, 1) with any y.
  const auto solve_with = [](double mu, double other) {
    ContactProblem problem;
    problem.G = Matrix::Ones(3, 3);
    problem.G_size = Vector::Ones(3);
    problem.b = Vector::Constant(3, 5.0);
    problem.R = Matrix::Zero(3, 3);
    problem.r0 = Vector::Constant(3, 9.81 / 3.0);
    problem.Z = Vector{{1.0, -2.0, 1.0}};
    problem.w_size = problem.x_size = problem.r_size = Vector::Ones(3);
    for (const double one_mu : {mu, mu, other}) {
      Contact one;
      one.first = static_cast<int>(problem.contacts.size());
      one.normal = {one.first};
      one.mu = one_mu;
      one.slip = Vector::Ones(1);
      problem.contacts.push_back(one);
    }
    return solve_contacts(problem);
  };
  EXPECT_GT(solve_with(0.2, 0.4).motions, 1);
  // Reactions may have either sign, so the sum of their magnitudes can have any value, even with equal coefficients.
  EXPECT_GT(solve_with(0.2, 0.2).motions, 1);
  EXPECT_EQ(solve_with(0.0, 0.0).motions, 1);
}

TEST(ContactProblem, AForceThatMovesNothingStaysWithinItsBound) {
  ContactProblem problem;
  problem.G = Matrix::Zero(1, 1);
  problem.G_size = Vector::Ones(1);
  problem.b = Vector::Zero(1);
  problem.R = Matrix::Zero(0, 1);
  problem.r0 = Vector(0);
  problem.Z = Matrix::Zero(0, 0);
  problem.w_size = problem.x_size = Vector::Ones(1);
  problem.r_size = Vector(0);
  Contact one;
  one.given = 3.0;
  problem.contacts = {one};
  ContactAnswers found = solve_contacts(problem);  // the contact dwells: no force can move it
  ASSERT_EQ(found.answers.size(), 1U);
  EXPECT_EQ(found.answers.front().modes.mode.front(), ContactMode::kSticks);
  EXPECT_FALSE(found.answers.front().are_forces_unique);
  problem.b[0] = -0.5;  // the velocity changes, whatever the force
  found = solve_contacts(problem);
  ASSERT_EQ(found.answers.size(), 1U);
  EXPECT_EQ(found.answers.front().modes.mode.front(), ContactMode::kSlides);
  EXPECT_EQ(found.answers.front().x[0], 3.0);
}

TEST(ContactProblem, PrefersToStickWithinTheStaticBound) {
  ContactProblem problem;
  problem.G = Matrix::Ones(1, 1);
  problem.G_size = Vector::Ones(1);
  problem.R = Matrix::Zero(0, 1);
  problem.r0 = Vector(0);
  problem.Z = Matrix::Zero(0, 0);
  problem.w_size = problem.x_size = Vector::Ones(1);
  problem.r_size = Vector(0);
  Contact one;
  one.given = 1.0;
  one.static_ratio = 1.5;
  problem.contacts = {one};
  for (const double load : {0.9, 1.2, 1.6}) {
    problem.b = Vector::Constant(1, load);
    const ContactAnswers found = solve_contacts(problem);
    ASSERT_EQ(found.motions, 1) << load;
    EXPECT_NEAR(found.answers.front().w[0], load < 1.5 ? 0.0 : load - 1.0, 1e-12);
  }
}

TEST(ContactProblem, SharesForcesOfSlidingContactsIfAnotherOneSticks) {
  // Contacts 0 and 2 are the same contact and slide; contact 1 sticks. How 0 and 2 share their force does not change
  // the force of contact 1.
  Random random(9);
  int shared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Matrix J = random_entries(random, 6, 7);
    J.bottomRows(2) = J.topRows(2);
    ContactProblem problem;
    problem.G = J * J.transpose();
    problem.G_size = problem.G.diagonal();
    problem.b = J * random_entries(random, 7, 1);
    problem.R = Matrix::Zero(3, 6);
    problem.r0 = Vector::Zero(3);
    problem.Z = Matrix::Zero(3, 0);
    problem.w_size = problem.x_size = Vector::Ones(6);
    problem.r_size = Vector::Ones(3);
    for (int c = 0; c < 3; ++c) {
      Contact one;
      one.first = 2 * c;
      one.unilateral = 2 * c + 1;
      one.normal = {c};
      one.mu = c == 1 ? 0.6 : 0.3;
      if (c != 1) one.slip = Vector::Ones(1);
      problem.R(c, 2 * c + 1) = 1.0;
      problem.contacts.push_back(one);
    }
    for (const ContactAnswer& answer : solve_contacts(problem).answers) {
      shared += answer.are_forces_unique ? 0 : 1;
      for (int c = 0; c < 3; ++c) {
        const double n = answer.x[2 * c + 1], rate = answer.w[2 * c + 1];
        EXPECT_LT(std::abs(std::min(n, rate)), 1e-8) << trial;
        if (c != 1) {
          EXPECT_NEAR(answer.x[2 * c], -0.3 * n, 1e-8) << trial;
        }
      }
    }
  }
  EXPECT_GT(shared, 10);
}

TEST(ContactProblem, TwoContactsAtOnePointStickOrSlideAsOne) {
  // How the contacts share their normal force is not unique. Sliding against the acceleration is not possible for any
  // share, although all conditions that depend on the share can be satisfied.
  for (const double load : {0.1, 0.6, 0.9}) {
    ContactProblem problem;
    problem.G = Matrix::Identity(2, 2).replicate(2, 2);
    problem.G_size = Vector::Ones(4);
    problem.b = Vector{{-1.0, load, -1.0, load}};
    problem.R = Matrix::Zero(2, 4);
    problem.R(0, 0) = problem.R(1, 2) = 1.0;
    problem.r0 = Vector::Zero(2);
    problem.Z = Matrix::Zero(2, 0);
    problem.w_size = problem.x_size = Vector::Ones(4);
    problem.r_size = Vector::Ones(2);
    for (int c = 0; c < 2; ++c) {
      Contact one;
      one.unilateral = 2 * c;
      one.first = 2 * c + 1;
      one.normal = {c};
      one.mu = 0.5;
      problem.contacts.push_back(one);
    }
    const ContactAnswers found = solve_contacts(problem);
    ASSERT_EQ(found.motions, 1) << load;
    for (const ContactAnswer& answer : found.answers) {
      EXPECT_NEAR(answer.w[1], std::max(0.0, load - 0.5), 1e-12) << load;
      EXPECT_NEAR(answer.x[1] + answer.x[3], -std::min(load, 0.5), 1e-12) << load;
    }
  }
}

TEST(ContactProblem, NeedsNoContacts) {
  ContactProblem problem;
  problem.G = problem.R = problem.Z = Matrix(0, 0);
  problem.b = problem.G_size = problem.r0 = problem.w_size = problem.x_size = problem.r_size = Vector(0);
  const ContactAnswers found = solve_contacts(problem);
  EXPECT_EQ(found.motions, 1);
  EXPECT_EQ(found.answers.size(), 1U);
}

}  // namespace
}  // namespace vinculum::solve
