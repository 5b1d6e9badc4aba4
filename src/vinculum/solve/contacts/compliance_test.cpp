#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "vinculum/base/index.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"

// Contacts whose forces the equations of motion do not determine, with compliances.
namespace vinculum::solve {
namespace {

/// A body on a plane with feet that slide in given directions: rows along x, y and z of each foot.
struct SlidingFeet {
  Matrix W;         ///< [3n×6]
  Vector mu;        ///< [n]
  Vector yielding;  ///< [n] compliances
  Matrix slip;      ///< [2×n] unit vectors
  Vector mass;      ///< [6]
  Vector load;      ///< [6]

  [[nodiscard]] Eigen::Index count() const { return mu.size(); }

  [[nodiscard]] ContactProblem problem() const {
    ContactProblem of;
    const Matrix inverse = mass.cwiseInverse().asDiagonal();
    of.G = W * inverse * W.transpose();
    of.G_size = of.G.diagonal();
    of.b = W * inverse * load;
    of.R = Matrix::Zero(count(), 3 * count());
    of.r0 = Vector::Zero(count());
    of.Z = Matrix::Zero(count(), 0);
    of.w_size = of.x_size = Vector::Constant(3 * count(), 10.0);
    of.r_size = Vector::Constant(count(), 10.0);
    for (Eigen::Index i = 0; i < count(); ++i) {
      Contact one;
      one.first = static_cast<int>(3 * i);
      one.count = 2;
      one.unilateral = static_cast<int>(3 * i + 2);
      one.normal = {static_cast<int>(i)};
      one.mu = mu[i];
      one.compliance = yielding[i];
      one.slip = slip.col(i);
      of.R(i, 3 * i + 2) = 1.0;
      of.contacts.push_back(one);
    }
    return of;
  }

  /// Normal forces of feet that yield by ε times their compliance, by trying all sets of feet that carry.
  [[nodiscard]] std::vector<Vector> forces_of_yielding_feet(double epsilon) const {
    const ContactProblem of = problem();
    const Eigen::Index n = count();
    Matrix A(n, n);
    Vector b(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      b[i] = of.b[3 * i + 2];
      for (Eigen::Index j = 0; j < n; ++j)
        A(i, j) = of.G(3 * i + 2, 3 * j + 2) -
                  mu[j] * (of.G(3 * i + 2, 3 * j) * slip(0, j) + of.G(3 * i + 2, 3 * j + 1) * slip(1, j));
      A(i, i) += epsilon * yielding[i];
    }
    std::vector<Vector> found;
    for (unsigned set = 0; set < 1U << n; ++set) {
      std::vector<Eigen::Index> carry;
      for (Eigen::Index i = 0; i < n; ++i)
        if ((set >> i & 1U) != 0) carry.push_back(i);
      Vector x = Vector::Zero(n);
      if (!carry.empty()) x(carry) = Matrix(A(carry, carry)).fullPivLu().solve(Vector(-b(carry)));
      const Vector w = A * x + b;
      bool holds = x.minCoeff() >= -1e-9;
      for (Eigen::Index i = 0; i < n; ++i) holds = holds && ((set >> i & 1U) != 0 || w[i] >= -1e-12);
      if (holds) found.push_back(x);
    }
    return found;
  }
};

SlidingFeet random_feet(std::mt19937& random, int count, bool is_in_line) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0), positive(0.2, 1.0);
  SlidingFeet feet;
  feet.W = Matrix::Zero(3 * count, 6);
  feet.mu = feet.yielding = Vector::Zero(count);
  feet.slip = Matrix::Zero(2, count);
  const double h = 0.3 * positive(random);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Vector3d at(unit(random), is_in_line ? 0.0 : unit(random), -h);
    for (int k = 0; k < 3; ++k) {
      feet.W.row(3 * i + k).head(3) = Eigen::Vector3d::Unit(k).transpose();
      feet.W.row(3 * i + k).tail(3) = at.cross(Eigen::Vector3d::Unit(k)).transpose();
    }
    feet.mu[i] = 0.5 * positive(random);
    feet.yielding[i] = positive(random);
    feet.slip.col(i) = Eigen::Vector2d(unit(random), unit(random)).normalized();
  }
  feet.mass = Vector{{1.0, 1.0, 1.0, positive(random), positive(random), positive(random)}};
  feet.load = Vector{{unit(random), unit(random), -10.0, unit(random), unit(random), unit(random)}};
  return feet;
}

