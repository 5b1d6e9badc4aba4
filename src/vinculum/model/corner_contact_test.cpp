#include "vinculum/model/corner_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/model/two_bodies.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::First;
using testing::TwoBodies;
using Corners = std::vector<Vector2d>;

// Beyond the ends of the edges, the gaps of the corners of the first polygon are larger by up to this: 2 kCorner of the
// longest edge.
constexpr double kMore = 2.0 * tolerance::kCorner;
constexpr double kTurn = 0.3;  // of A about the normal of the plane, which is x

Vector2d turned(const Vector2d& v, double angle) { return Eigen::Rotation2Dd(angle) * v; }

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Distance of a point from a convex polygon (counterclockwise): negative inside; outside to the nearest corner or
/// edge.
double signed_distance(const Corners& polygon, const Vector2d& x) {
  double outside = 1e9, inside = -1e9;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector2d a = polygon[i], edge = polygon[(i + 1) % polygon.size()] - a;
    const double s = std::clamp((x - a).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    outside = std::min(outside, (x - a - s * edge).norm());
    inside = std::max(inside, -cross(edge, x - a) / edge.norm());
  }
  return inside < 0.0 ? inside : outside;
}

/// Two polygons in the plane y, z of two bodies.
class TwoPolygons {
 public:
  TwoPolygons(Corners first, Corners second) : first_(std::move(first)), second_(std::move(second)) {
    JointSpec spec;
    spec.kind = JointKind::kContact;
    spec.first_point = two_.P;
    spec.second_point = two_.Q;
    spec.first_body = two_.A;
    spec.second_body = two_.B;
    spec.surface = spec.surface2 = SurfaceKind::kPolygon;
    for (const Vector2d& c : first_) spec.surface_lengths.push_back(two_.along(two_.A, 0.0, c.x(), c.y()));
    for (const Vector2d& c : second_) spec.surface2_lengths.push_back(two_.along(two_.B, 0.0, c.x(), c.y()));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < first_.size() + second_.size(); ++i) names.push_back("touch" + std::to_string(i));
    EXPECT_EQ(contact_count(SurfaceKind::kPolygon, SurfaceKind::kPolygon, {first_.size(), second_.size()}),
              static_cast<int>(names.size()));
    places_ = add_contact_places(two_.builder, names, spec);
  }

  struct Measured {
    double gap, rate, rate_of_gap,
        from_polygon;  ///< the last one: signed distance of the corner from the other polygon
  };
  /// \param angle, PQ  of B relative to A, in the axes of A
  std::vector<Measured> at(double angle, const Vector2d& PQ) {
    const Quaterniond of_A(Eigen::AngleAxisd(kTurn, Vector3d::UnitX())),
        of_B(Eigen::AngleAxisd(kTurn + angle, Vector3d::UnitX()));
    const Vector3d P(0.1, -0.2, 0.15), Q(-0.2, 0.1, -0.1);  // from the mass centers, as in `TwoBodies`
    const std::array<Vector3d, 2> centers = {Vector3d::Zero(), of_A * (P + Vector3d(0.0, PQ.x(), PQ.y())) - of_B * Q};
    const std::array<Quaterniond, 2> attitudes = {of_A, of_B};
    const std::array<double, 2> spins = {0.7, -1.1};
    Instant now;
    for (std::size_t body = 0; body < 2; ++body) {
      const Quaterniond& e = attitudes[body];
      const Quaterniond rate = Quaterniond(0.0, 0.5 * spins[body], 0.0, 0.0) * e;  // a turn about x
      for (const double q : {e.w(), e.x(), e.y(), e.z()}) now.q.push_back(q);
      for (const double q : {rate.w(), rate.x(), rate.y(), rate.z()}) now.q_dot.push_back(q);
      for (int k = 0; k < 3; ++k) now.q.push_back(centers[body][k]);
      for (const double v : {0.0, 0.4 - static_cast<double>(body), 0.9}) now.q_dot.push_back(v);
    }
    now.q_ddot.assign(now.q.size(), 0.0);
    TermValues values(two_.builder.model(), now);
    std::vector<Measured> all;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const bool is_of_second = i < second_.size();
      const Vector2d corner =
          is_of_second ? Vector2d(PQ + turned(second_[i], angle)) : turned(first_[i - second_.size()] - PQ, -angle);
      const Jet gap = values.scalar(places_[i].gap);
      all.push_back({gap.value, values.scalar(places_[i].rate).value, gap.rate,
                     signed_distance(is_of_second ? first_ : second_, corner)});
    }
    return all;
  }

 private:
  Corners first_, second_;
  TwoBodies two_{First::kBody, {"ball", JointKind::kSpherical}};
  std::vector<ContactPlace> places_;
};

