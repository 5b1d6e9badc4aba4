#include "vinculum/model/box_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/model/two_bodies.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using testing::First;
using testing::TwoBodies;

const Vector3d kLengths(0.5, 0.3, 0.9);  // lengths of the box

struct Measured {
  Jet gap, rate;
  Vector3d from_P, from_Q;  ///< the contact point, in the axes of A and of B
  Vector3d normal;          ///< direction of the force on B, in the axes of A
};

/// The contacts of a surface of body A with a box of body B, at poses given in numbers.
class Contacts {
 public:
  Contacts(SurfaceKind kind, std::vector<double> lengths) {
    JointSpec spec;
    spec.kind = JointKind::kContact;
    spec.first_point = two_.P;
    spec.second_point = two_.Q;
    spec.first_body = two_.A;
    spec.second_body = two_.B;
    spec.surface = kind;
    spec.surface2 = SurfaceKind::kBox;
    for (const double length : lengths) spec.surface_lengths.push_back(two_.builder.number(length));
    for (const double length : kLengths) spec.surface2_lengths.push_back(two_.builder.number(length));
    std::vector<std::string> names;
    const int count = contact_count(kind, SurfaceKind::kBox, {lengths.size(), 3});
    for (int i = 0; i < count; ++i) names.push_back("touch" + std::to_string(i));
    places_ = add_contact_places(two_.builder, names, spec);
  }

  /// \param B_in_A  attitude of B   \param PQ  from the center of A's surface to that of the box, in the axes of A
  std::vector<Measured> at(const Quaterniond& B_in_A, const Vector3d& PQ) {
    const Quaterniond of_A = Quaterniond(0.7, -0.2, 0.4, 0.5).normalized(), of_B = of_A * B_in_A;
    const Vector3d P(0.1, -0.2, 0.15), Q(-0.2, 0.1, -0.1);  // from the mass centers, as in `TwoBodies`
    const std::array<Vector3d, 2> centers = {Vector3d::Zero(), of_A * (P + PQ) - of_B * Q};
    const std::array<Quaterniond, 2> attitudes = {of_A, of_B};
    const std::array<Vector3d, 2> spins = {Vector3d(0.7, -0.3, 0.2), Vector3d(-0.5, 0.8, 0.6)};
    Instant now;
    for (std::size_t body = 0; body < 2; ++body) {
      const Quaterniond& e = attitudes[body];
      const Vector3d half = 0.5 * spins[body];
      const Quaterniond rate = Quaterniond(0.0, half.x(), half.y(), half.z()) * e;
      for (const double q : {e.w(), e.x(), e.y(), e.z()}) now.q.push_back(q);
      for (const double q : {rate.w(), rate.x(), rate.y(), rate.z()}) now.q_dot.push_back(q);
      for (const double q : centers[body]) now.q.push_back(q);
      for (const double v : {0.3, 0.4 - static_cast<double>(body), 0.9}) now.q_dot.push_back(v);
    }
    now.q_ddot.assign(now.q.size(), 0.0);
    TermValues values(two_.builder.model(), now);
    const auto numbers = [&](Term vector, FrameId frame) -> Vector3d {
      const JetVector v = values.vector(vector, frame);
      return {v[0].value, v[1].value, v[2].value};
    };
    std::vector<Measured> all;
    for (const ContactPlace& place : places_)
      all.push_back({values.scalar(place.gap), values.scalar(place.rate),
                     numbers(two_.builder.pos(place.Q, two_.P), two_.A),
                     numbers(two_.builder.pos(place.P, two_.Q), two_.B), Vector3d::Zero()});
    return all;
  }

 private:
  TwoBodies two_{First::kBody, {"ball", JointKind::kSpherical}};
  std::vector<ContactPlace> places_;
};

/// Signed distance of a point from a box, largest along its axes.
double level(const Vector3d& lengths, const Vector3d& x) { return (x.cwiseAbs() - 0.5 * lengths).maxCoeff(); }

class Random {
 public:
  Quaterniond attitude() {
    std::normal_distribution<double> normal;
    return Quaterniond(normal(engine_), normal(engine_), normal(engine_), normal(engine_)).normalized();
  }
  Vector3d vector(double size) {
    std::uniform_real_distribution<double> unit(-size, size);
    return {unit(engine_), unit(engine_), unit(engine_)};
  }
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

 private:
  std::mt19937 engine_{20261203};
};

std::size_t least(const std::vector<Measured>& all) {
  return static_cast<std::size_t>(std::ranges::min_element(all, {}, [](const Measured& one) { return one.gap.value; }) -
                                  all.begin());
}

TEST(BoxContact, OfACapsuleAndABoxIsClosedExactlyWhereTheyTouch) {
  constexpr double kRadius = 0.1, kHalf = 0.4;
  Contacts pair(SurfaceKind::kCapsule, {kRadius, 2.0 * kHalf});
  Random random;
  std::array<int, 3> kinds = {0, 0, 0};  // ends, edges, corners
  for (int i = 0; i < 400; ++i) {
    const Quaterniond attitude = random.attitude(), back = attitude.inverse();
    Vector3d PQ = random.vector(0.9);
    // from the box to the point s of the segment, in the axes of the box; its length is a convex function of s
    const auto arm = [&](double s) -> Vector3d {
      const Vector3d x = back * (Vector3d(0.0, 0.0, s) - PQ);
      return x - x.cwiseMax(-0.5 * kLengths).cwiseMin(0.5 * kLengths);
    };
    double low = -kHalf, high = kHalf;
    for (int k = 0; k < 100; ++k) {
      const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
      (arm(left).norm() < arm(right).norm() ? high : low) = arm(left).norm() < arm(right).norm() ? right : left;
    }
    const Vector3d shortest = arm(0.5 * (low + high));
    if (shortest.norm() < 0.05) continue;  // inside each other
    PQ += attitude * (shortest - kRadius * shortest.normalized());
    const auto now = pair.at(attitude, PQ);
    const std::size_t closed = least(now);
    EXPECT_NEAR(now[closed].gap.value, 0.0, 1e-9) << closed;
    EXPECT_NEAR(now[closed].rate.value, now[closed].gap.rate, 1e-6) << closed;
    EXPECT_NEAR(level(kLengths, now[closed].from_Q), 0.0, 1e-7) << closed;
    for (std::size_t k = 0; k < now.size(); ++k)
      EXPECT_TRUE(k == closed || now[k].gap.value > 1e-9) << k << " and " << closed << ": " << now[k].gap.value;
    ++kinds[closed < 2 ? 0 : closed < 4 ? 1 : 2];
  }
  for (const int kind : kinds) EXPECT_GE(kind, 10);
}

}  // namespace
}  // namespace vinculum::model