TEST(Compliance, GivesTheForcesOfFeetThatYieldALittle) {
  std::mt19937 random(7);
  int decided = 0, shared = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const bool is_in_line = trial % 3 == 0;
    const SlidingFeet feet = random_feet(random, is_in_line ? 3 + trial % 2 : 4 + trial % 2, is_in_line);
    const std::vector<Vector> expected = feet.forces_of_yielding_feet(1e-9);
    if (expected.size() != 1) continue;
    const ContactProblem problem = feet.problem();
    const ContactAnswers found = solve_contacts(problem);
    ASSERT_FALSE(found.answers.empty()) << trial;
    EXPECT_EQ(found.motions, 1) << trial;
    for (const ContactAnswer& answer : found.answers) {
      EXPECT_TRUE(answer.are_forces_unique) << trial;
      for (Eigen::Index i = 0; i < feet.count(); ++i)
        EXPECT_NEAR(answer.x[3 * i + 2], expected.front()[i], 1e-4) << trial << " foot " << i;
    }
    ++decided;
    shared += (expected.front().array() > 1e-3).count() > (is_in_line ? 2 : 3) ? 1 : 0;
  }
  EXPECT_GT(decided, 500);
  EXPECT_GT(shared, 150);
}

TEST(Compliance, OnlyRatiosMatter) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 50; ++trial) {
    const SlidingFeet feet = random_feet(random, 4, false);
    SlidingFeet softer = feet;
    softer.yielding *= 1e-6;
    const ContactAnswers one = solve_contacts(feet.problem()), other = solve_contacts(softer.problem());
    ASSERT_EQ(one.answers.size(), other.answers.size()) << trial;
    for (std::size_t k = 0; k < one.answers.size(); ++k)
      EXPECT_LT((one.answers[k].x - other.answers[k].x).norm(), 1e-9) << trial;
  }
}

/// A body on feet along an edge, at rest, with a load across the edge. No equation determines the friction forces along
/// the edge. Compliances leave these alone, since they concern normal forces; those of three feet they determine.
/// Closed form: all feet let go together at T = μ W (1 + m h²/I), with w = T/m − μ W (1/m + h²/I) from there on.
TEST(Compliance, FeetAlongAnEdgeLetGoTogether) {
  constexpr double kMu = 0.69, kWeight = 10.0, kHeight = 0.3, kInertia = 0.05;
  constexpr double kGain = 1.0 + kHeight * kHeight / kInertia;  // m = 1
  for (const auto& [angle, count, compliance] : std::vector<std::tuple<double, int, double>>{
           {0.0, 2, 0.0}, {0.0, 2, 1.0}, {0.3, 2, 0.0}, {0.3, 2, 1.0}, {1.0, 2, 1.0}, {2.5, 2, 1.0}, {0.3, 3, 1.0}}) {
    const Eigen::Vector3d along(std::cos(angle), std::sin(angle), 0.0), across(-std::sin(angle), std::cos(angle), 0.0);
    SlidingFeet feet;
    feet.W = Matrix::Zero(3 * count, 6);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double place = 0.4 * static_cast<double>(i) / (count - 1) - 0.2;
      const Eigen::Vector3d at = place * along - kHeight * Eigen::Vector3d::UnitZ();
      for (int k = 0; k < 3; ++k)
        feet.W.row(3 * i + k) << Eigen::Vector3d::Unit(k).transpose(), at.cross(Eigen::Vector3d::Unit(k)).transpose();
    }
    feet.mu = Vector::Constant(count, kMu);
    feet.yielding = Vector::Constant(count, compliance);
    feet.slip = Matrix::Zero(2, count);
    feet.mass = Vector{{1.0, 1.0, 1.0, kInertia, kInertia, kInertia}};
    for (const double more : {-0.5, -1e-3, -1e-6, -1e-8, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.5}) {
      SCOPED_TRACE(testing::Message() << "angle " << angle << ", feet " << count << ", beyond by " << more);
      const double T = kMu * kWeight * kGain * (1.0 + more), w = std::max(0.0, T - kMu * kWeight * kGain);
      feet.load = Vector::Zero(6);
      feet.load.head(3) = T * across - kWeight * Eigen::Vector3d::UnitZ();
      ContactProblem problem = feet.problem();
      for (Contact& contact : problem.contacts) contact.slip = Vector();
      const ContactAnswers found = solve_contacts(problem);
      ASSERT_FALSE(found.answers.empty());
      EXPECT_EQ(found.motions, 1);
      // In the limit of rigid feet, modes with open feet give the same motion, with margin 0.
      const ContactAnswer& best = *std::ranges::max_element(found.answers, {}, &ContactAnswer::margin);
      for (Eigen::Index i = 0; i < count; ++i) {
        EXPECT_NEAR(best.x[3 * i + 2], kWeight / count, 1e-6) << i;
        for (const ContactAnswer& answer : found.answers)
          EXPECT_LT((answer.w.segment(3 * i, 3) - w * across).norm(), 1e-7) << i;
      }
    }
  }
}