const Corners kPentagon = {{-0.3, -0.2}, {0.25, -0.3}, {0.4, 0.1}, {0.0, 0.35}, {-0.35, 0.1}};
const Corners kTriangle = {{-0.2, -0.1}, {0.3, -0.15}, {0.05, 0.3}};
const Corners kBox = {{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}};

TEST(CornerContact, HasTheGapOfEachCornerToTheEdgeThatFacesIt) {
  TwoPolygons pair(kPentagon, kTriangle);
  std::mt19937 random(20261201);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int inside = 0, beyond_corners = 0;
  for (int i = 0; i < 100; ++i) {
    for (const TwoPolygons::Measured& corner : pair.at(3.0 * unit(random), {0.6 * unit(random), 0.6 * unit(random)})) {
      EXPECT_NEAR(corner.rate, corner.rate_of_gap, 1e-12);
      // Inside, and over an edge, it is the distance; beyond a corner it is positive and not larger.
      EXPECT_EQ(corner.gap < 0.0, corner.from_polygon < 0.0);
      EXPECT_LE(corner.gap, corner.from_polygon + kMore);
      inside += corner.from_polygon < 0.0 ? 1 : 0;
      if (corner.gap < corner.from_polygon - kMore)
        ++beyond_corners;
      else
        EXPECT_NEAR(corner.gap, corner.from_polygon, kMore);
    }
  }
  EXPECT_GE(inside, 50);
  EXPECT_GE(beyond_corners, 50);
}

TEST(CornerContact, OfACornerOverACornerIsOnTheFaces) {
  TwoPolygons boxes(kBox, kBox);
  // The second box lies on the first one, corner over corner, and is shifted by rounding errors.
  for (const double shift : {0.0, 1e-16, -1e-16, 1e-12, -1e-12}) {
    const auto corners = boxes.at(0.0, {shift, 0.4});
    for (const std::size_t lower : {0U, 1U}) EXPECT_NEAR(corners[lower].gap, 0.0, 1e-15) << shift;
    for (const std::size_t lower : {0U, 1U}) EXPECT_NEAR(corners[lower].rate, corners[lower].rate_of_gap, 1e-12);
    // The corners of the first box at the same places are open, by less than matters.
    for (const std::size_t upper : {6U, 7U}) {
      EXPECT_GT(corners[upper].gap, 0.5 * tolerance::kCorner * 0.6);
      EXPECT_LT(corners[upper].gap, 10.0 * tolerance::kCorner);
    }
  }
  // Shifted by a hundredth of a millimeter, two corners are over faces: one of each box.
  const auto shifted = boxes.at(0.0, {1e-5, 0.4});
  EXPECT_NEAR(shifted[0].gap, 0.0, 1e-15);
  EXPECT_NEAR(shifted[1].gap, 1e-5, 1e-12);
  EXPECT_NEAR(shifted[6].gap, 0.0, 1e-15);
  EXPECT_NEAR(shifted[7].gap, 1e-5, kMore);
}

TEST(CornerContact, OfACornerAtTheLevelOfAFaceIsOpenUntilItIsOverTheFace) {
  TwoPolygons boxes(kBox, kBox);
  // The second box slides onto the first one from the right, exactly at the height of its upper face.
  for (double ahead = 0.3; ahead > 1e-7; ahead *= 0.1) {
    const auto corners = boxes.at(0.0, {0.6 + ahead, 0.4});
    for (const auto& corner : corners) EXPECT_GT(corner.gap, 0.9 * ahead);
  }
  const auto over = boxes.at(0.0, {0.6 - 1e-5, 0.4});
  EXPECT_NEAR(over[0].gap, 0.0, 1e-15);
  EXPECT_NEAR(over[0].rate, over[0].rate_of_gap, 1e-12);
}

}  // namespace
}  // namespace vinculum::model