/// A table on four legs, or a stool on three, is pushed horizontally through its center of mass at height h. Closed
/// form: it stays at rest up to T = μ W, for every h, although the legs in front carry more. Its margin then is 1 −
/// T/(μ W).
TEST(Compliance, LegsHoldUntilAllFrictionIsUsed) {
  constexpr double kMu = 0.3, kWeight = 10.0;
  for (const auto& [count, h] : std::vector<std::pair<int, double>>{{4, 0.1}, {4, 0.7}, {4, 0.9}, {3, 0.7}}) {
    std::vector<Eigen::Vector3d> places = {{-0.5, 0.4, -h}, {-0.5, -0.4, -h}, {0.5, -0.4, -h}, {0.5, 0.4, -h}};
    if (count == 3) places = {{-0.5, 0.4, -h}, {-0.5, -0.4, -h}, {0.5, 0.0, -h}};
    SlidingFeet legs;
    legs.W = Matrix::Zero(3 * count, 6);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k)
        legs.W.row(3 * i + k) << Eigen::Vector3d::Unit(k).transpose(),
            nth(places, i).cross(Eigen::Vector3d::Unit(k)).transpose();
    legs.mu = Vector::Constant(count, kMu);
    legs.yielding = Vector::Ones(count);
    legs.slip = Matrix::Zero(2, count);
    legs.mass = Vector{{1.0, 1.0, 1.0, 0.05, 0.1, 0.12}};
    for (const double left : {0.1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, -1e-8, -1e-6, -1e-4}) {
      SCOPED_TRACE(testing::Message() << count << " legs, h = " << h << ", left " << left);
      legs.load = Vector{{kMu * kWeight * (1.0 - left), 0.0, -kWeight, 0.0, 0.0, 0.0}};
      ContactProblem problem = legs.problem();
      for (Contact& contact : problem.contacts) contact.slip = Vector();
      const ContactAnswers found = solve_contacts(problem);
      ASSERT_FALSE(found.answers.empty());
      EXPECT_EQ(found.motions, 1);
      const ContactAnswer& best = *std::ranges::max_element(found.answers, {}, &ContactAnswer::margin);
      const ContactMode mode = left > 0.0 ? ContactMode::kSticks : ContactMode::kSlides;
      EXPECT_EQ(best.modes.mode, std::vector<ContactMode>(static_cast<std::size_t>(count), mode));
      if (left > 0.0) {
        EXPECT_NEAR(best.margin, left, 1e-10);
      }
      EXPECT_NEAR(best.w[0], std::max(0.0, -left * kMu * kWeight), 1e-9);
    }
  }
}

}  // namespace
}  // namespace vinculum::solve
